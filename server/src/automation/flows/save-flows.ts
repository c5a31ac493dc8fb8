import type { ParsedInput } from '@recado/contract/endpoint'
import { checkFlow } from '@recado/contract/flows/check-flow'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type Flow, type flowsApi, maxFlowsPerCompany } from '@recado/contract/flows/flows'
import { topics } from '@recado/contract/live'
import { sql, type Updateable } from 'kysely'
import { writeAudit } from '../../accounts/api-access/audit.ts'
import { releaseConversations } from '../../desk/tickets/base/speaking-flow.ts'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { sealCallHeaders } from './acts/seal-headers.ts'
import { assertReferencesExist } from './flow-names.ts'
import { assertTestsPass } from './play-tests.ts'
import { type FlowRow, findFlow, showFlow } from './show-flows.ts'

type Input<K extends keyof typeof flowsApi> = ParsedInput<(typeof flowsApi)[K]>

/** Admins read their lists again. */
export const publishFlows = (scope: Scope, flowIds: number[]): void =>
  scope.live(topics.flows, { action: 'update', flowIds }, { admins: scope.companyId })

export async function createFlow(scope: Scope, { name, document }: Input<'create'>['body']): Promise<Flow> {
  await assertReferencesExist(scope, document)
  await lockInCompany(scope, 'flows')
  const { companyId } = scope
  const { rows } = await sql<{ n: number; last: number }>`
    select count(*)::int as n, coalesce(max(position), 0) as last from flows where "companyId" = ${companyId}`.execute(
    scope.db,
  )
  const { n = 0, last = 0 } = rows[0] ?? {}
  if (n >= maxFlowsPerCompany) throw new AppError('ERR_LIST_FULL')
  const { id } = await scope.db
    .insertInto('flows')
    .values({
      ...{ companyId, kind: document.kind, name, position: last + 1 },
      draft: JSON.stringify(sealCallHeaders(scope.deps, document, null)),
      ...{ createdAt: scope.now(), updatedAt: scope.now() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  publishFlows(scope, [id])
  return showFlow(scope, id)
}

/** Locks the flow; who saved over somebody else's change is refused. */
export async function lockFlow(scope: Scope, id: number, revision?: number): Promise<FlowRow> {
  await scope.db
    .selectFrom('flows')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  const flow = await findFlow(scope, id)
  if (revision !== undefined && revision !== flow.revision) throw new AppError('ERR_FLOW_CHANGED')
  return flow
}

async function changeFlow(scope: Scope, id: number, values: Updateable<DB['flows']>): Promise<void> {
  await scope.db
    .updateTable('flows')
    .set({ ...values, updatedAt: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  publishFlows(scope, [id])
}

export async function updateFlow(scope: Scope, { params, body }: Input<'update'>): Promise<Flow> {
  const { name, document, revision } = body
  const flow = await lockFlow(scope, params.id, revision)
  if (document.kind !== flow.kind) throw new AppError('ERR_VALIDATION', { document: 'Invalid' })
  const former = flow.published ? [flow.draft, flow.published] : [flow.draft]
  await assertReferencesExist(scope, document, former)
  const draft = JSON.stringify(sealCallHeaders(scope.deps, document, former))
  await changeFlow(scope, flow.id, { name, draft, revision: flow.revision + 1 })
  return showFlow(scope, flow.id)
}

export async function removeFlow(scope: Scope, id: number): Promise<{ message: string }> {
  const flow = await lockFlow(scope, id)
  const inside = await scope.db
    .selectFrom('flowRuns')
    .select(['id as runId', 'ticketId'])
    .where('companyId', '=', scope.companyId)
    .where('flowId', '=', id)
    .where('endedAt', 'is', null)
    .execute()
  await releaseConversations(scope, inside)
  await scope.db.deleteFrom('flows').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  await writeAudit(scope, 'flow.deleted', id, flow.name)
  publishFlows(scope, [id])
  return { message: 'Flow deleted' }
}

export async function orderFlows(scope: Scope, ids: number[]): Promise<{ message: string }> {
  await lockInCompany(scope, 'flows')
  const { numUpdatedRows } = await scope.db
    .updateTable('flows')
    .set({ position: sql`array_position(${ids}::int[], id)` })
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .executeTakeFirst()
  if (Number(numUpdatedRows) < new Set(ids).size) throw new AppError('ERR_NO_FLOW_FOUND')
  publishFlows(scope, ids)
  return { message: 'Order saved' }
}

export async function publishFlow(scope: Scope, id: number, revision: number): Promise<Flow> {
  const { draft, name, hasReplyWindow } = await lockFlow(scope, id, revision)
  if (checkFlow(draft, hasReplyWindow).some(({ level }) => level === 'error')) throw new AppError('ERR_FLOW_INVALID')
  await assertReferencesExist(scope, draft)
  await assertTestsPass(scope, id, draft)
  const versionId = await insertVersion(scope, id, draft)
  await changeFlow(scope, id, { versionId, active: true, stoppedAt: null, stopReason: null })
  await setTriggers(scope, id, draft)
  await writeAudit(scope, 'flow.published', id, name)
  return showFlow(scope, id)
}

async function insertVersion(scope: Scope, flowId: number, document: FlowDocument): Promise<number> {
  const { companyId } = scope
  const row = await scope.db
    .insertInto('flowVersions')
    .values((eb) => ({
      ...{ companyId, flowId, document: JSON.stringify(document), userId: scope.actor.id, publishedAt: scope.now() },
      number: eb
        .selectFrom('flowVersions')
        .select(sql<number>`coalesce(max(number), 0) + 1`.as('number'))
        .where('companyId', '=', companyId)
        .where('flowId', '=', flowId),
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** What starts the flow is announced from now on; null: nothing is. */
export async function setTriggers(scope: Scope, flowId: number, document: FlowDocument | null): Promise<void> {
  const { companyId } = scope
  await scope.db.deleteFrom('flowTriggers').where('companyId', '=', companyId).where('flowId', '=', flowId).execute()
  const kinds = [...new Set(document?.triggers.map(({ kind }) => kind))]
  if (kinds.length)
    await scope.db
      .insertInto('flowTriggers')
      .values(kinds.map((kind) => ({ companyId, flowId, kind })))
      .execute()
}

export async function setFlowActive(scope: Scope, id: number, active: boolean): Promise<Flow> {
  const { published, name } = await lockFlow(scope, id)
  if (!published) throw new AppError('ERR_FLOW_NOT_PUBLISHED')
  await changeFlow(scope, id, { active, stoppedAt: null, stopReason: null })
  await setTriggers(scope, id, active ? published : null)
  await writeAudit(scope, 'flow.changed', id, name)
  return showFlow(scope, id)
}

export async function restoreVersion(scope: Scope, id: number, number: number): Promise<Flow> {
  const { revision } = await lockFlow(scope, id)
  const version = await scope.db
    .selectFrom('flowVersions')
    .select('document')
    .where('companyId', '=', scope.companyId)
    .where('flowId', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
  if (!version) throw new AppError('ERR_NO_FLOWVERSION_FOUND')
  await changeFlow(scope, id, { draft: JSON.stringify(version.document), revision: revision + 1 })
  return showFlow(scope, id)
}
