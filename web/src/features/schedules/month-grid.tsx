import { toWallTime, type WallTime } from '@recado/contract/schedules/occurrences'
import type { Schedule } from '@recado/contract/schedules/schedules'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { type CalendarDay, formatCalendarDay, formatWeekday } from '../../parts/schedule/calendar.ts'
import { texts } from '../../parts/schedule/texts.ts'
import classes from './calendar.module.css'
import type { CalendarContext } from './calendar-context.ts'
import { DropSlot } from './drag-feedback.tsx'
import { ScheduleEntry } from './schedule-entry.tsx'

/** How many entries of a day are shown; further entries are behind a link that opens the day. */
const maxEntriesPerDay = 3

type Props = {
  days: CalendarDay[]
  month: string
  rows: Schedule[]
  now: WallTime
  shown: CalendarContext
  openDay: (day: CalendarDay) => void
}

export function MonthGrid({ days, month, rows, now, shown: calendar, openDay }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const { zone, scheduleDrag } = calendar
  const sorted = rows.toSorted((a, b) => (a.sendAt < b.sendAt ? -1 : 1))
  const byDay = Map.groupBy(sorted, (row) => toWallTime(new Date(row.sendAt), zone).slice(0, 10))
  const today = now.slice(0, 10)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard.
    <section className={classes.scroller} tabIndex={0} aria-label={words.words.title} data-scroller>
      <div
        className={classes.month}
        style={{ gridTemplateRows: `34px repeat(${days.length / 7}, minmax(118px, 1fr))` }}
      >
        {days.slice(0, 7).map((day) => (
          <span key={day} className={classes.monthHead} aria-hidden="true">
            {formatWeekday(day, language)}
          </span>
        ))}
        {days.map((day) => {
          const dayRows = byDay.get(day) ?? []
          const hiddenCount = dayRows.length - maxEntriesPerDay
          return (
            // biome-ignore lint/a11y/useSemanticElements: a day is no field of a form.
            <div
              key={day}
              className={classes.cell}
              data-day={day}
              data-other={!day.startsWith(month) || undefined}
              data-today={day === today || undefined}
              role="group"
              aria-label={formatCalendarDay(day, language)}
            >
              <button
                type="button"
                className={classes.date}
                aria-label={formatCalendarDay(day, language)}
                onClick={() => openDay(day)}
              >
                {Number(day.slice(8))}
              </button>
              {dayRows.slice(0, maxEntriesPerDay).map((row) => (
                <ScheduleEntry key={row.id} row={row} calendar={calendar} isFlat />
              ))}
              {hiddenCount > 0 && (
                <button type="button" className={classes.rest} onClick={() => openDay(day)}>
                  {words.more(hiddenCount)}
                </button>
              )}
              {scheduleDrag.heldSchedule?.to.startsWith(day) && <DropSlot heldSchedule={scheduleDrag.heldSchedule} />}
            </div>
          )
        })}
      </div>
    </section>
  )
}
