import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { useMemo } from 'react'
import { itemsOf } from '../messages/items.ts'
import { firstUnread } from '../messages/unread.ts'
import { useNotes, useSystemLines } from '../messages/use-around.ts'
import { useOpened } from '../messages/use-opened.ts'
import { useCustomerTyping } from '../messages/use-others.ts'
import { useThread } from '../messages/use-thread.ts'
import { type Outgoing, useOutgoing } from '../outgoing/outgoing.ts'
import { useScroll } from './use-scroll.ts'
import { useSettled } from './use-settled.ts'
import { useUnseen } from './use-unseen.ts'

const none: Message[] = []

/** Everything that stands in a thread, from where it comes to where one looks at it. */
export function useThreadView(ticket: Ticket, readOnly: boolean) {
  const thread = useThread(ticket, readOnly)
  const { data, isSuccess } = thread.query
  const messages = data?.messages ?? none
  const hasMore = data?.hasMore ?? false
  const outgoing = useUnsent(ticket.id, messages, readOnly)
  const notes = useNotes(ticket)
  const lines = useSystemLines(ticket, isSuccess)
  const opened = useOpened(data, ticket)
  const unread = opened ? firstUnread(messages, ticket.id, opened) : null
  const items = useMemo(
    () => itemsOf({ messages, notes, lines, ticket: { id: ticket.id, number: ticket.number }, unread, hasMore }),
    [messages, notes, lines, ticket.id, ticket.number, unread, hasMore],
  )
  const typing = useCustomerTyping(ticket.id, messages.at(-1)?.id)
  const scroll = useScroll(items, () => hasMore && thread.olderState === 'idle' && void thread.older())
  const unseen = useUnseen({ messages, outgoing, scroll, opened, unread })
  useSettled(scroll.rows, items.length)
  const openedAt = messages.find((one) => one.id === opened?.newest)?.createdAt ?? ''
  return { ...thread, messages, hasMore, items, outgoing, typing, scroll, unseen, openedAt }
}
export type ThreadView = ReturnType<typeof useThreadView>

const nothing: Outgoing[] = []

/** What is on its way, without what has arrived. */
function useUnsent(ticketId: number, messages: Message[], readOnly: boolean): Outgoing[] {
  const all = useOutgoing(ticketId)
  return useMemo(() => {
    if (readOnly || all.length === 0) return nothing
    const stored = new Set(messages.map((one) => one.clientId))
    return all.filter((one) => !stored.has(one.clientId))
  }, [all, messages, readOnly])
}
