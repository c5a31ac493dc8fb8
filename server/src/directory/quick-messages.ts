import { type QuickMessage, quickMessagesApi } from '@recado/contract/quick-messages'
import { can } from '@recado/contract/rules'
import { type Selectable, sql } from 'kysely'
import { assertBelowRowLimit, makeRecords } from '../kernel/data/records.ts'
import type { Scope } from '../kernel/data/scope.ts'
import type { DB } from '../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../kernel/errors.ts'
import { keepUpload, scheduleFileRemoval, signedMediaUrl } from '../kernel/files/media.ts'
import { crudRoutes, route } from '../kernel/http/routes.ts'
import type { Audience } from '../kernel/live/live-updates.ts'

type Row = Selectable<DB['quickMessages']>
/** Maximum per company, for all users together: the composer loads every quick message that a user may use. */
const maxQuickMessages = 5000
const canEdit = (scope: Scope, row: Row) =>
  row.userId === scope.actor.id || can(scope.actor, 'quick-messages-page:editAll')

/** A personal quick message may have the same shortcut as a shared one; two of the same kind may not. */
const conflicts = {
  quickMessages_own_key: 'ERR_QUICKMESSAGE_SHORTCODE_EXISTS',
  quickMessages_all_key: 'ERR_QUICKMESSAGE_SHORTCODE_EXISTS',
} as const

const queuesOfRowSql = sql`select from "quickMessageQueues" q
  where q."companyId" = "quickMessages"."companyId" and q."quickMessageId" = "quickMessages".id`

/**
 * A user sees their own quick messages, and the shared ones: those of queues only if they are in one of them, or may edit
 * all.
 */
const isVisibleSql = (scope: Scope) => sql<boolean>`("userId" = ${scope.actor.id} or (geral and (
  ${can(scope.actor, 'quick-messages-page:editAll')} or not exists (${queuesOfRowSql})
  or exists (${queuesOfRowSql} and q."queueId" = any(${scope.actor.queueIds}::int[])))))`

const store = makeRecords('quickMessages', quickMessagesApi, {
  audience: (scope, row) =>
    row.geral ? { company: scope.companyId } : { users: row.userId === null ? [] : [row.userId] },
  visible: (scope, query) => query.where(isVisibleSql(scope)),
  present: async (scope, rows) => {
    const queues = await loadQueueIds(scope, rows)
    return rows.map((row) => ({
      ...row,
      queueIds: queues.get(row.id) ?? [],
      isMedia: row.mediaPath !== null,
      mediaPath: signedMediaUrl(scope, row),
      editable: canEdit(scope, row),
      viewable: true,
    }))
  },
})

async function loadQueueIds(scope: Scope, rows: Row[]): Promise<Map<number, number[]>> {
  if (!rows.length) return new Map()
  const links = await scope.db
    .selectFrom('quickMessageQueues')
    .select(['quickMessageId', 'queueId'])
    .where('companyId', '=', scope.companyId)
    .where('quickMessageId', '=', sql<number>`any(${rows.map(({ id }) => id)}::int[])`)
    .orderBy('queueId')
    .execute()
  const byMessage = Map.groupBy(links, ({ quickMessageId }) => quickMessageId)
  return new Map([...byMessage].map(([id, some]) => [id, some.map(({ queueId }) => queueId)]))
}

async function saveQueues(scope: Scope, quickMessageId: number, queueIds: number[]): Promise<void> {
  const { companyId } = scope
  const wanted = [...new Set(queueIds)]
  await scope.db
    .deleteFrom('quickMessageQueues')
    .where('companyId', '=', companyId)
    .where('quickMessageId', '=', quickMessageId)
    .execute()
  if (wanted.length)
    await translateConstraintErrors({ quickMessageQueues_companyId_queueId_fkey: 'ERR_QUEUE_NOT_FOUND' }, () =>
      scope.db
        .insertInto('quickMessageQueues')
        .values(wanted.map((queueId) => ({ companyId, quickMessageId, queueId })))
        .execute(),
    )
}

/** Who sees a shared quick message besides its author and the admins. */
const sharedAudience = ({ companyId }: Scope, { queueIds }: Pick<QuickMessage, 'queueIds'>): Audience =>
  queueIds.length
    ? { rooms: queueIds.flatMap((id) => [`queue-${companyId}-${id}-user`, `queue-${companyId}-${id}-supervisor`]) }
    : { company: companyId }

/** Publishes a personal quick message only to its author. A shared one is editable for its author and admins only. */
async function publishQuickMessage(scope: Scope, action: 'create' | 'update', row: Row): Promise<QuickMessage> {
  const record = await store.presentRow(scope, row)
  const owner = row.userId === null ? [] : [row.userId]
  if (row.geral) {
    scope.publish(
      quickMessagesApi.topic,
      { action, row: { ...record, editable: false } },
      sharedAudience(scope, record),
    )
    scope.publish(
      quickMessagesApi.topic,
      { action: 'update', row: { ...record, editable: true } },
      { admins: scope.companyId },
    )
  }
  if (owner.length)
    scope.publish(
      quickMessagesApi.topic,
      { action: row.geral ? 'update' : action, row: { ...record, editable: true } },
      { users: owner },
    )
  return record
}

async function lockEditable(scope: Scope, id: number): Promise<Row> {
  const row = await store.lockRow(scope, id)
  if (!canEdit(scope, row)) throw new AppError('ERR_NO_PERMISSION')
  return row
}

async function updateQuickMessage(
  scope: Scope,
  id: number,
  values: Partial<Row>,
  queueIds?: number[],
): Promise<QuickMessage> {
  const before = await lockEditable(scope, id)
  const queuesBefore = (await loadQueueIds(scope, [before])).get(id) ?? []
  if (queueIds) await saveQueues(scope, id, queueIds)
  const isNarrowed = queueIds?.length && (!queuesBefore.length || queuesBefore.some((one) => !queueIds.includes(one)))
  // Users who saw the message while it was shared, or shared with other queues, must see it disappear.
  if (before.geral && (values.geral === false || isNarrowed))
    scope.publish(quickMessagesApi.topic, { action: 'delete', id }, { company: scope.companyId })
  const row = await translateConstraintErrors(conflicts, () =>
    scope.db
      .updateTable('quickMessages')
      .set(values)
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  return publishQuickMessage(scope, 'update', row)
}

/** Pauses the quick messages that are for a queue alone, before it is deleted: they would be offered everywhere. */
export async function pauseQuickMessagesOfQueue(scope: Scope, queueId: number): Promise<void> {
  const rows = await scope.db
    .updateTable('quickMessages')
    .set({ status: false })
    .where('companyId', '=', scope.companyId)
    .where(sql<boolean>`exists (${queuesOfRowSql} and q."queueId" = ${queueId})
      and not exists (${queuesOfRowSql} and q."queueId" <> ${queueId})`)
    .returningAll()
    .execute()
  for (const row of rows) await publishQuickMessage(scope, 'update', row)
}

/** Deletes personal quick messages of a deleted author. */
export async function deleteOrphanedQuickMessages(scope: Scope): Promise<void> {
  await scope.transaction(async (tx) => {
    const gone = await tx.db
      .deleteFrom('quickMessages')
      .where('companyId', '=', scope.companyId)
      .where('userId', 'is', null)
      .where('geral', '=', false)
      .returning('mediaPath')
      .execute()
    await scheduleFileRemoval(
      tx,
      gone.map((row) => row.mediaPath),
    )
  })
}

export const quickMessageRoutes = [
  ...crudRoutes(quickMessagesApi, store, ['create', 'update', 'remove']),
  route(quickMessagesApi.all, async (scope) => (await store.listAll(scope)).filter(({ status }) => status)),
  route(quickMessagesApi.create, async (scope, { body: { queueIds = [], ...body } }) => {
    await assertBelowRowLimit(scope, 'quickMessages', maxQuickMessages)
    const own = { companyId: scope.companyId, userId: scope.actor.id, mediaPath: null, mediaName: null }
    const row = await translateConstraintErrors(conflicts, () =>
      scope.db
        .insertInto('quickMessages')
        .values({ ...body, ...own })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
    await saveQueues(scope, row.id, queueIds)
    return publishQuickMessage(scope, 'create', row)
  }),
  route(quickMessagesApi.update, (scope, { params, body: { queueIds, ...body } }) =>
    updateQuickMessage(scope, params.id, body, queueIds),
  ),
  route(quickMessagesApi.remove, async (scope, { params }) => {
    await lockEditable(scope, params.id)
    const row = await store.remove(scope, params.id)
    await scheduleFileRemoval(scope, [row.mediaPath])
    return { message: 'deleted' }
  }),
  route(quickMessagesApi.upload, async (scope, { params }, { uploads }) => {
    const before = await lockEditable(scope, params.id)
    const { mediaPath, mediaName } = await keepUpload(scope, uploads[0])
    await updateQuickMessage(scope, params.id, { mediaPath, mediaName })
    await scheduleFileRemoval(scope, [before.mediaPath])
    return { mensagem: 'uploaded' }
  }),
  route(quickMessagesApi.detach, async (scope, { params }) => {
    const before = await lockEditable(scope, params.id)
    await updateQuickMessage(scope, params.id, { mediaPath: null, mediaName: null })
    await scheduleFileRemoval(scope, [before.mediaPath])
    return { mensagem: 'removed' }
  }),
]
