import type { Message } from '@recado/contract/messages'
import type { Note } from '@recado/contract/tickets'
import { Fragment, lazy, memo, type ReactNode, Suspense } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { MessageBubble } from '../../message/bubble/message-bubble.tsx'
import type { ThreadItem } from '../messages/thread-items.ts'
import { DayDivider, NoteRow, SystemRow, TicketDivider, UnreadDivider } from './divider-and-note-rows.tsx'
import { OutgoingBubble } from './outgoing-bubble.tsx'
import { threadTexts } from './texts.ts'
import classes from './thread.module.css'
import type { ThreadView } from './use-thread-view.ts'
import type { UndoSend } from './use-undo-send.ts'

const UndoSendBar = lazy(() => import('./undo-send-bar.tsx').then((module) => ({ default: module.UndoSendBar })))
const WaitingSteps = lazy(() => import('./waiting-steps.tsx'))

type Props = {
  view: ThreadView
  canRemoveNote: ((note: Note) => boolean) | undefined
  onRemoveNote: (note: Note) => void
  /** Absent where nothing can be changed. */
  undo: UndoSend | undefined
}

export function ThreadRows({ view, canRemoveNote, onRemoveNote, undo }: Props) {
  const { items, outgoing, openedAt, typing, hasMore, olderState, loadOlder: older } = view
  const last = items.at(-1)
  const draw = (item: ThreadItem) => {
    if (item.kind === 'message')
      return (
        <MessageBubble
          message={item.message}
          isSameSender={item.isSameSender}
          isNew={isAfter(item.message, openedAt)}
          bar={undo && barOf(item.message, undo)}
        />
      )
    if (item.kind === 'note')
      return <NoteRow note={item.note} onRemove={canRemoveNote?.(item.note) ? onRemoveNote : undefined} />
    return <DividerRow item={item} />
  }
  return (
    <>
      {hasMore && <OlderMessagesStatus state={olderState} onLoadOlder={() => void older()} />}
      {items.map((item) => (
        <Fragment key={item.key}>{draw(item)}</Fragment>
      ))}
      {outgoing.map((one, i) => (
        <OutgoingBubble
          key={one.clientId}
          outgoing={one}
          isSameSender={i > 0 || (last?.kind === 'message' && isByAgent(last.message))}
        />
      ))}
      {typing && (
        <div className={classes.typing} aria-hidden="true">
          <i />
          <i />
          <i />
        </div>
      )}
    </>
  )
}

/** What the author of a message that has not left can do about it. */
function barOf(message: Message, undo: UndoSend): ReactNode {
  const { ticketId, fromMe, ack, bot, isDeleted } = message
  const hasFailed = fromMe && ack === 0 && bot === null && !isDeleted
  if (undo.isHeld(message))
    return (
      <Suspense fallback={null}>
        <UndoSendBar message={message} undo={undo} />
      </Suspense>
    )
  if (!hasFailed || ticketId === null) return null
  return (
    <Suspense fallback={null}>
      <WaitingSteps ticketId={ticketId} message={message} />
    </Suspense>
  )
}

const isByAgent = ({ fromMe, bot }: Message) => fromMe && bot === null
const isAfter = ({ createdAt }: Message, moment: string) => moment !== '' && createdAt > moment

const DividerRow = memo(function Mark({ item }: { item: ThreadItem }) {
  if (item.kind === 'day') return <DayDivider date={item.day} />
  if (item.kind === 'cut') return <TicketDivider ended={item.ended} started={item.started} />
  if (item.kind === 'system') return <SystemRow lines={item.lines} />
  return <UnreadDivider />
})

function OlderMessagesStatus({ state, onLoadOlder }: { state: 'idle' | 'busy' | 'failed'; onLoadOlder: () => void }) {
  const words = useTexts(threadTexts)
  return (
    <div className={classes.top}>
      {state === 'busy' && <span>{words.loadingOlder}</span>}
      {state === 'failed' && <span>{words.olderFailed}</span>}
      {state !== 'busy' && (
        <button type="button" onClick={onLoadOlder}>
          {state === 'failed' ? words.retry : words.loadOlder}
        </button>
      )}
    </div>
  )
}
