import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { useMemo } from 'react'
import { buildThreadItems } from '../messages/thread-items.ts'
import { findFirstUnread } from '../messages/unread-at-opening.ts'
import { useNotes, useSystemLines } from '../messages/use-notes-and-system-lines.ts'
import { useThread } from '../messages/use-thread.ts'
import { useCustomerTyping } from '../messages/use-typing-and-watchers.ts'
import { useUnreadAtOpening } from '../messages/use-unread-at-opening.ts'
import { type OutgoingMessage, useOutgoingMessages } from '../outgoing/outgoing-messages.ts'
import { useSkipOffscreenLayout } from './use-skip-offscreen-layout.ts'
import { useThreadScroll } from './use-thread-scroll.ts'
import { useUnseenCount } from './use-unseen-count.ts'

const noMessages: Message[] = []

/** Combines all parts of a thread, from its data to its scroll position. */
export function useThreadView(ticket: Ticket, readOnly: boolean) {
  const thread = useThread(ticket, readOnly)
  const { data, isSuccess } = thread.query
  const messages = data?.messages ?? noMessages
  const hasMore = data?.hasMore ?? false
  const outgoing = useUnsentMessages(ticket.id, messages, readOnly)
  const notes = useNotes(ticket)
  const lines = useSystemLines(ticket, isSuccess)
  const opened = useUnreadAtOpening(data, ticket)
  const unread = opened ? findFirstUnread(messages, ticket.id, opened) : null
  const items = useMemo(
    () =>
      buildThreadItems({ messages, notes, lines, ticket: { id: ticket.id, number: ticket.number }, unread, hasMore }),
    [messages, notes, lines, ticket.id, ticket.number, unread, hasMore],
  )
  const typing = useCustomerTyping(ticket.id, messages.at(-1)?.id)
  const scroll = useThreadScroll(items, () => hasMore && thread.olderState === 'idle' && void thread.loadOlder())
  const unseen = useUnseenCount({ messages, outgoing, scroll, unreadAtOpening: opened, unread })
  useSkipOffscreenLayout(scroll.rowsRef, items.length)
  const openedAt = messages.find((one) => one.id === opened?.newest)?.createdAt ?? ''
  return { ...thread, messages, hasMore, items, outgoing, typing, scroll, unseenCount: unseen, openedAt }
}
export type ThreadView = ReturnType<typeof useThreadView>

const noOutgoing: OutgoingMessage[] = []

/** Pending messages, without messages that are already stored. */
function useUnsentMessages(ticketId: number, messages: Message[], readOnly: boolean): OutgoingMessage[] {
  const all = useOutgoingMessages(ticketId)
  return useMemo(() => {
    if (readOnly || all.length === 0) return noOutgoing
    const stored = new Set(messages.map((one) => one.clientId))
    return all.filter((one) => !stored.has(one.clientId))
  }, [all, messages, readOnly])
}
