import { type Wall, wallOf } from '@recado/contract/schedules/repetition'
import type { Schedule } from '@recado/contract/schedules/schedules'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import classes from './calendar.module.css'
import { type Day, longDay, weekdayName } from './calendar.ts'
import { Entry } from './entry.tsx'
import type { Shown } from './shown.ts'
import { Slot } from './slot.tsx'
import { texts } from './texts.ts'

/** More of a day are behind a word that opens it. */
const most = 3

type Props = { days: Day[]; month: string; rows: Schedule[]; now: Wall; shown: Shown; openDay: (day: Day) => void }

export function MonthGrid({ days, month, rows, now, shown, openDay }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const { zone, carry } = shown
  const sorted = rows.toSorted((a, b) => (a.sendAt < b.sendAt ? -1 : 1))
  const byDay = Map.groupBy(sorted, (row) => wallOf(new Date(row.sendAt), zone).slice(0, 10))
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
            {weekdayName(day, language)}
          </span>
        ))}
        {days.map((day) => {
          const all = byDay.get(day) ?? []
          const rest = all.length - most
          return (
            // biome-ignore lint/a11y/useSemanticElements: a day is no field of a form.
            <div
              key={day}
              className={classes.cell}
              data-day={day}
              data-other={!day.startsWith(month) || undefined}
              data-today={day === today || undefined}
              role="group"
              aria-label={longDay(day, language)}
            >
              <button
                type="button"
                className={classes.date}
                aria-label={longDay(day, language)}
                onClick={() => openDay(day)}
              >
                {Number(day.slice(8))}
              </button>
              {all.slice(0, most).map((row) => (
                <Entry key={row.id} row={row} shown={shown} flat />
              ))}
              {rest > 0 && (
                <button type="button" className={classes.rest} onClick={() => openDay(day)}>
                  {words.more(rest)}
                </button>
              )}
              {carry.held?.to.startsWith(day) && <Slot held={carry.held} />}
            </div>
          )
        })}
      </div>
    </section>
  )
}
