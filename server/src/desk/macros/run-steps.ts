import { topics } from '@recado/contract/live'
import type { PreparedStep } from '@recado/contract/macros/macro-steps'
import { type MacroRun, macroUndoSeconds } from '@recado/contract/macros/macros'
import type { TicketDetail } from '@recado/contract/tickets'
import { type Selectable, sql, type Updateable } from 'kysely'
import { addMs, seconds } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, isTransientError } from '../../kernel/errors.ts'
import { assertCanStartFlow } from '../messages/write-permissions.ts'
import { addNote, removeNote } from '../notes.ts'
import type { MacroStepResult, MacroStepUndo } from '../tables.ts'
import { lockTicket, presentTicket } from '../tickets/base/ticket-view.ts'
import { findLastTicketEvent } from '../tickets/base/tracking.ts'
import { lockVisibleTicket } from '../tickets/tags.ts'
import { performTicketChange, undoTicketChange } from '../tickets/ticket-changes.ts'
import { undoLastAction } from '../tickets/undo.ts'

export type RunRow = Selectable<DB['macroRuns']>

/** A call to undo may take this long to arrive after the window. */
const undoGraceMs = seconds(4)

/**
 * Runs the steps that are still to do. Each is one transaction together with its result, so whoever continues after a
 * crash begins with the first step that has none. A refused step does not stop the others.
 */
export async function runWaitingSteps(scope: Scope, runId: number, startFlow: StartFlow): Promise<void> {
  while (await runNextStep(scope, runId, startFlow));
}

/** False: the run is over, or its message is not sent yet. */
async function runNextStep(scope: Scope, runId: number, startFlow: StartFlow): Promise<boolean> {
  let position: number | undefined
  try {
    return await scope.transaction(async (tx) => {
      const run = await lockRun(tx, runId)
      if (run?.state !== 'waiting' || !(await isMessageSent(tx, run))) return false
      const step = run.steps[run.results.length]
      if (!step) return endRun(tx, run)
      position = run.results.length
      if (tx.person === null) throw new AppError('ERR_NO_PERMISSION')
      const place = { ticketId: run.ticketId, isHandedOn: wasHandedOn(run.steps, run.results), startFlow }
      await storeResult(tx, run, { undo: await performStep(tx, step, place) })
      return true
    })
  } catch (error) {
    // An outage is no reason to refuse the step: the job is repeated.
    if (position === undefined || isTransientError(error)) throw error
    const code = error instanceof AppError ? error.code : 'ERR_INTERNAL_SERVER_ERROR'
    return scope.transaction((tx) => refuseStep(tx, runId, position as number, code))
  }
}

/** Locks the ticket and then the run, in the order in which a deleted message locks them. */
async function lockRun(scope: Scope, id: number): Promise<RunRow | undefined> {
  const query = () =>
    scope.db.selectFrom('macroRuns').selectAll().where('companyId', '=', scope.companyId).where('id', '=', id)
  const seen = await query().executeTakeFirst()
  if (!seen) return undefined
  await lockTicket(scope, seen.ticketId)
  return query().forNoKeyUpdate().executeTakeFirst()
}

async function isMessageSent(scope: Scope, { messageId }: RunRow): Promise<boolean> {
  if (messageId === null) return true
  const message = await scope.db
    .selectFrom('messages')
    .select(['state', 'isDeleted'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  return message?.state === 'sent' && !message.isDeleted
}

/**
 * Whether an earlier step gave the ticket to another queue or user. The person may finish what they began, even if they
 * do not see the ticket any more.
 */
export const wasHandedOn = (steps: Pick<PreparedStep, 'kind'>[], results: MacroStepResult[]): boolean =>
  results.some((result, i) => hasUndo(result) && ['queue', 'assign'].includes(steps[i]?.kind ?? ''))

const lockAnyTicket = async (scope: Scope, id: number): Promise<TicketDetail> => {
  await lockTicket(scope, id)
  return presentTicket(scope, id)
}

/** Starts a flow in a locked ticket; refused if it cannot start there now. */
export type StartFlow = (scope: Scope, ticketId: number, flowId: number) => Promise<void>

/** Where and how a step is performed. `isHandedOn`: see `wasHandedOn`. */
type StepPlace = { ticketId: number; isHandedOn: boolean; startFlow: StartFlow }

export async function performStep(
  scope: Scope,
  step: PreparedStep,
  { ticketId, isHandedOn, startFlow }: StepPlace,
): Promise<MacroStepUndo | null> {
  const lock = isHandedOn ? lockAnyTicket : lockVisibleTicket
  if (step.kind === 'note') return { noteId: (await addNote(scope, await lock(scope, ticketId), step.note)).id }
  if (step.kind === 'flow') {
    const ticket = await lock(scope, ticketId)
    if (!isHandedOn) assertCanStartFlow(scope, ticket)
    await startFlow(scope, ticket.id, step.flowId)
    return null
  }
  if (step.kind === 'snooze' && step.until !== null && Date.parse(step.until) <= scope.now().getTime())
    throw new AppError('ERR_SNOOZE_TIME_PAST')
  return performTicketChange(scope, step, ticketId, lock)
}

async function refuseStep(scope: Scope, runId: number, position: number, error: string): Promise<boolean> {
  const run = await lockRun(scope, runId)
  if (run?.state !== 'waiting') return false
  // Another process has done it meanwhile.
  if (run.results.length === position) await storeResult(scope, run, { error })
  return true
}

const storeResult = (scope: Scope, run: RunRow, result: MacroStepResult): Promise<RunRow> =>
  updateRun(scope, run.id, { results: JSON.stringify([...run.results, result]) })

/** The steps are reduced to their kinds: a note may name a customer, and an undo does not need it. */
async function endRun(scope: Scope, run: RunRow): Promise<false> {
  const event = await findLastTicketEvent(scope, run.ticketId)
  const ended = await updateRun(scope, run.id, {
    state: 'done',
    steps: JSON.stringify(run.steps.map(({ kind }) => ({ kind }))),
    lastEventId: event?.id ?? null,
    endedAt: scope.now(),
  })
  publishRun(scope, ended)
  return false
}

const updateRun = (scope: Scope, id: number, values: Updateable<DB['macroRuns']>): Promise<RunRow> =>
  scope.db
    .updateTable('macroRuns')
    .set(values)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export function publishRun(scope: Scope, run: RunRow): void {
  scope.live(topics.macroRun, { action: 'update', run: presentRun(run) }, { users: [run.userId] })
}

export const presentRun = (run: RunRow): MacroRun => ({
  id: run.id,
  ticketId: run.ticketId,
  messageId: run.messageId === null ? null : String(run.messageId),
  state: run.state,
  steps: run.steps.map(({ kind }, i) => {
    const result = run.results[i]
    const error = result && 'error' in result ? result.error : null
    return { kind, state: error ? 'refused' : result ? 'done' : 'waiting', error }
  }),
  undoUntil: undoDeadline(run)?.toISOString() ?? null,
})

const hasUndo = (result: MacroStepResult): boolean => 'undo' in result && result.undo !== null
function undoDeadline({ state, results, endedAt }: RunRow): Date | null {
  return state === 'done' && endedAt && results.some(hasUndo)
    ? addMs(new Date(endedAt), seconds(macroUndoSeconds))
    : null
}

/** Undoes all steps, the last one first, or none of them if somebody has changed the ticket since. */
export async function undoRun(scope: Scope, id: number): Promise<MacroRun> {
  const run = await lockRun(scope, id)
  if (run?.userId !== scope.actor.id) throw new AppError('ERR_NO_MACRORUN_FOUND')
  const until = undoDeadline(run)
  const lastEvent = await findLastTicketEvent(scope, run.ticketId)
  const isUnchanged = (lastEvent?.id ?? null) === run.lastEventId
  if (!until || scope.now().getTime() > until.getTime() + undoGraceMs || !isUnchanged)
    throw new AppError('ERR_UNDO_TOO_LATE')
  for (const result of run.results.toReversed())
    if ('undo' in result && result.undo) await undoStep(scope, run.ticketId, result.undo)
  const undone = await updateRun(scope, id, { state: 'undone' })
  publishRun(scope, undone)
  return presentRun(undone)
}

export async function undoStep(scope: Scope, ticketId: number, undo: MacroStepUndo): Promise<void> {
  if ('noteId' in undo) await removeNote(scope, await presentTicket(scope, ticketId), undo.noteId)
  else if ('eventId' in undo) await undoLastAction(scope, ticketId, { ...undo, isVerified: true })
  else await undoTicketChange(scope, ticketId, undo, lockAnyTicket)
}

/** Deletes steps that wait for a message, and tells their user's browsers. */
export async function deleteWaitingRuns(scope: Scope, which: Partial<Pick<RunRow, 'id' | 'messageId' | 'userId'>>) {
  let query = scope.db.deleteFrom('macroRuns').where('companyId', '=', scope.companyId).where('state', '=', 'waiting')
  for (const [column, value] of Object.entries(which)) query = query.where(sql.ref(column), '=', value)
  const rows = await query.returningAll().execute()
  for (const row of rows) publishRun(scope, { ...row, state: 'undone' })
  return rows
}
