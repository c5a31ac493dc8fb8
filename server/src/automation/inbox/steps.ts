import type { Step, Ticket } from '@recado/contract/tickets'
import { step } from '../../desk/tickets/track.ts'

/** What every entry begins with; the lane that reads it adds what it decided. */
export const journalled: Step = step('journalled', 'before-anything-else')

/** Who hears of a ticket, in words: its agent, its queue, the admins. */
export const told = (ticket: Pick<Ticket, 'user' | 'queue' | 'status'>): Step =>
  step('told', 'who-sees-the-ticket', {
    user: ticket.user?.name ?? null,
    queue: ticket.queue?.name ?? null,
    status: ticket.status,
    admins: true,
  })

/** What was decided, and for which ticket. */
export type Outcome = {
  ticketId: number | null
  steps: Step[]
  /** The id of a message that has not come yet, which this is about. */
  waitsFor?: string
}
