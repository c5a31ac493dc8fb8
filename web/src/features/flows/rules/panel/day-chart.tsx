import type { DryRun } from '@recado/contract/flows/flows'
import { formatIsoDay, formatNumber } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import classes from './panel.module.css'
import { rulePanelTexts } from './panel-texts.ts'

type Props = { run: DryRun; version: number | null }

/** A bar a day, and a tick for the published version. */
export function DayChart({ run, version }: Props) {
  const words = useTexts(rulePanelTexts)
  const { days } = run
  const most = Math.max(1, ...days.flatMap(({ n, published }) => [n, published ?? 0]))
  const sums = sumsOf(run)
  const label = `${words.chart(formatNumber(sums.draft))}${
    sums.published === null || version === null ? '' : words.chartPublished(version, formatNumber(sums.published))
  }`
  const shortDay = (day: string | undefined) => (day ? formatIsoDay(day).slice(0, 5) : '')
  return (
    <figure className={classes.chart}>
      <div className={classes.plot} role="img" aria-label={label}>
        {days.map(({ day, n, published }) => (
          <span key={day} className={classes.day} title={`${formatIsoDay(day)}: ${formatNumber(n)}`}>
            <span className={classes.bar} style={{ height: `${(n / most) * 100}%` }} />
            {published !== null && published > 0 && (
              <span className={classes.tick} style={{ bottom: `calc(${(published / most) * 100}% - 1px)` }} />
            )}
          </span>
        ))}
      </div>
      <figcaption className={classes.axis} aria-hidden="true">
        <span>{shortDay(days[0]?.day)}</span>
        <span>{shortDay(days[Math.floor(days.length / 2)]?.day)}</span>
        <span>{words.today}</span>
      </figcaption>
      {sums.published !== null && version !== null && (
        <p className={classes.legend} aria-hidden="true">
          <span>
            <i className={classes.draftMark} />
            {words.draft}
          </span>
          <span>
            <i className={classes.tickMark} />
            {words.version(version)}
          </span>
        </p>
      )}
    </figure>
  )
}

/** How often the draft would have started, and the published version; null: there is none. */
export function sumsOf({ days }: Pick<DryRun, 'days'>): { draft: number; published: number | null } {
  const draft = days.reduce((sum, { n }) => sum + n, 0)
  const isCompared = days.some(({ published }) => published !== null)
  return { draft, published: isCompared ? days.reduce((sum, { published }) => sum + (published ?? 0), 0) : null }
}
