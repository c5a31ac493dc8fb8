import type { Customer, PhoneMessage } from '@recado/contract/sandbox'
import { IconAlertCircle, IconBan, IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { time } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from '../texts.ts'
import type { About } from './about.ts'
import classes from './bubble.module.css'
import { BubbleBody } from './bubble-body.tsx'
import { BubbleMenu } from './bubble-menu.tsx'
import type { Deed, Pending } from './use-writing.ts'

type Props = {
  message: Pending
  quoted: PhoneMessage | undefined
  person: Customer
  me: string
  nameOf: (number: string) => string
  write: (deed: Deed) => void
  onAbout: (about: About) => void
  onRetry: () => void
}

export function Bubble({ message, quoted, person, me, nameOf, write, onAbout, onRetry }: Props) {
  const words = useTexts(texts)
  const company = useSession().user?.company.name ?? ''
  const mine = isMine(message, person, me)
  const writerOf = (one: PhoneMessage) => {
    if (isMine(one, person, me)) return words.you
    return one.fromCustomer ? nameOf(one.author ?? person.number) : company
  }
  const wide = ['image', 'video', 'sticker'].includes(message.kind) && !message.isDeleted
  return (
    <div className={classes.row} data-mine={mine || undefined}>
      <div
        className={classes.bubble}
        data-mine={mine || undefined}
        data-wide={wide || undefined}
        data-failed={message.failed}
        data-deleted={message.isDeleted || undefined}
        data-reacted={message.reaction ? true : undefined}
        data-message={message.id}
      >
        {person.isGroup && !mine && <Author name={writerOf(message)} />}
        {message.quotedId && !message.isDeleted && <Quoted message={quoted} writer={quoted ? writerOf(quoted) : ''} />}
        {message.isDeleted ? <Deleted /> : <BubbleBody message={message} />}
        <Meta message={message} mine={mine} />
        {!message.isDeleted && !message.failed && message.ack > 0 && (
          <BubbleMenu {...{ message, mine, write, onAbout }} />
        )}
        {message.reaction && <span className={classes.reaction}>{message.reaction}</span>}
      </div>
      {message.failed && (
        <span className={classes.failed}>
          <IconAlertCircle size={14} stroke={2} aria-hidden="true" />
          {words.notSent}
          <button type="button" onClick={onRetry}>
            {words.retry}
          </button>
        </span>
      )}
    </div>
  )
}

const isMine = ({ fromCustomer, author }: PhoneMessage, person: Customer, me: string) =>
  fromCustomer && (!person.isGroup || author === me)

const hues = ['#0f7f94', '#b4552d', '#6b7a1f', '#8a4b8f', '#2f6db5', '#b03a5b']
function Author({ name }: { name: string }) {
  const hue = hues[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % hues.length]
  return (
    <span className={classes.author} style={{ '--c': hue } as CSSProperties}>
      {name}
    </span>
  )
}

function Quoted({ message, writer }: { message: PhoneMessage | undefined; writer: string }) {
  const words = useTexts(texts)
  const text = message && !message.isDeleted ? message.body || words.kinds[message.kind] : words.lostMessage
  return (
    <div className={classes.quote}>
      {writer && <b>{writer}</b>}
      <span>{text}</span>
    </div>
  )
}

function Deleted() {
  const words = useTexts(texts)
  return (
    <span className={classes.deleted}>
      <IconBan size={14} stroke={1.75} aria-hidden="true" />
      {words.deleted}
    </span>
  )
}

function Meta({ message, mine }: { message: Pending; mine: boolean }) {
  const words = useTexts(texts)
  return (
    <span className={classes.meta}>
      {message.isEdited && !message.isDeleted && `${words.edited} · `}
      <time dateTime={message.at}>{time(message.at)}</time>
      {mine && !message.isDeleted && !message.failed && message.kind !== 'call' && <Ticks ack={message.ack} />}
    </span>
  )
}

/** Sent: the line's server has it. Received: the desk has it. Read: somebody opened the ticket. */
function Ticks({ ack }: { ack: number }) {
  const words = useTexts(texts).acks
  const [Icon, label] =
    ack < 2
      ? [IconClock, words.sending]
      : ack === 2
        ? [IconCheck, words.sent]
        : [IconChecks, ack === 3 ? words.received : words.read]
  return (
    <Icon
      size={15}
      stroke={2}
      role="img"
      aria-label={label}
      data-ack={ack}
      className={(ack > 3 ? classes.read : classes.tick) ?? ''}
    />
  )
}
