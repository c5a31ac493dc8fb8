import type { FlowStep } from '@recado/contract/flows/flow-steps'
import type { TicketDetail, TicketEventStep } from '@recado/contract/tickets'
import { sql } from 'kysely'
import type { Scope } from '../../../kernel/data/scope.ts'
import { AppError } from '../../../kernel/errors.ts'
import { loadRulebook } from '../../rulebook.ts'
import { lockSequencesOfContact } from '../runs/opted-out.ts'
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

/** Ends the other sequences that the contact is in, or one of them. */
export async function stopSequences(
  scope: Scope,
  { contactId }: TicketDetail,
  { runId, step }: FlowAct<StepOf<'stop'>>,
): Promise<Done> {
  const runs = await lockSequencesOfContact(scope, contactId, { flowId: step.flowId, exceptRunId: runId })
  for (const run of runs) await endRun(scope, run, { isSpeaker: run.isSpeaker, reason: 'replaced' })
  return { why: 'stopped-others', details: { others: [...new Set(runs.map(({ flowName }) => flowName))].join(', ') } }
}
