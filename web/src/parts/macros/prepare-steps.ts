import type { Reply } from '@recado/contract/endpoint'
import type { MacroStep, PreparedStep } from '@recado/contract/macros/macro-steps'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { QueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'

type SnoozeTimes = Reply<typeof ticketsApi.snoozeTimes>
/** The real values that the steps get for one ticket. */
type StepValues = { me: number; now: number; times: SnoozeTimes | null; fillVariables: (text: string) => string }

const hourMs = 3_600_000

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

/** Reads when the ticket's queue opens next, if a step needs it. */
export async function loadSnoozeTimes(
  client: QueryClient,
  { id }: Pick<Ticket, 'id'>,
  steps: MacroStep[],
): Promise<SnoozeTimes | null> {
  const isNeeded = steps.some((step) => step.kind === 'snooze' && /^(tomorrow|nextWeek)$/.test(step.until))
  if (!isNeeded) return null
  return client.fetchQuery({
    queryKey: ['snooze-times', id],
    queryFn: () => callApi(ticketsApi.snoozeTimes, { params: { id } }),
    staleTime: 60_000,
  })
}
