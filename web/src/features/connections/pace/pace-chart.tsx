import type { LinePace } from '@recado/contract/connections'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import classes from './line-pace.module.css'
import { linePaceTexts } from './line-pace-texts.ts'

const chartHeightPx = 96
/** Minimum height, so that even a single person is visible. */
const minBarPx = 3

/** A bar per day for the people written to, and a mark above it for how many were allowed. */
export function PaceChart({ days }: { days: LinePace['days'] }) {
  const words = useTexts(linePaceTexts)
  const [language] = useLanguage()
  const long = new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const most = Math.max(1, ...days.flatMap(({ written, allowed }) => [written, allowed ?? 0]))
  const height = (n: number) => Math.max(minBarPx, (n / most) * chartHeightPx)
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.heading}>{words.chart}</figcaption>
      <ol className={classes.bars}>
        {days.map(({ day, written, allowed }) => {
          const moment = new Date(`${day}T12:00:00Z`)
          const said = words.dayLine(
            long.format(moment),
            formatNumber(written),
            allowed === null ? null : formatNumber(allowed),
          )
          return (
            <li key={day} title={said}>
              <span className={classes.unseen}>{said}</span>
              <span className={classes.column} aria-hidden="true" style={{ height: chartHeightPx }}>
                {allowed !== null && <i data-kind="allowed" style={{ height: height(allowed) }} />}
                {written > 0 && <i data-kind="written" style={{ height: height(written) }} />}
              </span>
              <small aria-hidden="true">{moment.getUTCDate()}</small>
            </li>
          )
        })}
      </ol>
      <ul className={classes.legend} aria-hidden="true">
        <li data-kind="written">{words.written}</li>
        <li data-kind="allowed">{words.allowed}</li>
      </ul>
    </figure>
  )
}
