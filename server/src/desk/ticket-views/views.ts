import type { Reply } from '@recado/contract/endpoint'
import { topics } from '@recado/contract/live'
import { listConditions, type TicketConditions } from '@recado/contract/views/ticket-conditions'
import {
  maxViewsPerCompany,
  maxViewsPerUser,
  type TicketView,
  type TicketViewWrite,
  type ticketViewsApi,
} from '@recado/contract/views/ticket-views'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import { keepPrepared } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { assertMayShare, canEditShared, canUseSharedSql, requireViewer } from '../tickets/base/sharing.ts'
import type { Viewer } from '../tickets/base/visibility.ts'
import { countViewSql } from './select-view.ts'

type Write = z.output<typeof TicketViewWrite>
type ViewRow = Omit<TicketView, 'user' | 'editable' | 'updatedAt'> & {
  userId: number | null
  userName: string | null
  updatedAt: string
  /** Whether all tickets were looked at since the conditions last changed. */
  isComplete: boolean
}

/** The views that the user may use, as a condition on `v`. */
const canUseViewSql = (viewer: Viewer): RawBuilder<boolean> =>
  sql<boolean>`v."deletedAt" is null and ${canUseSharedSql(
    viewer,
    sql`select q."queueId" from "ticketViewQueues" q where q."companyId" = v."companyId" and q."viewId" = v.id`,
  )}`

async function listViewRows(scope: Scope, viewer: Viewer, which = sql<boolean>`true`): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`${keepPrepared}
    select v.id, v.name, v.conditions, v."order", v.audience, v."userId", u.name as "userName", v."updatedAt",
      v."fillBefore" is null as "isComplete",
      array(select q."queueId" from "ticketViewQueues" q
        where q."companyId" = v."companyId" and q."viewId" = v.id order by q."queueId") as "queueIds"
    from "ticketViews" v left join users u on u."companyId" = v."companyId" and u.id = v."userId"
    where v."companyId" = ${scope.companyId} and ${canUseViewSql(viewer)} and ${which}
    order by v."userId" is distinct from ${viewer.id}, v.id`.execute(scope.db)
  return rows
}

const presentView = (viewer: Viewer, { userId, userName, updatedAt, isComplete: _, ...row }: ViewRow): TicketView => ({
  ...row,
  user: userId === null ? null : { id: userId, name: userName ?? '' },
  editable: canEditShared(viewer, { userId }),
  updatedAt,
})

export async function findView(scope: Scope, viewer: Viewer, id: number): Promise<ViewRow> {
  const [row] = await listViewRows(scope, viewer, sql<boolean>`v.id = ${id}`)
  if (!row) throw new AppError('ERR_NO_TICKETVIEW_FOUND')
  return row
}

export async function countViews(scope: Scope): Promise<Reply<typeof ticketViewsApi.counts>> {
  const viewer = requireViewer(scope)
  const views = await listViewRows(scope, viewer)
  if (!views.length) return { counts: [] }
  const counts = views.map(({ id, isComplete }) =>
    isComplete ? countViewSql(scope, viewer, id) : sql<null>`null::int`,
  )
  const { rows } = await sql<{ counts: (number | null)[] }>`select array[${sql.join(counts)}] as counts`.execute(
    scope.db,
  )
  return { counts: views.map(({ id }, i) => ({ viewId: id, count: rows[0]?.counts[i] ?? null })) }
}

const missingCodes = {
  queue: 'ERR_QUEUE_NOT_FOUND',
  user: 'ERR_NO_USER_FOUND',
  tag: 'ERR_NO_TAG_FOUND',
  connection: 'ERR_NO_WAPP_FOUND',
  ad: 'ERR_NO_AD_FOUND',
  closingReason: 'ERR_NO_CLOSINGREASON_FOUND',
} as const
type ReferenceField = keyof typeof missingCodes

/** Every queue, user, tag, line, ad and closing reason in the conditions must exist in this company. */
async function assertReferencesExist(scope: Scope, conditions: TicketConditions, queueIds: number[]): Promise<void> {
  const wanted: Record<ReferenceField, Set<number>> = {
    queue: new Set(queueIds),
    ...{ user: new Set(), tag: new Set(), connection: new Set(), ad: new Set(), closingReason: new Set() },
  }
  for (const condition of listConditions(conditions)) {
    const field = condition.field === 'owner' ? 'user' : condition.field
    if (field in wanted && 'in' in condition)
      for (const value of condition.in) if (typeof value === 'number') wanted[field as ReferenceField].add(value)
  }
  const ids = (field: ReferenceField) => [...wanted[field]]
  const here = (field: ReferenceField) => sql`where "companyId" = ${scope.companyId} and id = any(${ids(field)}::int[])`
  const { rows } = await sql<Record<ReferenceField, number>>`select
    (select count(*)::int from queues ${here('queue')}) as queue,
    (select count(*)::int from users ${here('user')}) as user,
    (select count(*)::int from tags ${here('tag')}) as tag,
    (select count(*)::int from whatsapps ${here('connection')}) as connection,
    (select count(*)::int from ads ${here('ad')}) as ad,
    (select count(*)::int from "closingReasons" ${here('closingReason')}) as "closingReason"`.execute(scope.db)
  for (const field of Object.keys(missingCodes) as ReferenceField[])
    if (rows[0]?.[field] !== wanted[field].size) throw new AppError(missingCodes[field])
}

async function saveQueues(scope: Scope, viewId: number, { audience, queueIds }: Write): Promise<void> {
  const wanted = audience === 'queues' ? [...new Set(queueIds)] : []
  await scope.db
    .deleteFrom('ticketViewQueues')
    .where('companyId', '=', scope.companyId)
    .where('viewId', '=', viewId)
    .execute()
  if (wanted.length)
    await scope.db
      .insertInto('ticketViewQueues')
      .values(wanted.map((queueId) => ({ companyId: scope.companyId, viewId, queueId })))
      .execute()
}

/** Browsers read their views again: each user has other ones. */
const publishViews = (scope: Scope) => scope.live(topics.ticketViews, { action: 'update' })

export async function createView(scope: Scope, body: Write): Promise<TicketView> {
  const viewer = requireViewer(scope)
  assertMayShare(viewer, body)
  await assertReferencesExist(scope, body.conditions, body.queueIds)
  await assertBelowLimits(scope, viewer)
  const { id } = await scope.db
    .insertInto('ticketViews')
    .values({ ...toColumns(scope, body), companyId: scope.companyId, userId: viewer.id, createdAt: scope.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await saveQueues(scope, id, body)
  await scope.signal('ticketViews')
  publishViews(scope)
  return presentView(viewer, await findView(scope, viewer, id))
}

const toColumns = (scope: Scope, { name, conditions, order, audience }: Write) => ({
  name,
  conditions: JSON.stringify(conditions),
  order,
  audience,
  updatedAt: scope.now(),
})

async function assertBelowLimits(scope: Scope, viewer: Viewer): Promise<void> {
  // Parallel calls of the company wait, so that together they cannot exceed the limit.
  await lockInCompany(scope, 'ticketViews')
  const { rows } = await sql<{ own: number; all: number }>`
    select count(*)::int as all, (count(*) filter (where "userId" = ${viewer.id}))::int as own
    from "ticketViews" where "companyId" = ${scope.companyId} and "deletedAt" is null`.execute(scope.db)
  const { own = 0, all = 0 } = rows[0] ?? {}
  if (own >= maxViewsPerUser || all >= maxViewsPerCompany) throw new AppError('ERR_LIST_FULL')
}

async function findEditable(scope: Scope, viewer: Viewer, id: number): Promise<ViewRow> {
  const row = await findView(scope, viewer, id)
  if (!canEditShared(viewer, row)) throw new AppError('ERR_NO_PERMISSION')
  return row
}

export async function updateView(scope: Scope, id: number, body: Write): Promise<TicketView> {
  const viewer = requireViewer(scope)
  const before = await findEditable(scope, viewer, id)
  assertMayShare(viewer, body)
  await assertReferencesExist(scope, body.conditions, body.queueIds)
  const isSameSelection = JSON.stringify(before.conditions) === JSON.stringify(body.conditions)
  await scope.db
    .updateTable('ticketViews')
    .set({ ...toColumns(scope, body), ...(isSameSelection ? {} : { fillBefore: everyTicket }) })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  await saveQueues(scope, id, body)
  await scope.signal('ticketViews')
  publishViews(scope)
  return presentView(viewer, await findView(scope, viewer, id))
}
/** Above the id of every ticket. */
const everyTicket = 2_147_483_647

export async function removeView(scope: Scope, id: number): Promise<{ message: string }> {
  const viewer = requireViewer(scope)
  await findEditable(scope, viewer, id)
  await markDeleted(scope, sql<boolean>`id = ${id}`)
  return { message: 'View deleted' }
}

async function markDeleted(scope: Scope, which: RawBuilder<boolean>): Promise<void> {
  await sql`update "ticketViews" set "deletedAt" = ${scope.now()}
    where "companyId" = ${scope.companyId} and ${which}`.execute(scope.db)
  await scope.signal('ticketViews')
  publishViews(scope)
}

/** Deletes personal views of a deleted author. */
export const deleteOrphanedViews = (scope: Scope): Promise<void> =>
  scope.transaction((tx) => markDeleted(tx, sql<boolean>`"userId" is null and audience = 'me'`))

export async function listViews(scope: Scope): Promise<Reply<typeof ticketViewsApi.list>> {
  const viewer = requireViewer(scope)
  return { views: (await listViewRows(scope, viewer)).map((row) => presentView(viewer, row)) }
}
