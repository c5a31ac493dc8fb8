import { z } from 'zod'
import { flag, get, idParams, isoDateTime, post, ref } from '../endpoint.ts'
import { ticketPriorities } from '../ticket-statuses.ts'
import { TicketQuery, TicketSnooze } from '../tickets.ts'
import { maxBatchIds, maxBatchTickets } from './batch-limits.ts'
import { closingShape } from './closing.ts'

/** How long a finished batch can be undone. */
export const batchUndoSeconds = 20
/** How many refused tickets are reported with their reason; all of them are counted. */
export const maxBatchRefusals = 200

export const ticketBatchActions = ['assign', 'queue', 'tags', 'priority', 'snooze', 'resolve', 'macro'] as const

const changes = [
  z.object({ kind: z.literal('assign'), userId: ref('user') }),
  /** Tickets that are in the queue already stay as they are. */
  z.object({ kind: z.literal('queue'), queueId: ref('queue') }),
  /** Tags of the board are not allowed, because a lane may write to the customer. */
  z.object({
    kind: z.literal('tags'),
    add: z.array(ref('tag')).max(50).default([]),
    remove: z.array(ref('tag')).max(50).default([]),
  }),
  z.object({ kind: z.literal('priority'), priority: z.enum(ticketPriorities) }),
  z.object({ kind: z.literal('snooze'), ...TicketSnooze.shape }),
] as const
/** Tickets of another queue get its reason and fields of the same name; without one that it requires, they are refused. */
const resolve = z.object({ kind: z.literal('resolve'), ...closingShape })

/** A change of one ticket. Customers get no message. */
export const TicketChange = z.discriminatedUnion('kind', [...changes, resolve])
export type TicketChange = z.output<typeof TicketChange>

/** What is done with every ticket. Customers get no message, unless tickets are closed with one. */
export const TicketBatchAction = z.discriminatedUnion('kind', [
  ...changes,
  resolve.extend({
    /** Sends the farewell. It leaves when the batch cannot be undone any more. */
    farewell: flag.optional(),
    /** Asks for a rating, where ratings are on and an agent attended. The farewell then follows the rating. */
    rating: flag.optional(),
  }),
  /** Runs the steps of a macro, without its text and its file. A ticket with a step that is refused stays as it is. */
  z.object({ kind: z.literal('macro'), macroId: ref('macro') }),
])
export type TicketBatchAction = z.output<typeof TicketBatchAction>

/** All tickets of a list: the query of the list without its page and its search text. */
export const TicketBatchFilter = TicketQuery.omit({ searchParam: true, pageNumber: true, order: true })

export const ticketBatchStates = ['running', 'done', 'stopped', 'undoing', 'undone'] as const

/**
 * Why a customer got no farewell although it was asked for: a group, 24 hours without a message from them, no automatic
 * messages for this contact, or no text in the queue and the line, or the same text as their last message.
 */
export const unsentReasons = ['is-group', 'window-closed', 'no-bots', 'no-text'] as const
export type UnsentReason = (typeof unsentReasons)[number]

export const TicketBatch = z.object({
  id: z.number(),
  kind: z.enum(ticketBatchActions),
  state: z.enum(ticketBatchStates),
  total: z.number(),
  done: z.number(),
  refused: z.number(),
  /** How many of the done ones were undone. */
  undone: z.number(),
  /** Until when the batch can be undone; null while it runs, and after an undo. */
  undoUntil: isoDateTime.nullable(),
  /** The error code of each refused ticket, or of one that could not be undone; the first ones only. */
  refusals: z.array(z.object({ ticketId: z.number(), code: z.string() })),
  /** How many tickets were refused for each reason. */
  reasons: z.array(z.object({ code: z.string(), count: z.number() })),
  /** How many tickets were closed without the message that was asked for. */
  unsent: z.array(z.object({ reason: z.enum(unsentReasons), count: z.number() })),
})
export type TicketBatch = z.infer<typeof TicketBatch>

const params = idParams('ticketBatch')
export const ticketBatchesApi = {
  last: get('/tickets/bulk', {
    about: 'The last batch of the caller, with its progress; null if there is none',
    access: 'session',
    reply: z.object({ batch: TicketBatch.nullable() }),
  }),
  start: post('/tickets/bulk', {
    about: `Do the same with many tickets: up to ${maxBatchIds} by their ids, or all of a list, ${maxBatchTickets} at most. They are changed one by one, as if the caller did it; what is refused is reported. One batch at a time`,
    access: 'session',
    body: z.object({
      /** With a filter: only those of the list. */
      ids: z.array(ref('ticket')).max(maxBatchIds).optional(),
      filter: TicketBatchFilter.optional(),
      action: TicketBatchAction,
    }),
    example: { ids: [1], action: { kind: 'resolve' } },
    reply: TicketBatch,
  }),
  stop: post('/tickets/bulk/:id/stop', {
    about: 'Stop a batch; what is done stays done, and can be undone',
    access: 'session',
    params,
    reply: TicketBatch,
  }),
  undo: post('/tickets/bulk/:id/undo', {
    about: `Undo a finished or stopped batch within ${batchUndoSeconds} seconds, except for tickets that somebody has changed since`,
    access: 'session',
    params,
    reply: TicketBatch,
  }),
}
