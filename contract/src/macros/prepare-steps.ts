import type { Reply } from '../endpoint.ts'
import type { ticketsApi } from '../tickets.ts'
import type { MacroStep, PreparedStep } from './macro-steps.ts'

type SnoozeTimes = Reply<typeof ticketsApi.snoozeTimes>
/** The real values that the steps get for one ticket. */
type StepValues = { me: number; now: number; times: SnoozeTimes | null; fillVariables: (text: string) => string }

const hourMs = 3_600_000

/** Whether a step needs to know when the ticket's queue opens next. */
export const needsSnoozeTimes = (steps: MacroStep[]): boolean =>
  steps.some((step) => step.kind === 'snooze' && (step.until === 'tomorrow' || step.until === 'nextWeek'))

/** The steps for one ticket: "tomorrow" becomes a time, and variables become what they stand for. */
export const prepareSteps = (steps: MacroStep[], values: StepValues): PreparedStep[] =>
  steps.map((step) => prepareStep(step, values))

function prepareStep(step: MacroStep, { me, now, times, fillVariables }: StepValues): PreparedStep {
  switch (step.kind) {
    case 'assign':
      return { kind: 'assign', userId: step.userId === 'me' ? me : step.userId }
    case 'note':
      return { kind: 'note', note: fillVariables(step.note).slice(0, 2000) }
    case 'snooze': {
      const { wakesOnMessage, note } = step
      if (step.until === 'message') return { kind: 'snooze', until: null, wakesOnMessage: true, note }
      const at = step.until === 'hours' ? null : times?.[step.until].at
      return { kind: 'snooze', until: at ?? new Date(now + step.hours * hourMs).toISOString(), wakesOnMessage, note }
    }
    default:
      return step
  }
}
