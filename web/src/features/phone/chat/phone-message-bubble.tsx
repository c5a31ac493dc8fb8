import type { SandboxCustomer, SandboxPhoneMessage } from '@recado/contract/sandbox'
import { IconAlertCircle } from '@tabler/icons-react'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { BubbleFrame, DeletedLabel, ForwardedLabel, SenderName } from '../../../parts/message/bubble/bubble-frame.tsx'
import { BubbleMeta } from '../../../parts/message/bubble/bubble-meta.tsx'
import { QuoteBlock } from '../../../parts/message/bubble/quoted-message.tsx'
import { texts } from '../texts.ts'
import type { ComposerSubject } from './composer-subject.ts'
import { PhoneBubbleBody } from './phone-bubble-body.tsx'
import { PhoneBubbleMenu } from './phone-bubble-menu.tsx'
import classes from './phone-message-bubble.module.css'
import type { PendingPhoneMessage, PhoneAction } from './use-send-as-customer.ts'

type Props = {
  message: PendingPhoneMessage
  /** The previous message has the same sender. */
  isSameSender: boolean
  quotedMessage: SandboxPhoneMessage | undefined
  person: SandboxCustomer
  ownNumber: string
  nameOf: (number: string) => string
  write: (deed: PhoneAction) => void
  onSelectSubject: (about: ComposerSubject) => void
  onRetry: () => void
}

export function PhoneMessageBubble({
  message,
  isSameSender: follows,
  quotedMessage: quoted,
  person,
  ownNumber: me,
  nameOf,
  write,
  onSelectSubject: onAbout,
  onRetry,
}: Props) {
  const words = useTexts(texts)
  const company = useSession().user?.company.name ?? ''
  const mine = isOwnMessage(message, person, me)
  const writerOf = (one: SandboxPhoneMessage) => {
    if (isOwnMessage(one, person, me)) return words.you
    return one.fromCustomer ? nameOf(one.author ?? person.number) : company
  }
  const { isDeleted, hasFailed: failed, kind } = message
  const ticks = mine && !isDeleted && !failed && kind !== 'call'
  const meta = (
    <BubbleMeta
      timestamp={message.at}
      ack={ticks ? Math.max(pendingAck, message.ack) : undefined}
      isEdited={message.isEdited && !isDeleted}
      isOwnLine={kind === 'audio' || kind === 'contact'}
    />
  )
  return (
    <BubbleFrame
      id={message.id}
      isOutgoing={mine}
      isSameSender={follows}
      hasFailed={failed === true}
      isDeleted={isDeleted}
      hasReactions={message.reaction !== null && message.reaction !== ''}
      shape={isDeleted ? undefined : bubbleShapes[kind]}
      statusLine={failed && <SendFailure onRetry={onRetry} />}
    >
      {person.isGroup && !mine && !follows && <SenderName name={writerOf(message)} />}
      {message.isForwarded && !isDeleted && <ForwardedLabel />}
      {message.quotedId && !isDeleted && <PhoneQuote message={quoted} authorName={quoted ? writerOf(quoted) : ''} />}
      {isDeleted ? (
        <>
          <DeletedLabel />
          {meta}
        </>
      ) : (
        <PhoneBubbleBody message={message} meta={meta} />
      )}
      {!isDeleted && !failed && message.ack > 0 && (
        <PhoneBubbleMenu {...{ message, isOwn: mine, write, onSelectSubject: onAbout }} />
      )}
      {message.reaction && <span className={classes.reaction}>{message.reaction}</span>}
    </BubbleFrame>
  )
}

/** The ack of a message that was not sent yet. */
const pendingAck = 1
const bubbleShapes: Record<string, 'frame' | 'sound' | 'sticker'> = {
  image: 'frame',
  video: 'frame',
  location: 'frame',
  audio: 'sound',
  sticker: 'sticker',
}

const isOwnMessage = ({ fromCustomer, author }: SandboxPhoneMessage, person: SandboxCustomer, me: string) =>
  fromCustomer && (!person.isGroup || author === me)

function PhoneQuote({ message, authorName: writer }: { message: SandboxPhoneMessage | undefined; authorName: string }) {
  const words = useTexts(texts)
  const text = message && !message.isDeleted ? message.body || words.kinds[message.kind] : words.lostMessage
  return <QuoteBlock name={writer} text={text ?? ''} />
}

function SendFailure({ onRetry }: { onRetry: () => void }) {
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
