import { z } from 'zod'
import { lineStatuses, providers } from '../connections.ts'
import { done, get, iso, post } from '../kit.ts'

/** How the platform is, for the super user: counts, names of lines and companies, codes. No word of a customer. */
const Company = z.object({ id: z.number(), name: z.string() })

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
  since: iso.nullable(),
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

export const waitKinds = ['events', 'outbox', 'errands', 'jobs', 'webhooks', 'asks', 'schedules', 'campaigns'] as const
export type WaitKind = (typeof waitKinds)[number]
export const Wait = z.object({
  kind: z.enum(waitKinds),
  /** What could go on now. */
  count: z.number(),
  /** What waits for something else: its line, its pause, its turn. */
  held: z.number(),
  /** Since when the first of `count` waits. */
  oldest: iso.nullable(),
  /** Longer than it should. */
  late: z.boolean(),
})
export type Wait = z.infer<typeof Wait>

export const LineHealth = z.object({
  id: z.number(),
  name: z.string(),
  company: Company,
  provider: z.enum(providers),
  status: z.enum(lineStatuses),
  reason: z.string(),
  updatedAt: iso,
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
export const Failure = z.object({
  kind: z.enum(failureKinds),
  /** Of a job its own, of a webhook the webhook's, of events and messages their line's. */
  id: z.number(),
  at: iso,
  company: Company.nullable(),
  /** Of the job, the webhook or the line. */
  name: z.string(),
  /** A word of ours or a code of others, and nothing that somebody wrote: the log has the rest. */
  code: z.string(),
  count: z.number(),
  /** When it is tried again by itself. */
  nextAt: iso.nullable(),
  canRetry: z.boolean(),
})
export type Failure = z.infer<typeof Failure>

export const Health = z.object({
  at: iso,
  processes: z.array(ProcessHealth),
  waits: z.array(Wait),
  /** How many lines there are in each state, of all companies. */
  statuses: z.array(z.object({ status: z.enum(lineStatuses), count: z.number() })),
  /** The troubled first; `more` are not shown. */
  lines: z.array(LineHealth),
  more: z.number(),
  failures: z.array(Failure),
})
export type Health = z.infer<typeof Health>

export const retryKinds = ['job', 'webhook', 'event', 'line'] as const
export type RetryKind = (typeof retryKinds)[number]

export const healthApi = {
  show: get('/health', {
    about: 'How the platform is: processes, lines, what waits and what failed last. No content of customers',
    access: 'super',
    query: z.object({ searchParam: z.string().trim().max(100).default('') }),
    reply: Health,
  }),
  again: post('/health/again', {
    about: 'Try again: a failed job, a webhook that does not answer, what a line’s events failed at, a line',
    access: 'super',
    body: z.object({ kind: z.enum(retryKinds), id: z.coerce.number().int().min(1).max(2_147_483_647) }),
    example: { kind: 'job', id: 1 },
    reply: done,
  }),
}
