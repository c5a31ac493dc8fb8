import type { Ticket } from '@recado/contract/tickets'
import type { SessionUser } from '@recado/contract/users'

export type NotifiedUser = Pick<SessionUser, 'id' | 'allTicket'>
export type UnreadNews = { put: Ticket } | { gone: number } | { patch: (ticket: Ticket) => Ticket }

/**
 * The bell contains the user's own tickets, and pending tickets for users with access to them (spec, section 6), except
 * snoozed ones.
 */
export const isUnreadForUser = (ticket: Ticket, me: NotifiedUser): boolean =>
  ticket.unreadMessages > 0 &&
  ticket.snooze === null &&
  (ticket.status === 'open' ? ticket.userId === me.id : ticket.status === 'pending' && me.allTicket === 'enabled')

const newestFirst = (a: Ticket, b: Ticket) =>
  a.updatedAt === b.updatedAt ? b.id - a.id : a.updatedAt < b.updatedAt ? 1 : -1

export const unreadTicketsFor = (tickets: Ticket[], me: NotifiedUser): Ticket[] =>
  tickets.filter((ticket) => isUnreadForUser(ticket, me)).sort(newestFirst)

/** Returns the same list when nothing in it changed. */
export function applyUnreadNews(list: Ticket[], news: UnreadNews, me: NotifiedUser): Ticket[] {
  if ('patch' in news) return list.map(news.patch)
  const id = 'put' in news ? news.put.id : news.gone
  const known = list.find((ticket) => ticket.id === id)
  if ('gone' in news) return known ? list.filter((ticket) => ticket !== known) : list
  // The response to a call may arrive after an event about a later change.
  if (known && news.put.updatedAt < known.updatedAt) return list
  if (!known && !isUnreadForUser(news.put, me)) return list
  return unreadTicketsFor([news.put, ...list.filter((ticket) => ticket !== known)], me)
}
