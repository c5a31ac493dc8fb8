import { topics } from '@recado/contract/live'
import type { Ticket } from '@recado/contract/tickets'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLive, useResync } from '../../../lib/live.ts'
import { useSession } from '../../../lib/session.tsx'
import { onStored } from '../outgoing/outgoing.ts'
import { asRead, joined, type Loaded, nextPage, pageSize, withOlder } from './merge.ts'
import {
  type Cached,
  type Chat,
  change,
  during,
  hear,
  hearStored,
  remember,
  rest,
  threadKey,
  withNews,
} from './thread-cache.ts'
import { pageOf, type Reading, readNewest } from './thread-pages.ts'
import { useMarkRead } from './use-mark-read.ts'

/** After a gap so many pages are read again at once; the rest was read long ago and changes no more. */
const pagesAgain = 10
/** The messages of a ticket's conversation, kept true by what the server tells. */
export function useThread(ticket: Ticket, readOnly: boolean) {
  const client = useQueryClient()
  const isMine = useSession().user?.id === ticket.userId
  const from: Reading = { ticketId: ticket.id, markAsRead: !readOnly }
  const chat: Chat = { ticketId: ticket.id, contactId: ticket.contactId, whatsappId: ticket.whatsappId }
  const wanted = useRef(1)
  const key = threadKey(ticket.id)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(client, from, chat, wanted.current, isMine && !readOnly, signal),
    staleTime: 0,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })
  const again = () => {
    wanted.current = Math.min(pagesAgain, Math.ceil((query.data?.messages.length ?? 0) / pageSize)) || 1
    void query.refetch().finally(() => {
      wanted.current = 1
    })
  }
  useKept(client, chat)
  useLive(topics.message, (news) => hear(client, news))
  useEffect(() => onStored((message) => hearStored(client, message)), [client])
  useResync(again)
  useMarkRead(client, from, query.data, isMine && !readOnly)
  return { query, again, ...useOlder(client, from, query.data) }
}

async function read(
  client: QueryClient,
  from: Reading,
  chat: Chat,
  wanted: number,
  marks: boolean,
  signal: AbortSignal,
): Promise<Cached> {
  const known = () => client.getQueryData<Cached>(threadKey(from.ticketId))
  return during<Cached>(
    async () => {
      const fresh = await readNewest(from, known(), wanted, signal)
      const isNew = (one: Loaded['messages'][number]) => !one.read && !one.fromMe && one.ticketId === from.ticketId
      const unread = marks ? fresh.messages.filter(isNew).length : 0
      return { ...joined(known(), marks ? asRead(fresh, from.ticketId) : fresh), unread, readAt: performance.now() }
    },
    (loaded, news) => withNews(loaded, chat, news),
  )
}

function useKept(client: QueryClient, { ticketId, contactId, whatsappId }: Chat): void {
  useEffect(() => remember(client, { ticketId, contactId, whatsappId }), [client, ticketId, contactId, whatsappId])
  useEffect(() => () => rest(client, ticketId), [client, ticketId])
}

/** Older pages: the next one, or all up to a certain message. */
function useOlder(client: QueryClient, from: Reading, loaded: Loaded | undefined) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const busy = useRef(false)
  const load = async (isEnough: (page: Loaded) => boolean): Promise<void> => {
    if (!loaded?.hasMore || busy.current) return
    busy.current = true
    setState('busy')
    try {
      // Gathered first: a long way up is drawn once, not page by page.
      let all = loaded
      do all = withOlder(all, await pageOf(from, nextPage(all)))
      while (all.hasMore && !isEnough(all))
      change(client, from.ticketId, (now) => withOlder(now, all))
      setState('idle')
    } catch {
      setState('failed')
    } finally {
      busy.current = false
    }
  }
  const has = (all: Loaded | undefined, id: string) => all?.messages.some((one) => one.id === id) ?? false
  return {
    olderState: state,
    older: () => load(() => true),
    /** Reads up to a message. False when it is nowhere. */
    reach: async (id: string): Promise<boolean> => {
      if (!has(loaded, id)) await load((all) => has(all, id))
      return has(client.getQueryData<Cached>(threadKey(from.ticketId)), id)
    },
  }
}
