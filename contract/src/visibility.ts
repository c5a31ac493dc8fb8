import { can, type Profile } from './rules.ts'
import type { TicketStatus } from './ticket-statuses.ts'

/** What of a ticket decides who sees it. */
export type TicketVisibilityFields = { userId: number | null; queueId: number | null; status: TicketStatus }
/** What of a person decides what they see. */
export type TicketVisibilityUser = { id: number; profile: Profile; queueIds: number[]; allTicket: boolean }

/** Every ticket of the company, whatever its queue. */
export const canSeeAllTickets = (who: Pick<TicketVisibilityUser, 'profile'>): boolean => can(who, 'tickets:all')
/** In their queues also what others attend; they speak there for the house, and give tickets to people. */
export const canLeadQueues = (who: Pick<TicketVisibilityUser, 'profile'>): boolean => can(who, 'tickets:lead')

/**
 * Who sees a ticket: who sees all; who leads, what is in their queues; the others what waits or is closed in their
 * queues; everybody their own. What waits without a queue is for those who were given `allTicket`. The server adds the
 * wall between companies, and has this rule as a condition in SQL and as rooms too (`desk/tickets/visibility.ts`).
 */
export function isTicketVisibleTo(who: TicketVisibilityUser, ticket: TicketVisibilityFields): boolean {
  if (canSeeAllTickets(who) || ticket.userId === who.id) return true
  if (ticket.queueId === null) return ticket.status === 'pending' && who.allTicket
  return who.queueIds.includes(ticket.queueId) && (canLeadQueues(who) || ticket.status !== 'open')
}

type Person = { id: number; profile: Profile; queues: readonly { id: number }[]; allTicket: string }
/** The eyes of somebody as the session and the users' list describe them. */
export const toTicketVisibilityUser = ({ id, profile, queues, allTicket }: Person): TicketVisibilityUser => ({
  id,
  profile,
  queueIds: queues.map((queue) => queue.id),
  allTicket: allTicket === 'enabled',
})
