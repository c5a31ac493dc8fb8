import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { lazy, type RefObject, Suspense, useLayoutEffect, useMemo, useRef } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useToastsAtTopOf } from '../../../ui/use-toasts-at-top-of.ts'
import { type MessageContext, MessageContextProvider, type MessageHandlers } from '../../message/message-context.ts'
import { NewMessageAnnouncer } from './new-message-announcer.tsx'
import { ScrollToEndButton } from './scroll-to-end-button.tsx'
import { threadTexts } from './texts.ts'
import classes from './thread.module.css'
import { ThreadRows } from './thread-rows.tsx'
import { ThreadSkeleton } from './thread-skeleton.tsx'
import { useOpenAtMessage } from './use-jump-to-message.ts'
import { useThreadActions } from './use-thread-actions.tsx'
import { type ThreadView, useThreadView } from './use-thread-view.ts'
import { useUndoSend } from './use-undo-send.ts'

const FindInConversationBar = lazy(() =>
  import('../find/find-in-conversation-bar.tsx').then((module) => ({ default: module.FindInConversationBar })),
)

type Props = {
  ticket: Ticket
  readOnly?: boolean
  onReply?: (message: Message) => void
  onEdit?: (message: Message) => void
  /** The message to open at, instead of the first unread message. */
  messageId?: string | undefined
  onJumped?: () => void
  /** Set while the conversation is being searched; call it to end the search. */
  onCloseFind?: (() => void) | undefined
}

/** The messages of a ticket and of earlier tickets. Without a composer and with `readOnly` it is the preview. */
export function Thread(props: Props) {
  // The thread is remounted per ticket, so that no state of the previous ticket is kept.
  return <TicketThread key={props.ticket.id} {...props} />
}

function TicketThread({ ticket, readOnly = false, onReply, onEdit, messageId, onJumped, onCloseFind }: Props) {
  const words = useTexts(threadTexts)
  const view = useThreadView(ticket, readOnly)
  const { handlers, jump, gestures, dialogs, notes, canReact } = useThreadActions(ticket, view, readOnly, {
    onReply,
    onEdit,
  })
  const { scroll, messages, typing, unseenCount: unseen } = view
  const undo = useUndoSend(ticket, messages, onReply)
  const earlyText = useRef('')
  useToastsAtTopOf(scroll.scrollRef, !readOnly)
  useOpenAtMessage(view, handlers, messageId, onJumped)
  return (
    <MessageContextProvider value={useTicketMessageContext(ticket, handlers, readOnly, canReact)}>
      <section className={classes.root} aria-label={words.thread}>
        {onCloseFind && (
          <Suspense fallback={<EarlyTextField text={earlyText} label={words.find} />}>
            <FindInConversationBar
              initialText={earlyText}
              ticketId={ticket.id}
              rows={scroll.rowsRef}
              onJump={(id) => jump(id, { quietly: true })}
              onClose={onCloseFind}
            />
          </Suspense>
        )}
        <div
          ref={scroll.scrollRef}
          className={classes.box}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
          onScroll={scroll.onScroll}
          {...gestures}
          data-thread
        >
          <div ref={scroll.rowsRef} className={classes.rows}>
            <ThreadPlaceholder view={view} />
            <ThreadRows
              view={view}
              canRemoveNote={readOnly ? undefined : notes.canRemoveNote}
              onRemoveNote={notes.removeNote}
              undo={readOnly ? undefined : undo}
            />
          </div>
        </div>
        {scroll.isScrolledUp && <ScrollToEndButton count={unseen} onPress={scroll.scrollToEnd} />}
        <NewMessageAnnouncer messages={messages} typing={typing} contact={ticket.contact.name} />
        {dialogs}
      </section>
    </MessageContextProvider>
  )
}

/** Takes what is typed while the search bar loads, so that the bar begins with it. */
function EarlyTextField({ text, label }: { text: RefObject<string>; label: string }) {
  const field = useRef<HTMLInputElement>(null)
  // Before the next key is pressed.
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <input
      ref={field}
      className="rc-sr"
      aria-label={label}
      onInput={(event) => {
        text.current = event.currentTarget.value
      }}
    />
  )
}

/** Shown instead of messages: loading, failed, or empty. */
function ThreadPlaceholder({ view: { query, items, outgoing } }: { view: ThreadView }) {
  const words = useTexts(threadTexts)
  if (query.isPending) return <ThreadSkeleton />
  if (items.length + outgoing.length > 0) return null
  if (query.isError) return <ErrorState title={words.failed} error={query.error} onRetry={() => void query.refetch()} />
  return <EmptyState title={words.empty} line={words.emptyLine} />
}

function useTicketMessageContext(
  { isGroup, contact, whatsapp }: Ticket,
  handlers: MessageHandlers,
  readOnly: boolean,
  canReact: boolean,
): MessageContext {
  const line = whatsapp?.name ?? ''
  return useMemo(
    () => ({ handlers, isGroup, readOnly, canReact, hasLinkPreviews: true, contact: contact.name, line }),
    [handlers, isGroup, readOnly, canReact, contact.name, line],
  )
}
