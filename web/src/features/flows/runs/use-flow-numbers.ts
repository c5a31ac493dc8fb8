import { type Flow, flowsApi } from '@recado/contract/flows/flows'
import { topics } from '@recado/contract/live'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import { useRefetchQuery } from '../../../lib/query-cache.ts'

/** Steps that runs come to are not announced. */
const pollMs = 10_000

/** What happened at the steps of the published version; undefined while it loads or if nothing is published. */
export function useFlowNumbers({ id, version }: Pick<Flow, 'id' | 'version'>) {
  const key = ['flow-numbers', id, version?.number]
  const again = useRefetchQuery(key)
  useLiveTopic(topics.flows, ({ flowIds }) => flowIds.includes(id) && again())
  useResync(again)
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(flowsApi.numbers, { params: { id } }, { signal }),
    enabled: version !== null,
    staleTime: 0,
    refetchInterval: pollMs,
  })
  return data?.version === version?.number ? data : undefined
}

/** How many runs of all versions have not ended. */
export function useInsideCount({ id, inside }: Pick<Flow, 'id' | 'inside'>): number {
  const key = ['flow-inside', id]
  const again = useRefetchQuery(key)
  useLiveTopic(topics.flows, ({ flowIds }) => flowIds.includes(id) && again())
  useResync(again)
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await callApi(flowsApi.show, { params: { id } }, { signal })).inside,
    initialData: inside,
    staleTime: 0,
    refetchInterval: pollMs,
  })
  return data
}
