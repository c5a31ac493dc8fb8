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
  /** Whether the previous message has the same sender. */
  isSameSender: boolean
  quotedMessage: SandboxPhoneMessage | undefined
  person: SandboxCustomer
  ownNumber: string
  nameOf: (number: string) => string
  write: (action: PhoneAction) => void
  onSelectSubject: (about: ComposerSubject) => void
  onRetry: () => void
}

export function PhoneMessageBubble({
  message,
  isSameSender,
  quotedMessage,
  person,
  ownNumber,
  nameOf,
  write,
  onSelectSubject,
  onRetry,
}: Props) {
  const words = useTexts(texts)
  const company = useSession().user?.company.name ?? ''
  const isOwn = isOwnMessage(message, person, ownNumber)
  const writerOf = (one: SandboxPhoneMessage) => {
    if (isOwnMessage(one, person, ownNumber)) return words.you
    return one.fromCustomer ? nameOf(one.author ?? person.number) : company
  }
  const { isDeleted, hasFailed, kind } = message
  const ticks = isOwn && !isDeleted && !hasFailed && kind !== 'call'
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
      isOutgoing={isOwn}
      isSameSender={isSameSender}
      hasFailed={hasFailed === true}
      isDeleted={isDeleted}
      hasReactions={message.reaction !== null && message.reaction !== ''}
      shape={isDeleted ? undefined : bubbleShapes[kind]}
      statusLine={hasFailed && <SendFailure onRetry={onRetry} />}
    >
      {person.isGroup && !isOwn && !isSameSender && <SenderName name={writerOf(message)} />}
      {message.isForwarded && !isDeleted && <ForwardedLabel />}
      {message.quotedId && !isDeleted && (
        <PhoneQuote message={quotedMessage} authorName={quotedMessage ? writerOf(quotedMessage) : ''} />
      )}
      {isDeleted ? (
        <>
          <DeletedLabel />
          {meta}
        </>
      ) : (
        <PhoneBubbleBody message={message} meta={meta} />
      )}
      {!isDeleted && !hasFailed && message.ack > 0 && (
        <PhoneBubbleMenu {...{ message, isOwn: isOwn, write, onSelectSubject: onSelectSubject }} />
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

const isOwnMessage = ({ fromCustomer, author }: SandboxPhoneMessage, person: SandboxCustomer, ownNumber: string) =>
  fromCustomer && (!person.isGroup || author === ownNumber)

function PhoneQuote({ message, authorName }: { message: SandboxPhoneMessage | undefined; authorName: string }) {
  const words = useTexts(texts)
  const text = message && !message.isDeleted ? message.body || words.kinds[message.kind] : words.lostMessage
  return <QuoteBlock name={authorName} text={text ?? ''} />
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
