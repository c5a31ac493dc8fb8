import type { Reply } from '@recado/contract/endpoint'
import { type ReadableTicket, type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { QueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { createNewsReplay } from '../../lib/news-replay.ts'
import {
  applyTicketListNews,
  type LoadedTickets,
  mergeTicketPage,
  nextTicketPageNumber,
  type TicketListNews,
  ticketPageSize,
} from './loaded-tickets.ts'
import { beginOptimisticChange, pendingOptimisticNews, withOptimisticChanges } from './optimistic-changes.ts'
import type { TicketFilter, TicketViewer } from './ticket-filter.ts'
import { wasSentAway } from './ticket-moves.ts'
import { hideOutdatedToast } from './toasts.ts'

export type TicketDetail = Reply<typeof ticketsApi.show>

export const ticketListsKey = ['tickets', 'list'] as const
const ticketDetailsKey = ['tickets', 'one'] as const
export const allTicketsKey = ['tickets'] as const
export const ticketListKey = (filter: TicketFilter) => [...ticketListsKey, filter] as const
export const ticketKey = (uuid: string) => [...ticketDetailsKey, uuid] as const
/** What happened to a ticket, as its thread shows it. */
export const ticketEventsKey = (ticketId: number) => ['ticket-events', ticketId] as const
export const allTicketCountsKey = ['tickets', 'counts'] as const
export const ticketCountsKey = (showAll: boolean, queueIds: number[] | null) =>
  [...allTicketCountsKey, showAll, queueIds] as const

// ---- Loading

/** Which tickets a list has, in the server's words, without its order and its search text. */
export const toListQuery = ({ status, showAll, snoozed, queueIds, tags, users, ads, view }: TicketFilter) => ({
  ...(view && { viewId: view.id }),
  showAll,
  ...(snoozed && { snoozed }),
  ...(status && { status }),
  ...(queueIds && { queueIds }),
  ...(tags.length > 0 && { tags }),
  ...(users.length > 0 && { users }),
  ...(ads.length > 0 && { ads }),
})

const readPage = (filter: TicketFilter, pageNumber: number, signal?: AbortSignal) => {
  const { order, search } = filter
  const query = {
    pageNumber,
    ...toListQuery(filter),
    ...(order !== 'snoozed' && { order }),
    ...(search && { searchParam: search }),
  }
  return callApi(ticketsApi.list, { query }, signal ? { signal } : {})
}

/** Maximum pages reloaded at once after a connection gap; further pages load again by scrolling. */
const maxPagesReread = 5

export async function readTicketList(
  client: QueryClient,
  filter: TicketFilter,
  me: TicketViewer,
  signal: AbortSignal,
): Promise<LoadedTickets> {
  const before = client.getQueryData<LoadedTickets>(ticketListKey(filter))
  const pages = Math.min(maxPagesReread, Math.ceil((before?.rows.length ?? 1) / ticketPageSize))
  const { page, news } = await newsReplay.runWithNews(async () => {
    let loaded: LoadedTickets = { rows: [], hasMore: true }
    for (let number = 1; number <= Math.max(1, pages) && loaded.hasMore; number++) {
      loaded = mergeTicketPage(loaded, await readPage(filter, number, signal), filter)
    }
    return loaded
  })
  return applyAllNews(page, [...news, ...pendingOptimisticNews(page.rows)], filter, me)
}

export async function readMoreTickets(client: QueryClient, filter: TicketFilter, me: TicketViewer): Promise<void> {
  const key = ticketListKey(filter)
  const before = client.getQueryData<LoadedTickets>(key)
  if (!before?.hasMore) return
  const { page, news } = await newsReplay.runWithNews(() => readPage(filter, nextTicketPageNumber(before)))
  const known = new Set(before.rows.map((row) => row.id))
  client.setQueryData<LoadedTickets>(
    key,
    (now) => now && applyAllNews(mergeTicketPage(now, page, filter), news, filter, me),
  )
  // A page without new rows means that the list differs from the server's, which a full reload fixes.
  if (page.hasMore && page.tickets.every((row) => known.has(row.id))) await client.invalidateQueries({ queryKey: key })
}

/** Loads one ticket with its details, and applies the events received during the request. */
export const readTicket = (uuid: string, signal: AbortSignal): Promise<ReadableTicket> =>
  newsReplay
    .runAndApply(() => callApi(ticketsApi.byUuid, { params: { uuid } }, { signal }), applyNewsToDetail)
    .then((ticket) => pendingOptimisticNews([ticket]).reduce(applyNewsToDetail, ticket))

/** Caches the known fields of a ticket until its details are loaded. */
export function cacheTicket(client: QueryClient, ticket: Ticket): void {
  client.setQueryData<TicketDetail>(ticketKey(ticket.uuid), (old) => old ?? (ticket as TicketDetail))
}

// ---- Events

const newsReplay = createNewsReplay<TicketListNews>()

const applyAllNews = (
  loaded: LoadedTickets,
  news: TicketListNews[],
  filter: TicketFilter,
  me: TicketViewer,
): LoadedTickets => news.reduce((list, one) => applyTicketListNews(list, one, filter, me), loaded)

const newsListeners = new Set<(news: TicketListNews[]) => void>()

/** Subscribes to the same events for views other than lists. Returns a function that unsubscribes. */
export function subscribeToTicketNews(hearer: (news: TicketListNews[]) => void): () => void {
  newsListeners.add(hearer)
  return () => newsListeners.delete(hearer)
}

/** Applies events to every cached list and ticket. */
export function publishTicketNews(client: QueryClient, me: TicketViewer, heard: TicketListNews[]): void {
  const news = heard.map((one) => (one.kind === 'put' ? { ...one, ticket: withOptimisticChanges(one.ticket) } : one))
  newsReplay.record(...news)
  for (const one of news) {
    if (one.kind === 'put') hideOutdatedToast(one.ticket.id, one.ticket.status)
    // A ticket that this user transferred or returned first causes a delete event, and then an event with its new
    // state.
    if (one.kind === 'gone' && !wasSentAway(one.id)) hideOutdatedToast(one.id, null)
  }
  for (const listener of newsListeners) listener(news)
  for (const query of client.getQueryCache().findAll({ queryKey: ticketListsKey })) {
    const filter = query.queryKey[2] as TicketFilter
    client.setQueryData<LoadedTickets>(query.queryKey, (old) => old && applyAllNews(old, news, filter, me))
  }
  for (const query of client.getQueryCache().findAll({ queryKey: ticketDetailsKey })) {
    client.setQueryData<TicketDetail>(query.queryKey, (old) => old && news.reduce(applyNewsToDetail, old))
  }
}

/**
 * Shows a change before the server confirms it. The change is kept until the response: events in the meantime may be
 * older, so they are shown with the change applied.
 */
export function updateOptimistically(client: QueryClient, me: TicketViewer, ticket: Ticket, part: Partial<Ticket>) {
  const { truth: serverTicket, end } = beginOptimisticChange(ticket, part)
  const publishTicket = (now: Ticket) => publishTicketNews(client, me, [{ kind: 'put', ticket: now }])
  publishTicket(ticket)
  return {
    /** Replaces the change by the response, unless events about later changes have arrived before. */
    confirm(after: Ticket): void {
      end()
      publishTicket(after.updatedAt < serverTicket().updatedAt ? serverTicket() : after)
    },
    revert(): void {
      end()
      publishTicket(serverTicket())
    },
  }
}

/** Applies an event to a loaded ticket and keeps the fields that only the detail has. */
function applyNewsToDetail(old: TicketDetail, news: TicketListNews): TicketDetail {
  if (news.kind === 'patch') return withDetail(news.patch(old), old)
  if (news.kind === 'put' && news.ticket.id === old.id)
    return news.ticket.updatedAt < old.updatedAt ? old : withDetail(news.ticket, old)
  if (news.kind === 'read' && news.id === old.id && old.unreadMessages > 0) return { ...old, unreadMessages: 0 }
  return old
}

const withDetail = (ticket: Ticket, old: TicketDetail): TicketDetail =>
  ticket === old ? old : { ...ticket, contact: { extraInfo: old.contact.extraInfo, ...ticket.contact } }

/** A ticket from a cached list, which shows the conversation before the ticket's details are loaded. */
export function findCachedTicket(client: QueryClient, uuid: string): TicketDetail | undefined {
  for (const [, loaded] of client.getQueriesData<LoadedTickets>({ queryKey: ticketListsKey })) {
    const row = loaded?.rows.find((ticket) => ticket.uuid === uuid)
    if (row) return { ...row, contact: { ...row.contact, extraInfo: [] } }
  }
  return undefined
}
