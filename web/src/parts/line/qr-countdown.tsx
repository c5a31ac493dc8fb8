import type { Connection } from '@recado/contract/connections'
import { useTexts } from '../../lib/texts.ts'
import { lineTexts } from './line-texts.ts'
import classes from './qr-code.module.css'
import { useQrCountdown } from './use-qr-countdown.ts'

/** The remaining validity of this code. */
export function QrCountdown({ line }: { line: Connection }) {
  const words = useTexts(lineTexts)
  const { secondsLeft, shareLeft } = useQrCountdown(line)
  return (
    <div className={classes.clock}>
      <span className={classes.bar} aria-hidden="true">
        <i style={{ width: `${shareLeft * 100}%` }} />
      </span>
      <span>{secondsLeft > 0 ? words.newCodeIn(secondsLeft) : words.newCodeSoon}</span>
    </div>
  )
}
