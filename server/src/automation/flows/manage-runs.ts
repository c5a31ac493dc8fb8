import type { ParsedInput, Reply } from '@recado/contract/endpoint'
import type { FlowRun, flowsApi } from '@recado/contract/flows/flows'
import { type RawBuilder, sql } from 'kysely'
import { releaseConversations } from '../../desk/tickets/base/speaking-flow.ts'
import { lockTicket } from '../../desk/tickets/base/ticket-view.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { publishFlows } from './save-flows.ts'
import { findFlow } from './show-flows.ts'

const pageSize = 50

async function selectRuns(scope: Scope, which: RawBuilder<boolean>, limit: number): Promise<FlowRun[]> {
  const { rows } = await sql<FlowRun>`
    select r.id, r."flowId", v.number as version, r.state, r.position ->> 'stepId' as "stepId", r."dueAt", r.error,
      r."endReason", r."startedAt", r."endedAt",
      json_build_object('id', t.id, 'uuid', t.uuid, 'number', t.number) as ticket,
      json_build_object('id', c.id, 'name', c.name) as contact
    from "flowRuns" r
    join "flowVersions" v on v."companyId" = r."companyId" and v.id = r."versionId"
    join tickets t on t."companyId" = r."companyId" and t.id = r."ticketId"
    join contacts c on c."companyId" = r."companyId" and c.id = r."contactId"
    where r."companyId" = ${scope.companyId} and ${which}
    order by r.id desc limit ${limit}`.execute(scope.db)
  return rows
}

const wantedStates = {
  all: sql<boolean>`true`,
  inside: sql<boolean>`r."endedAt" is null`,
  failed: sql<boolean>`r."endedAt" is null and r.state = 'failed'`,
}

export async function listRuns(
  scope: Scope,
  { params, query }: ParsedInput<typeof flowsApi.runs>,
): Promise<Reply<typeof flowsApi.runs>> {
  await findFlow(scope, params.id)
  const before = query.before === undefined ? sql<boolean>`true` : sql<boolean>`r.id < ${query.before}`
  const which = sql<boolean>`r."flowId" = ${params.id} and ${wantedStates[query.state]} and ${before}`
  const runs = await selectRuns(scope, which, pageSize + 1)
  return { runs: runs.slice(0, pageSize), hasMore: runs.length > pageSize }
}

/** Locks the ticket and then the run, as the engine does. */
async function lockRun(
  scope: Scope,
  id: number,
): Promise<{ flowId: number; ticketId: number; state: FlowRun['state'] }> {
  const find = () =>
    scope.db
      .selectFrom('flowRuns')
      .select(['flowId', 'ticketId', 'state'])
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
  const seen = await find().executeTakeFirst()
  if (!seen) throw new AppError('ERR_NO_FLOWRUN_FOUND')
  await lockTicket(scope, seen.ticketId)
  const run = await find().forUpdate().executeTakeFirst()
  if (!run) throw new AppError('ERR_NO_FLOWRUN_FOUND')
  return run
}

async function presentRun(scope: Scope, id: number): Promise<FlowRun> {
  const [run] = await selectRuns(scope, sql<boolean>`r.id = ${id}`, 1)
  if (!run) throw new AppError('ERR_NO_FLOWRUN_FOUND')
  return run
}

export async function endRun(scope: Scope, id: number): Promise<FlowRun> {
  const run = await lockRun(scope, id)
  if (run.state !== 'ended') {
    await scope.db
      .updateTable('flowRuns')
      .set({ state: 'ended', endReason: 'stopped-by-person', endedAt: scope.now(), dueAt: null, listensSince: null })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .execute()
    await releaseConversations(scope, [{ ticketId: run.ticketId, runId: id }])
    publishFlows(scope, [run.flowId])
  }
  return presentRun(scope, id)
}

export async function retryRun(scope: Scope, id: number): Promise<FlowRun> {
  const run = await lockRun(scope, id)
  if (run.state !== 'failed') throw new AppError('ERR_NO_FLOWRUN_FOUND')
  await scope.db
    .updateTable('flowRuns')
    .set({ state: 'ready', dueAt: scope.now(), error: null, tries: 0, isReply: false })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  await scope.signal('flows')
  publishFlows(scope, [run.flowId])
  return presentRun(scope, id)
}
