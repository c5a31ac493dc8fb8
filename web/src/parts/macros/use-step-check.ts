import type { PreparedStep } from '@recado/contract/macros/macro-steps'
import { macrosApi } from '@recado/contract/macros/macros'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'

/** What the steps would do with the ticket now, and which of them the user may not do. The server tries them and rolls back. */
export function useStepCheck(ticketId: number | null, steps: PreparedStep[] | null) {
  return useQuery({
    queryKey: ['macro-check', ticketId, steps],
    queryFn: ({ signal }) =>
      callApi(macrosApi.check, { body: { ticketId: ticketId as number, steps: steps ?? [] } }, { signal }),
    enabled: ticketId !== null && steps !== null && steps.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  })
}
