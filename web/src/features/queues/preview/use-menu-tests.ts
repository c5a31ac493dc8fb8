import { playMenuConversation } from '@recado/contract/menu/menu'
import { type MenuTest, type Queue, queuesApi } from '@recado/contract/queues'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { setCachedQuery, updateCachedQuery } from '../../../lib/query-cache.ts'
import type { NewMenuTest, QueueFormValues } from '../queue-form-values.ts'
import { isMenuTestPassing } from './simulate-menu.ts'
import type { MenuPreview } from './use-menu-preview.ts'

/** A test conversation with its result for the form's menu. */
export type MenuTestResult = NewMenuTest & { id: number | null; passes: boolean; currentReplies: string[][] }

/** The tests run in the form on every change of the menu; `again` runs them on the server for the saved menu. */
export function useMenuTests(row: Queue | null, stage: MenuPreview) {
  const client = useQueryClient()
  const queueId = row?.id ?? 0
  const key = ['menu-tests', queueId]
  const { data: saved = [] } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(queuesApi.tests, { params: { queueId } }, { signal }),
    enabled: row !== null,
  })
  const toResult = (test: NewMenuTest, id: number | null, values: QueueFormValues): MenuTestResult => {
    const menu = stage.menuFor(values, test.whatsappId)
    const lines = test.steps.map((step) => step.customer)
    return {
      ...test,
      id,
      passes: isMenuTestPassing(test.steps, menu, stage.words),
      currentReplies: playMenuConversation(menu, stage.words, lines),
    }
  }
  const all = (values: QueueFormValues): MenuTestResult[] => [
    ...saved.map((test) => toResult({ ...test, key: `t${test.id}` }, test.id, values)),
    ...values.tests.map((test) => toResult(test, null, values)),
  ]
  return {
    listResults: all,
    runOnServer: async () => {
      const { failed, tests } = await callApi(queuesApi.runTests, { params: { queueId } })
      setCachedQuery(client, key, tests)
      return { failed, count: tests.length }
    },
    removeTest: async (id: number) => {
      await callApi(queuesApi.dropTest, { params: { queueId, id } })
      updateCachedQuery<MenuTest[]>(client, key, (before) => before.filter((test) => test.id !== id))
    },
  }
}
export type MenuTests = ReturnType<typeof useMenuTests>
