import type { Message } from '@recado/contract/messages'
import { parseSignature } from '@recado/contract/text/signature'
import {
  IconAlertCircle,
  IconApi,
  IconArrowBackUp,
  IconCalendarEvent,
  IconDots,
  IconHourglass,
  IconMoodPlus,
  IconRobot,
} from '@tabler/icons-react'
import { lazy, memo, type ReactNode, Suspense } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { useMessageContext } from '../message-context.ts'
import { ReactionPills } from '../reactions/reaction-pills.tsx'
import { texts } from '../texts.ts'
import { isMediaFramed, isMediaReady, MessageBubbleBody } from './bubble-body.tsx'
import { BubbleFrame, ForwardedLabel, SenderName } from './bubble-frame.tsx'
import classes from './message-bubble.module.css'
import { messageFailureTexts, parseMessageError } from './message-failure-texts.ts'
import { QuotedMessage } from './quoted-message.tsx'
import { ThreadFailureReason } from './thread-failure-reason.tsx'

// Few messages come from an ad.
const AdCard = lazy(() => import('./ad-card.tsx').then((module) => ({ default: module.AdCard })))

type Props = {
  message: Message
  isSameSender: boolean
  isNew: boolean
  /** Shown under a message that has not left: how to take it back, or what waits for it. */
  bar?: ReactNode
}

/** One message. Re-rendered only when it changes. */
export const MessageBubble = memo(function Bubble({ message, isSameSender, isNew, bar }: Props) {
  const { fromMe, bot, isDeleted, mediaType, reactions, quotedMsg } = message
  const hasFailed = fromMe && message.ack === 0 && !isDeleted
  const shape = isMediaFramed(message) ? 'frame' : isMediaReady(message) ? bubbleShapes[mediaType ?? ''] : undefined
  return (
    <BubbleFrame
      id={message.id}
      isOutgoing={fromMe}
      isSameSender={isSameSender}
      isNew={isNew}
      bot={bot !== null && !isDeleted}
      hasFailed={hasFailed}
      isDeleted={isDeleted}
      hasReactions={reactions.length > 0 && !isDeleted}
      shape={isDeleted ? undefined : shape}
      statusLine={
        <>
          <SendFailure message={message} hasFailed={hasFailed} />
          <PacingNotice message={message} />
          {bar}
        </>
      }
    >
      <SenderLine message={message} isSameSender={isSameSender} />
      {message.isForwarded && !isDeleted && <ForwardedLabel />}
      {message.ad && !isDeleted && (
        <Suspense fallback={null}>
          <AdCard ad={message.ad} />
        </Suspense>
      )}
      {quotedMsg && !isDeleted && <QuotedMessage quoted={quotedMsg} />}
      <MessageBubbleBody message={message} />
      {reactions.length > 0 && !isDeleted && <ReactionPills message={message} />}
      <BubbleActions message={message} />
    </BubbleFrame>
  )
})

const bubbleShapes: Record<string, 'sound' | 'sticker'> = { audio: 'sound', sticker: 'sticker' }

/** The sender, where the side of the bubble alone does not show who wrote. */
function SenderLine({ message, isSameSender }: { message: Message; isSameSender: boolean }) {
  const words = useTexts(texts)
  const { isGroup } = useMessageContext()
  const { fromMe, bot, body, contact, user, isDeleted, apiKey } = message
  if (bot === 'schedule' && !isDeleted)
    return (
      <span className={classes.botLabel}>
        <IconCalendarEvent size={14} stroke={1.75} aria-hidden="true" />
        {user ? words.scheduledBy(user.name) : words.scheduled}
      </span>
    )
  if (bot === 'api' && !isDeleted)
    return (
      <span className={classes.botLabel}>
        <IconApi size={14} stroke={1.75} aria-hidden="true" />
        {words.byProgram(apiKey?.name ?? '')}
      </span>
    )
  if (bot !== null && !isDeleted)
    return (
      <span className={classes.botLabel}>
        <IconRobot size={14} stroke={1.75} aria-hidden="true" />
        {words.bot} · {words.bots[bot] ?? bot}
      </span>
    )
  const signature = fromMe && !isDeleted ? parseSignature(body).name : ''
  if (signature) return <span className={classes.signature}>{signature}</span>
  if (!isGroup || fromMe || isSameSender || !contact) return null
  return <SenderName name={contact.name} />
}

function BubbleActions({ message }: { message: Message }) {
  const words = useTexts(texts)
  const { handlers, readOnly, canReact } = useMessageContext()
  if (readOnly || message.isDeleted) return null
  return (
    <span className={classes.actions}>
      {canReact && (!message.fromMe || message.ack > 1) && (
        <button
          type="button"
          tabIndex={-1}
          className={classes.action}
          aria-label={words.react}
          title={words.react}
          aria-haspopup="menu"
          onClick={(event) => handlers.menu(message, event.currentTarget, 'react')}
        >
          <IconMoodPlus size={16} stroke={1.75} aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        tabIndex={-1}
        className={classes.action}
        aria-label={words.reply}
        title={words.reply}
        onClick={() => handlers.reply(message)}
      >
        <IconArrowBackUp size={16} stroke={1.75} aria-hidden="true" />
      </button>
      <button
        type="button"
        tabIndex={-1}
        className={classes.action}
        aria-label={words.more}
        title={words.more}
        aria-haspopup="menu"
        onClick={(event) => handlers.menu(message, event.currentTarget)}
      >
        <IconDots size={16} stroke={1.75} aria-hidden="true" />
      </button>
    </span>
  )
}

/** The text and retry action for a failed delete or edit, which leaves the message unchanged. */
const failedChanges: Record<string, { text: 'notDeleted' | 'notEdited'; retryAction: 'remove' | 'edit' }> = {
  'not-deleted': { text: 'notDeleted', retryAction: 'remove' },
  'not-edited': { text: 'notEdited', retryAction: 'edit' },
}

/** The failure as text under the bubble, with the possible actions. */
function SendFailure({ message, hasFailed }: { message: Message; hasFailed: boolean }) {
  const words = useTexts(texts)
  const failures = useTexts(messageFailureTexts)
  const { handlers, readOnly } = useMessageContext()
  const failedChange = message.isDeleted ? undefined : failedChanges[message.error ?? '']
  if (!hasFailed && !failedChange) return null
  // A retry would be refused again, so only templates are offered.
  const onlyTemplates = parseMessageError(message.error).word === 'window-closed'
  return (
    <div className={classes.failure}>
      <IconAlertCircle size={15} stroke={1.75} aria-hidden="true" />
      <span>
        {failedChange ? (
          failures[failedChange.text]
        ) : (
          <ThreadFailureReason error={message.error} toSentence={failures.notSent} />
        )}
      </span>
      {!readOnly && (
        <button type="button" onClick={() => handlers[failedChange?.retryAction ?? 'retry'](message)}>
          {onlyTemplates ? words.chooseTemplate : words.retry}
        </button>
      )}
    </div>
  )
}

/** Explains a delay that is on purpose: a number that writes to many unknown people at once is soon blocked. */
function PacingNotice({ message: { fromMe, ack, error, isDeleted } }: { message: Message }) {
  const words = useTexts(texts)
  const why = error ? words.paced[error] : undefined
  if (!fromMe || ack !== 1 || isDeleted || !why) return null
  return (
    <div className={classes.paced}>
      <IconHourglass size={15} stroke={1.75} aria-hidden="true" />
      <span>{why}</span>
    </div>
  )
}
