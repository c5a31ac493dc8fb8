import type { Ticket, TicketEventStep } from '@recado/contract/tickets'
import { makeStep } from '../../desk/tickets/base/tracking.ts'

/** The first step of every journal entry. The lane that handles the entry adds its decisions as further steps. */
export const journalledStep: TicketEventStep = makeStep('journalled', 'before-anything-else')

/** Records who receives a ticket's events: its agent, its queue, the admins. */
export const publishedStep = (ticket: Pick<Ticket, 'user' | 'queue' | 'status'>): TicketEventStep =>
  makeStep('told', 'who-sees-the-ticket', {
    user: ticket.user?.name ?? null,
    queue: ticket.queue?.name ?? null,
    status: ticket.status,
    admins: true,
  })

/** The decision about an event, and the event's ticket. */
export type EventOutcome = {
  ticketId: number | null
  steps: TicketEventStep[]
  /** The id of a message that the event refers to and that has not arrived yet. */
  waitsFor?: string
}
