import { z } from 'zod'
import { lineProviders, lineStatuses } from '../connections.ts'
import { get, isoDateTime, messageReply, post } from '../endpoint.ts'

/** Platform health for the super user: counts, names of lines and companies, codes. No customer text. */
const CompanyRef = z.object({ id: z.number(), name: z.string() })

/** The report of one process. For a process that does not answer, only the data of its leases is known. */
export const ProcessHealth = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  answers: z.boolean(),
  /** Whether this is the process that answers the request. */
  here: z.boolean(),
  version: z.string(),
  /** The role of the process, if the operator has set one. */
  role: z.string().nullable(),
  since: isoDateTime.nullable(),
  /** Memory of the process in bytes, and the total memory of its machine. */
  memory: z.number(),
  machine: z.number(),
  /** Event loop delay in milliseconds (99th percentile), and event loop utilization (0 to 1). */
  lag: z.number(),
  busy: z.number(),
  /** Open browser sockets, and lines, of this process. */
  sockets: z.number(),
  lines: z.number(),
  /** Events in its memory that are journaled and not handled yet. */
  backlog: z.number(),
})
export type ProcessHealth = z.infer<typeof ProcessHealth>

export const backlogKinds = [
  'events',
  'outbox',
  'errands',
  'jobs',
  'webhooks',
  'asks',
  'schedules',
  'campaigns',
] as const
export type BacklogKind = (typeof backlogKinds)[number]
export const BacklogStatus = z.object({
  kind: z.enum(backlogKinds),
  /** Items of work that could proceed now. */
  count: z.number(),
  /** Items of work that wait for their line, their pause or their turn. */
  held: z.number(),
  /** Since when the oldest work item of `count` waits. */
  oldest: isoDateTime.nullable(),
  /** The oldest item waits longer than it should. */
  late: z.boolean(),
})
export type BacklogStatus = z.infer<typeof BacklogStatus>

export const LineHealth = z.object({
  id: z.number(),
  name: z.string(),
  company: CompanyRef,
  provider: z.enum(lineProviders),
  status: z.enum(lineStatuses),
  reason: z.string(),
  updatedAt: isoDateTime,
  /** Whether the line should be connected. */
  wanted: z.boolean(),
  /** The `id` of the process that runs the line; null: none. */
  process: z.string().nullable(),
  /** Messages to be sent, events to be handled, dead-lettered events, and messages of the last day that failed. */
  outbox: z.number(),
  events: z.number(),
  aside: z.number(),
  failed: z.number(),
})
export type LineHealth = z.infer<typeof LineHealth>

export const failureKinds = ['job', 'webhook', 'event', 'message', 'backup', 'version'] as const
export type FailureKind = (typeof failureKinds)[number]
export const PlatformFailure = z.object({
  kind: z.enum(failureKinds),
  /** The id of the job or webhook; for events and messages, the id of their line. */
  id: z.number(),
  at: isoDateTime,
  company: CompanyRef.nullable(),
  /** The name of the job, the webhook or the line. */
  name: z.string(),
  /** Our error code or a vendor's, never text that a person wrote: the log has the details. */
  code: z.string(),
  count: z.number(),
  /** When the failed work is retried automatically. */
  nextAt: isoDateTime.nullable(),
  canRetry: z.boolean(),
})
export type PlatformFailure = z.infer<typeof PlatformFailure>

export const PlatformHealth = z.object({
  at: isoDateTime,
  processes: z.array(ProcessHealth),
  waits: z.array(BacklogStatus),
  /** The number of lines in each state, of all companies. */
  statuses: z.array(z.object({ status: z.enum(lineStatuses), count: z.number() })),
  /** Lines with problems come first; `more` is the number of lines not shown. */
  lines: z.array(LineHealth),
  more: z.number(),
  failures: z.array(PlatformFailure),
  /** Some companies have no way to pay: no payment provider or, outside Brazil, no payment instructions. */
  cannotBePaid: z.boolean(),
})
export type PlatformHealth = z.infer<typeof PlatformHealth>

export const retryKinds = ['job', 'webhook', 'event', 'line'] as const
export type RetryKind = (typeof retryKinds)[number]

export const healthApi = {
  show: get('/health', {
    about: 'Health of the platform: processes, lines, backlogs and latest failures. Contains no customer content',
    access: 'super',
    query: z.object({ searchParam: z.string().trim().max(100).default('') }),
    reply: PlatformHealth,
  }),
  again: post('/health/again', {
    about: 'Retry a failed job, a webhook that does not respond, the failed events of a line, or a line',
    access: 'super',
    body: z.object({ kind: z.enum(retryKinds), id: z.coerce.number().int().min(1).max(2_147_483_647) }),
    example: { kind: 'job', id: 1 },
    reply: messageReply,
  }),
}
