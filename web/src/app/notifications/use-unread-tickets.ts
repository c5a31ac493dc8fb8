import { contactsApi } from '@recado/contract/contacts'
import { topics } from '@recado/contract/live'
import { queuesApi } from '@recado/contract/queues'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { SessionUser } from '@recado/contract/users'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic, useRecordNews, useResync } from '../../lib/live.ts'
import { updateCachedQuery as tellCache } from '../../lib/query-cache.ts'
import { applyRename } from '../../parts/ticket/apply-rename.ts'
import { applyUnreadNews, type NotifiedUser, type UnreadNews, unreadTicketsFor } from './unread-tickets.ts'

export const unreadQueryKey = ['unread']
/** Pages that are loaded: the displayed count stops at 99. */
const maxPages = 3

async function fetchUnreadTickets(me: NotifiedUser, signal: AbortSignal): Promise<Ticket[]> {
  const found: Ticket[] = []
  for (let pageNumber = 1; pageNumber <= maxPages; pageNumber++) {
    const page = await callApi(ticketsApi.list, { query: { withUnreadMessages: true, pageNumber } }, { signal })
    found.push(...page.tickets)
    if (!page.hasMore) break
  }
  return unreadTicketsFor(found, me)
}

/** The contents of the bell, as loaded or last updated. */
export const useUnreadTickets = () =>
  useQuery<Ticket[]>({ queryKey: unreadQueryKey, enabled: false, staleTime: Number.POSITIVE_INFINITY })

/** Loads the unread tickets and applies live events. Used once. */
export function useUnreadTicketNews(me: SessionUser): Ticket[] | undefined {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: unreadQueryKey,
    queryFn: ({ signal }) => fetchUnreadTickets(me, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const tell = (news: UnreadNews) =>
    tellCache<Ticket[]>(client, unreadQueryKey, (old) => applyUnreadNews(old, news, me))
  useLiveTopic(topics.ticket, (payload) =>
    tell('ticket' in payload ? { put: payload.ticket } : { gone: payload.ticketId }),
  )
  useLiveTopic(topics.message, (payload) => payload.action === 'create' && tell({ put: payload.ticket }))
  useRecordNews(contactsApi.topic, (news) => news.action === 'update' && tell({ patch: applyRename.contact(news.row) }))
  useRecordNews(queuesApi.topic, (news) => news.action === 'update' && tell({ patch: applyRename.queue(news.row) }))

  const again = useEffectEvent(() => void client.invalidateQueries({ queryKey: unreadQueryKey }))
  useResync(again)
  const rights = `${me.profile} ${me.allTicket} ${me.queues.map((queue) => queue.id).join()}`
  const known = useRef(rights)
  useEffect(() => {
    if (known.current !== rights) again()
    known.current = rights
  }, [rights])
  return query.data
}
