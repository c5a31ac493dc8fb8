import { z } from 'zod'
import { parseJsonText, ref, requiredText } from '../endpoint.ts'
import { ticketPriorities } from '../ticket-statuses.ts'
import { TicketChange } from '../tickets/ticket-batches.ts'

export const maxMacroSteps = 10
/** Until when a macro snoozes: a number of hours, the queue's next opening, or the customer's next message. */
export const macroSnoozeTimes = ['hours', 'tomorrow', 'nextWeek', 'message'] as const

const tagIds = z.array(ref('tag')).max(20).default([])
const note = requiredText(2, 2000)

/** Starts a flow that waits for a user. */
const flowStart = z.object({ kind: z.literal('flow'), flowId: ref('flow') })

/** What a macro does with the ticket besides writing to the customer. `me`: the user who runs it. */
export const MacroStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tags'), add: tagIds, remove: tagIds }),
  z.object({ kind: z.literal('note'), note }),
  z.object({ kind: z.literal('assign'), userId: z.union([z.literal('me'), ref('user')]) }),
  z.object({ kind: z.literal('queue'), queueId: ref('queue') }),
  z.object({ kind: z.literal('priority'), priority: z.enum(ticketPriorities) }),
  z.object({
    kind: z.literal('snooze'),
    until: z.enum(macroSnoozeTimes),
    hours: z.number().int().min(1).max(720).default(24),
    wakesOnMessage: z.boolean().default(true),
    note: z.string().trim().max(200).default(''),
  }),
  /** Tickets of another queue get its reason of the same name. Without one that their queue requires, the step is refused. */
  z.object({ kind: z.literal('resolve'), closingReasonId: ref('closingReason').nullish() }),
  flowStart,
])
export type MacroStep = z.infer<typeof MacroStep>

export const MacroStepWrite = MacroStep.refine(
  (step) => step.kind !== 'tags' || step.add.length + step.remove.length > 0,
  {
    path: ['add'],
    message: 'Required',
  },
)

/**
 * A step for one ticket, with its real values: a time instead of "tomorrow", the text of a note with its variables filled
 * in.
 */
export const PreparedStep = z.union([TicketChange, z.object({ kind: z.literal('note'), note }), flowStart])
export type PreparedStep = z.output<typeof PreparedStep>

export const PreparedSteps = z.array(PreparedStep).min(1).max(maxMacroSteps)

/** The steps that follow a message. */
export const MessageSteps = z.preprocess(
  parseJsonText,
  z.object({ macroId: ref('macro').nullable().default(null), steps: z.array(PreparedStep).max(maxMacroSteps) }),
)
export type MessageSteps = z.output<typeof MessageSteps>
