import { z } from 'zod'
import { lineProviders, lineStatuses } from '../connections.ts'
import { get, isoDateTime, messageReply, post } from '../endpoint.ts'

/** How the platform is, for the super user: counts, names of lines and companies, codes. No word of a customer. */
const CompanyRef = z.object({ id: z.number(), name: z.string() })

/** One process of the house, as it says itself. Of one that does not answer only what its lines tell is known. */
export const ProcessHealth = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  answers: z.boolean(),
  /** The one that answers this call. */
  here: z.boolean(),
  version: z.string(),
  /** What it does, where the operator has said so. */
  role: z.string().nullable(),
  since: isoDateTime.nullable(),
  /** In bytes, and what its machine has. */
  memory: z.number(),
  machine: z.number(),
  /** How late the loop comes to its next turn, in milliseconds (99 of 100), and how much of the time it is busy (0 to 1). */
  lag: z.number(),
  busy: z.number(),
  /** Open sockets of browsers, and lines that run here. */
  sockets: z.number(),
  lines: z.number(),
  /** Written down and not handled yet, in its memory. */
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
  /** What could go on now. */
  count: z.number(),
  /** What waits for something else: its line, its pause, its turn. */
  held: z.number(),
  /** Since when the first of `count` waits. */
  oldest: isoDateTime.nullable(),
  /** Longer than it should. */
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
  /** Somebody wants it connected. */
  wanted: z.boolean(),
  /** The `id` of the process that runs it; null: none. */
  process: z.string().nullable(),
  /** To be sent, to be handled, set aside, and not delivered within a day. */
  outbox: z.number(),
  events: z.number(),
  aside: z.number(),
  failed: z.number(),
})
export type LineHealth = z.infer<typeof LineHealth>

export const failureKinds = ['job', 'webhook', 'event', 'message', 'backup'] as const
export type FailureKind = (typeof failureKinds)[number]
export const PlatformFailure = z.object({
  kind: z.enum(failureKinds),
  /** Of a job its own, of a webhook the webhook's, of events and messages their line's. */
  id: z.number(),
  at: isoDateTime,
  company: CompanyRef.nullable(),
  /** Of the job, the webhook or the line. */
  name: z.string(),
  /** A word of ours or a code of others, and nothing that somebody wrote: the log has the rest. */
  code: z.string(),
  count: z.number(),
  /** When it is tried again by itself. */
  nextAt: isoDateTime.nullable(),
  canRetry: z.boolean(),
})
export type PlatformFailure = z.infer<typeof PlatformFailure>

export const PlatformHealth = z.object({
  at: isoDateTime,
  processes: z.array(ProcessHealth),
  waits: z.array(BacklogStatus),
  /** How many lines there are in each state, of all companies. */
  statuses: z.array(z.object({ status: z.enum(lineStatuses), count: z.number() })),
  /** The troubled first; `more` are not shown. */
  lines: z.array(LineHealth),
  more: z.number(),
  failures: z.array(PlatformFailure),
})
export type PlatformHealth = z.infer<typeof PlatformHealth>

export const retryKinds = ['job', 'webhook', 'event', 'line'] as const
export type RetryKind = (typeof retryKinds)[number]

export const healthApi = {
  show: get('/health', {
    about: 'How the platform is: processes, lines, what waits and what failed last. No content of customers',
    access: 'super',
    query: z.object({ searchParam: z.string().trim().max(100).default('') }),
    reply: PlatformHealth,
  }),
  again: post('/health/again', {
    about: 'Try again: a failed job, a webhook that does not answer, what a line’s events failed at, a line',
    access: 'super',
    body: z.object({ kind: z.enum(retryKinds), id: z.coerce.number().int().min(1).max(2_147_483_647) }),
    example: { kind: 'job', id: 1 },
    reply: messageReply,
  }),
}
