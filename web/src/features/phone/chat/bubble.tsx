import type { Customer, PhoneMessage } from '@recado/contract/sandbox'
import { IconAlertCircle } from '@tabler/icons-react'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { Deleted, Forwarded, Frame, Sender } from '../../../parts/message/bubble/frame.tsx'
import { Meta } from '../../../parts/message/bubble/meta.tsx'
import { QuoteBlock } from '../../../parts/message/bubble/quote.tsx'
import { texts } from '../texts.ts'
import type { About } from './about.ts'
import classes from './bubble.module.css'
import { BubbleBody } from './bubble-body.tsx'
import { BubbleMenu } from './bubble-menu.tsx'
import type { Deed, Pending } from './use-writing.ts'

type Props = {
  message: Pending
  /** The one above is of the same writer. */
  follows: boolean
  quoted: PhoneMessage | undefined
  person: Customer
  me: string
  nameOf: (number: string) => string
  write: (deed: Deed) => void
  onAbout: (about: About) => void
  onRetry: () => void
}

export function Bubble({ message, follows, quoted, person, me, nameOf, write, onAbout, onRetry }: Props) {
  const words = useTexts(texts)
  const company = useSession().user?.company.name ?? ''
  const mine = isMine(message, person, me)
  const writerOf = (one: PhoneMessage) => {
    if (isMine(one, person, me)) return words.you
    return one.fromCustomer ? nameOf(one.author ?? person.number) : company
  }
  const { isDeleted, failed, kind } = message
  const ticks = mine && !isDeleted && !failed && kind !== 'call'
  const meta = (
    <Meta
      at={message.at}
      ack={ticks ? Math.max(onItsWay, message.ack) : undefined}
      isEdited={message.isEdited && !isDeleted}
      alone={kind === 'audio' || kind === 'contact'}
    />
  )
  return (
    <Frame
      id={message.id}
      out={mine}
      follows={follows}
      failed={failed === true}
      deleted={isDeleted}
      reacted={message.reaction !== null && message.reaction !== ''}
      shape={isDeleted ? undefined : shapes[kind]}
      below={failed && <Failure onRetry={onRetry} />}
    >
      {person.isGroup && !mine && !follows && <Sender name={writerOf(message)} />}
      {message.isForwarded && !isDeleted && <Forwarded />}
      {message.quotedId && !isDeleted && <Quoted message={quoted} writer={quoted ? writerOf(quoted) : ''} />}
      {isDeleted ? (
        <>
          <Deleted />
          {meta}
        </>
      ) : (
        <BubbleBody message={message} meta={meta} />
      )}
      {!isDeleted && !failed && message.ack > 0 && <BubbleMenu {...{ message, mine, write, onAbout }} />}
      {message.reaction && <span className={classes.reaction}>{message.reaction}</span>}
    </Frame>
  )
}

/** The ack of what has not left yet. */
const onItsWay = 1
const shapes: Record<string, 'frame' | 'sound' | 'sticker'> = {
  image: 'frame',
  video: 'frame',
  location: 'frame',
  audio: 'sound',
  sticker: 'sticker',
}

const isMine = ({ fromCustomer, author }: PhoneMessage, person: Customer, me: string) =>
  fromCustomer && (!person.isGroup || author === me)

function Quoted({ message, writer }: { message: PhoneMessage | undefined; writer: string }) {
  const words = useTexts(texts)
  const text = message && !message.isDeleted ? message.body || words.kinds[message.kind] : words.lostMessage
  return <QuoteBlock name={writer} text={text ?? ''} />
}

function Failure({ onRetry }: { onRetry: () => void }) {
  const words = useTexts(texts)
  return (
    <span className={classes.failed}>
      <IconAlertCircle size={14} stroke={2} aria-hidden="true" />
      {words.notSent}
      <button type="button" onClick={onRetry}>
        {words.retry}
      </button>
    </span>
  )
}
