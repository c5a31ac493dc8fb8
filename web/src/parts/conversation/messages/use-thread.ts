import { topics } from '@recado/contract/live'
import type { Ticket } from '@recado/contract/tickets'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLive, useResync } from '../../../lib/live.ts'
import { useSession } from '../../../lib/session.tsx'
import { tellTickets } from '../../ticket/lists.ts'
import { useFarewells } from '../../ticket/use-farewells.ts'
import { onStored } from '../outgoing/outgoing.ts'
import { asRead, joined, type Loaded, pageSize, withOlder } from './merge.ts'
import {
  type Cached,
  type Chat,
  change,
  during,
  hear,
  holds,
  isOf,
  remember,
  rest,
  threadKey,
  withNews,
} from './thread-cache.ts'
import { type Reading, readNewest, readOlder } from './thread-pages.ts'
import { useMarkRead } from './use-mark-read.ts'

/** After a gap so many pages are read again at once; the rest was read long ago and changes no more. */
const pagesAgain = 10
/** The messages of a ticket's conversation, kept true by what the server tells. */
export function useThread(ticket: Ticket, readOnly: boolean) {
  const client = useQueryClient()
  const { user } = useSession()
  const marks = !readOnly && user !== null && user.id === ticket.userId
  // The list hears of it by itself, unless it happens before the page has ears.
  const onRead = () => user && tellTickets(client, user, [{ kind: 'read', id: ticket.id }])
  const from: Reading = { ticketId: ticket.id, markAsRead: !readOnly }
  const chat: Chat = { ticketId: ticket.id, contactId: ticket.contactId, whatsappId: ticket.whatsappId }
  const wanted = useRef(1)
  const key = threadKey(ticket.id)
  const query = useQuery({
    queryKey: key,
    // Never cut off: the server has marked it read by then, and only this answer knows what was unread.
    queryFn: async () => {
      const loaded = await read(client, from, chat, wanted.current, marks)
      if (marks) onRead()
      return loaded
    },
    staleTime: 0,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })
  const again = (atMost = pagesAgain) => {
    const { data } = query
    wanted.current = Math.min(atMost, Math.ceil((data?.messages.length ?? 0) / pageSize)) || 1
    void client.invalidateQueries({ queryKey: key, exact: true }).finally(() => {
      wanted.current = 1
    })
  }
  useKept(client, chat)
  useLive(topics.message, (news) => hear(client, news))
  useLive(topics.thread, (of) => isOf(chat, of) && again(Number.POSITIVE_INFINITY))
  useOthers(client, chat, again)
  useEffect(() => onStored((message) => hear(client, { action: 'stored', message })), [client])
  useResync(() => again())
  useMarkRead({ client, chat, loaded: query.data, marks, onRead })
  return { query, again: () => again(), ...useOlder(client, from, chat) }
}

async function read(client: QueryClient, from: Reading, chat: Chat, wanted: number, marks: boolean): Promise<Cached> {
  const known = () => client.getQueryData<Cached>(threadKey(from.ticketId))
  return during<Cached>(
    async () => {
      const fresh = await readNewest(from, known(), wanted)
      const isNew = (one: Loaded['messages'][number]) => !one.read && !one.fromMe && one.ticketId === from.ticketId
      const unread = marks ? fresh.messages.filter(isNew).length : 0
      return { ...joined(known(), marks ? asRead(fresh, from.ticketId) : fresh), unread, readAt: performance.now() }
    },
    (loaded, news) => withNews(loaded, chat, news),
  )
}

/**
 * The chat's other tickets are read here too, as far as this person sees them. What leaves their sight leaves at once,
 * from wherever they had scrolled to; whether it may still be read, as what is closed without a queue, the server knows.
 * One that comes into sight brings its messages along.
 */
function useOthers(client: QueryClient, chat: Chat, again: (atMost: number) => void): void {
  const here = (ticketId: number) => holds(client.getQueryData<Cached>(threadKey(chat.ticketId)), ticketId)
  useFarewells((ticketId) => {
    const isHere = ticketId !== chat.ticketId && here(ticketId)
    hear(client, { action: 'left', ticketId })
    if (isHere) again(Number.POSITIVE_INFINITY)
  })
  useLive(topics.ticket, (news) => {
    if (!('ticket' in news) || news.ticket.id === chat.ticketId) return
    if (isOf(chat, news.ticket) && !here(news.ticket.id)) again(pagesAgain)
  })
}

function useKept(client: QueryClient, { ticketId, contactId, whatsappId }: Chat): void {
  useEffect(() => remember(client, { ticketId, contactId, whatsappId }), [client, ticketId, contactId, whatsappId])
  useEffect(() => () => rest(client, ticketId), [client, ticketId])
}

/** Older pages: the next one, or all up to a certain message. */
function useOlder(client: QueryClient, from: Reading, chat: Chat) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const busy = useRef<Promise<void>>(undefined)
  const known = () => client.getQueryData<Cached>(threadKey(from.ticketId))
  const has = (all: Loaded | undefined, id: string) => all?.messages.some((one) => one.id === id) ?? false
  const readUp = async (loaded: Loaded, isEnough: (page: Loaded) => boolean): Promise<void> => {
    setState('busy')
    try {
      // Gathered first: a long way up is drawn once, not page by page.
      const all = await during(
        () => readOlder(from, loaded, isEnough),
        (read, news) => withNews(read, chat, news),
      )
      change(client, from.ticketId, (now) => withOlder(now, all))
      setState('idle')
    } catch {
      setState('failed')
    } finally {
      busy.current = undefined
    }
  }
  const load = (isEnough: (page: Loaded) => boolean): Promise<void> | undefined => {
    const loaded = known()
    if (loaded?.hasMore) busy.current ??= readUp(loaded, isEnough)
    return busy.current
  }
  return {
    olderState: state,
    older: () => load(() => true),
    /** Reads up to a message. False when it is nowhere. */
    reach: async (id: string): Promise<boolean> => {
      // It may come with the page that is on its way.
      await busy.current
      if (!has(known(), id)) await load((all) => has(all, id))
      return has(known(), id)
    },
  }
}
