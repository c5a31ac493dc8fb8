import type { Reply } from '@recado/contract/kit'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { replay } from '../../lib/replay.ts'
import type { Filter, Me } from './filter.ts'
import { begin, standing, withGuesses } from './guesses.ts'
import { applyNews, type Loaded, mergePage, type News, nextPage, pageSize } from './loaded.ts'
import { sentAway } from './own-moves.ts'
import { outdate } from './told.ts'

export type TicketDetail = Reply<typeof ticketsApi.show>

const lists = ['tickets', 'list'] as const
const ones = ['tickets', 'one'] as const
export const everyTicketKey = ['tickets'] as const
export const listKey = (filter: Filter) => [...lists, filter] as const
export const oneKey = (uuid: string) => [...ones, uuid] as const
export const everyCountKey = ['tickets', 'counts'] as const
export const countsKey = (showAll: boolean, queueIds: number[] | null) => [...everyCountKey, showAll, queueIds] as const

// ---- reading

const readPage = (filter: Filter, pageNumber: number, signal?: AbortSignal) => {
  const { status, showAll, queueIds, order, search, tags, users } = filter
  const query = {
    pageNumber,
    showAll,
    order,
    ...(status && { status }),
    ...(queueIds && { queueIds }),
    ...(search && { searchParam: search }),
    ...(tags.length > 0 && { tags }),
    ...(users.length > 0 && { users }),
  }
  return call(ticketsApi.list, { query }, signal ? { signal } : {})
}

/** After a gap at most so many pages are read again at once; the rest comes back by scrolling. */
const pagesAgain = 5

export async function readList(client: QueryClient, filter: Filter, me: Me, signal: AbortSignal): Promise<Loaded> {
  const before = client.getQueryData<Loaded>(listKey(filter))
  const pages = Math.min(pagesAgain, Math.ceil((before?.rows.length ?? 1) / pageSize))
  const { page, news } = await told.since(async () => {
    let loaded: Loaded = { rows: [], hasMore: true }
    for (let number = 1; number <= Math.max(1, pages) && loaded.hasMore; number++) {
      loaded = mergePage(loaded, await readPage(filter, number, signal), filter)
    }
    return loaded
  })
  return after(page, [...news, ...standing(page.rows)], filter, me)
}

export async function readMore(client: QueryClient, filter: Filter, me: Me): Promise<void> {
  const key = listKey(filter)
  const before = client.getQueryData<Loaded>(key)
  if (!before?.hasMore) return
  const { page, news } = await told.since(() => readPage(filter, nextPage(before)))
  const known = new Set(before.rows.map((row) => row.id))
  client.setQueryData<Loaded>(key, (now) => now && after(mergePage(now, page, filter), news, filter, me))
  // A page without anything new: what is here is not what the server has. Reading it all again mends that.
  if (page.hasMore && page.tickets.every((row) => known.has(row.id))) await client.invalidateQueries({ queryKey: key })
}

/** One ticket with its details, and what was heard of it on the way. */
export const readOne = (uuid: string, signal: AbortSignal): Promise<TicketDetail> =>
  told
    .during(() => call(ticketsApi.byUuid, { params: { uuid } }, { signal }), changedOne)
    .then((ticket) => standing([ticket]).reduce(changedOne, ticket))

/** What is known of it until then. */
export function know(client: QueryClient, ticket: Ticket): void {
  client.setQueryData<TicketDetail>(oneKey(ticket.uuid), (old) => old ?? (ticket as TicketDetail))
}

// ---- hearing

const told = replay<News>()

const after = (loaded: Loaded, news: News[], filter: Filter, me: Me): Loaded =>
  news.reduce((list, one) => applyNews(list, one, filter, me), loaded)

const hearers = new Set<(news: News[]) => void>()

/** For what shows tickets otherwise than as a list: the same news. Returns how to stop. */
export function hearTickets(hearer: (news: News[]) => void): () => void {
  hearers.add(hearer)
  return () => hearers.delete(hearer)
}

/** Puts news into every list and every single ticket that is known. */
export function tellTickets(client: QueryClient, me: Me, heard: News[]): void {
  const news = heard.map((one) => (one.kind === 'put' ? { ...one, ticket: withGuesses(one.ticket) } : one))
  told.hear(...news)
  for (const one of news) {
    if (one.kind === 'put') outdate(one.ticket.id, one.ticket.status)
    // What one sends away oneself is said to have gone, and then where it is.
    if (one.kind === 'gone' && !sentAway(one.id)) outdate(one.id, null)
  }
  for (const hear of hearers) hear(news)
  for (const query of client.getQueryCache().findAll({ queryKey: lists })) {
    const filter = query.queryKey[2] as Filter
    client.setQueryData<Loaded>(query.queryKey, (old) => old && after(old, news, filter, me))
  }
  for (const query of client.getQueryCache().findAll({ queryKey: ones })) {
    client.setQueryData<TicketDetail>(query.queryKey, (old) => old && news.reduce(changedOne, old))
  }
}

/**
 * Shows what one does before the server agrees. It stands until the answer is here: what is said of the ticket meanwhile
 * may be older, and shows with it.
 */
export function guess(client: QueryClient, me: Me, ticket: Ticket, part: Partial<Ticket>) {
  const { truth, end } = begin(ticket, part)
  const put = (now: Ticket) => tellTickets(client, me, [{ kind: 'put', ticket: now }])
  put(ticket)
  return {
    /** Something that followed from it may have been said before. */
    answered(after: Ticket): void {
      end()
      put(after.updatedAt < truth().updatedAt ? truth() : after)
    },
    refused(): void {
      end()
      put(truth())
    },
  }
}

/** The fields that only the detail has stay as they were. */
function changedOne(old: TicketDetail, news: News): TicketDetail {
  if (news.kind === 'patch') return withDetail(news.patch(old), old)
  if (news.kind === 'put' && news.ticket.id === old.id)
    return news.ticket.updatedAt < old.updatedAt ? old : withDetail(news.ticket, old)
  if (news.kind === 'read' && news.id === old.id && old.unreadMessages > 0) return { ...old, unreadMessages: 0 }
  return old
}

const withDetail = (ticket: Ticket, old: TicketDetail): TicketDetail =>
  ticket === old ? old : { ...ticket, contact: { extraInfo: old.contact.extraInfo, ...ticket.contact } }

/** A ticket some list already has, to draw its conversation before its details are read. */
export function knownTicket(client: QueryClient, uuid: string): TicketDetail | undefined {
  for (const [, loaded] of client.getQueriesData<Loaded>({ queryKey: lists })) {
    const row = loaded?.rows.find((ticket) => ticket.uuid === uuid)
    if (row) return { ...row, contact: { ...row.contact, extraInfo: [] } }
  }
  return undefined
}
