import type { CampaignReport } from '@recado/contract/campaigns/campaigns'
import { IconTrophy } from '@tabler/icons-react'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { confidenceInterval, findSignificantWinner } from '../../../parts/significance.ts'
import classes from './report.module.css'
import { texts } from './texts.ts'

/** Shows which text works best: how many people answered, and with what confidence. */
export function VariantComparison({ variants }: { variants: CampaignReport['variants'] }) {
  const words = useTexts(texts)
  const share = (one: (typeof variants)[number]) => (one.sent > 0 ? one.answered / one.sent : 0)
  const sorted = variants.toSorted((a, b) => share(b) - share(a))
  const winner = findSignificantWinner(sorted)
  return (
    <section className={classes.card} aria-label={words.variants}>
      <header className={classes.head}>
        <h2>{words.variants}</h2>
        <span>{words.answer}</span>
      </header>
      {sorted.length === 0 && <p className={classes.quiet}>{words.noVariants}</p>}
      <ol className={classes.variants}>
        {sorted.map((one) => {
          const [low, high] = confidenceInterval(one.answered, one.sent)
          return (
            <li key={one.variant} data-wins={one === winner || undefined}>
              <i>{one.variant}</i>
              <span className={classes.text} title={one.text}>
                {one.text}
              </span>
              <b>{formatNumber(Math.round(share(one) * 1000) / 10)} %</b>
              <span className={classes.band} aria-hidden="true">
                <span style={{ left: `${low * 100}%`, width: `${(high - low) * 100}%` }} />
                <em style={{ left: `${share(one) * 100}%` }} />
              </span>
              <small>
                {words.variant(formatNumber(one.sent), formatNumber(one.answered), formatNumber(one.stopped))}
              </small>
            </li>
          )
        })}
      </ol>
      {sorted.length > 1 && (
        <p className={classes.verdict} role="status">
          <IconTrophy size={17} stroke={1.75} aria-hidden="true" />
          {winner ? words.wins(winner.variant) : words.early}
        </p>
      )}
    </section>
  )
}
