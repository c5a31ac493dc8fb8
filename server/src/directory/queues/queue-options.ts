import { type QueueOption, type QueueOptionWrite, queueOptionsApi } from '@recado/contract/queue-options'
import { queuesApi } from '@recado/contract/queues'
import type { Selectable } from 'kysely'
import { requireSkills, sortSkillIds } from '../../accounts/agents/skills.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import { queues } from './queues.ts'

export type QueueOptionRow = Selectable<DB['queueOptions']>
type Row = QueueOptionRow
/** A longer menu would not fit on a phone. */
export const maxMenuOptions = 300

const conflicts = {
  queueOptions_companyId_queueId_fkey: 'ERR_QUEUE_NOT_FOUND',
  queueOptions_companyId_forwardQueueId_fkey: 'ERR_QUEUE_NOT_FOUND',
  queueOptions_companyId_parentId_fkey: 'ERR_QUEUE_OPTION_NOT_FOUND',
} as const

const ownOptions = (scope: Scope) =>
  scope.db
    .selectFrom('queueOptions')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .orderBy('option')
    .orderBy('id')

/** All options of a queue, siblings in order. */
export const listMenuOptions = (scope: Scope, queueId: number): Promise<Row[]> =>
  ownOptions(scope).where('queueId', '=', queueId).execute()

async function findOption(scope: Scope, id: number): Promise<Row> {
  const row = await ownOptions(scope).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('ERR_QUEUE_OPTION_NOT_FOUND')
  return row
}

/** Locks the queue of a menu, so that two parallel changes cannot create a cycle. The result publishes the change. */
export async function beginMenuChange(scope: Scope, queueId: number): Promise<() => Promise<void>> {
  await queues.lockRow(scope, queueId)
  return async () => scope.publish(queuesApi.topic, { action: 'update', row: await queues.find(scope, queueId) })
}

/** The parent must be in the same queue, and must not be the option itself or an option below it. */
function assertParentFits(all: Row[], id: number | null, parentId: number | null): void {
  for (let at = parentId; at !== null; ) {
    const parent = all.find((o) => o.id === at)
    if (!parent) throw new AppError('ERR_QUEUE_OPTION_NOT_FOUND')
    if (parent.id === id) throw new AppError('ERR_QUEUE_OPTION_CIRCLE')
    at = parent.parentId
  }
}

/** The skills of an option, as far as the form sends them. */
export async function skillValues(scope: Scope, skillIds: number[] | undefined): Promise<{ skillIds?: number[] }> {
  await requireSkills(scope, skillIds)
  return skillIds ? { skillIds: sortSkillIds(skillIds) } : {}
}

const listSiblings = (all: Row[], parentId: number | null) => all.filter((o) => o.parentId === parentId)
const nextNumber = (all: Row[], parentId: number | null) =>
  Math.max(0, ...listSiblings(all, parentId).map((o) => o.option)) + 1

export async function saveOption(scope: Scope, id: number, values: Partial<Row>): Promise<Row> {
  return translateConstraintErrors(conflicts, () =>
    scope.db
      .updateTable('queueOptions')
      .set({ ...values, updatedAt: scope.now() })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

type NewOption = Omit<QueueOptionRow, 'id' | 'companyId' | 'createdAt' | 'updatedAt' | 'skillIds'> &
  Partial<Pick<QueueOptionRow, 'skillIds'>>
export async function insertOption(scope: Scope, fields: NewOption): Promise<Row> {
  return translateConstraintErrors(conflicts, () =>
    scope.db
      .insertInto('queueOptions')
      .values({ companyId: scope.companyId, ...fields })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

async function createOption(scope: Scope, body: QueueOptionWrite): Promise<QueueOption> {
  const { queueId, parentId, title, message, leads, forwardQueueId } = body
  const publishChange = await beginMenuChange(scope, queueId)
  const all = await listMenuOptions(scope, queueId)
  assertParentFits(all, null, parentId)
  if (all.length >= maxMenuOptions) throw new AppError('ERR_VALIDATION', { option: 'Invalid' })
  const option = body.option ?? nextNumber(all, parentId)
  const skills = await skillValues(scope, body.skillIds)
  const row = await insertOption(scope, { queueId, parentId, option, title, message, leads, forwardQueueId, ...skills })
  await publishChange()
  return row
}

type OptionUpdate = Omit<QueueOptionWrite, 'queueId'>
async function updateOption(scope: Scope, id: number, body: OptionUpdate): Promise<QueueOption> {
  const { parentId, title, message, leads, forwardQueueId } = body
  const before = await findOption(scope, id)
  const publishChange = await beginMenuChange(scope, before.queueId)
  assertParentFits(await listMenuOptions(scope, before.queueId), id, parentId)
  const row = await saveOption(scope, id, {
    parentId,
    option: body.option ?? before.option,
    title,
    message,
    leads,
    forwardQueueId,
    ...(await skillValues(scope, body.skillIds)),
  })
  await publishChange()
  return row
}

/** Numbers the options 1, 2, 3 … in this order under this parent; existing options that are not named come after. */
async function arrangeOptions(scope: Scope, queueId: number, parentId: number | null, ids: number[]): Promise<Row[]> {
  const all = await listMenuOptions(scope, queueId)
  const named = [...new Set(ids)].map((id) => {
    const row = all.find((o) => o.id === id)
    if (!row) throw new AppError('ERR_QUEUE_OPTION_NOT_FOUND')
    assertParentFits(all, id, parentId)
    return row
  })
  const rest = listSiblings(all, parentId).filter((o) => !named.includes(o))
  for (const [i, row] of [...named, ...rest].entries())
    if (row.option !== i + 1 || row.parentId !== parentId) await saveOption(scope, row.id, { option: i + 1, parentId })
  return listMenuOptions(scope, queueId)
}

export const queueOptionRoutes = [
  route(queueOptionsApi.list, async (scope, { query: { queueId, parentId } }) => {
    // Older clients ask for the menu of a queue that is not saved yet.
    if (queueId === undefined) return []
    await queues.find(scope, queueId)
    const all = await listMenuOptions(scope, queueId)
    return parentId === undefined ? all : listSiblings(all, parentId === -1 ? null : parentId)
  }),
  route(queueOptionsApi.create, (scope, { body }) => createOption(scope, body)),
  route(queueOptionsApi.order, async (scope, { body: { queueId, parentId, ids } }) => {
    const publishChange = await beginMenuChange(scope, queueId)
    const all = await arrangeOptions(scope, queueId, parentId, ids)
    await publishChange()
    return all
  }),
  route(queueOptionsApi.update, (scope, { params, body }) => updateOption(scope, params.id, body)),
  route(queueOptionsApi.remove, async (scope, { params }) => {
    const { queueId, parentId } = await findOption(scope, params.id)
    const publishChange = await beginMenuChange(scope, queueId)
    await scope.db
      .deleteFrom('queueOptions')
      .where('companyId', '=', scope.companyId)
      .where('id', '=', params.id)
      .execute()
    await arrangeOptions(scope, queueId, parentId, [])
    await publishChange()
    return { message: 'deleted' }
  }),
]
