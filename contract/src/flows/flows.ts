import { z } from 'zod'
import {
  beforeId,
  bodyLimitBytes,
  del,
  flag,
  get,
  idParams,
  isoDateTime,
  messageReply,
  post,
  put,
  ref,
  requiredName,
} from '../endpoint.ts'
import { FlowDocument, StoredFlowDocument } from './flow-document.ts'
import { flowKinds } from './flow-line.ts'
import { referencedEntities } from './flow-references.ts'
import { flowEndReasons } from './walk.ts'

export const maxFlowsPerCompany = 300
/** The days of the bars in a list, today last. */
export const flowDays = 30

/** `stopped`: the engine stopped it after too many failures, and what waits for it is kept. */
export const flowStates = ['draft', 'active', 'off', 'stopped'] as const
export type FlowState = (typeof flowStates)[number]

const named = z.object({ id: z.number(), name: z.string() })

export const FlowVersion = z.object({
  number: z.number(),
  publishedAt: isoDateTime,
  /** Null: the user was deleted. */
  user: named.nullable(),
})
export type FlowVersion = z.infer<typeof FlowVersion>

/** What happened at a step of one version. */
export const StepNumbers = z.object({
  stepId: z.string(),
  came: z.number(),
  /** The customer did not answer in time, or the run was taken over or ended by a person here. */
  left: z.number(),
  answered: z.number(),
  failed: z.number(),
  /** Runs that stand here now. */
  inside: z.number(),
})
export type StepNumbers = z.infer<typeof StepNumbers>

/** A row of the list. */
export const FlowSummary = z.object({
  id: z.number(),
  kind: z.enum(flowKinds),
  name: z.string(),
  state: z.enum(flowStates),
  /** The published version; null: only a draft exists. */
  version: FlowVersion.nullable(),
  /** Whether the draft differs from the published version. */
  hasDraft: z.boolean(),
  /** What runs, or the draft if nothing is published; null: too long for a list. */
  document: StoredFlowDocument.nullable(),
  /** How often it started on each of the last days. */
  days: z.array(z.number()).length(flowDays),
  /** Steps that failed in these days. */
  failed: z.number(),
  /** Runs that have not ended. */
  inside: z.number(),
  /**
   * What came of the steps of the published version of a sequence, in their order; empty for rules and flows, and if
   * `document` is too long for a list.
   */
  steps: z.array(StepNumbers),
  updatedAt: isoDateTime,
})
export type FlowSummary = z.infer<typeof FlowSummary>

/** The names of what a document refers to. What is not here was deleted. */
export const FlowNames = z.array(
  z.object({ entity: z.enum(referencedEntities), id: z.number(), name: z.string(), color: z.string().nullable() }),
)
export type FlowNames = z.infer<typeof FlowNames>

export const Flow = FlowSummary.omit({ document: true, days: true, failed: true, steps: true }).extend({
  draft: StoredFlowDocument,
  published: StoredFlowDocument.nullable(),
  /** Changes with every save: who saves over somebody else's change is refused. */
  revision: z.number(),
  /** Whether a line of the company allows only templates when a customer was silent for 24 hours. */
  hasReplyWindow: z.boolean(),
  /** Whether programs have an address that starts it. */
  hasHook: z.boolean(),
  names: FlowNames,
})
export type Flow = z.infer<typeof Flow>

export const flowRunStates = ['ready', 'waiting', 'calling', 'failed', 'ended'] as const

export const FlowRun = z.object({
  id: z.number(),
  flowId: z.number(),
  version: z.number(),
  state: z.enum(flowRunStates),
  ticket: z.object({ id: z.number(), uuid: z.string(), number: z.number() }),
  contact: named,
  /** The step where the run stands. */
  stepId: z.string().nullable(),
  /** When it goes on by itself; null: at once, or when the customer writes. */
  dueAt: isoDateTime.nullable(),
  /** The error code of the step that failed. */
  error: z.string().nullable(),
  endReason: z.enum([...flowEndReasons, 'stopped-by-person', 'replaced', 'opted-out', 'failed']).nullable(),
  startedAt: isoDateTime,
  endedAt: isoDateTime.nullable(),
})
export type FlowRun = z.infer<typeof FlowRun>

/** A day of a dry run: how often the draft would have started, and the published version. */
export const DryRunDay = z.object({ day: z.string(), n: z.number(), published: z.number().nullable() })
export const DryRunHit = z.object({
  ticket: z.object({ id: z.number(), uuid: z.string(), number: z.number() }),
  contact: named,
  at: isoDateTime,
  /** The message that started it; empty: something else did. */
  text: z.string(),
  /** The steps that the run would have performed, up to the first that waits for the customer. */
  path: z.array(z.string()),
})
export type DryRunHit = z.infer<typeof DryRunHit>
export const DryRun = z.object({
  id: z.number(),
  state: z.enum(['running', 'done', 'stopped', 'failed']),
  /** How many of the days are looked at. The newest come first. */
  daysDone: z.number(),
  days: z.array(DryRunDay),
  /** More than `maxDryRunHits` are not counted. */
  isCapped: z.boolean(),
  /** Some of the newest, newest first. */
  hits: z.array(DryRunHit),
  /** How many events a condition or a limit excluded. */
  excluded: z.array(z.object({ reason: z.string(), n: z.number() })),
  /** Triggers that cannot be looked up in the past. */
  unknownTriggers: z.array(z.string()),
})
export type DryRun = z.infer<typeof DryRun>
export const maxDryRunHits = 10_000

const params = idParams('flow')
const path = '/flows'
const edit = 'flows-page:edit' as const
const flowDocumentExample = {
  kind: 'rule',
  triggers: [{ kind: 'ticketOpened' }],
  conditions: { match: 'all', of: [{ field: 'closingReason', in: [1] }] },
  first: 'tag',
  steps: [
    { kind: 'tags', id: 'tag', add: [1], next: 'end' },
    { kind: 'end', id: 'end' },
  ],
} as const
const bytes = bodyLimitBytes.longText

export const flowsApi = {
  list: get(path, {
    about: 'The rules, sequences or flows of the company, in their order',
    access: edit,
    query: z.object({ kind: z.enum(flowKinds).default('rule') }),
    reply: z.object({ flows: z.array(FlowSummary), names: FlowNames }),
  }),
  create: post(path, {
    about: 'Save a draft of a new rule, sequence or flow; nothing runs before it is published',
    access: edit,
    bytes,
    body: z.object({ name: requiredName(1, 80), document: FlowDocument }),
    example: { name: 'Welcome', document: flowDocumentExample },
    reply: Flow,
  }),
  show: get(`${path}/:id`, { about: 'One flow, with its draft', access: edit, params, reply: Flow }),
  update: put(`${path}/:id`, {
    about: 'Save the draft; what is published goes on unchanged',
    access: edit,
    params,
    bytes,
    body: z.object({ name: requiredName(1, 80), document: FlowDocument, revision: z.number().int() }),
    example: { name: 'Welcome', document: flowDocumentExample, revision: 1 },
    reply: Flow,
  }),
  remove: del(`${path}/:id`, {
    about: 'Delete a flow with its versions; what runs ends',
    access: edit,
    params,
    reply: messageReply,
  }),
  order: put(`${path}/order`, {
    about: 'Set the order: when several could start for one event, the first one that speaks does',
    access: edit,
    body: z.object({ ids: z.array(ref('flow')).min(1).max(maxFlowsPerCompany) }),
    example: { ids: [1] },
    reply: messageReply,
  }),
  check: post(`${path}/check`, {
    about: 'The names of what a draft refers to. What is missing in the reply does not exist',
    access: edit,
    bytes,
    body: z.object({ document: FlowDocument }),
    example: { document: flowDocumentExample },
    reply: z.object({ names: FlowNames }),
  }),
  publish: post(`${path}/:id/publish`, {
    about: 'Publish the draft as a new version and switch the flow on. Runs inside stay in their version',
    access: edit,
    params,
    body: z.object({ revision: z.number().int() }),
    example: { revision: 1 },
    reply: Flow,
  }),
  setActive: put(`${path}/:id/active`, {
    about: 'Switch a published flow on or off. Off: nothing starts; what runs goes on',
    access: edit,
    params,
    body: z.object({ active: flag }),
    example: { active: false },
    reply: Flow,
  }),
  versions: get(`${path}/:id/versions`, {
    about: 'The newest versions, the newest first: up to fifty, and 256,000 characters of their documents',
    access: edit,
    params,
    reply: z.object({ versions: z.array(FlowVersion.extend({ started: z.number(), document: StoredFlowDocument })) }),
  }),
  restore: post(`${path}/:id/versions/:number/restore`, {
    about: 'Make the draft what it was in this version',
    access: edit,
    params: params.extend({ number: z.coerce.number().int().min(1).max(100_000) }),
    reply: Flow,
  }),
  runs: get(`${path}/:id/runs`, {
    about: 'Runs of a flow, the newest first, with the steps that failed',
    access: edit,
    params,
    query: z.object({ state: z.enum(['inside', 'failed', 'all']).default('all'), before: beforeId }),
    reply: z.object({ runs: z.array(FlowRun), hasMore: z.boolean() }),
  }),
  endRun: post(`${path}/runs/:id/end`, {
    about: 'Take one conversation out of a flow',
    access: edit,
    params: idParams('flowRun'),
    reply: FlowRun,
  }),
  retryRun: post(`${path}/runs/:id/retry`, {
    about: 'Try the failed step of a run again',
    access: edit,
    params: idParams('flowRun'),
    reply: FlowRun,
  }),
  numbers: get(`${path}/:id/numbers`, {
    about: 'What happened at each step of the published version',
    access: edit,
    params,
    reply: z.object({
      /** Null: nothing is published. */
      version: z.number().nullable(),
      steps: z.array(StepNumbers),
      /** Contacts who asked for no automatic messages while they were inside, which ends a sequence; of this version. */
      optedOut: z.number(),
    }),
  }),
  startable: get(`${path}/startable`, {
    about: 'The flows that a user can start in a conversation',
    access: 'session',
    reply: z.object({ flows: z.array(named.extend({ kind: z.enum(flowKinds) })) }),
  }),
  startInTicket: post('/tickets/:ticketId/flows', {
    about: 'Start a flow in a conversation that the caller may answer',
    access: 'session',
    params: z.object({ ticketId: ref('ticket') }),
    body: z.object({ flowId: ref('flow') }),
    example: { flowId: 1 },
    reply: messageReply,
  }),
  setHook: put(`${path}/:id/hook`, {
    about: 'Give the flow a new secret address that programs call. An earlier one stops working',
    access: edit,
    params,
    /** The address is shown only once. */
    reply: z.object({ url: z.string() }),
  }),
  removeHook: del(`${path}/:id/hook`, {
    about: 'Remove the address that programs call',
    access: edit,
    params,
    reply: messageReply,
  }),
  dryRun: post(`${path}/dry-runs`, {
    about: 'Look up what a draft would have done in the last 30 days. Nothing is sent or changed',
    access: edit,
    bytes,
    body: z.object({ document: FlowDocument, flowId: ref('flow').nullable().default(null) }),
    example: { document: flowDocumentExample },
    reply: DryRun,
  }),
  dryRunResult: get(`${path}/dry-runs/:id`, {
    about: 'What an own dry run has found so far',
    access: edit,
    params: idParams('flowDryRun'),
    reply: DryRun,
  }),
  stopDryRun: del(`${path}/dry-runs/:id`, {
    about: 'Stop an own dry run',
    access: edit,
    params: idParams('flowDryRun'),
    reply: messageReply,
  }),
}
