import type { UnsentReason } from '@recado/contract/tickets/ticket-batches'
import { sql } from 'kysely'
import { loadActor } from '../../../accounts/load-actor.ts'
import { type Deps, Scope } from '../../../kernel/data/scope.ts'
import { AppError, isTransientError } from '../../../kernel/errors.ts'
import type { JobHandlers } from '../../../kernel/jobs.ts'
import type { StartFlow } from '../../macros/run-steps.ts'
import type { BatchUndo, StoredBatchAction } from '../../tables.ts'
import { performTicketChange, undoTicketChange } from '../ticket-changes.ts'
import { runMacroOnTicket, undoMacroOnTicket } from './batch-macro.ts'
import { resolveWithMessage, sendsMessages } from './batch-messages.ts'
import { type BatchRow, changeBatch, enqueueBatch, finishBatch, lockBatch, updateBatchQuietly } from './batches.ts'

/** How many tickets one job changes before other jobs get their turn. */
const ticketsPerJob = 100
/** The progress is published after this many tickets, and at the end. */
const ticketsPerProgress = 10

export const ticketBatchJobs = (deps: Deps, startFlow: StartFlow): Pick<JobHandlers, 'tickets:batch'> => ({
  'tickets:batch': ({ companyId, batchId }) => runBatch(new Scope(deps, { companyId }), batchId, startFlow),
})

/**
 * Changes the next tickets of a batch, or undoes it. Each ticket is one transaction together with its result, so a job
 * that is repeated after a crash continues with the first ticket that has no result.
 */
async function runBatch(scope: Scope, batchId: number, startFlow: StartFlow): Promise<void> {
  for (let i = 0; i < ticketsPerJob; i++) if (!(await runNextItem(scope, batchId, startFlow))) return
  await scope.transaction((tx) => enqueueBatch(tx, batchId))
}

type NextItem = { position: number; ticketId: number; undo: BatchUndo | null }
type ItemResult = {
  state: 'done' | 'refused' | 'undone' | 'kept'
  error?: string
  undo?: BatchUndo | null
  unsent?: UnsentReason | null
}

/** Changes one ticket in the name of the person. False: the batch is over or was stopped. */
async function runNextItem(scope: Scope, batchId: number, startFlow: StartFlow): Promise<boolean> {
  const owner = await findOwner(scope, batchId)
  if (owner === null) return false
  const person = await loadActor(scope, owner)
  let item: NextItem | undefined
  try {
    return await new Scope(scope.deps, { companyId: scope.companyId, person }).transaction(async (tx) => {
      const batch = await lockBatch(tx, batchId)
      if (!batch || !isAtWork(batch)) return false
      item = await findNextItem(tx, batch)
      if (!item) {
        await finishBatch(tx, batch, batch.state === 'running' ? 'done' : 'undone')
        return false
      }
      if (!person) throw new AppError('ERR_NO_PERMISSION')
      const result =
        batch.state === 'running' ? await doItem(tx, batch.action, item, startFlow) : await undoItem(tx, item)
      await storeResult(tx, batch, item, result)
      return true
    })
  } catch (error) {
    // An outage is no reason to refuse the ticket: the job is repeated.
    if (!item || isTransientError(error)) throw error
    const refused = item
    return scope.transaction((tx) => refuseItem(tx, batchId, refused, error))
  }
}

const isAtWork = ({ state }: BatchRow): boolean => state === 'running' || state === 'undoing'

async function findOwner(scope: Scope, batchId: number): Promise<number | null> {
  const row = await scope.db
    .selectFrom('ticketBatches')
    .select('userId')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', batchId)
    .executeTakeFirst()
  return row?.userId ?? null
}

const findNextItem = (scope: Scope, batch: BatchRow): Promise<NextItem | undefined> =>
  scope.db
    .selectFrom('ticketBatchItems')
    .select(['position', 'ticketId', 'undo'])
    .where('companyId', '=', scope.companyId)
    .where('batchId', '=', batch.id)
    .where('state', '=', batch.state === 'running' ? 'waiting' : 'done')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()

async function doItem(
  scope: Scope,
  action: StoredBatchAction,
  { ticketId }: NextItem,
  startFlow: StartFlow,
): Promise<ItemResult> {
  if (action.kind === 'macro')
    return { state: 'done', undo: await runMacroOnTicket(scope, action.steps, ticketId, startFlow) }
  if (sendsMessages(action)) return { state: 'done', ...(await resolveWithMessage(scope, action, ticketId)) }
  return { state: 'done', undo: await performTicketChange(scope, action, ticketId) }
}

async function undoItem(scope: Scope, { ticketId, undo }: NextItem): Promise<ItemResult> {
  if (undo && 'steps' in undo) await undoMacroOnTicket(scope, ticketId, undo)
  else if (undo) await undoTicketChange(scope, ticketId, undo)
  return { state: 'undone' }
}

/** The change was refused and rolled back: records why, unless another process has done it meanwhile. */
async function refuseItem(scope: Scope, batchId: number, item: NextItem, cause: unknown): Promise<boolean> {
  const batch = await lockBatch(scope, batchId)
  if (!batch || !isAtWork(batch)) return false
  if ((await findNextItem(scope, batch))?.position !== item.position) return true
  const error = cause instanceof AppError ? cause.code : 'ERR_INTERNAL_SERVER_ERROR'
  await storeResult(
    scope,
    batch,
    item,
    batch.state === 'running' ? { state: 'refused', error } : { state: 'kept', error, undo: item.undo },
  )
  return true
}

async function storeResult(scope: Scope, batch: BatchRow, item: NextItem, result: ItemResult): Promise<void> {
  const { state, error = null, undo = null, unsent = null } = result
  await sql`
    update "ticketBatchItems" set state = ${state}, error = ${error}, undo = ${undo && JSON.stringify(undo)}::jsonb,
      unsent = coalesce(${unsent}, unsent)
    where "companyId" = ${scope.companyId} and "batchId" = ${batch.id} and position = ${item.position}`.execute(
    scope.db,
  )
  if (state === 'kept') return
  const values = { [countOf[state]]: batch[countOf[state]] + 1 }
  const handled = batch.done + batch.refused + batch.undone + 1
  if (handled % ticketsPerProgress === 0) await changeBatch(scope, batch.id, values)
  else await updateBatchQuietly(scope, batch.id, values)
}
const countOf = { done: 'done', refused: 'refused', undone: 'undone' } as const
