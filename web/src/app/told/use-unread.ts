import { contactsApi } from '@recado/contract/contacts'
import { topics } from '@recado/contract/live'
import { queuesApi } from '@recado/contract/queues'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { SessionUser } from '@recado/contract/users'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { useLive, useNews, useResync } from '../../lib/live.ts'
import { tell as tellCache } from '../../lib/told.ts'
import { renamed } from '../../parts/ticket/renamed.ts'
import { afterNews, inBell, type Me, type News } from './unread.ts'

export const unreadKey = ['unread']
/** Of more than 99 nobody counts the rest. */
const pages = 3

async function read(me: Me, signal: AbortSignal): Promise<Ticket[]> {
  const found: Ticket[] = []
  for (let pageNumber = 1; pageNumber <= pages; pageNumber++) {
    const page = await call(ticketsApi.list, { query: { withUnreadMessages: true, pageNumber } }, { signal })
    found.push(...page.tickets)
    if (!page.hasMore) break
  }
  return inBell(found, me)
}

/** What the bell holds, as it was read or last told. */
export const useUnread = () =>
  useQuery<Ticket[]>({ queryKey: unreadKey, enabled: false, staleTime: Number.POSITIVE_INFINITY })

/** Reads it, and keeps it true to what the server tells. Drawn once. */
export function useUnreadNews(me: SessionUser): Ticket[] | undefined {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: unreadKey,
    queryFn: ({ signal }) => read(me, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const tell = (news: News) => tellCache<Ticket[]>(client, unreadKey, (old) => afterNews(old, news, me))
  useLive(topics.ticket, (payload) => tell('ticket' in payload ? { put: payload.ticket } : { gone: payload.ticketId }))
  useLive(topics.message, (payload) => payload.action === 'create' && tell({ put: payload.ticket }))
  useNews(contactsApi.topic, (news) => news.action === 'update' && tell({ patch: renamed.contact(news.row) }))
  useNews(queuesApi.topic, (news) => news.action === 'update' && tell({ patch: renamed.queue(news.row) }))

  const again = useEffectEvent(() => void client.invalidateQueries({ queryKey: unreadKey }))
  useResync(again)
  const rights = `${me.profile} ${me.allTicket} ${me.queues.map((queue) => queue.id).join()}`
  const known = useRef(rights)
  useEffect(() => {
    if (known.current !== rights) again()
    known.current = rights
  }, [rights])
  return query.data
}
