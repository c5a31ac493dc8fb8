import { z } from 'zod'
import { capacity, get, isoDateTime, ref } from '../endpoint.ts'
import { routingModes } from '../queues.ts'
import { ticketPriorities } from '../ticket-statuses.ts'
import { idList, TicketGoal } from '../tickets.ts'
import { availabilities } from '../users.ts'
import { nextAgentApi } from './next.ts'

/** How much of the desk one reply shows; the counts are always complete. */
export const liveLimits = { waiting: 200, people: 200, ticketsPerPerson: 20 } as const

/** A ticket as a small card. */
const LiveTicket = z.object({
  id: z.number(),
  uuid: z.string(),
  number: z.number(),
  contact: z.object({ id: z.number(), name: z.string(), profilePicUrl: z.string().nullable() }),
  isGroup: z.boolean(),
  queue: z.object({ id: z.number(), name: z.string(), color: z.string() }).nullable(),
  priority: z.enum(ticketPriorities),
  unreadMessages: z.number(),
  /** Since when the customer has waited for an answer by a person; null if not waiting. */
  waitingSince: isoDateTime.nullable(),
  updatedAt: isoDateTime,
  goals: z.array(TicketGoal),
})
export type LiveTicket = z.infer<typeof LiveTicket>

/**
 * Why a ticket has no agent yet. `manual`: somebody has to accept it; `nobody`: its queue has no agents; `unavailable`:
 * no agent of its queue is connected, available and on shift; `unskilled`: those who are lack a skill that it needs;
 * `full`: they have too few free places; `next`: it is being assigned; `offered`: an agent is asked whether they accept
 * it; `passed`: everybody who is free has passed, and it is offered again soon.
 */
export const waitReasons = [
  ...(['manual', 'nobody', 'unavailable', 'unskilled', 'full', 'next'] as const),
  ...(['bot', 'withoutQueue', 'offered', 'passed'] as const),
] as const
export type WaitReason = (typeof waitReasons)[number]

const WaitingTicket = LiveTicket.extend({
  /** Since when the ticket waits for an agent; for a ticket that a bot attends, its last change. */
  since: isoDateTime,
  reason: z.enum(waitReasons),
  /** The names of the skills that it needs. */
  skills: z.array(z.string()),
  /** The agent who may accept it now, and until when. */
  offer: z.object({ userName: z.string(), dueAt: isoDateTime }).nullable(),
})
export type WaitingTicket = z.infer<typeof WaitingTicket>

const LivePerson = z.object({
  id: z.number(),
  name: z.string(),
  online: z.boolean(),
  availability: z.enum(availabilities),
  availabilityReason: z.string(),
  availabilitySince: isoDateTime,
  /** Outside of their shifts people get no tickets. Always true without a plan. */
  onShift: z.boolean(),
  /** All open tickets of the person, in any queue, and the places that they take. */
  open: z.number(),
  places: z.number(),
  /** With how many places taken the server assigns no more. Null: no limit. */
  capacity: z.number().nullable(),
  queueIds: z.array(z.number()),
  /** Open tickets that the caller sees, and the first of them: those that wait for an answer come first. */
  ticketCount: z.number(),
  tickets: z.array(LiveTicket),
})
export type LivePerson = z.infer<typeof LivePerson>

/** The largest number of people more that a replay adds. */
export const maxPeopleAdded = 10

/** Waiting times of replayed tickets. `unattendedCount`: tickets for which nobody came any more. */
const WaitTimes = z.object({ medianSeconds: z.number(), p90Seconds: z.number(), unattendedCount: z.number() })
export type WaitTimes = z.infer<typeof WaitTimes>

export const routingApi = {
  ...nextAgentApi,
  live: get('/routing/live', {
    about: `Who waits, who is there and who attends whom, as far as the caller sees it: the first ${liveLimits.waiting} waiting tickets in the order of assignment, ${liveLimits.people} people, and ${liveLimits.ticketsPerPerson} open tickets of each`,
    access: 'tickets:lead',
    query: z.object({ queueIds: idList('queue') }),
    reply: z.object({
      /** The server's time, for waiting times on screens whose clock is wrong. */
      now: isoDateTime,
      waitingCount: z.number(),
      /** Since when the ticket waits that has waited longest; null if none waits for an agent. */
      oldestSince: isoDateTime.nullable(),
      openCount: z.number(),
      peopleCount: z.number(),
      /** People who are connected and available. */
      availableCount: z.number(),
      waiting: z.array(WaitingTicket),
      people: z.array(LivePerson),
    }),
  }),
  whatIf: get('/routing/what-if', {
    about:
      "Replay a queue's last 30 days with other rules or more people: waiting times as they were (`actual`), by the queue's rules (`before`) and by these rules (`after`)",
    access: 'tickets:lead',
    query: z.object({
      queueId: ref('queue'),
      people: z.coerce.number().int().min(0).max(maxPeopleAdded).default(0),
      /** Absent: as the queue has it. */
      routing: z.enum(routingModes).optional(),
      /** Absent: as the queue has it; empty: no limit. */
      capacity,
    }),
    reply: z.object({
      /** When the first replayed ticket began to wait; null: there is nothing to replay. */
      from: isoDateTime.nullable(),
      ticketCount: z.number(),
      peopleCount: z.number(),
      /** Whether there were more tickets than can be replayed, so that the time is shorter than a month. */
      isShortened: z.boolean(),
      actual: WaitTimes.nullable(),
      /** Null: the queue is by hand, which cannot be replayed. */
      before: WaitTimes.nullable(),
      after: WaitTimes.nullable(),
    }),
  }),
}
