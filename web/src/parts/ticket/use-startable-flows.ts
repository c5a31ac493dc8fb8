import type { Reply } from '@recado/contract/endpoint'
import { flowsApi } from '@recado/contract/flows/flows'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'

export type StartableFlow = Reply<typeof flowsApi.startable>['flows'][number]

/** Admins change them rarely, and the server refuses what cannot be started any more. */
const staleMs = 60_000

/** The flows that a user can start in a conversation. */
export const useStartableFlows = (enabled = true): UseQueryResult<StartableFlow[]> =>
  useQuery({
    queryKey: ['flows', 'startable'],
    queryFn: async ({ signal }) => (await callApi(flowsApi.startable, {}, { signal })).flows,
    enabled,
    staleTime: staleMs,
  })
