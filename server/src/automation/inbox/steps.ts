import type { Ticket, TicketEventStep } from '@recado/contract/tickets'
import { makeStep } from '../../desk/tickets/tracking.ts'

/** What every entry begins with; the lane that reads it adds what it decided. */
export const journalledStep: TicketEventStep = makeStep('journalled', 'before-anything-else')

/** Who hears of a ticket, in words: its agent, its queue, the admins. */
export const publishedStep = (ticket: Pick<Ticket, 'user' | 'queue' | 'status'>): TicketEventStep =>
  makeStep('told', 'who-sees-the-ticket', {
    user: ticket.user?.name ?? null,
    queue: ticket.queue?.name ?? null,
    status: ticket.status,
    admins: true,
  })

/** What was decided, and for which ticket. */
export type EventOutcome = {
  ticketId: number | null
  steps: TicketEventStep[]
  /** The id of a message that has not come yet, which this is about. */
  waitsFor?: string
}
