import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type FlowTest, type FlowTestWrite, flowTestsApi } from '@recado/contract/flows/flow-tests'
import { failingTests } from '@recado/contract/flows/simulate-flow'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import { callApi } from '../../../lib/api.ts'
import { useResync } from '../../../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../../../lib/query-cache.ts'

export type FlowTestDraft = z.infer<typeof FlowTestWrite>

/** The recorded tests of a flow, and what can be done with them. Errors are thrown. */
export function useFlowTests(flowId: number) {
  const client = useQueryClient()
  const key = ['flow-tests', flowId]
  const params = { id: flowId }
  useResync(useRefetchQuery(key))
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await callApi(flowTestsApi.list, { params }, { signal })).tests,
    staleTime: 0,
  })
  const put = (change: (tests: FlowTest[]) => FlowTest[]) => updateCachedQuery<FlowTest[]>(client, key, change)
  return {
    tests: query.data,
    error: query.error,
    retry: () => void query.refetch(),
    create: async (body: FlowTestDraft) => {
      const stored = await callApi(flowTestsApi.create, { params, body })
      put((tests) => [...tests.filter(({ id }) => id !== stored.id), stored])
    },
    update: async (testId: number, body: FlowTestDraft) => {
      const stored = await callApi(flowTestsApi.update, { params: { ...params, testId }, body })
      put((tests) => tests.map((test) => (test.id === testId ? stored : test)))
    },
    remove: async (testId: number) => {
      await callApi(flowTestsApi.remove, { params: { ...params, testId } })
      put((tests) => tests.filter(({ id }) => id !== testId))
    },
  }
}

/** How many recorded tests take another way through the draft. They keep it from being published. */
export function useFailingTestCount(flowId: number, document: FlowDocument): number {
  const { tests } = useFlowTests(flowId)
  return useMemo(() => failingTests(document, tests ?? []).length, [document, tests])
}
