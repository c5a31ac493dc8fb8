import { VisuallyHidden } from '@mantine/core'
import type { RatingsReport } from '@recado/contract/dashboard/report-sections'
import { lowestScore } from '@recado/contract/text/rating-scale'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './sections.module.css'
import { reportSectionTexts } from './texts.ts'

/** The average of one scale, how often each score was given, and the NPS of 0 to 10. */
export function ScaleSummary({ report }: { report: RatingsReport['scales'][number] }) {
  const words = useTexts(reportSectionTexts)
  const { scale, counts, average, nps } = report
  const first = lowestScore(scale)
  const shown = counts.slice(first)
  const top = Math.max(1, ...shown)
  const total = shown.reduce((sum, n) => sum + n, 0)
  return (
    <section className={classes.scale} aria-label={words.scale(first, scale)}>
      <p className={classes.average}>
        <strong>{average === null ? '–' : formatNumber(Math.round(average * 10) / 10, 1)}</strong>
        {words.ofScale(scale)} · {words.answered(total)}
        {nps !== null && <b className={classes.nps}>{`NPS ${nps > 0 ? '+' : ''}${nps}`}</b>}
      </p>
      <ol className={classes.scores}>
        {shown.map((n, i) => {
          const score = i + first
          return (
            <li key={score}>
              <span className={classes.scoreBar} aria-hidden="true">
                <i style={{ height: `${(n / top) * 100}%` }} />
              </span>
              <span aria-hidden="true">{score}</span>
              <VisuallyHidden>{words.scoreCount(score, n)}</VisuallyHidden>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
