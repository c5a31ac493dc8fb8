import type { PreparedStep } from '@recado/contract/macros/macro-steps'
import type { Macro } from '@recado/contract/macros/macros'
import { prepareSteps } from '@recado/contract/macros/prepare-steps'
import type { Ticket } from '@recado/contract/tickets'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../../lib/session.tsx'
import { loadSnoozeTimes } from './load-snooze-times.ts'
import { useStepCheck } from './use-step-check.ts'

export type MacroPreview = { message: string; steps: PreparedStep[]; errors: (string | null)[] }
export type PreviewProps = { macro: Macro; ticket: Ticket; fillVariables: (text: string) => string }

/** What the macro would write and do in this ticket, with real values. */
export function useMacroPreview({ macro, ticket, fillVariables }: PreviewProps): MacroPreview {
  const me = useSession().user?.id ?? 0
  const client = useQueryClient()
  const { data: times, isSuccess } = useQuery({
    queryKey: ['macro-times', ticket.id, macro.id, macro.updatedAt],
    queryFn: () => loadSnoozeTimes(client, ticket, macro.steps),
  })
  const steps = isSuccess
    ? prepareSteps(macro.steps, { me, now: Math.floor(Date.now() / 60_000) * 60_000, times, fillVariables })
    : []
  const { data: check } = useStepCheck(ticket.id, steps)
  return { message: fillVariables(macro.message), steps, errors: check?.errors ?? [] }
}
