import { z } from 'zod'
import { FlowConditions } from './flow-conditions.ts'
import { flowKinds, stepsInLine } from './flow-line.ts'
import { FlowStep, listWaysOut, stepId } from './flow-steps.ts'
import { FlowTrigger } from './flow-triggers.ts'

export const maxFlowSteps = 200
export const maxFlowTriggers = 10
/** The size of a document in characters of JSON. */
export const maxFlowCharacters = 256 * 1024
/** How many values a document may have: the largest useful one has far fewer. */
const maxFlowValues = 20_000

/** When a flow may run. Null: no limit. */
export const FlowLimits = z.object({
  /** Once per contact within this time. */
  hoursPerContact: z.number().int().min(1).max(8760).nullable().default(null),
  runsPerDay: z.number().int().min(1).max(100_000).nullable().default(null),
  /** The contact got no automatic message for this long. */
  pauseMinutes: z.number().int().min(1).max(10_080).nullable().default(null),
  /** Goes on when a person takes over the conversation, up to the first step that writes to the customer. */
  goesOnWithPerson: z.boolean().default(false),
})
export type FlowLimits = z.infer<typeof FlowLimits>
export const noLimits: FlowLimits = {
  ...{ hoursPerContact: null, runsPerDay: null, pauseMinutes: null },
  goesOnWithPerson: false,
}

/** What the limits ask about a flow and a contact. */
export type FlowHistory = {
  now: number
  /** When the flow last started for the contact, and when the contact last got an automatic message; null: never. */
  lastRunAt: number | null
  lastAutomaticAt: number | null
  runsToday: number
}

/** The limit that keeps a flow from starting; null: it may start. */
export function reachedLimit(limits: FlowLimits, history: FlowHistory): keyof FlowLimits | null {
  const isWithin = (at: number | null, minutes: number | null) =>
    at !== null && minutes !== null && history.now - at < minutes * 60_000
  if (limits.hoursPerContact !== null && isWithin(history.lastRunAt, limits.hoursPerContact * 60))
    return 'hoursPerContact'
  if (limits.runsPerDay !== null && history.runsToday >= limits.runsPerDay) return 'runsPerDay'
  return isWithin(history.lastAutomaticAt, limits.pauseMinutes) ? 'pauseMinutes' : null
}

/** A document as it is stored. The limits and links of one that is given are checked by `FlowDocument`. */
export const StoredFlowDocument = z.object({
  kind: z.enum(flowKinds),
  /** Any of them starts the flow. */
  triggers: z.array(FlowTrigger).max(maxFlowTriggers),
  /** Must be met at the start. */
  conditions: FlowConditions.prefault({ match: 'all', of: [] }),
  first: stepId.nullable(),
  steps: z.array(FlowStep).max(maxFlowSteps),
  limits: FlowLimits.prefault({}),
})
export type FlowDocument = z.infer<typeof StoredFlowDocument>

/** Every step and every option has an id of its own, and every way out leads to a step or to nothing. */
function hasValidLinks({ first, steps }: FlowDocument): boolean {
  const ids = new Set(steps.map(({ id }) => id))
  if (ids.size < steps.length || (first !== null && !ids.has(first))) return false
  return steps.every((step) => hasDistinctOptions(step) && linksOf(step).every((to) => to === null || ids.has(to)))
}

/** All links, also one that no way out uses, such as the `next` of a choice whose options all have their own. */
const linksOf = (step: FlowStep): (string | null)[] => [
  ...listWaysOut(step).map(({ to }) => to),
  ...('next' in step ? [step.next] : []),
  ...('otherwise' in step ? [step.otherwise] : []),
  ...('silence' in step && step.silence ? [step.silence.next] : []),
]

function hasDistinctOptions(step: FlowStep): boolean {
  const options =
    step.kind === 'say'
      ? [...step.buttons, ...(step.list?.rows ?? [])]
      : step.kind === 'ask' && step.answer.kind === 'choice'
        ? step.answer.options
        : []
  return new Set(options.map(({ id }) => id)).size === options.length
}

/**
 * A rule, a sequence or a flow. All three have one shape: the steps of a rule are a straight line, and those of a
 * sequence too, which ends when the customer answers.
 */
export const FlowDocument = z.preprocess(
  (given) => (isSmall(given) ? given : null),
  StoredFlowDocument.refine(hasValidLinks).refine(
    (document) => document.kind === 'flow' || stepsInLine(document) !== null,
  ),
)

/** Counts values and characters before anything is parsed, and stops at the limit. */
function isSmall(given: unknown): boolean {
  let [characters, values] = [0, 0]
  const open: unknown[] = [given]
  const isWithin = () => characters <= maxFlowCharacters && values + open.length <= maxFlowValues
  while (open.length && isWithin()) {
    const value = open.pop()
    values++
    if (typeof value === 'string') characters += value.length + 2
    else if (typeof value !== 'object' || value === null) characters += String(value).length
    else if (Array.isArray(value)) {
      if (value.length > maxFlowValues) return false
      open.push(...value)
      characters += value.length + 2
    } else
      for (const key in value) {
        open.push(Reflect.get(value, key))
        characters += key.length + 4
        if (!isWithin()) return false
      }
  }
  return isWithin()
}
