import { formatNumber } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { formatShare } from '../../runs/format-share.ts'
import type { StepResult } from '../../runs/step-results.ts'
import classes from './sequence.module.css'
import { sequenceTexts } from './texts.ts'

/** What came of a message: how many got it, and how many answered before the next one. */
export function ResultFoot({ result }: { result: StepResult | undefined }) {
  const words = useTexts(sequenceTexts)
  if (!result || result.came === 0) return null
  const { came, answered, failed } = result
  return (
    <p className={classes.foot}>
      <span>
        <b>{formatNumber(came)}</b> {words.came(came)}
      </span>
      <span>
        <b>{formatNumber(answered)}</b> {words.answered(answered)} {formatShare(answered, came)}
      </span>
      {failed > 0 && (
        <span data-failed>
          <b>{formatNumber(failed)}</b> {words.failed(failed)}
        </span>
      )}
    </p>
  )
}
