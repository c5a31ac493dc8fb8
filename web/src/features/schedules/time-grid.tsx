import { Popover } from '@mantine/core'
import { toWallTime, type WallTime } from '@recado/contract/schedules/occurrences'
import type { Schedule } from '@recado/contract/schedules/schedules'
import { useEffect, useRef, useState } from 'react'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import {
  type CalendarDay,
  formatCalendarDay,
  formatUtcOffset,
  formatWeekday,
  type HiddenEntries,
  layOutSideBySide,
  minuteOfDay,
} from '../../parts/schedule/calendar.ts'
import { texts } from '../../parts/schedule/texts.ts'
import classes from './calendar.module.css'
import type { CalendarContext } from './calendar-context.ts'
import { DropSlot } from './drag-feedback.tsx'
import { ScheduleEntry } from './schedule-entry.tsx'

/** The same values as in the stylesheet. */
export const hourHeightPx = 58
const entryHeightPx = 38
const entryMinutes = Math.ceil((entryHeightPx / hourHeightPx) * 60)
const topOfMinute = (minute: number) => (Math.min(minute, 24 * 60 - entryMinutes) / 60) * hourHeightPx
const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** The grid first scrolls to 8:00, the usual start of work. */
const scrollToMinute = 8 * 60

type Props = { days: CalendarDay[]; rows: Schedule[]; now: WallTime; shown: CalendarContext }

/** A week or a day by hours. */
export function TimeGrid({ days, rows, now, shown: calendar }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const scrollRef = useRef<HTMLElement>(null)
  const { zone } = calendar
  const today = now.slice(0, 10)
  const byDay = Map.groupBy(rows, (row) => toWallTime(new Date(row.sendAt), zone).slice(0, 10))
  const first = days[0]
  // The label of the current time replaces the label of this hour.
  const isNow = (hour: number) => days.includes(today) && Math.abs(hour * 60 - minuteOfDay(now)) < 15
  const labelled = hours.slice(1).filter((hour) => !isNow(hour))
  // The scroll position stays while the days change; at first the morning is visible.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => {
    const from = days.includes(today) ? Math.min(scrollToMinute, minuteOfDay(now)) : scrollToMinute
    scrollRef.current?.scrollTo({ top: topOfMinute(from) - 12 })
  }, [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard.
    <section className={classes.scroller} ref={scrollRef} tabIndex={0} aria-label={words.words.title} data-scroller>
      <div className={classes.week} data-days={days.length}>
        <div className={classes.heads}>
          <span className={classes.zone} title={zone}>
            {formatUtcOffset(zone, new Date())}
          </span>
          {days.map((day) => (
            <div key={day} className={classes.head} data-today={day === today || undefined}>
              <b>{Number(day.slice(8))}</b>
              <span className={classes.clip}>
                {formatWeekday(day, language)}
                {day === today && ` · ${words.today.toLowerCase()}`}
              </span>
              {(byDay.get(day)?.length ?? 0) > 0 && <small>{byDay.get(day)?.length}</small>}
            </div>
          ))}
        </div>
        <div className={classes.gutter} aria-hidden="true">
          {labelled.map((hour) => (
            <span key={hour} style={{ top: hour * hourHeightPx }}>
              {String(hour).padStart(2, '0')}:00
            </span>
          ))}
          {days.includes(today) && (
            <span data-now="" style={{ top: topOfMinute(minuteOfDay(now)) }}>
              {now.slice(11)}
            </span>
          )}
        </div>
        {days.map((day) => (
          <DayColumn
            key={`${first} ${day}`}
            {...{ day, shown: calendar, now }}
            rows={byDay.get(day) ?? []}
            label={formatCalendarDay(day, language)}
          />
        ))}
      </div>
    </section>
  )
}

type ColumnProps = { day: CalendarDay; rows: Schedule[]; shown: CalendarContext; now: WallTime; label: string }

function DayColumn({ day, rows, shown: calendar, now, label }: ColumnProps) {
  const { zone, scheduleDrag } = calendar
  const entries = rows.map((one) => ({ one, minute: minuteOfDay(toWallTime(new Date(one.sendAt), zone)) }))
  const { placed, hidden: more } = layOutSideBySide(entries, entryMinutes)
  const { heldSchedule } = scheduleDrag
  return (
    // biome-ignore lint/a11y/useSemanticElements: a day is no field of a form.
    <div className={classes.column} data-day={day} role="group" aria-label={label}>
      {day === now.slice(0, 10) && <span className={classes.now} style={{ top: topOfMinute(minuteOfDay(now)) }} />}
      {placed.map(({ one, minute, column, columns, isCrowded }) => (
        <ScheduleEntry
          key={one.id}
          row={one}
          calendar={calendar}
          isNarrow={columns > 1}
          style={{
            top: topOfMinute(minute) + 1,
            left: `calc((100% - ${isCrowded ? 34 : 6}px) * ${column / columns} + 2px)`,
            width: `calc((100% - ${isCrowded ? 34 : 6}px) / ${columns} - 2px)`,
          }}
        />
      ))}
      {more.map((one) => (
        <HiddenEntriesButton key={one.minute} more={one} shown={calendar} />
      ))}
      {heldSchedule?.to.startsWith(day) && (
        <DropSlot heldSchedule={heldSchedule} style={{ top: topOfMinute(minuteOfDay(heldSchedule.to)) + 1 }} />
      )}
    </div>
  )
}

/** Maximum listed entries; for more entries the list view with its search is better. */
const maxListedEntries = 40

/** A button for the entries that have no room beside the others. */
function HiddenEntriesButton({
  more: { minute, all },
  shown: calendar,
}: {
  more: HiddenEntries<Schedule>
  shown: CalendarContext
}) {
  const words = useTexts(texts)
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} width={300} position="right-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.more}
          style={{ top: topOfMinute(minute) + 1 }}
          aria-label={words.more(all.length)}
          onClick={() => setOpened(!opened)}
        >
          +{all.length}
        </button>
      </Popover.Target>
      <Popover.Dropdown p={8}>
        <div className={classes.others}>
          {opened &&
            all.slice(0, maxListedEntries).map((row) => <ScheduleEntry key={row.id} row={row} calendar={calendar} />)}
          {all.length > maxListedEntries && (
            <p className={classes.detailsWhen}>{words.more(all.length - maxListedEntries)}</p>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
