import { sql } from 'kysely'
import type { Scope } from '../../../kernel/data/scope.ts'
import { addStepTallies, countStep, type StepTallies } from './flow-tallies.ts'
import { endRun, flowStep, recordFlowStep } from './run-rows.ts'

type SequenceRun = {
  id: number
  ticketId: number
  versionId: number
  flowName: string
  stepId: string | null
  /** Whether it speaks in its conversation. */
  isSpeaker: boolean
}
/** `flowId` null: all sequences. */
type WhichSequences = { flowId: number | null; exceptRunId: number | null }

/** The sequences that a contact is in, with their tickets locked. */
export async function lockSequencesOfContact(
  scope: Scope,
  contactId: number,
  { flowId, exceptRunId }: WhichSequences,
): Promise<SequenceRun[]> {
  const { rows } = await sql<SequenceRun>`
    select r.id, r."ticketId", r."versionId", f.name as "flowName", r.position ->> 'stepId' as "stepId",
      t."flowRunId" is not distinct from r.id as "isSpeaker"
    from "flowRuns" r
    join flows f on f."companyId" = r."companyId" and f.id = r."flowId" and f.kind = 'sequence'
    join tickets t on t."companyId" = r."companyId" and t.id = r."ticketId"
    where r."companyId" = ${scope.companyId} and r."contactId" = ${contactId} and r."endedAt" is null
      and r.id is distinct from ${exceptRunId}::bigint and (${flowId}::int is null or r."flowId" = ${flowId}::int)
    order by t.id, r.id for update of t`.execute(scope.db)
  return rows
}

/** The contact wants no automatic messages any more: their sequences end, in the transaction that stores it. */
export async function endSequencesOfOptedOut(scope: Scope, contactId: number): Promise<void> {
  for (const run of await lockSequencesOfContact(scope, contactId, { flowId: null, exceptRunId: null })) {
    const tallies: StepTallies = new Map()
    countStep(tallies, run.stepId, 'optedOut')
    await addStepTallies(scope, run.versionId, tallies)
    await endRun(scope, run, { isSpeaker: run.isSpeaker, reason: 'opted-out' })
    await recordFlowStep(scope, run.ticketId, flowStep('ended', run.flowName, { reason: 'opted-out' }))
  }
}
