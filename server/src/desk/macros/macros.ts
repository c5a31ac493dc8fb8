import type { Reply } from '@recado/contract/endpoint'
import { topics } from '@recado/contract/live'
import type { MacroStep } from '@recado/contract/macros/macro-steps'
import {
  type Macro,
  type MacroReferences,
  type MacroWrite,
  type macrosApi,
  maxMacrosPerCompany,
  maxMacrosPerUser,
} from '@recado/contract/macros/macros'
import { type RawBuilder, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { keepUpload, scheduleFileRemoval, signedMediaUrl } from '../../kernel/files/media.ts'
import { assertMayShare, canEditShared, canUseSharedSql, requireViewer } from '../tickets/base/sharing.ts'
import type { Viewer } from '../tickets/base/visibility.ts'

type Write = z.output<typeof MacroWrite>
type MacroRow = Omit<Macro, 'user' | 'editable'> & { userId: number | null; userName: string | null }

/** The macros that the user may use, as a condition on `v`. */
const canUseMacroSql = (viewer: Viewer): RawBuilder<boolean> =>
  canUseSharedSql(
    viewer,
    sql`select q."queueId" from "macroQueues" q where q."companyId" = v."companyId" and q."macroId" = v.id`,
  )

async function listMacroRows(scope: Scope, viewer: Viewer, which = sql<boolean>`true`): Promise<MacroRow[]> {
  const { rows } = await sql<MacroRow>`
    select v.id, v.name, v.shortcode, v.message, v."mediaPath", v."mediaName", v.steps, v.audience, v.digit, v.uses,
      v."userId", u.name as "userName", v."updatedAt",
      array(select q."queueId" from "macroQueues" q
        where q."companyId" = v."companyId" and q."macroId" = v.id order by q."queueId") as "queueIds"
    from macros v left join users u on u."companyId" = v."companyId" and u.id = v."userId"
    where v."companyId" = ${scope.companyId} and ${canUseMacroSql(viewer)} and ${which}
    order by v."userId" is distinct from ${viewer.id}, lower(v.shortcode), v.id`.execute(scope.db)
  return rows
}

const presentMacro = (scope: Scope, viewer: Viewer, { userId, userName, ...row }: MacroRow): Macro => ({
  ...row,
  mediaPath: signedMediaUrl(scope, { companyId: scope.companyId, mediaPath: row.mediaPath, mediaName: row.mediaName }),
  user: userId === null ? null : { id: userId, name: userName ?? '' },
  editable: canEditShared(viewer, { userId }),
})

export async function listMacros(scope: Scope): Promise<Reply<typeof macrosApi.list>> {
  const viewer = requireViewer(scope)
  const rows = await listMacroRows(scope, viewer)
  const references = await loadReferences(
    scope,
    rows.flatMap(({ steps }) => steps),
  )
  return { macros: rows.map((row) => presentMacro(scope, viewer, row)), references }
}

function collectReferences(steps: MacroStep[]): Record<keyof MacroReferences, number[]> {
  const of = <K extends MacroStep['kind']>(kind: K) =>
    steps.filter((step): step is Extract<MacroStep, { kind: K }> => step.kind === kind)
  return {
    tags: [...new Set(of('tags').flatMap(({ add, remove }) => [...add, ...remove]))],
    queues: [...new Set(of('queue').map(({ queueId }) => queueId))],
    users: [...new Set(of('assign').flatMap(({ userId }) => (userId === 'me' ? [] : [userId])))],
    reasons: [...new Set(of('resolve').flatMap(({ closingReasonId }) => closingReasonId ?? []))],
    flows: [...new Set(of('flow').map(({ flowId }) => flowId))],
  }
}

/** The tags, queues, users, closing reasons and flows of the steps that still exist. */
async function loadReferences(scope: Scope, steps: MacroStep[]): Promise<MacroReferences> {
  const wanted = collectReferences(steps)
  const { rows } = await sql<MacroReferences>`select
    coalesce((select json_agg(json_build_object('id', id, 'name', name, 'color', color)) from tags
      where "companyId" = ${scope.companyId} and kanban = 0 and id = any(${wanted.tags}::int[])), '[]') as tags,
    coalesce((select json_agg(json_build_object('id', id, 'name', name, 'color', color)) from queues
      where "companyId" = ${scope.companyId} and id = any(${wanted.queues}::int[])), '[]') as queues,
    coalesce((select json_agg(json_build_object('id', id, 'name', name)) from users
      where "companyId" = ${scope.companyId} and active and id = any(${wanted.users}::int[])), '[]') as users,
    coalesce((select json_agg(json_build_object('id', id, 'name', name)) from "closingReasons"
      where "companyId" = ${scope.companyId} and "archivedAt" is null and id = any(${wanted.reasons}::int[])), '[]') as reasons,
    coalesce((select json_agg(json_build_object('id', id, 'name', name)) from flows
      where "companyId" = ${scope.companyId} and id = any(${wanted.flows}::int[])), '[]') as flows`.execute(scope.db)
  return rows[0] as MacroReferences
}

const missingCodes = {
  tags: 'ERR_NO_TAG_FOUND',
  queues: 'ERR_QUEUE_NOT_FOUND',
  users: 'ERR_NO_USER_FOUND',
  reasons: 'ERR_NO_CLOSINGREASON_FOUND',
  flows: 'ERR_NO_FLOW_FOUND',
} as const

/**
 * Every queue, user, tag and flow must exist in this company. Tags of the board are not allowed, because a lane may write to
 * the customer.
 */
async function assertReferencesExist(
  scope: Scope,
  { steps, queueIds }: Pick<Write, 'steps' | 'queueIds'>,
): Promise<void> {
  const shared: MacroStep[] = queueIds.map((queueId) => ({ kind: 'queue', queueId }))
  const wanted = collectReferences([...steps, ...shared])
  const found = await loadReferences(scope, [...steps, ...shared])
  for (const kind of ['tags', 'queues', 'users', 'reasons', 'flows'] as const)
    if (found[kind].length < wanted[kind].length) throw new AppError(missingCodes[kind])
}

async function findMacro(scope: Scope, viewer: Viewer, id: number): Promise<MacroRow> {
  const [row] = await listMacroRows(scope, viewer, sql<boolean>`v.id = ${id}`)
  if (!row) throw new AppError('ERR_NO_MACRO_FOUND')
  return row
}

/** The steps of a macro for many tickets; counted as one use. Refused if a step could succeed for no ticket. */
export async function findStepsForMany(scope: Scope, id: number): Promise<MacroStep[]> {
  const { steps } = await findMacro(scope, requireViewer(scope), id)
  if (!steps.length) throw new AppError('ERR_VALIDATION', { macroId: 'Invalid' })
  await assertReferencesExist(scope, { steps, queueIds: [] })
  await countUse(scope, id)
  return steps
}

async function findEditable(scope: Scope, viewer: Viewer, id: number): Promise<MacroRow> {
  const row = await findMacro(scope, viewer, id)
  if (!canEditShared(viewer, row)) throw new AppError('ERR_NO_PERMISSION')
  return row
}

/** Browsers read their macros again: each user has other ones. */
const publishMacros = (scope: Scope) => scope.live(topics.macros, { action: 'update' })

const conflicts = { macros_shortcode_key: 'ERR_MACRO_SHORTCODE_EXISTS' } as const

const toColumns = (scope: Scope, { name, shortcode, message, steps, audience, digit }: Write) => ({
  name,
  shortcode: shortcode.replace(/^\/+/, ''),
  message,
  steps: JSON.stringify(steps),
  audience,
  digit,
  updatedAt: scope.now(),
})

export async function createMacro(scope: Scope, body: Write): Promise<Macro> {
  const viewer = requireViewer(scope)
  assertMayShare(viewer, body)
  await assertReferencesExist(scope, body)
  await assertBelowLimits(scope, viewer)
  const { id } = await translateConstraintErrors(conflicts, () =>
    scope.db
      .insertInto('macros')
      .values({
        ...toColumns(scope, body),
        ...{ companyId: scope.companyId, userId: viewer.id, mediaPath: null, mediaName: null, createdAt: scope.now() },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await saveQueues(scope, id, body)
  publishMacros(scope)
  return presentMacro(scope, viewer, await findMacro(scope, viewer, id))
}

async function assertBelowLimits(scope: Scope, viewer: Viewer): Promise<void> {
  // Parallel calls of the company wait, so that together they cannot exceed the limit.
  await lockInCompany(scope, 'macros')
  const { rows } = await sql<{ own: number; all: number }>`
    select count(*)::int as all, (count(*) filter (where "userId" = ${viewer.id}))::int as own
    from macros where "companyId" = ${scope.companyId}`.execute(scope.db)
  const { own = 0, all = 0 } = rows[0] ?? {}
  if (own >= maxMacrosPerUser || all >= maxMacrosPerCompany) throw new AppError('ERR_LIST_FULL')
}

async function saveQueues(scope: Scope, macroId: number, { audience, queueIds }: Write): Promise<void> {
  const wanted = audience === 'queues' ? [...new Set(queueIds)] : []
  await scope.db
    .deleteFrom('macroQueues')
    .where('companyId', '=', scope.companyId)
    .where('macroId', '=', macroId)
    .execute()
  if (wanted.length)
    await scope.db
      .insertInto('macroQueues')
      .values(wanted.map((queueId) => ({ companyId: scope.companyId, macroId, queueId })))
      .execute()
}

async function changeMacro(scope: Scope, id: number, values: Updateable<DB['macros']>): Promise<void> {
  await translateConstraintErrors(conflicts, () =>
    scope.db.updateTable('macros').set(values).where('companyId', '=', scope.companyId).where('id', '=', id).execute(),
  )
  publishMacros(scope)
}

export async function updateMacro(scope: Scope, id: number, body: Write): Promise<Macro> {
  const viewer = requireViewer(scope)
  await findEditable(scope, viewer, id)
  assertMayShare(viewer, body)
  await assertReferencesExist(scope, body)
  await changeMacro(scope, id, toColumns(scope, body))
  await saveQueues(scope, id, body)
  return presentMacro(scope, viewer, await findMacro(scope, viewer, id))
}

export async function removeMacro(scope: Scope, id: number): Promise<{ message: string }> {
  await findEditable(scope, requireViewer(scope), id)
  await deleteMacros(scope, sql<boolean>`id = ${id}`)
  return { message: 'Macro deleted' }
}

async function deleteMacros(scope: Scope, which: RawBuilder<boolean>): Promise<void> {
  const { rows } = await sql<{ mediaPath: string | null }>`
    delete from macros where "companyId" = ${scope.companyId} and ${which} returning "mediaPath"`.execute(scope.db)
  await scheduleFileRemoval(
    scope,
    rows.map(({ mediaPath }) => mediaPath),
  )
  publishMacros(scope)
}

/** Deletes personal macros of a deleted author. */
export const deleteOrphanedMacros = (scope: Scope): Promise<void> =>
  scope.transaction((tx) => deleteMacros(tx, sql<boolean>`"userId" is null and audience = 'me'`))

/** Replaces the file of a macro; without an upload there is none afterwards. */
export async function setMacroFile(scope: Scope, id: number, upload: Upload | undefined): Promise<void> {
  const before = await findEditable(scope, requireViewer(scope), id)
  const file = upload ? await keepUpload(scope, upload) : null
  await changeMacro(scope, id, { mediaPath: file?.mediaPath ?? null, mediaName: file?.mediaName ?? null })
  await scheduleFileRemoval(scope, [before.mediaPath])
}

/** Counts a use of a macro. One that was deleted or is not shared any more is not counted, but its steps still run. */
export async function countUse(scope: Scope, id: number | null): Promise<void> {
  if (id === null) return
  await sql`update macros v set uses = uses + 1
    where v."companyId" = ${scope.companyId} and v.id = ${id} and ${canUseMacroSql(requireViewer(scope))}`.execute(
    scope.db,
  )
}
