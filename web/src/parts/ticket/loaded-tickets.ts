import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { compareTickets, matchesFilter, matchesSearch, type TicketFilter, type TicketViewer } from './ticket-filter.ts'

/** The loaded rows of a list, in order: the beginning of the server's list. */
export type LoadedTickets = { rows: Ticket[]; hasMore: boolean }

/** The server's page size. */
export const ticketPageSize = 40

/** The next page number follows from the loaded rows, because removed tickets have moved other tickets forward. */
export const nextTicketPageNumber = ({ rows }: LoadedTickets): number => Math.floor(rows.length / ticketPageSize) + 1

export type TicketListNews =
  | { kind: 'put'; ticket: Ticket }
  | { kind: 'gone'; id: number }
  | { kind: 'read'; id: number }
  | { kind: 'ack'; message: Pick<Message, 'id' | 'ticketId' | 'ack'> }
  /** A name or colour shown in the rows has changed. */
  | { kind: 'patch'; patch: (ticket: Ticket) => Ticket }

export function mergeTicketPage(
  loaded: LoadedTickets,
  page: { tickets: Ticket[]; hasMore: boolean },
  filter: TicketFilter,
): LoadedTickets {
  const all = new Map(loaded.rows.map((row) => [row.id, row]))
  for (const row of page.tickets) {
    const known = all.get(row.id)
    if (!known || known.updatedAt <= row.updatedAt) all.set(row.id, row)
  }
  return { rows: [...all.values()].sort(compareTickets(filter.order)), hasMore: page.hasMore }
}

/** Applies an event to the list, with the same result as a reload. */
export function applyTicketListNews(
  loaded: LoadedTickets,
  news: TicketListNews,
  filter: TicketFilter,
  me: TicketViewer,
): LoadedTickets {
  if (news.kind === 'put') return putTicket(loaded, news.ticket, filter, me)
  if (news.kind === 'gone') return withoutTicket(loaded, news.id)
  return replaceRows(loaded, news)
}

/** Applies an event to rows in their places: none is added, removed or moved. */
export function replaceRows(loaded: LoadedTickets, news: Exclude<TicketListNews, { kind: 'gone' }>): LoadedTickets {
  if (news.kind === 'put') {
    const { ticket } = news
    return mapRows(loaded, (row) => (row.id === ticket.id && ticket.updatedAt >= row.updatedAt ? ticket : row))
  }
  if (news.kind === 'patch') return mapRows(loaded, news.patch)
  if (news.kind === 'read')
    return mapRows(loaded, (row) => (row.id === news.id && row.unreadMessages ? { ...row, unreadMessages: 0 } : row))
  const { id, ticketId, ack } = news.message
  return mapRows(loaded, (row) =>
    row.id === ticketId && row.last?.id === id && row.last.ack !== ack ? { ...row, last: { ...row.last, ack } } : row,
  )
}

function putTicket(loaded: LoadedTickets, ticket: Ticket, filter: TicketFilter, me: TicketViewer): LoadedTickets {
  const known = loaded.rows.find((row) => row.id === ticket.id)
  // The response to a call may arrive after an event about a later change.
  if (known && ticket.updatedAt < known.updatedAt) return loaded
  const rest = known ? withoutTicket(loaded, ticket.id) : loaded
  if (!matchesFilter(ticket, filter, me) || (!known && !matchesSearch(ticket, filter.search))) return rest
  const at = insertionIndex(rest.rows, ticket, compareTickets(filter.order))
  // A ticket beyond the last loaded row is loaded with its page.
  if (at === rest.rows.length && rest.hasMore) return rest
  // Events do not contain the search hit, so the known hit is kept.
  const row = known?.hit ? { ...ticket, hit: known.hit } : ticket
  return { ...rest, rows: rest.rows.toSpliced(at, 0, row) }
}

/** The insertion index among sorted rows. */
function insertionIndex(rows: Ticket[], ticket: Ticket, order: (a: Ticket, b: Ticket) => number): number {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (order(rows[middle] as Ticket, ticket) < 0) from = middle + 1
    else to = middle
  }
  return from
}

function withoutTicket(loaded: LoadedTickets, id: number): LoadedTickets {
  const at = loaded.rows.findIndex((row) => row.id === id)
  return at < 0 ? loaded : { ...loaded, rows: loaded.rows.toSpliced(at, 1) }
}

/** Returns the same list when nothing changed, to avoid a re-render. */
function mapRows(loaded: LoadedTickets, change: (row: Ticket) => Ticket): LoadedTickets {
  let changed = false
  const rows = loaded.rows.map((row) => {
    const next = change(row)
    changed ||= next !== row
    return next
  })
  return changed ? { ...loaded, rows } : loaded
}
