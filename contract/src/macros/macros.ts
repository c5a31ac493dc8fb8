import { z } from 'zod'
import {
  bodyLimitBytes,
  del,
  get,
  idParams,
  isoDateTime,
  mediaEndpoints,
  messageReply,
  optionalText,
  post,
  put,
  ref,
  requiredName,
  requiredText,
} from '../endpoint.ts'
import { Ticket } from '../tickets.ts'
import { viewAudiences } from '../views/ticket-views.ts'
import { MacroStep, MacroStepWrite, maxMacroSteps, PreparedSteps } from './macro-steps.ts'

export const maxMacrosPerUser = 50
/** For all users together: the composer loads every macro that a user may use. */
export const maxMacrosPerCompany = 500
/** How long the steps of a macro can be undone together. */
export const macroUndoSeconds = 20

export const Macro = z.object({
  id: z.number(),
  name: z.string(),
  shortcode: z.string(),
  /** What the composer gets; empty: the macro writes nothing. */
  message: z.string(),
  /** A signed, short-lived URL. */
  mediaPath: z.string().nullable(),
  mediaName: z.string().nullable(),
  steps: z.array(MacroStep),
  audience: z.enum(viewAudiences),
  /** The queues whose users get the macro, in conversations of these queues, if it is shared with queues. */
  queueIds: z.array(z.number()),
  /** Alt, Shift and this digit run the macro on the open ticket. */
  digit: z.number().nullable(),
  uses: z.number(),
  /** Null: its author was deleted. */
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  editable: z.boolean(),
  updatedAt: isoDateTime,
})
export type Macro = z.infer<typeof Macro>

const named = z.object({ id: z.number(), name: z.string() })
const colored = named.extend({ color: z.string().nullable() })
/** What the steps of the macros refer to. A step with an id that is not here is broken: its tag, queue or flow was deleted. */
export const MacroReferences = z.object({
  tags: z.array(colored),
  queues: z.array(colored),
  users: z.array(named),
  reasons: z.array(named),
  flows: z.array(named),
})
export type MacroReferences = z.infer<typeof MacroReferences>

export const MacroWrite = z.object({
  name: requiredName(1, 60),
  shortcode: requiredText(1, 50),
  message: optionalText(4096),
  steps: z.array(MacroStepWrite).max(maxMacroSteps).default([]),
  audience: z.enum(viewAudiences).default('me'),
  queueIds: z.array(ref('queue')).max(100).default([]),
  digit: z.number().int().min(1).max(9).nullable().default(null),
})

export const macroRunStates = ['waiting', 'done', 'undone'] as const
/** The steps of a macro on one ticket. `waiting`: the message that they follow is not sent yet. */
export const MacroRun = z.object({
  id: z.number(),
  ticketId: z.number(),
  messageId: z.string().nullable(),
  state: z.enum(macroRunStates),
  /** `error`: the code of a refused step. */
  steps: z.array(
    z.object({ kind: z.string(), state: z.enum(['waiting', 'done', 'refused']), error: z.string().nullable() }),
  ),
  /** Until when the steps can be undone; null: nothing to undo, or not yet. */
  undoUntil: isoDateTime.nullable(),
})
export type MacroRun = z.infer<typeof MacroRun>

/** How the ticket would be after the steps. */
export const MacroOutcome = Ticket.pick({ status: true, priority: true, snooze: true }).extend({
  queue: named.nullable(),
  user: named.nullable(),
  tags: z.array(colored),
})
export type MacroOutcome = z.infer<typeof MacroOutcome>

const params = idParams('macro')
const runParams = idParams('macroRun')
const path = '/macros'
const example = {
  name: 'Pedir la seña',
  shortcode: 'sena',
  message: 'Hola {{firstName}}, para reservar hace falta la seña.',
  steps: [{ kind: 'priority', priority: 'high' }],
} as const
const ticketSteps = z.object({ ticketId: ref('ticket'), steps: PreparedSteps })
const ticketStepsExample = { ticketId: 1, steps: [{ kind: 'priority', priority: 'high' }] }
export const macrosApi = {
  list: get(path, {
    about: 'The macros that the caller may use: own and shared ones, with what their steps refer to',
    access: 'session',
    reply: z.object({ macros: z.array(Macro), references: MacroReferences }),
  }),
  create: post(path, {
    about: 'Save a macro. Only supervisors and admins share one: supervisors with their queues, admins with everybody',
    bytes: bodyLimitBytes.longForm,
    access: 'session',
    body: MacroWrite,
    example,
    reply: Macro,
  }),
  update: put(`${path}/:id`, {
    about: 'Change an own macro, or as an admin a shared one',
    bytes: bodyLimitBytes.longForm,
    access: 'session',
    params,
    body: MacroWrite,
    example,
    reply: Macro,
  }),
  remove: del(`${path}/:id`, {
    about: 'Delete an own macro, or as an admin a shared one',
    access: 'session',
    params,
    reply: messageReply,
  }),
  ...mediaEndpoints(path, 'macro', 'session'),
  check: post(`${path}/check`, {
    about: 'What steps would do with a ticket now, and which of them the caller may not do; nothing is changed',
    access: 'session',
    body: ticketSteps,
    example: ticketStepsExample,
    reply: z.object({
      /** The error code of each refused step, in the order of the steps. */
      errors: z.array(z.string().nullable()),
      after: MacroOutcome,
    }),
  }),
  run: post(`${path}/run`, {
    about: 'Run steps on a ticket without a message. A step that is refused does not stop the others',
    access: 'session',
    body: ticketSteps.extend({
      macroId: ref('macro').nullable().default(null),
      /** Idempotency key: a repeated call returns the same run. */
      clientId: z.string().regex(/^[\w-]{8,40}$/),
    }),
    example: { ...ticketStepsExample, clientId: 'example-0001' },
    reply: MacroRun,
  }),
  runs: get(`${path}/runs/:ticketId`, {
    about: "The caller's steps that wait for a message of this ticket",
    access: 'session',
    params: z.object({ ticketId: ref('ticket') }),
    reply: z.object({ runs: z.array(MacroRun) }),
  }),
  cancelRun: del(`${path}/runs/:id`, {
    about: 'Drop own steps that wait for a message; the message is still sent',
    access: 'session',
    params: runParams,
    reply: messageReply,
  }),
  undoRun: post(`${path}/runs/:id/undo`, {
    about: `Undo all steps of an own run within ${macroUndoSeconds} seconds, unless somebody has changed the ticket since`,
    access: 'session',
    params: runParams,
    reply: MacroRun,
  }),
}
