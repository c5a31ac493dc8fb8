import type { Connection } from '@recado/contract/connections'
import type { LineHealth } from '@recado/contract/health/line-health'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './line-health.module.css'
import { lineHealthTexts } from './line-health-texts.ts'

/** The health of an official line in one sentence, with the used share of Meta's limit. Opens the whole report. */
export function LineHealthMark({ line, onOpen }: { line: Connection; onOpen: (line: Connection) => void }) {
  const words = useTexts(lineHealthTexts)
  const said = useLineHealthText(line.health)
  if (!line.health || !said) return null
  const { level, messagingLimit, reachedToday } = line.health
  const meter = messagingLimit !== null && messagingLimit > 0 && (
    <meter
      className={classes.bar}
      min={0}
      max={messagingLimit}
      value={Math.min(reachedToday, messagingLimit)}
      aria-label={words.ofLimit(formatNumber(reachedToday), formatNumber(messagingLimit))}
    />
  )
  return (
    <span className={classes.mark}>
      {meter}
      <button
        type="button"
        className={classes.open}
        data-level={level}
        title={said}
        aria-label={words.openOf(line.name, said)}
        onClick={() => onOpen(line)}
      >
        {said}
      </button>
    </span>
  )
}

/** For example "Calidad media · 12 de 250 en 24 h"; a problem of the account stands alone. */
export function useLineHealthText(health: LineHealth | null): string {
  const words = useTexts(lineHealthTexts)
  if (!health) return ''
  const { quality, account, nameDecision, messagingLimit, reachedToday } = health
  if (account) return words.account[account]
  const limit =
    messagingLimit === null || messagingLimit < 0
      ? ''
      : words.ofLimit(formatNumber(reachedToday), formatNumber(messagingLimit))
  const name = nameDecision === 'rejected' ? words.nameRejected : ''
  return [quality && words.quality[quality], name, limit].filter(Boolean).join(' · ')
}
