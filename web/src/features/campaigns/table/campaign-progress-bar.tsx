import type { CampaignCounts } from '@recado/contract/campaigns/campaigns'
import classes from './table.module.css'

/** The progress, with failures at its end. The numbers are beside it as text. */
export function CampaignProgressBar({ counts: { valid, sent, failed } }: { counts: CampaignCounts }) {
  const share = (n: number) => `${valid > 0 ? Math.min(100, (n / valid) * 100) : 0}%`
  return (
    <span className={classes.bar} aria-hidden="true">
      <span style={{ width: share(sent) }} />
      <span data-kind="failed" style={{ width: share(failed) }} />
    </span>
  )
}
