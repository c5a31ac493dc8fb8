import { type QuickMessage, quickMessagesApi } from '@recado/contract/quick-messages'
import { can } from '@recado/contract/rules'
import type { Selectable } from 'kysely'
import { mustHaveRoom, records } from '../kernel/data/records.ts'
import type { Scope } from '../kernel/data/scope.ts'
import type { DB } from '../kernel/data/tables.ts'
import { AppError, orConflict } from '../kernel/errors.ts'
import { dropFiles, keepUpload, mediaUrl } from '../kernel/files/media.ts'
import { resource, route } from '../kernel/http/http.ts'

type Row = Selectable<DB['quickMessages']>
/** Of a company, everybody's together: the composer reads all that somebody may use. */
const mostQuickMessages = 5000
const mayEdit = (scope: Scope, row: Row) =>
  row.userId === scope.actor.id || can(scope.actor, 'quick-messages-page:editAll')

/** One's own may stand beside one for everybody; two of a kind may not. */
const conflicts = {
  quickMessages_own_key: 'ERR_QUICKMESSAGE_SHORTCODE_EXISTS',
  quickMessages_all_key: 'ERR_QUICKMESSAGE_SHORTCODE_EXISTS',
} as const

/** Own ones, and those marked for everybody. */
const store = records('quickMessages', quickMessagesApi, {
  audience: (scope, row) =>
    row.geral ? { company: scope.companyId } : { users: row.userId === null ? [] : [row.userId] },
  visible: (scope, query) =>
    query.where((eb: { or: (conditions: object) => unknown }) => eb.or({ geral: true, userId: scope.actor.id })),
  present: (scope, rows) =>
    rows.map((row) => ({
      ...row,
      isMedia: row.mediaPath !== null,
      mediaPath: mediaUrl(scope, row),
      editable: mayEdit(scope, row),
      viewable: true,
    })),
})

/** A personal one is nobody else's news. One for everybody is editable for its author and for admins, not for the rest. */
async function tell(scope: Scope, action: 'create' | 'update', row: Row): Promise<QuickMessage> {
  const record = await store.shown(scope, row)
  const owner = row.userId === null ? [] : [row.userId]
  if (row.geral) {
    scope.tell(quickMessagesApi.topic, { action, row: { ...record, editable: false } }, { company: scope.companyId })
    scope.tell(
      quickMessagesApi.topic,
      { action: 'update', row: { ...record, editable: true } },
      { admins: scope.companyId },
    )
  }
  if (owner.length)
    scope.tell(
      quickMessagesApi.topic,
      { action: row.geral ? 'update' : action, row: { ...record, editable: true } },
      { users: owner },
    )
  return record
}

async function editable(scope: Scope, id: number): Promise<Row> {
  const row = await store.held(scope, id)
  if (!mayEdit(scope, row)) throw new AppError('ERR_NO_PERMISSION')
  return row
}

async function update(scope: Scope, id: number, values: Partial<Row>): Promise<QuickMessage> {
  const before = await editable(scope, id)
  // Those who saw it while it was for everybody must see it go.
  if (before.geral && values.geral === false)
    scope.tell(quickMessagesApi.topic, { action: 'delete', id }, { company: scope.companyId })
  const row = await orConflict(conflicts, () =>
    scope.db
      .updateTable('quickMessages')
      .set(values)
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  return tell(scope, 'update', row)
}

/** What was for its author's eyes alone goes with its author. */
export async function dropOrphans(scope: Scope): Promise<void> {
  await scope.transaction(async (tx) => {
    const gone = await tx.db
      .deleteFrom('quickMessages')
      .where('companyId', '=', scope.companyId)
      .where('userId', 'is', null)
      .where('geral', '=', false)
      .returning('mediaPath')
      .execute()
    await dropFiles(
      tx,
      gone.map((row) => row.mediaPath),
    )
  })
}

export const quickMessageRoutes = [
  ...resource(quickMessagesApi, store, ['create', 'update', 'remove']),
  route(quickMessagesApi.all, async (scope) => (await store.all(scope)).filter(({ status }) => status)),
  route(quickMessagesApi.create, async (scope, { body }) => {
    await mustHaveRoom(scope, 'quickMessages', mostQuickMessages)
    const own = { companyId: scope.companyId, userId: scope.actor.id, mediaPath: null, mediaName: null }
    const row = await orConflict(conflicts, () =>
      scope.db
        .insertInto('quickMessages')
        .values({ ...body, ...own })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
    return tell(scope, 'create', row)
  }),
  route(quickMessagesApi.update, (scope, { params, body }) => update(scope, params.id, body)),
  route(quickMessagesApi.remove, async (scope, { params }) => {
    await editable(scope, params.id)
    const row = await store.remove(scope, params.id)
    await dropFiles(scope, [row.mediaPath])
    return { message: 'deleted' }
  }),
  route(quickMessagesApi.upload, async (scope, { params }, { uploads }) => {
    const before = await editable(scope, params.id)
    const { mediaPath, mediaName } = await keepUpload(scope, uploads[0])
    await update(scope, params.id, { mediaPath, mediaName })
    await dropFiles(scope, [before.mediaPath])
    return { mensagem: 'uploaded' }
  }),
  route(quickMessagesApi.detach, async (scope, { params }) => {
    const before = await editable(scope, params.id)
    await update(scope, params.id, { mediaPath: null, mediaName: null })
    await dropFiles(scope, [before.mediaPath])
    return { mensagem: 'removed' }
  }),
]
