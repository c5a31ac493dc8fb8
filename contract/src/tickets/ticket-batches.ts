import { z } from 'zod'
import { get, idParams, isoDateTime, post, ref } from '../endpoint.ts'
import { ticketPriorities } from '../ticket-statuses.ts'
import { TicketQuery, TicketSnooze } from '../tickets.ts'
import { maxBatchIds, maxBatchTickets } from './batch-limits.ts'
import { closingShape } from './closing.ts'

/** How long a finished batch can be undone. */
export const batchUndoSeconds = 20
/** How many refused tickets are reported with their reason; all of them are counted. */
export const maxBatchRefusals = 200

export const ticketBatchActions = ['assign', 'queue', 'tags', 'priority', 'snooze', 'resolve'] as const

/** What is done with every ticket. Customers get no message. */
export const TicketBatchAction = z.discriminatedUnion('kind', [
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
  /** Tickets of another queue get its reason and fields of the same name; without one that it requires, they are refused. */
  z.object({ kind: z.literal('resolve'), ...closingShape }),
])
export type TicketBatchAction = z.output<typeof TicketBatchAction>

/** All tickets of a list: the query of the list without its page and its search text. */
export const TicketBatchFilter = TicketQuery.omit({ searchParam: true, pageNumber: true, order: true })

export const ticketBatchStates = ['running', 'done', 'stopped', 'undoing', 'undone'] as const

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
