import type { ClosingForm, ClosingFormWrite } from '@recado/contract/tickets/closing'
import type { Selectable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'

type QueueRow = Pick<Selectable<DB['queues']>, 'id' | 'closingReasonRequired'>

/** What agents are asked when they close a ticket, by queue. Queues that ask nothing are left out. */
export async function loadClosingForms(scope: Scope, rows: QueueRow[]): Promise<Map<number, ClosingForm>> {
  const ids = rows.map(({ id }) => id)
  const reasons = await scope.db
    .selectFrom('closingReasons')
    .select(['id', 'name', 'queueId'])
    .where('companyId', '=', scope.companyId)
    .where('queueId', 'in', ids)
    .where('archivedAt', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const fields = await scope.db
    .selectFrom('closingFields')
    .select(['id', 'name', 'kind', 'required', 'choices', 'queueId'])
    .where('companyId', '=', scope.companyId)
    .where('queueId', 'in', ids)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const reasonsByQueue = Map.groupBy(reasons, ({ queueId }) => queueId)
  const fieldsByQueue = Map.groupBy(fields, ({ queueId }) => queueId)
  return new Map(
    rows
      .filter(({ id }) => reasonsByQueue.has(id) || fieldsByQueue.has(id))
      .map(({ id, closingReasonRequired }) => [
        id,
        {
          reasonRequired: closingReasonRequired,
          reasons: (reasonsByQueue.get(id) ?? []).map(({ id, name }) => ({ id, name })),
          fields: (fieldsByQueue.get(id) ?? []).map(({ queueId: _, ...field }) => field),
        },
      ]),
  )
}

export async function listClosingForms(scope: Scope): Promise<(ClosingForm & { queueId: number })[]> {
  const rows = await scope.db
    .selectFrom('queues')
    .select(['id', 'closingReasonRequired'])
    .where('companyId', '=', scope.companyId)
    .orderBy('id')
    .execute()
  if (!rows.length) return []
  return [...(await loadClosingForms(scope, rows))].map(([queueId, form]) => ({ queueId, ...form }))
}

/** Replaces the form of a locked queue. Removed reasons are archived, so that reports still know their names. */
export async function saveClosingForm(scope: Scope, queueId: number, form: ClosingFormWrite): Promise<void> {
  await saveReasons(scope, queueId, form.reasons)
  await saveFields(scope, queueId, form.fields)
}

async function saveReasons(scope: Scope, queueId: number, reasons: ClosingFormWrite['reasons']): Promise<void> {
  const stored = await scope.db
    .selectFrom('closingReasons')
    .select(['id', 'name', 'archivedAt'])
    .where('companyId', '=', scope.companyId)
    .where('queueId', '=', queueId)
    .execute()
  const offered = new Set(stored.filter(({ archivedAt }) => archivedAt === null).map(({ id }) => id))
  const kept = new Set<number>()
  for (const [position, { id: ownId, name }] of reasons.entries()) {
    if (ownId !== undefined && !offered.has(ownId)) throw new AppError('ERR_NO_CLOSINGREASON_FOUND')
    // A reason that was removed and is added again goes on, so that reports count it once.
    const removed = stored.find((one) => one.archivedAt !== null && one.name === name)
    const id = ownId ?? removed?.id
    if (id === undefined) {
      const { id: added } = await scope.db
        .insertInto('closingReasons')
        .values({ companyId: scope.companyId, queueId, name, position, createdAt: scope.now() })
        .returning('id')
        .executeTakeFirstOrThrow()
      kept.add(added)
      continue
    }
    if (kept.has(id)) throw new AppError('ERR_VALIDATION', { closing: 'Invalid' })
    kept.add(id)
    await scope.db
      .updateTable('closingReasons')
      .set({ name, position, archivedAt: null })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .execute()
  }
  const gone = [...offered].filter((id) => !kept.has(id))
  if (!gone.length) return
  await scope.db
    .updateTable('closingReasons')
    .set({ archivedAt: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', gone)
    .execute()
}

/** The values of closed tickets have the names of their fields, so a removed field is deleted. */
async function saveFields(scope: Scope, queueId: number, fields: ClosingFormWrite['fields']): Promise<void> {
  const stored = await scope.db
    .selectFrom('closingFields')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('queueId', '=', queueId)
    .execute()
  const gone = new Set(stored.map(({ id }) => id))
  for (const [position, { id, name, kind, required, choices }] of fields.entries()) {
    const values = { name, kind, required, choices: kind === 'choice' ? choices : [], position }
    if (id === undefined) {
      await scope.db
        .insertInto('closingFields')
        .values({ companyId: scope.companyId, queueId, ...values })
        .execute()
      continue
    }
    if (!gone.delete(id)) throw new AppError('ERR_NO_CLOSINGFIELD_FOUND')
    await scope.db
      .updateTable('closingFields')
      .set(values)
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .execute()
  }
  if (!gone.size) return
  await scope.db
    .deleteFrom('closingFields')
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', [...gone])
    .execute()
}
