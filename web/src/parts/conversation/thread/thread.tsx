import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { lazy, Suspense, useMemo } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
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

const FindInConversationBar = lazy(() =>
  import('../find/find-in-conversation-bar.tsx').then((module) => ({ default: module.FindInConversationBar })),
)

type Props = {
  ticket: Ticket
  readOnly?: boolean
  onReply?: (message: Message) => void
  onEdit?: (message: Message) => void
  /** The message to open at, instead of the first unread one. */
  at?: string | undefined
  onLanded?: () => void
  /** Set while the conversation is being searched; call it to end the search. */
  onFound?: (() => void) | undefined
}

/** The messages of a ticket and of earlier ones. Alone and `readOnly` it is the preview. */
export function Thread(props: Props) {
  // Remounted per ticket: no state of the previous one is kept.
  return <TicketThread key={props.ticket.id} {...props} />
}

function TicketThread({ ticket, readOnly = false, onReply, onEdit, at, onLanded, onFound }: Props) {
  const words = useTexts(threadTexts)
  const view = useThreadView(ticket, readOnly)
  const { hands, jump, gestures, dialogs, notes, mayReact } = useThreadActions(ticket, view, readOnly, {
    onReply,
    onEdit,
  })
  const { scroll, messages, typing, unseen } = view
  useOpenAtMessage(view, hands, at, onLanded)
  return (
    <MessageContextProvider value={useTicketMessageContext(ticket, hands, readOnly, mayReact)}>
      <section className={classes.root} aria-label={words.thread}>
        {onFound && (
          <Suspense fallback={null}>
            <FindInConversationBar
              ticketId={ticket.id}
              rows={scroll.rows}
              onGo={(id) => jump(id, { quietly: true })}
              onClose={onFound}
            />
          </Suspense>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <div ref={scroll.box} className={classes.box} tabIndex={0} onScroll={scroll.onScroll} {...gestures} data-thread>
          <div ref={scroll.rows} className={classes.rows}>
            <ThreadPlaceholder view={view} />
            <ThreadRows
              view={view}
              mayRemoveNote={readOnly ? undefined : notes.mayRemoveNote}
              onRemoveNote={notes.removeNote}
            />
          </div>
        </div>
        {scroll.away && <ScrollToEndButton count={unseen} onPress={scroll.toEnd} />}
        <NewMessageAnnouncer messages={messages} typing={typing} contact={ticket.contact.name} />
        {dialogs}
      </section>
    </MessageContextProvider>
  )
}

/** Instead of messages: loading, failed, or empty. */
function ThreadPlaceholder({ view: { query, items, outgoing } }: { view: ThreadView }) {
  const words = useTexts(threadTexts)
  if (query.isPending) return <ThreadSkeleton />
  if (items.length + outgoing.length > 0) return null
  if (query.isError) return <ErrorState title={words.failed} error={query.error} onRetry={() => void query.refetch()} />
  return <EmptyState title={words.empty} line={words.emptyLine} />
}

function useTicketMessageContext(
  { isGroup, contact, whatsapp }: Ticket,
  hands: MessageHandlers,
  readOnly: boolean,
  mayReact: boolean,
): MessageContext {
  const line = whatsapp?.name ?? ''
  return useMemo(
    () => ({ hands, isGroup, readOnly, mayReact, contact: contact.name, line }),
    [hands, isGroup, readOnly, mayReact, contact.name, line],
  )
}
