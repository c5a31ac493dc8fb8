import { z } from 'zod'
import { get, isoDateTime, messageReply, post, ref } from '../endpoint.ts'
import { Ticket, TicketDetail, TicketEventStep } from '../tickets.ts'

/** How many open offers a user has at most: the one that is shown, and the next. */
export const maxOffersPerUser = 2

/** A waiting ticket that the caller may accept until a time; then it is offered to somebody else. */
const TicketOffer = z.object({
  ticket: Ticket,
  /** Why the caller was chosen, as in the ticket's history. */
  why: z.string(),
  with: TicketEventStep.shape.with,
  /** For how many seconds the offer is open. */
  seconds: z.number(),
  dueAt: isoDateTime,
})
export type TicketOffer = z.infer<typeof TicketOffer>

const params = z.object({ ticketId: ref('ticket') })
export const offersApi = {
  list: get('/routing/offers', {
    about: 'The tickets that are offered to the caller, in the order in which the offers run out',
    access: 'session',
    query: z.object({
      /** A ticket that was offered to the caller before: `ended` says who has it or may accept it now. */
      ended: ref('ticket').optional(),
    }),
    reply: z.object({
      /** The server's time, for countdowns on screens whose clock is wrong. */
      now: isoDateTime,
      offers: z.array(TicketOffer),
      ended: z.object({ userName: z.string().nullable() }).nullable(),
    }),
  }),
  accept: post('/routing/offers/:ticketId/accept', {
    about: 'Accept a ticket that is offered to the caller',
    access: 'session',
    params,
    reply: TicketDetail,
  }),
  pass: post('/routing/offers/:ticketId/pass', {
    about: 'Decline a ticket that is offered to the caller: it is offered to the next agent',
    access: 'session',
    params,
    reply: messageReply,
  }),
}
