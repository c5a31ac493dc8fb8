import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type FlowNames, type FlowRun, flowsApi } from '@recado/contract/flows/flows'
import { topics } from '@recado/contract/live'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import { toast } from '../../../lib/toast.ts'

export const runStates = ['inside', 'failed', 'all'] as const
export type RunState = (typeof runStates)[number]

/** Runs that start or go on are not announced. */
const pollMs = 10_000

const runsKey = (flowId: number) => ['flow-runs', flowId]

/** The runs of a flow, the newest first, by page. */
export function useRuns(flowId: number, state: RunState) {
  const client = useQueryClient()
  const again = () => void client.invalidateQueries({ queryKey: runsKey(flowId) })
  useLiveTopic(topics.flows, ({ flowIds }) => flowIds.includes(flowId) && again())
  useResync(again)
  const query = useInfiniteQuery({
    queryKey: [...runsKey(flowId), state],
    queryFn: ({ pageParam, signal }) =>
      callApi(flowsApi.runs, { params: { id: flowId }, query: { state, before: pageParam } }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ runs, hasMore }) => (hasMore ? runs.at(-1)?.id : undefined),
    staleTime: 0,
    retry: false,
    refetchInterval: pollMs,
  })
  // A run that began between two requests moves another one to the next page.
  const runs = [...new Map(query.data?.pages.flatMap((page) => page.runs).map((run) => [run.id, run])).values()]
  return { query, runs }
}

/** What the steps of the runs are described with: the documents of all versions, and the names that they use. */
export function useVersionDocuments(flowId: number): { documents: Map<number, FlowDocument>; names: FlowNames } {
  const { data: flow } = useQuery({
    queryKey: ['flow-names', flowId],
    queryFn: ({ signal }) => callApi(flowsApi.show, { params: { id: flowId } }, { signal }),
    staleTime: 0,
  })
  const { data } = useQuery({
    queryKey: ['flow-documents', flowId, flow?.version?.number],
    queryFn: ({ signal }) => callApi(flowsApi.versions, { params: { id: flowId } }, { signal }),
    enabled: flow !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return {
    documents: new Map(data?.versions.map(({ number, document }) => [number, document])),
    names: flow?.names ?? [],
  }
}

/** Takes a conversation out, or tries its step again. */
export function useRunActions(flowId: number) {
  const client = useQueryClient()
  const [busyId, setBusyId] = useState<number | null>(null)
  const run = async ({ id }: FlowRun, act: () => Promise<FlowRun>, message: string) => {
    setBusyId(id)
    try {
      await act()
      toast.ok(message)
    } catch (error) {
      toast.error(error)
    } finally {
      await client.invalidateQueries({ queryKey: runsKey(flowId) })
      setBusyId(null)
    }
  }
  return {
    busyId,
    end: (one: FlowRun, message: string) =>
      run(one, () => callApi(flowsApi.endRun, { params: { id: one.id } }), message),
    retry: (one: FlowRun, message: string) =>
      run(one, () => callApi(flowsApi.retryRun, { params: { id: one.id } }), message),
  }
}
