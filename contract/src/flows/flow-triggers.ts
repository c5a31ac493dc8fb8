import { z } from 'zod'
import { ref, requiredText } from '../endpoint.ts'
import { SearchedWords } from './flow-conditions.ts'
import { replyPath } from './flow-steps.ts'
import { variableName } from './flow-variables.ts'

const ids = (entity: string) => z.array(ref(entity)).max(50).default([])
/** Up to a year. */
const minutes = z.number().int().min(1).max(525_600)
const inOpenHours = z.boolean().default(false)
const score = z.number().int().min(0).max(10)
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
const field = requiredText(1, 100)

/** What starts a flow. An empty list of ids means any of them. */
export const FlowTrigger = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    /** Null: any text. */
    words: SearchedWords.nullable().default(null),
    withFile: z.boolean().default(false),
    /** Only the first message that the contact ever sent. */
    first: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('ticketOpened') }),
  z.object({ kind: z.literal('ticketMoved'), queueIds: ids('queue') }),
  z.object({ kind: z.literal('tagged'), tagIds: ids('tag') }),
  z.object({ kind: z.literal('resolved'), closingReasonIds: ids('closingReason') }),
  z.object({ kind: z.literal('rated'), from: score.default(0), to: score.default(10) }),
  /** A goal of the queue will be missed within this time. */
  z.object({ kind: z.literal('goalNear'), minutes }),
  z.object({ kind: z.literal('goalMissed') }),
  /** The customer has waited this long for an answer by a person. */
  z.object({ kind: z.literal('unanswered'), minutes, inOpenHours }),
  /** The customer has not answered for this long. */
  z.object({ kind: z.literal('silent'), minutes, inOpenHours }),
  /** A field of the contact changed; `value` null: to anything. */
  z.object({ kind: z.literal('fieldChanged'), field, value: requiredText(1, 200).nullable().default(null) }),
  z.object({ kind: z.literal('snoozeOver') }),
  /** A ticket arrived in a lane of the board. */
  z.object({ kind: z.literal('laneEntered'), tagIds: ids('tag') }),
  /** A program called the flow's address. Parts of what it sent are kept in variables. */
  z.object({
    kind: z.literal('hook'),
    keep: z
      .array(z.object({ path: replyPath, variable: variableName }))
      .max(20)
      .default([]),
  }),
  z.object({ kind: z.literal('daily'), time }),
  /** Monday is 0. */
  z.object({ kind: z.literal('weekly'), time, days: z.array(z.number().int().min(0).max(6)).min(1).max(7) }),
  /** This many days after the date in a field of the contact, or before it if negative. `yearly`: such as a birthday. */
  z.object({
    kind: z.literal('fieldDate'),
    field,
    days: z.number().int().min(-365).max(365),
    time,
    yearly: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('campaignAnswered'), campaignIds: ids('campaign') }),
  /** A user starts it in a conversation, or with a macro. */
  z.object({ kind: z.literal('person') }),
  /** Another flow starts it. These variables come from there; one that is missing there is empty. */
  z.object({ kind: z.literal('flow'), variables: z.array(variableName).max(20).default([]) }),
])
export type FlowTrigger = z.infer<typeof FlowTrigger>
export type FlowTriggerKind = FlowTrigger['kind']

/** The variables that a run has when it was started by this trigger. */
export function variablesOfTrigger(trigger: FlowTrigger): string[] {
  if (trigger.kind === 'hook') return trigger.keep.map(({ variable }) => variable)
  return trigger.kind === 'flow' ? trigger.variables : []
}
