import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import classes from './last-message.module.css'

const icons = [IconAlertCircle, IconClock, IconCheck, IconChecks, IconChecks, IconChecks]

/** The delivery state of our message: failed, waiting, sent, received, read, played. */
export function AckIcon({ ack, label }: { ack: number; label: string | undefined }) {
  const AckIcon = icons[ack] ?? IconClock
  return <AckIcon className={classes.ack} data-ack={ack} size={16} stroke={1.75} role="img" aria-label={label} />
}
