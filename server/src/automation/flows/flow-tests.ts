import type { ParsedInput, Reply } from '@recado/contract/endpoint'
import { type FlowTest, type flowTestsApi, maxTestsPerFlow } from '@recado/contract/flows/flow-tests'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { loadTests } from './play-tests.ts'
import { lockFlow, publishFlows } from './save-flows.ts'
import { findFlow } from './show-flows.ts'

/** Of all tests of a flow: every reply is checked at once. */
const maxTestCharacters = 512_000

type TestWrite = Omit<FlowTest, 'id'>

export async function listTests(scope: Scope, flowId: number): Promise<Reply<typeof flowTestsApi.list>> {
  await findFlow(scope, flowId)
  return { tests: await loadTests(scope, flowId) }
}

const toColumns = ({ name, scene, entries, trace }: TestWrite) => ({
  name,
  scene: JSON.stringify(scene),
  entries: JSON.stringify(entries),
  trace: JSON.stringify(trace),
})

export async function createTest(scope: Scope, flowId: number, test: TestWrite): Promise<FlowTest> {
  await lockFlow(scope, flowId)
  const others = await loadTests(scope, flowId)
  if (others.length >= maxTestsPerFlow) throw new AppError('ERR_LIST_FULL')
  assertSmall([...others, test])
  await assertTagsExist(scope, test.scene.tagIds)
  const { id } = await scope.db
    .insertInto('flowTests')
    .values({
      ...{ companyId: scope.companyId, flowId, ...toColumns(test) },
      ...{ createdAt: scope.now(), updatedAt: scope.now() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  publishFlows(scope, [flowId])
  return { id, ...test }
}

export async function updateTest(
  scope: Scope,
  { params, body }: ParsedInput<typeof flowTestsApi.update>,
): Promise<FlowTest> {
  await lockFlow(scope, params.id)
  const tests = await loadTests(scope, params.id)
  const before = tests.find(({ id }) => id === params.testId)
  if (!before) throw new AppError('ERR_NO_FLOWTEST_FOUND')
  assertSmall(tests.map((one) => (one === before ? body : one)))
  // A tag that was deleted since may stay.
  await assertTagsExist(
    scope,
    body.scene.tagIds.filter((id) => !before.scene.tagIds.includes(id)),
  )
  await scope.db
    .updateTable('flowTests')
    .set({ ...toColumns(body), updatedAt: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', before.id)
    .execute()
  publishFlows(scope, [params.id])
  return { id: before.id, ...body }
}

export async function removeTest(
  scope: Scope,
  { id: flowId, testId }: ParsedInput<typeof flowTestsApi.remove>['params'],
): Promise<{ message: string }> {
  const { numDeletedRows } = await scope.db
    .deleteFrom('flowTests')
    .where('companyId', '=', scope.companyId)
    .where('flowId', '=', flowId)
    .where('id', '=', testId)
    .executeTakeFirst()
  if (!numDeletedRows) throw new AppError('ERR_NO_FLOWTEST_FOUND')
  publishFlows(scope, [flowId])
  return { message: 'Test deleted' }
}

function assertSmall(tests: TestWrite[]): void {
  if (JSON.stringify(tests).length > maxTestCharacters) throw new AppError('ERR_LIST_FULL')
}

async function assertTagsExist(scope: Scope, ids: number[]): Promise<void> {
  if (!ids.length) return
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from tags
    where "companyId" = ${scope.companyId} and id = any(${ids}::int[])`.execute(scope.db)
  if ((rows[0]?.n ?? 0) < new Set(ids).size) throw new AppError('ERR_NO_TAG_FOUND')
}
