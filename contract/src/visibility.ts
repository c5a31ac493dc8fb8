import { can, type Profile } from './rules.ts'
import type { TicketStatus } from './ticket-statuses.ts'

/** The ticket fields that decide its visibility. */
export type TicketVisibilityFields = { userId: number | null; queueId: number | null; status: TicketStatus }
/** The user fields that decide which tickets the user can see. */
export type TicketVisibilityUser = { id: number; profile: Profile; queueIds: number[]; allTicket: boolean }

/** Whether the user sees all tickets of the company, in any queue. */
export const canSeeAllTickets = (who: Pick<TicketVisibilityUser, 'profile'>): boolean => can(who, 'tickets:all')
/** Whether the user also sees other agents' tickets in their queues, and may write and assign tickets there. */
export const canLeadQueues = (who: Pick<TicketVisibilityUser, 'profile'>): boolean => can(who, 'tickets:lead')

/**
 * Ticket visibility. Some users see all tickets. Supervisors see the tickets in their queues, agents the pending and
 * closed tickets in their queues, and all users their own tickets. Pending tickets without a queue need `allTicket`.
 * The server adds the isolation between companies, and repeats this rule in SQL and in socket rooms
 * (`desk/tickets/base/visibility.ts`).
 */
export function isTicketVisibleTo(who: TicketVisibilityUser, ticket: TicketVisibilityFields): boolean {
  if (canSeeAllTickets(who) || ticket.userId === who.id) return true
  if (ticket.queueId === null) return ticket.status === 'pending' && who.allTicket
  return who.queueIds.includes(ticket.queueId) && (canLeadQueues(who) || ticket.status !== 'open')
}

type Person = { id: number; profile: Profile; queues: readonly { id: number }[]; allTicket: string }
/** The visibility fields of a user from the session or the user list. */
export const toTicketVisibilityUser = ({ id, profile, queues, allTicket }: Person): TicketVisibilityUser => ({
  id,
  profile,
  queueIds: queues.map((queue) => queue.id),
  allTicket: allTicket === 'enabled',
})
