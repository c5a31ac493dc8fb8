import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { type Outgoing, useOutgoing } from '../outgoing/outgoing.ts'
import { flash } from './flash.ts'
import { itemsOf } from './items.ts'
import { LiveRegion } from './live-region.tsx'
import { type MenuFor, MessageMenu } from './message-menu.tsx'
import { Pill } from './pill.tsx'
import { ThreadSkeleton } from './skeleton.tsx'
import { texts } from './texts.ts'
import classes from './thread.module.css'
import { type Scene, SceneProvider, useStableHands } from './thread-hands.ts'
import { ThreadRows } from './thread-rows.tsx'
import { firstUnread } from './unread.ts'
import { useNotes, useSystemLines } from './use-around.ts'
import { useGestures } from './use-gestures.ts'
import { useMessageDeeds } from './use-message-deeds.ts'
import { useOpened } from './use-opened.ts'
import { useCustomerTyping } from './use-others.ts'
import { useScroll } from './use-scroll.ts'
import { useSettled } from './use-settled.ts'
import { useThread } from './use-thread.ts'
import { useUnseen } from './use-unseen.ts'

const Lightbox = lazy(() => import('./lightbox.tsx').then((module) => ({ default: module.Lightbox })))

type Props = { ticket: Ticket; readOnly?: boolean; onReply?: (message: Message) => void }

/** The messages of a ticket, with what went before it. Alone and `readOnly` it is what the peek shows. */
export function Thread(props: Props) {
  // Another ticket is another thread: nothing of the last one stays.
  return <OneThread key={props.ticket.id} {...props} />
}

const none: Message[] = []

function OneThread({ ticket, readOnly = false, onReply }: Props) {
  const words = useTexts(texts)
  const thread = useThread(ticket, readOnly)
  const { query } = thread
  const messages = query.data?.messages ?? none
  const hasMore = query.data?.hasMore ?? false
  const outgoing = useUnsent(ticket.id, messages, readOnly)
  const notes = useNotes(ticket)
  const lines = useSystemLines(ticket, query.isSuccess)
  const opened = useOpened(query.data, ticket)
  const openedAt = messages.find((one) => one.id === opened?.newest)?.createdAt ?? ''
  const unread = opened ? firstUnread(messages, ticket.id, opened) : null
  const items = useMemo(
    () => itemsOf({ messages, notes, lines, ticketId: ticket.id, unread, hasMore }),
    [messages, notes, lines, ticket.id, unread, hasMore],
  )
  const typing = useCustomerTyping(ticket.id, messages.at(-1)?.id)
  const scroll = useScroll(items, () => hasMore && thread.olderState === 'idle' && void thread.older())
  const unseen = useUnseen({ messages, outgoing, scroll, opened, unread })
  useSettled(scroll.rows, items.length)

  const deeds = useMessageDeeds(ticket)
  const [menu, setMenu] = useState<MenuFor | null>(null)
  const [viewed, setViewed] = useState<Message | null>(null)
  const openMenu = (message: Message, at: HTMLElement) => {
    const { left, bottom, top } = at.getBoundingClientRect()
    setMenu({ message, left, top: at.dataset.message ? Math.max(top, 60) : bottom })
  }
  const jump = async (id: string) => {
    if (!(await thread.reach(id))) return toast.info(words.notFound)
    // The rows above are drawn with the next frame.
    requestAnimationFrame(() => scroll.toMessage(id) && flash(scroll.rows.current, id))
  }
  const hands = useStableHands({
    reply: (message) => onReply?.(message),
    jump: (id) => void jump(id),
    view: setViewed,
    menu: openMenu,
    retry: (message) => void deeds.retry(message),
    remove: (message) => void deeds.remove(message),
    renew: thread.again,
  })
  const gestures = useGestures({
    find: (id) => messages.find((one) => one.id === id),
    reply: onReply,
    menu: readOnly ? undefined : openMenu,
  })
  const isGroup = ticket.isGroup
  const scene = useMemo<Scene>(
    () => ({ hands, isGroup, readOnly, contact: ticket.contact.name, line: ticket.whatsapp?.name ?? '' }),
    [hands, isGroup, readOnly, ticket.contact.name, ticket.whatsapp?.name],
  )
  const shown = query.isPending ? 'loading' : query.isError && messages.length === 0 ? 'failed' : 'ready'
  return (
    <SceneProvider value={scene}>
      <section className={classes.root} aria-label={words.thread}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <div ref={scroll.box} className={classes.box} tabIndex={0} onScroll={scroll.onScroll} {...gestures} data-thread>
          <div ref={scroll.rows} className={classes.rows}>
            {shown === 'loading' && <ThreadSkeleton />}
            {shown === 'failed' && (
              <ErrorState title={words.failed} error={query.error} onRetry={() => void query.refetch()} />
            )}
            {shown === 'ready' && items.length === 0 && outgoing.length === 0 && (
              <EmptyState title={words.empty} line={words.emptyLine} />
            )}
            <ThreadRows
              items={items}
              outgoing={outgoing}
              openedAt={openedAt}
              typing={typing}
              top={hasMore ? thread.olderState : 'none'}
              onOlder={() => void thread.older()}
              mayRemoveNote={readOnly ? undefined : deeds.mayRemoveNote}
              onRemoveNote={deeds.removeNote}
            />
          </div>
        </div>
        {scroll.away && <Pill count={unseen} onPress={scroll.toEnd} />}
        <LiveRegion messages={messages} typing={typing} contact={ticket.contact.name} />
        {menu && (
          <MessageMenu
            about={menu}
            onReply={onReply}
            onRemove={deeds.mayRemove(menu.message) ? hands.remove : undefined}
            onClose={() => setMenu(null)}
          />
        )}
        {viewed && (
          <Suspense fallback={null}>
            <Lightbox
              message={messages.find((one) => one.id === viewed.id) ?? viewed}
              all={messages.filter(isViewable)}
              contact={ticket.contact.name}
              onMove={setViewed}
              onClose={() => setViewed(null)}
            />
          </Suspense>
        )}
      </section>
    </SceneProvider>
  )
}

const isViewable = ({ mediaType, mediaUrl, isDeleted }: Message) =>
  (mediaType === 'image' || mediaType === 'video') && mediaUrl !== null && !isDeleted

/** What is on its way, without what has arrived. */
function useUnsent(ticketId: number, messages: Message[], readOnly: boolean): Outgoing[] {
  const all = useOutgoing(ticketId)
  return useMemo(() => {
    if (readOnly || all.length === 0) return nothing
    const stored = new Set(messages.map((one) => one.clientId))
    return all.filter((one) => !stored.has(one.clientId))
  }, [all, messages, readOnly])
}
const nothing: Outgoing[] = []
