import { play } from '@recado/contract/menu/menu'
import { type MenuTest, type Queue, queuesApi } from '@recado/contract/queues'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { put, tell } from '../../../lib/told.ts'
import type { NewTest, Values } from '../queue-values.ts'
import { passes } from './rehearsal.ts'
import type { Stage } from './use-stage.ts'

/** A conversation that must go on as it is, and how it goes with the menu in the form. */
export type ShownTest = NewTest & { id: number | null; passes: boolean; now: string[][] }

/** Tests run in the form itself, with every change of the menu; `again` asks the server about the saved one. */
export function useMenuTests(row: Queue | null, stage: Stage) {
  const client = useQueryClient()
  const queueId = row?.id ?? 0
  const key = ['menu-tests', queueId]
  const { data: saved = [] } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(queuesApi.tests, { params: { queueId } }, { signal }),
    enabled: row !== null,
  })
  const shown = (test: NewTest, id: number | null, values: Values): ShownTest => {
    const menu = stage.menuFor(values, test.whatsappId)
    const lines = test.steps.map((step) => step.customer)
    return { ...test, id, passes: passes(test.steps, menu, stage.words), now: play(menu, stage.words, lines) }
  }
  const all = (values: Values): ShownTest[] => [
    ...saved.map((test) => shown({ ...test, key: `t${test.id}` }, test.id, values)),
    ...values.tests.map((test) => shown(test, null, values)),
  ]
  return {
    all,
    again: async () => {
      const { failed, tests } = await call(queuesApi.runTests, { params: { queueId } })
      put(client, key, tests)
      return { failed, count: tests.length }
    },
    drop: async (id: number) => {
      await call(queuesApi.dropTest, { params: { queueId, id } })
      tell<MenuTest[]>(client, key, (before) => before.filter((test) => test.id !== id))
    },
  }
}
export type MenuTests = ReturnType<typeof useMenuTests>
