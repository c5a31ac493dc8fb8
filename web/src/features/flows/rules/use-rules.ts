import type { FlowKind } from '@recado/contract/flows/flow-line'
import { type FlowNames, type FlowSummary, flowsApi } from '@recado/contract/flows/flows'
import { topics } from '@recado/contract/live'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../../../lib/query-cache.ts'
import { toast } from '../../../lib/toast.ts'

const listKey = (kind: FlowKind) => ['flow-list', kind]
const rulesKey = listKey('rule')
export type LoadedRules = { flows: FlowSummary[]; names: FlowNames }

/** The rules or sequences of the company, in their order. */
export function useFlowList(kind: FlowKind) {
  const again = useRefetchQuery(listKey(kind))
  useLiveTopic(topics.flows, again)
  useResync(again)
  return useQuery({
    queryKey: listKey(kind),
    queryFn: ({ signal }): Promise<LoadedRules> => callApi(flowsApi.list, { query: { kind } }, { signal }),
    staleTime: 0,
  })
}

/** Moves a rule at once, and stores the order. Moves run one after another. */
export function useReorderRules() {
  const client = useQueryClient()
  const again = useRefetchQuery(rulesKey)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return (arrange: (ids: number[]) => number[]) => {
    const loaded = client.getQueryData<LoadedRules>(rulesKey)
    if (!loaded) return
    const ids = arrange(loaded.flows.map(({ id }) => id))
    updateCachedQuery<LoadedRules>(client, rulesKey, (old) => ({
      ...old,
      flows: old.flows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
    }))
    last.current = last.current
      .then(() => callApi(flowsApi.order, { body: { ids } }))
      .catch((error: unknown) => {
        toast.error(error)
        again()
      })
  }
}

/** Switches a rule or sequence on or off, or deletes it. */
export function useRuleActions(kind: FlowKind = 'rule') {
  const again = useRefetchQuery(listKey(kind))
  const run = async (act: () => Promise<unknown>, told: string) => {
    try {
      await act()
      toast.ok(told)
    } catch (error) {
      toast.error(error)
    } finally {
      again()
    }
  }
  return {
    setActive: (id: number, active: boolean, told: string) =>
      run(() => callApi(flowsApi.setActive, { params: { id }, body: { active } }), told),
    remove: (id: number, told: string) => run(() => callApi(flowsApi.remove, { params: { id } }), told),
  }
}
