import { IconCircleCheck } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import classes from './checkout.module.css'
import { texts } from './texts.ts'

/** The confirmation that is shown before the home page opens. */
export function PaymentReceived() {
  const words = useTexts(texts)
  return (
    <div className={classes.done} role="status">
      <IconCircleCheck size={48} stroke={1.5} aria-hidden="true" />
      <strong>{words.paid}</strong>
      <span className={classes.quiet}>{words.home}</span>
    </div>
  )
}
