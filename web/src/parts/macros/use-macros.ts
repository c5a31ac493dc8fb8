import { topics } from '@recado/contract/live'
import { type Macro, type MacroReferences, macrosApi } from '@recado/contract/macros/macros'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic, useResync } from '../../lib/live.ts'
import { useRefetchQuery } from '../../lib/query-cache.ts'

export const macrosKey = ['macros']
type Loaded = { macros: Macro[]; references: MacroReferences }

/** The macros of this user, loaded on first use and read again at every change. */
export const useMacros = (enabled = true): Loaded | undefined => useMacrosQuery(enabled).data

export function useMacrosQuery(enabled = true): UseQueryResult<Loaded> {
  const again = useRefetchQuery(macrosKey)
  useLiveTopic(topics.macros, again)
  useResync(again)
  return useQuery({
    queryKey: macrosKey,
    queryFn: ({ signal }) => callApi(macrosApi.list, {}, { signal }),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** What is shared with queues is offered in conversations of these queues. */
export const isOfferedIn = ({ queueIds }: { queueIds: number[] }, queueId: number | null): boolean =>
  queueIds.length === 0 || (queueId !== null && queueIds.includes(queueId))
