import type { Reply } from '@recado/contract/endpoint'
import type { MacroStep } from '@recado/contract/macros/macro-steps'
import { needsSnoozeTimes } from '@recado/contract/macros/prepare-steps'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { QueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'

/** Reads when the ticket's queue opens next, if a step needs it. */
export async function loadSnoozeTimes(
  client: QueryClient,
  { id }: Pick<Ticket, 'id'>,
  steps: MacroStep[],
): Promise<Reply<typeof ticketsApi.snoozeTimes> | null> {
  if (!needsSnoozeTimes(steps)) return null
  return client.fetchQuery({
    queryKey: ['snooze-times', id],
    queryFn: () => callApi(ticketsApi.snoozeTimes, { params: { id } }),
    staleTime: 60_000,
  })
}
