import type { Reply } from '@recado/contract/endpoint'
import type { MessageSteps, PreparedStep } from '@recado/contract/macros/macro-steps'
import type { MacroOutcome, MacroRun, macrosApi } from '@recado/contract/macros/macros'
import { sql } from 'kysely'
import type { z } from 'zod'
import { loadActor } from '../../accounts/load-actor.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JobHandlers } from '../../kernel/jobs.ts'
import type { MacroStepResult } from '../tables.ts'
import { findVisibleTicket, lockTicket, presentTicket } from '../tickets/base/ticket-view.ts'
import { isUndoable } from '../undo-window.ts'
import { countUse } from './macros.ts'
import {
  deleteWaitingRuns,
  performStep,
  presentRun,
  type RunRow,
  runWaitingSteps,
  type StartFlow,
  wasHandedOn,
} from './run-steps.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    /** The message was sent: its steps are due. */
    'macros:run': { companyId: number; messageId: number }
  }
}

type RunStart = { ticketId: number; messageId: number | null; clientId: string | null; steps: PreparedStep[] }

/**
 * Stores the steps that follow a message, in the transaction that stores the message: neither can be lost without the
 * other. They are deleted with the message, so taking it back takes them back too.
 */
export async function storeMessageSteps(
  scope: Scope,
  ticketId: number,
  messageId: number,
  { macroId, steps }: MessageSteps,
): Promise<void> {
  // Only people run macros: the undo and the permissions are theirs.
  if (!isUndoable(scope)) throw new AppError('ERR_NO_PERMISSION')
  await countUse(scope, macroId)
  if (steps.length) await insertRun(scope, { ticketId, messageId, clientId: null, steps })
}

/** The id of the new run, or of the one that the same call stored before. */
async function insertRun(
  scope: Scope,
  { ticketId, messageId, clientId, steps }: RunStart,
): Promise<{ id: number; isNew: boolean }> {
  await forgetOldRuns(scope)
  const { companyId } = scope
  const values = { companyId, userId: scope.actor.id, ticketId, messageId, clientId, steps: JSON.stringify(steps) }
  const row = await scope.db
    .insertInto('macroRuns')
    .values({ ...values, lastEventId: null, createdAt: scope.now() })
    .onConflict((c) => c.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row) return { id: row.id, isNew: true }
  const before = await scope.db
    .selectFrom('macroRuns')
    .select('id')
    .where('companyId', '=', companyId)
    .where('userId', '=', scope.actor.id)
    .where('clientId', '=', clientId)
    .executeTakeFirstOrThrow()
  return { id: before.id, isNew: false }
}

/** Runs that ended longer ago can neither be undone nor be repeated by a retried call. */
const forgetOldRuns = (scope: Scope) =>
  sql`
  delete from "macroRuns" where "companyId" = ${scope.companyId} and "userId" = ${scope.actor.id}
    and state <> 'waiting' and "endedAt" < ${scope.now()}::timestamptz - interval '1 day'`.execute(scope.db)

export const macroJobs = (deps: Deps, startFlow: StartFlow): Pick<JobHandlers, 'macros:run'> => ({
  'macros:run': ({ companyId, messageId }) => runStepsOfMessage(new Scope(deps, { companyId }), messageId, startFlow),
})

/** Runs the steps in the name of the person who sent the message. */
async function runStepsOfMessage(scope: Scope, messageId: number, startFlow: StartFlow): Promise<void> {
  const run = await scope.db
    .selectFrom('macroRuns')
    .select(['id', 'userId'])
    .where('companyId', '=', scope.companyId)
    .where('messageId', '=', messageId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (!run) return
  const person = await loadActor(scope, run.userId)
  await runWaitingSteps(new Scope(scope.deps, { companyId: scope.companyId, person }), run.id, startFlow)
}

type RunCall = z.output<typeof macrosApi.run.body>

/** Runs steps without a message, within the call. */
export async function runSteps(
  scope: Scope,
  { ticketId, macroId, clientId, steps }: RunCall,
  startFlow: StartFlow,
): Promise<MacroRun> {
  const { id } = await scope.transaction(async (tx) => {
    if (!isUndoable(tx)) throw new AppError('ERR_NO_PERMISSION')
    const ticket = await findVisibleTicket(tx, ticketId)
    const run = await insertRun(tx, { ticketId: ticket.id, messageId: null, clientId, steps })
    if (run.isNew) await countUse(tx, macroId)
    return run
  })
  await runWaitingSteps(scope, id, startFlow)
  return presentRun((await findOwnRun(scope, id)) as RunRow)
}

const findOwnRun = (scope: Scope, id: number) =>
  scope.db
    .selectFrom('macroRuns')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .where('id', '=', id)
    .executeTakeFirst()

/** More cannot wait in a conversation that anybody reads. */
const maxWaitingRuns = 20

export async function listWaitingRuns(scope: Scope, ticketId: number): Promise<Reply<typeof macrosApi.runs>> {
  const ticket = await findVisibleTicket(scope, ticketId)
  const rows = await scope.db
    .selectFrom('macroRuns')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .where('state', '=', 'waiting')
    .where('ticketId', '=', ticket.id)
    .orderBy('id')
    .limit(maxWaitingRuns)
    .execute()
  return { runs: rows.map(presentRun) }
}

export async function cancelRun(scope: Scope, id: number): Promise<{ message: string }> {
  const rows = await deleteWaitingRuns(scope, { id, userId: scope.actor.id })
  if (!rows.length) throw new AppError((await findOwnRun(scope, id)) ? 'ERR_UNDO_TOO_LATE' : 'ERR_NO_MACRORUN_FOUND')
  return { message: 'Steps dropped' }
}

type StepCheck = Reply<typeof macrosApi.check>
/** Ends the transaction of a check, whatever it has changed. */
class CheckDone extends Error {
  readonly outcome: StepCheck
  constructor(outcome: StepCheck) {
    super('the check is rolled back')
    this.outcome = outcome
  }
}

/** Runs the steps and rolls them back, so the answer follows exactly the rules that the steps themselves follow. */
export async function checkSteps(
  scope: Scope,
  { ticketId, steps }: Pick<RunCall, 'ticketId' | 'steps'>,
  startFlow: StartFlow,
): Promise<StepCheck> {
  try {
    return await scope.transaction(async (tx) => {
      const ticket = await findVisibleTicket(tx, ticketId)
      await lockTicket(tx, ticket.id)
      throw new CheckDone(await tryStepsOn(tx, ticket.id, steps, startFlow))
    })
  } catch (error) {
    if (error instanceof CheckDone) return error.outcome
    throw error
  }
}

async function tryStepsOn(
  scope: Scope,
  ticketId: number,
  steps: PreparedStep[],
  startFlow: StartFlow,
): Promise<StepCheck> {
  const errors: StepCheck['errors'] = []
  const results: MacroStepResult[] = []
  for (const step of steps) {
    await sql`savepoint step`.execute(scope.db)
    try {
      const place = { ticketId, isHandedOn: wasHandedOn(steps, results), startFlow }
      results.push({ undo: await performStep(scope, step, place) })
      errors.push(null)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await sql`rollback to savepoint step`.execute(scope.db)
      results.push({ error: error.code })
      errors.push(error.code)
    }
  }
  return { errors, after: describeOutcome(await presentTicket(scope, ticketId)) }
}

const describeOutcome = ({ status, priority, snooze, queue, user, tags }: MacroOutcome): MacroOutcome => ({
  ...{ status, priority, snooze, queue: queue && { id: queue.id, name: queue.name } },
  user: user && { id: user.id, name: user.name },
  tags: tags.map(({ id, name, color }) => ({ id, name, color })),
})
