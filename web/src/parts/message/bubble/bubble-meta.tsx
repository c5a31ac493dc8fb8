import { IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import { formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from '../texts.ts'
import classes from './message-bubble.module.css'

type Props = {
  timestamp: string
  /** The delivery state of our message. */
  ack?: number | undefined
  isEdited?: boolean | undefined
  /** The author, for the tooltip. */
  author?: string | undefined
  /** Whether the metadata is on a row of its own. */
  isOwnLine?: boolean | undefined
}

export function BubbleMeta({ timestamp, ack, isEdited, author, isOwnLine }: Props) {
  const words = useTexts(texts)
  return (
    <span className={classes.meta} data-alone={isOwnLine || undefined} title={author}>
      {isEdited && `${words.edited} · `}
      <time dateTime={timestamp}>{formatTime(timestamp)}</time>
      {ack !== undefined && ack > 0 && <AckTicks ack={ack} />}
    </span>
  )
}

/** Ticks for pending, sent, received, read and played (contract, Message.ack). */
function AckTicks({ ack }: { ack: number }) {
  const words = useTexts(texts).acks
  const names = ['', words.waiting, words.sent, words.received, words.read, words.played]
  const Icon = ack === 1 ? IconClock : ack === 2 ? IconCheck : IconChecks
  const name = names[ack] ?? words.read
  return (
    <span title={name} className={ack > 3 ? classes.seen : undefined}>
      <Icon size={15} stroke={2} role="img" aria-label={name} data-ack={ack} />
    </span>
  )
}
