import type { FlowStep } from '@recado/contract/flows/flow-steps'
import type { TicketDetail, TicketEventStep } from '@recado/contract/tickets'
import { sql } from 'kysely'
import type { Scope } from '../../../kernel/data/scope.ts'
import { AppError } from '../../../kernel/errors.ts'
import { loadRulebook } from '../../rulebook.ts'
import { endRun, setSpeaker } from '../runs/run-rows.ts'
import { startRuns } from '../runs/start-runs.ts'
import type { FlowAct } from './flow-act.ts'

type StepOf<Kind extends FlowStep['kind']> = Extract<FlowStep, { kind: Kind }>
type Done = { why: string; details: TicketEventStep['with'] }

/** Starts a flow that others may start, with the variables of this run. */
export async function startOtherFlow(
  scope: Scope,
  ticket: TicketDetail,
  { runId, step, variables }: FlowAct<StepOf<'start'>>,
): Promise<Done> {
  const flow = (await loadRulebook(scope)).flows.find(({ id }) => id === step.flowId)
  if (!flow?.triggers.includes('flow')) throw new AppError('ERR_NO_FLOW_FOUND')
  const key = `flow:${runId}:${step.id}`
  const { rows } = await sql<{ starts: number; speaks: boolean }>`
    select t."flowRunId" = ${runId} as speaks, (select count(*)::int from "flowRuns" r
      where r."companyId" = t."companyId" and r."ticketId" = t.id and starts_with(r."eventKey", ${`${key}:`})) as starts
    from tickets t where t."companyId" = ${scope.companyId} and t.id = ${ticket.id}`.execute(scope.db)
  const { starts = 0, speaks = false } = rows[0] ?? {}
  // The other flow may speak instead of this one.
  if (speaks) await setSpeaker(scope, ticket.id, null)
  const event = { id: 0, kind: 'flow' as const, key: `${key}:${starts}`, details: { flowId: flow.id, variables } }
  const [started] = await startRuns(scope, ticket.id, [event])
  if (speaks && !started?.speaks) await setSpeaker(scope, ticket.id, runId)
  return { why: started ? 'started-other' : 'not-started-other', details: { other: flow.name } }
}

/** Ends the sequences that the contact is in, or one of them. */
export async function stopSequences(
  scope: Scope,
  ticket: TicketDetail,
  { runId, step }: FlowAct<StepOf<'stop'>>,
): Promise<Done> {
  const { rows } = await sql<{ id: number; ticketId: number; name: string; isSpeaker: boolean }>`
    select r.id, r."ticketId", f.name, t."flowRunId" is not distinct from r.id as "isSpeaker" from "flowRuns" r
    join flows f on f."companyId" = r."companyId" and f.id = r."flowId" and f.kind = 'sequence'
    join tickets t on t."companyId" = r."companyId" and t.id = r."ticketId"
    where r."companyId" = ${scope.companyId} and r."contactId" = ${ticket.contactId} and r."endedAt" is null
      and r.id <> ${runId} and (${step.flowId}::int is null or r."flowId" = ${step.flowId}::int)
    order by t.id, r.id for update of t`.execute(scope.db)
  for (const run of rows) await endRun(scope, run, { isSpeaker: run.isSpeaker, reason: 'replaced' })
  return { why: 'stopped-others', details: { others: [...new Set(rows.map(({ name }) => name))].join(', ') } }
}
