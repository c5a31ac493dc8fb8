import { topics } from '@recado/contract/live'
import type { Ticket } from '@recado/contract/tickets'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import { useSession } from '../../../lib/session.tsx'
import { publishTicketNews } from '../../ticket/ticket-cache.ts'
import { useLostTickets } from '../../ticket/use-lost-tickets.ts'
import { onMessageStored } from '../outgoing/outgoing-messages.ts'
import {
  type LoadedMessages,
  markMessagesRead,
  mergeNewestPages,
  messagePageSize,
  prependOlderPage,
} from './merge-messages.ts'
import {
  applyThreadNews,
  applyToCachedThreads,
  type CachedThread,
  hasMessagesOfTicket,
  isSameChat,
  keepThreadCached,
  readWithThreadNews,
  type ThreadScope,
  threadKey,
  trimThread,
  updateThread,
} from './thread-cache.ts'
import { readNewestPages, readOlderPages, type ThreadReadOptions } from './thread-pages.ts'
import { useMarkRead } from './use-mark-read.ts'

/** Maximum pages reloaded at once after a connection gap; older pages do not change any more. */
const maxPagesReread = 10
/** The messages of a ticket's conversation, kept current by events. */
export function useThread(ticket: Ticket, readOnly: boolean) {
  const client = useQueryClient()
  const { user } = useSession()
  const marks = !readOnly && user !== null && user.id === ticket.userId
  // The list gets an event about the read messages, unless they were read before the socket connected.
  const onRead = () => user && publishTicketNews(client, user, [{ kind: 'read', id: ticket.id }])
  const from: ThreadReadOptions = { ticketId: ticket.id, markAsRead: !readOnly }
  const chat: ThreadScope = { ticketId: ticket.id, contactId: ticket.contactId, whatsappId: ticket.whatsappId }
  const pageCount = useRef(1)
  const key = threadKey(ticket.id)
  const query = useQuery({
    queryKey: key,
    // The request is never aborted: the server has already marked the messages as read, and only this response
    // has the unread count.
    queryFn: async () => {
      const loaded = await readThread(client, from, chat, pageCount.current, marks)
      if (marks) onRead()
      return loaded
    },
    staleTime: 0,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })
  const refetch = (atMost = maxPagesReread) => {
    const { data } = query
    pageCount.current = Math.min(atMost, Math.ceil((data?.messages.length ?? 0) / messagePageSize)) || 1
    void client.invalidateQueries({ queryKey: key, exact: true }).finally(() => {
      pageCount.current = 1
    })
  }
  useThreadCaching(client, chat)
  useLiveTopic(topics.message, (news) => applyToCachedThreads(client, news))
  useLiveTopic(topics.thread, (of) => isSameChat(chat, of) && refetch(Number.POSITIVE_INFINITY))
  useOtherTicketsOfChat(client, chat, refetch)
  useEffect(() => onMessageStored((message) => applyToCachedThreads(client, { action: 'stored', message })), [client])
  useResync(() => refetch())
  useMarkRead({ client, chat, loaded: query.data, isEnabled: marks, onRead })
  return { query, refetch: () => refetch(), ...useOlderPages(client, from, chat) }
}

async function readThread(
  client: QueryClient,
  from: ThreadReadOptions,
  chat: ThreadScope,
  pageCount: number,
  marks: boolean,
): Promise<CachedThread> {
  const getThread = () => client.getQueryData<CachedThread>(threadKey(from.ticketId))
  return readWithThreadNews<CachedThread>(
    async () => {
      const fresh = await readNewestPages(from, getThread(), pageCount)
      const isNew = (one: LoadedMessages['messages'][number]) =>
        !one.read && !one.fromMe && one.ticketId === from.ticketId
      const unread = marks ? fresh.messages.filter(isNew).length : 0
      return {
        ...mergeNewestPages(getThread(), marks ? markMessagesRead(fresh, from.ticketId) : fresh),
        unread,
        readAt: performance.now(),
      }
    },
    (loaded, news) => applyThreadNews(loaded, chat, news),
  )
}

/**
 * Follows the chat's other tickets, which the conversation also shows as far as this user may see them. Messages of a
 * ticket that becomes invisible are removed at once, at any scroll position. The server decides whether the user may
 * still read them, such as those of a closed ticket without a queue. A ticket that becomes visible adds its messages.
 */
function useOtherTicketsOfChat(client: QueryClient, chat: ThreadScope, refetch: (atMost: number) => void): void {
  const isInThread = (ticketId: number) =>
    hasMessagesOfTicket(client.getQueryData<CachedThread>(threadKey(chat.ticketId)), ticketId)
  useLostTickets((ticketId) => {
    const isHere = ticketId !== chat.ticketId && isInThread(ticketId)
    applyToCachedThreads(client, { action: 'left', ticketId })
    if (isHere) refetch(Number.POSITIVE_INFINITY)
  })
  useLiveTopic(topics.ticket, (news) => {
    if (!('ticket' in news) || news.ticket.id === chat.ticketId) return
    if (isSameChat(chat, news.ticket) && !isInThread(news.ticket.id)) refetch(maxPagesReread)
  })
}

function useThreadCaching(client: QueryClient, { ticketId, contactId, whatsappId }: ThreadScope): void {
  useEffect(
    () => keepThreadCached(client, { ticketId, contactId, whatsappId }),
    [client, ticketId, contactId, whatsappId],
  )
  useEffect(() => () => trimThread(client, ticketId), [client, ticketId])
}

/** Loads the next older page, or all pages up to a certain message. */
function useOlderPages(client: QueryClient, from: ThreadReadOptions, chat: ThreadScope) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const busy = useRef<Promise<void>>(undefined)
  const getThread = () => client.getQueryData<CachedThread>(threadKey(from.ticketId))
  const has = (all: LoadedMessages | undefined, id: string) => all?.messages.some((one) => one.id === id) ?? false
  const readUp = async (loaded: LoadedMessages, isEnough: (page: LoadedMessages) => boolean): Promise<void> => {
    setState('busy')
    try {
      // All pages are collected first, so that a jump over many pages is rendered once, not page by page.
      const all = await readWithThreadNews(
        () => readOlderPages(from, loaded, isEnough),
        (read, news) => applyThreadNews(read, chat, news),
      )
      updateThread(client, from.ticketId, (now) => prependOlderPage(now, all))
      setState('idle')
    } catch {
      setState('failed')
    } finally {
      busy.current = undefined
    }
  }
  const load = (isEnough: (page: LoadedMessages) => boolean): Promise<void> | undefined => {
    const loaded = getThread()
    if (loaded?.hasMore) busy.current ??= readUp(loaded, isEnough)
    return busy.current
  }
  return {
    olderState: state,
    loadOlder: () => load(() => true),
    /** Loads older pages up to a message. Returns false when the message does not exist. */
    loadUntil: async (id: string): Promise<boolean> => {
      // The message may be in the page that is being loaded.
      await busy.current
      if (!has(getThread(), id)) await load((all) => has(all, id))
      return has(getThread(), id)
    },
  }
}
