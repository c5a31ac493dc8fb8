import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './runs.module.css'
import type { StepResult } from './step-results.ts'
import { runsTexts } from './texts.ts'

/** `12 llegaron · 1 fallo`, at the end of a step's line. */
export function StepResultLine({ result }: { result: StepResult | undefined }) {
  const words = useTexts(runsTexts)
  if (!result || result.came + result.failed === 0) return null
  return (
    <span className={classes.result}>
      {words.came(result.came, formatNumber(result.came))}
      {result.failed > 0 && (
        <>
          {' · '}
          <b>{words.failures(result.failed, formatNumber(result.failed))}</b>
        </>
      )}
    </span>
  )
}
