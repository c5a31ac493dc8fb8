import { z } from 'zod'
import { dictionary, optionalText, ref, requiredText } from '../endpoint.ts'
import { macroSnoozeTimes } from '../macros/macro-steps.ts'
import { ticketPriorities } from '../ticket-statuses.ts'
import { FlowConditions } from './flow-conditions.ts'
import { variableName } from './flow-variables.ts'
import { taxIdKinds } from './tax-ids.ts'

export const stepId = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,23}$/i)
/** Where a step goes on; null: nothing follows yet, which keeps a flow from being published. */
const link = stepId.nullable().default(null)
const coordinate = z.number().int().min(-20_000).max(20_000)
const base = {
  id: stepId,
  title: optionalText(60),
  /** Where it was moved to by hand on the canvas; without it, the layout places it. */
  at: z.object({ x: coordinate, y: coordinate }).optional(),
}
/** Up to a year. */
const minutes = z.number().int().min(1).max(525_600)
const variable = variableName.nullable().default(null)
const userIds = z.array(ref('user')).max(20).default([])
const tagIds = z.array(ref('tag')).max(20).default([])
/** Goes on here when the customer has not answered for this long. */
const silence = z.object({ minutes, next: link }).nullable().default(null)
const optionId = stepId

/** Stands for a prompt or an integration that was not chosen yet: no row has the highest id. */
export const unchosenId = 2_147_483_647

/** Where a value stands in a JSON text: `data.items.0.name`. */
const replyPathPattern = /^[\w-]{1,60}(\.[\w-]{1,60}){0,9}$/
export const isReplyPath = (path: string): boolean => replyPathPattern.test(path)
export const replyPath = z.string().regex(replyPathPattern)

const Template = z.object({
  name: requiredText(1, 512),
  language: requiredText(1, 20),
  variables: dictionary(100, z.string().max(120), z.string().trim().max(1024)).default({}),
})

/** Buttons and lists have the limits of WhatsApp's official API; other lines send them as text. */
const Say = z.object({
  ...base,
  kind: z.literal('say'),
  text: optionalText(4096),
  fileId: ref('fileOption').nullable().default(null),
  buttons: z
    .array(z.object({ id: optionId, title: requiredText(1, 20) }))
    .max(3)
    .default([]),
  list: z
    .object({
      button: requiredText(1, 20),
      rows: z
        .array(z.object({ id: optionId, title: requiredText(1, 24), description: optionalText(72) }))
        .min(1)
        .max(10),
    })
    .nullable()
    .default(null),
  /** Is sent instead when the customer has not written for 24 hours and the line allows only templates. */
  template: Template.nullable().default(null),
  next: link,
})
export type SayStep = z.infer<typeof Say>

export const askedFileKinds = ['image', 'video', 'audio', 'document'] as const

/** What an answer must be. */
export const AskedAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text') }),
  z.object({
    kind: z.literal('number'),
    min: z.number().min(-1e12).max(1e12).nullable().default(null),
    max: z.number().min(-1e12).max(1e12).nullable().default(null),
    decimals: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('date'), when: z.enum(['any', 'past', 'future']).default('any') }),
  /** An option goes on at its own step, or at the question's `next`. */
  z.object({
    kind: z.literal('choice'),
    options: z
      .array(z.object({ id: optionId, title: requiredText(1, 72), next: link }))
      .min(1)
      .max(10),
  }),
  z.object({ kind: z.literal('email') }),
  z.object({ kind: z.literal('taxId'), of: z.array(z.enum(taxIdKinds)).min(1).max(taxIdKinds.length) }),
  z.object({ kind: z.literal('file'), of: z.array(z.enum(askedFileKinds)).max(askedFileKinds.length).default([]) }),
  z.object({ kind: z.literal('place') }),
])
export type AskedAnswer = z.infer<typeof AskedAnswer>

const Ask = z.object({
  ...base,
  kind: z.literal('ask'),
  text: optionalText(4096),
  answer: AskedAnswer,
  variable,
  /** How often it is asked again when the answer was not understood; after that it goes on at `otherwise`. */
  retries: z.number().int().min(0).max(5).default(2),
  /** Empty: the question is repeated. */
  retryText: optionalText(1024),
  silence,
  next: link,
  otherwise: link,
})
export type AskStep = z.infer<typeof Ask>

/** `otherwise`: the conditions are not met. */
const Branch = z.object({
  ...base,
  kind: z.literal('branch'),
  conditions: FlowConditions,
  next: link,
  otherwise: link,
})

const Switch = z.object({
  ...base,
  kind: z.literal('switch'),
  variable,
  cases: z
    .array(z.object({ value: requiredText(1, 200), next: link }))
    .min(1)
    .max(20),
  otherwise: link,
})

/** Each run takes one of the ways, in proportion to their shares. */
const Split = z.object({
  ...base,
  kind: z.literal('split'),
  shares: z
    .array(z.object({ share: z.number().int().min(1).max(100), next: link }))
    .min(2)
    .max(5),
})
export type SplitStep = z.infer<typeof Split>

const Wait = z.object({
  ...base,
  kind: z.literal('wait'),
  until: z.discriminatedUnion('kind', [
    /** `inOpenHours`: only opening hours count. */
    z.object({ kind: z.literal('time'), minutes, inOpenHours: z.boolean().default(false) }),
    z.object({ kind: z.literal('opening') }),
    /** The text of the answer is kept in the variable. Without an answer in time it goes on at `otherwise`. */
    z.object({ kind: z.literal('answer'), minutes, variable }),
  ]),
  next: link,
  otherwise: link,
})

const headerName = z.string().regex(/^[a-z0-9-]{1,60}$/i)
/** The address up to the path is fixed: a customer's answer must not choose the server. */
const callUrl = z
  .string()
  .trim()
  .max(2000)
  .regex(/^$|^https?:\/\/[^\s/?#{}\\@]{1,253}([/?#]|$)/i)

/** `otherwise`: the call failed. */
const Call = z.object({
  ...base,
  kind: z.literal('call'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  url: callUrl,
  headers: z
    .array(z.object({ name: headerName, value: z.string().trim().max(1000) }))
    .max(20)
    .default([]),
  /** JSON; empty: no body. */
  body: optionalText(10_000),
  /** Parts of the reply that are kept in variables; empty if they are missing in the reply. */
  keep: z
    .array(z.object({ path: replyPath, variable: variableName }))
    .max(20)
    .default([]),
  next: link,
  otherwise: link,
})
export type CallStep = z.infer<typeof Call>

/**
 * A prompt or an integration answers the customer, once or in several turns. `otherwise`: it failed or does not know the
 * answer.
 */
const Respond = z.object({
  ...base,
  kind: z.literal('respond'),
  by: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('prompt'), promptId: ref('prompt') }),
    z.object({ kind: z.literal('integration'), integrationId: ref('integration') }),
  ]),
  turns: z.number().int().min(1).max(50).default(1),
  silence,
  next: link,
  otherwise: link,
})

export const FlowStep = z.discriminatedUnion('kind', [
  Say,
  Ask,
  Branch,
  Switch,
  Split,
  Wait,
  Call,
  Respond,
  z.object({ ...base, kind: z.literal('setVariable'), variable, value: optionalText(2000), next: link }),
  z.object({ ...base, kind: z.literal('setField'), field: optionalText(100), value: optionalText(2000), next: link }),
  z.object({ ...base, kind: z.literal('tags'), add: tagIds, remove: tagIds, next: link }),
  z.object({ ...base, kind: z.literal('priority'), priority: z.enum(ticketPriorities), next: link }),
  z.object({ ...base, kind: z.literal('queue'), queueId: ref('queue').nullable().default(null), next: link }),
  /** `owner`: the user who looks after the contact. */
  z.object({
    ...base,
    kind: z.literal('assign'),
    userId: z.union([z.literal('owner'), ref('user').nullable()]).default(null),
    next: link,
  }),
  z.object({ ...base, kind: z.literal('note'), text: optionalText(2000), mentions: userIds, next: link }),
  z.object({
    ...base,
    kind: z.literal('snooze'),
    until: z.enum(macroSnoozeTimes),
    hours: z.number().int().min(1).max(720).default(24),
    wakesOnMessage: z.boolean().default(true),
    note: optionalText(200),
    next: link,
  }),
  z.object({ ...base, kind: z.literal('start'), flowId: ref('flow').nullable().default(null), next: link }),
  /** Ends a sequence of the contact; null: all of them. */
  z.object({ ...base, kind: z.literal('stop'), flowId: ref('flow').nullable().default(null), next: link }),
  /** Resolves the ticket, which ends the run. */
  z.object({ ...base, kind: z.literal('resolve'), closingReasonId: ref('closingReason').nullable().default(null) }),
  /** Hands the conversation to a person, which ends the run. No queue: the ticket's own. */
  z.object({
    ...base,
    kind: z.literal('person'),
    queueId: ref('queue').nullable().default(null),
    text: optionalText(4096),
  }),
  z.object({ ...base, kind: z.literal('end') }),
])
export type FlowStep = z.infer<typeof FlowStep>
export type FlowStepKind = FlowStep['kind']

/** A way out of a step, by its name: `next`, `otherwise`, `silence`, `option:a`, `case:0` or `share:0`. */
export type WayOut = { way: string; to: string | null }

export function listWaysOut(step: FlowStep): WayOut[] {
  const next = (to: string | null): WayOut => ({ way: 'next', to })
  const otherwise = (to: string | null): WayOut => ({ way: 'otherwise', to })
  const silent = (given: { next: string | null } | null): WayOut[] =>
    given ? [{ way: 'silence', to: given.next }] : []
  switch (step.kind) {
    case 'ask':
      return [
        ...(step.answer.kind === 'choice'
          ? step.answer.options.map(({ id, next: to }) => ({ way: `option:${id}`, to: to ?? step.next }))
          : [next(step.next)]),
        otherwise(step.otherwise),
        ...silent(step.silence),
      ]
    case 'respond':
      // A bot that answers once does not wait for the customer.
      return [next(step.next), otherwise(step.otherwise), ...silent(step.turns > 1 ? step.silence : null)]
    case 'branch':
    case 'call':
      return [next(step.next), otherwise(step.otherwise)]
    case 'wait':
      return [next(step.next), ...(step.until.kind === 'answer' ? [otherwise(step.otherwise)] : [])]
    case 'switch':
      return [...step.cases.map(({ next: to }, i) => ({ way: `case:${i}`, to })), otherwise(step.otherwise)]
    case 'split':
      return step.shares.map(({ next: to }, i) => ({ way: `share:${i}`, to }))
    case 'resolve':
    case 'person':
    case 'end':
      return []
    default:
      return [next(step.next)]
  }
}

/** The step with another target for one way out. */
export function withWayOut(step: FlowStep, way: string, to: string | null): FlowStep {
  const [name, which] = way.split(':')
  if (name === 'option' && step.kind === 'ask' && step.answer.kind === 'choice') {
    const options = step.answer.options.map((option) => (option.id === which ? { ...option, next: to } : option))
    return { ...step, answer: { ...step.answer, options } }
  }
  if (name === 'case' && step.kind === 'switch')
    return { ...step, cases: step.cases.map((one, i) => (String(i) === which ? { ...one, next: to } : one)) }
  if (name === 'share' && step.kind === 'split')
    return { ...step, shares: step.shares.map((one, i) => (String(i) === which ? { ...one, next: to } : one)) }
  if (name === 'silence' && 'silence' in step && step.silence)
    return { ...step, silence: { ...step.silence, next: to } }
  if (name === 'otherwise' && 'otherwise' in step) return { ...step, otherwise: to }
  return name === 'next' && 'next' in step ? { ...step, next: to } : step
}

/**
 * Whether time passes or the customer writes before a run leaves the step this way. A bot may answer at once, and nobody
 * waits for an opening while it is open.
 */
export function isPausedWay(step: FlowStep, way: string): boolean {
  if (step.kind === 'wait') return step.until.kind !== 'opening'
  return step.kind === 'ask' || (step.kind === 'respond' && way === 'silence')
}

/** Whether the customer may get a message from the step. */
export const isSpeaking = (step: FlowStep): boolean =>
  step.kind === 'say' || step.kind === 'ask' || step.kind === 'respond' || (step.kind === 'person' && step.text !== '')

/** Every text of a step that is filled in with variables. */
export function textsOfStep(step: FlowStep): string[] {
  switch (step.kind) {
    case 'say':
      return [step.text, ...Object.values(step.template?.variables ?? {})]
    case 'ask':
      return [step.text, step.retryText]
    case 'call':
      return [step.url, step.body, ...step.headers.map(({ value }) => value)]
    case 'setVariable':
    case 'setField':
      return [step.value]
    case 'note':
    case 'person':
      return [step.text]
    case 'snooze':
      return [step.note]
    default:
      return []
  }
}

/** The variables that have a value after the step was left this way. */
export function variablesSetOnWay(step: FlowStep, way: string): string[] {
  const one = (variable: string | null) => (variable === null ? [] : [variable])
  if (step.kind === 'ask') return way === 'next' || way.startsWith('option:') ? one(step.variable) : []
  if (way !== 'next') return []
  if (step.kind === 'call') return step.keep.map(({ variable }) => variable)
  if (step.kind === 'wait') return step.until.kind === 'answer' ? one(step.until.variable) : []
  return step.kind === 'setVariable' ? one(step.variable) : []
}

/** Whether the step has what it needs to be performed. */
export function isStepComplete(step: FlowStep): boolean {
  switch (step.kind) {
    case 'say':
      return step.text !== '' || step.fileId !== null || step.template !== null
    case 'ask':
      return step.text !== ''
    case 'branch':
      return step.conditions.of.length > 0
    case 'call':
      return step.url !== ''
    case 'switch':
    case 'setVariable':
      return step.variable !== null
    case 'setField':
      return step.field !== ''
    case 'tags':
      return step.add.length + step.remove.length > 0
    case 'queue':
      return step.queueId !== null
    case 'assign':
      return step.userId !== null
    case 'note':
      return step.text !== ''
    case 'start':
      return step.flowId !== null
    case 'respond':
      return (step.by.kind === 'prompt' ? step.by.promptId : step.by.integrationId) !== unchosenId
    default:
      return true
  }
}

/** The word as an id, or with the first free number behind it. */
export function unusedStepId(steps: FlowStep[], word: string): string {
  const ids = new Set(steps.map(({ id }) => id))
  for (let n = 1; ; n++) {
    const id = n === 1 ? word : `${word}-${n}`
    if (!ids.has(id)) return id
  }
}
