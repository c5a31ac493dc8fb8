import { can } from '@recado/contract/rules'
import { fold } from '@recado/contract/text/fold'
import { isSearchMatch } from '@recado/contract/text/people-search'
import { ticketPriorities } from '@recado/contract/ticket-statuses'
import type { Ticket } from '@recado/contract/tickets'
import type { SessionUser } from '@recado/contract/users'
import type { TicketConditionGroup } from '@recado/contract/views/ticket-conditions'
import { canLeadQueues, isTicketVisibleTo, toTicketVisibilityUser } from '@recado/contract/visibility'

export type TicketStatus = Ticket['status']
export type TicketOrder = 'newest' | 'oldest' | 'waiting' | 'priority' | 'snoozed'

/** The query of a list. `queueIds` null: every queue. */
export type TicketFilter = {
  status: TicketStatus | null
  showAll: boolean
  /** Only snoozed tickets, or all others; null: both. */
  snoozed: 'only' | 'without' | null
  queueIds: number[] | null
  order: TicketOrder
  search: string
  tags: number[]
  users: number[]
  ads: number[]
  /** A saved view: its conditions replace all others. */
  view?: { id: number; conditions: TicketConditionGroup }
}

export type TicketViewer = Pick<SessionUser, 'id' | 'profile' | 'allTicket' | 'queues'>

type ViewRule = (ticket: Ticket, conditions: TicketConditionGroup, me: TicketViewer) => boolean
let meetsView: ViewRule = () => true
/** The rule of saved views, set by the screen that has them: the board has none, and need not download it. */
export function setViewRule(rule: ViewRule): void {
  meetsView = rule
}

/** Whether a ticket belongs in a list, by the server's conditions except for the search text. */
export function matchesFilter(ticket: Ticket, filter: TicketFilter, me: TicketViewer): boolean {
  if (!isTicketVisibleTo(toTicketVisibilityUser(me), ticket)) return false
  if (filter.view) return meetsView(ticket, filter.view.conditions, me)
  if (filter.status && ticket.status !== filter.status) return false
  if (filter.snoozed && (filter.snoozed === 'only') !== (ticket.snooze !== null)) return false
  const wide = filter.showAll && (filter.status !== 'open' || canLeadQueues(me))
  if (!wide && !filter.search && ticket.status === 'open' && ticket.userId !== me.id) return false
  if (filter.queueIds && ticket.queueId !== null && !filter.queueIds.includes(ticket.queueId)) return false
  if (filter.users.length > 0 && can(me, 'tickets-manager:showall') && !filter.users.includes(ticket.userId ?? 0))
    return false
  if (filter.ads.length > 0 && !filter.ads.includes(ticket.adId ?? 0)) return false
  return filter.tags.every((id) => ticket.tags.some((tag) => tag.id === id))
}

/** Matches the search text as far as a browser can; only the server knows old messages. */
export function matchesSearch(ticket: Ticket, search: string): boolean {
  if (search === '') return true
  if (isSearchMatch(ticket.contact, search)) return true
  return [ticket.lastMessage, `#${ticket.number}`].some((text) => fold(text).includes(fold(search)))
}

/**
 * Newest first sorts by last change, then id; oldest first is the reverse. In `waiting`, tickets that do not wait
 * come last. `snoozed`: the soonest return first, then those that wait for the customer. In `priority`, tickets of one priority are sorted as in `waiting`.
 */
export const compareTickets =
  (order: TicketOrder) =>
  (a: Ticket, b: Ticket): number => {
    if (order === 'snoozed') {
      const [until, other] = [a.snooze?.until ?? '~', b.snooze?.until ?? '~']
      return until === other ? a.id - b.id : until < other ? -1 : 1
    }
    if (order === 'priority' && a.priority !== b.priority)
      return ticketPriorities.indexOf(a.priority) - ticketPriorities.indexOf(b.priority)
    if (order === 'waiting' || order === 'priority') {
      const [since, other] = [a.waitingSince ?? '~', b.waitingSince ?? '~']
      return since === other ? a.id - b.id : since < other ? -1 : 1
    }
    const newer = a.updatedAt === b.updatedAt ? b.id - a.id : a.updatedAt < b.updatedAt ? 1 : -1
    return order === 'newest' ? newer : -newer
  }
