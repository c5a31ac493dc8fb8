import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { lazy, Suspense, useMemo } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { type Hands, type Scene, SceneProvider } from '../../message/scene.ts'
import { LiveRegion } from './live-region.tsx'
import { Pill } from './pill.tsx'
import { ThreadSkeleton } from './skeleton.tsx'
import { threadTexts } from './texts.ts'
import classes from './thread.module.css'
import { ThreadRows } from './thread-rows.tsx'
import { useLanding } from './use-jump.ts'
import { useThreadDeeds } from './use-thread-deeds.tsx'
import { type ThreadView, useThreadView } from './use-thread-view.ts'

const FindBar = lazy(() => import('../find/find-bar.tsx').then((module) => ({ default: module.FindBar })))

type Props = {
  ticket: Ticket
  readOnly?: boolean
  onReply?: (message: Message) => void
  onEdit?: (message: Message) => void
  /** The message to open it at, instead of where one stopped reading. */
  at?: string | undefined
  onLanded?: () => void
  /** Somebody looks for words in it, until this is called. */
  onFound?: (() => void) | undefined
}

/** The messages of a ticket, with what went before it. Alone and `readOnly` it is what the peek shows. */
export function Thread(props: Props) {
  // Another ticket is another thread: nothing of the last one stays.
  return <OneThread key={props.ticket.id} {...props} />
}

function OneThread({ ticket, readOnly = false, onReply, onEdit, at, onLanded, onFound }: Props) {
  const words = useTexts(threadTexts)
  const view = useThreadView(ticket, readOnly)
  const { hands, jump, gestures, dialogs, notes, mayReact } = useThreadDeeds(ticket, view, readOnly, {
    onReply,
    onEdit,
  })
  const { scroll, messages, typing, unseen } = view
  useLanding(view, hands, at, onLanded)
  return (
    <SceneProvider value={useScene(ticket, hands, readOnly, mayReact)}>
      <section className={classes.root} aria-label={words.thread}>
        {onFound && (
          <Suspense fallback={null}>
            <FindBar
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
            <Instead view={view} />
            <ThreadRows
              view={view}
              mayRemoveNote={readOnly ? undefined : notes.mayRemoveNote}
              onRemoveNote={notes.removeNote}
            />
          </div>
        </div>
        {scroll.away && <Pill count={unseen} onPress={scroll.toEnd} />}
        <LiveRegion messages={messages} typing={typing} contact={ticket.contact.name} />
        {dialogs}
      </section>
    </SceneProvider>
  )
}

/** While there is nothing to read: that it comes, that it could not come, or that there is none. */
function Instead({ view: { query, items, outgoing } }: { view: ThreadView }) {
  const words = useTexts(threadTexts)
  if (query.isPending) return <ThreadSkeleton />
  if (items.length + outgoing.length > 0) return null
  if (query.isError) return <ErrorState title={words.failed} error={query.error} onRetry={() => void query.refetch()} />
  return <EmptyState title={words.empty} line={words.emptyLine} />
}

function useScene({ isGroup, contact, whatsapp }: Ticket, hands: Hands, readOnly: boolean, mayReact: boolean): Scene {
  const line = whatsapp?.name ?? ''
  return useMemo(
    () => ({ hands, isGroup, readOnly, mayReact, contact: contact.name, line }),
    [hands, isGroup, readOnly, mayReact, contact.name, line],
  )
}
