import { sql } from 'kysely'
import { lockTicket } from '../../desk/tickets/base/ticket-view.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { countFlowDay } from './runs/flow-tallies.ts'
import { changeRun, flowStep, lockRun, recordFlowStep, type StoredRun, setSpeaker } from './runs/run-rows.ts'
import { publishFlows, setTriggers } from './save-flows.ts'

/** A flow that failed this often in a row stops itself. */
const maxFailuresInARow = 20

type FailedRun = Pick<StoredRun, 'id' | 'flowId' | 'ticketId'> & { isSpeaker: boolean }
type Failure = { error: string; position?: string }

/** Leaves the run for a person to look at. Meanwhile bots and other flows may speak in the conversation. */
export async function failRun(
  scope: Scope,
  { id, flowId, ticketId, isSpeaker }: FailedRun,
  failure: Failure,
): Promise<void> {
  const silent = { dueAt: null, waitsUntil: null, listensSince: null, speaks: false }
  await changeRun(scope, id, { ...failure, ...silent, state: 'failed' })
  if (isSpeaker) await setSpeaker(scope, ticketId, null)
  await countFailure(scope, flowId)
}

/** The run failed again and again for a reason that is not a step's. */
export async function giveUpRun(scope: Scope, { id, ticketId }: Pick<StoredRun, 'id' | 'ticketId'>): Promise<void> {
  await lockTicket(scope, ticketId)
  const run = await lockRun(scope, id)
  if (!run || run.state === 'ended' || run.state === 'failed') return
  await countFlowDay(scope, run.flowId, 'failed')
  await recordFlowStep(scope, ticketId, flowStep('given-up', run.flowName))
  await failRun(scope, { ...run, isSpeaker: run.speaks }, { error: 'ERR_INTERNAL' })
}

async function countFailure(scope: Scope, flowId: number): Promise<void> {
  const { rows } = await sql<{ failuresInARow: number }>`
    update flows set "failuresInARow" = "failuresInARow" + 1
    where "companyId" = ${scope.companyId} and id = ${flowId} returning "failuresInARow"`.execute(scope.db)
  if ((rows[0]?.failuresInARow ?? 0) >= maxFailuresInARow) await stopFlow(scope, flowId)
  else publishFlows(scope, [flowId])
}

/** Nothing starts any more; a person looks at what failed and switches the flow on again. */
async function stopFlow(scope: Scope, flowId: number): Promise<void> {
  await scope.db
    .updateTable('flows')
    .set({ active: false, stoppedAt: scope.now(), stopReason: 'too-many-failures', failuresInARow: 0 })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', flowId)
    .execute()
  await setTriggers(scope, flowId, null)
  publishFlows(scope, [flowId])
}

/** A run of the flow went well. */
export async function forgetFailures(
  scope: Scope,
  { flowId, failuresInARow }: Pick<StoredRun, 'flowId' | 'failuresInARow'>,
): Promise<void> {
  if (failuresInARow === 0) return
  await scope.db
    .updateTable('flows')
    .set({ failuresInARow: 0 })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', flowId)
    .execute()
}
