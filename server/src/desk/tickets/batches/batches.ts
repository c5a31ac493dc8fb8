import { topics } from '@recado/contract/live'
import { maxBatchTickets } from '@recado/contract/tickets/batch-limits'
import {
  batchUndoSeconds,
  maxBatchRefusals,
  type TicketBatch,
  type TicketBatchAction,
  type ticketBatchesApi,
} from '@recado/contract/tickets/ticket-batches'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { addMs, seconds } from '../../../kernel/clock.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import type { DB } from '../../../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../../../kernel/errors.ts'
import { findStepsForMany } from '../../macros/macros.ts'
import type { StoredBatchAction } from '../../tables.ts'
import { listTicketIds } from '../list.ts'
import { assertTicketChange } from '../ticket-changes.ts'
import { batchHoldMs, holdBatchMessages, sendsMessages } from './batch-messages.ts'

declare module '../../../kernel/jobs.ts' {
  interface Jobs {
    'tickets:batch': { companyId: number; batchId: number }
  }
}

export type BatchRow = Selectable<DB['ticketBatches']>

/** A call to undo may take this long to arrive after the window. */
const undoGraceMs = seconds(4)

type BatchStart = z.output<typeof ticketBatchesApi.start.body>

/** Stores which tickets to change and how, and lets a job do it. Earlier batches of the person are forgotten. */
export async function startBatch(scope: Scope, { ids, filter, action }: BatchStart): Promise<TicketBatch> {
  if (!ids && !filter) throw new AppError('ERR_VALIDATION', { ids: 'Required' })
  const stored = await resolveAction(scope, action)
  const listed = filter && (await listTicketIds(scope, filter, maxBatchTickets))
  const ticketIds = listed?.filter((id) => !ids || ids.includes(id)) ?? [...new Set(ids)]
  await scope.db
    .deleteFrom('ticketBatches')
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .where('state', 'not in', ['running', 'undoing'])
    .execute()
  const row = await translateConstraintErrors({ ticketBatches_running_key: 'ERR_BATCH_RUNNING' }, () =>
    scope.db
      .insertInto('ticketBatches')
      .values({
        companyId: scope.companyId,
        userId: scope.actor.id,
        action: JSON.stringify(stored),
        total: ticketIds.length,
        createdAt: scope.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  await sql`
    insert into "ticketBatchItems" ("companyId", "batchId", position, "ticketId")
    select ${scope.companyId}, ${row.id}, x.position, x.id
    from unnest(${ticketIds}::int[]) with ordinality x (id, position)`.execute(scope.db)
  await enqueueBatch(scope, row.id)
  return presentBatch(scope, row)
}

async function resolveAction(scope: Scope, action: TicketBatchAction): Promise<StoredBatchAction> {
  if (action.kind === 'macro') return { kind: 'macro', steps: await findStepsForMany(scope, action.macroId) }
  await assertTicketChange(scope, action)
  return action
}

/** The batches of a person run one after another, each in short jobs, so that other jobs get their turn. */
export const enqueueBatch = (scope: Scope, batchId: number): Promise<void> =>
  scope.enqueueJob(
    'tickets:batch',
    { companyId: scope.companyId, batchId },
    { queue: `ticket-batch:${scope.companyId}:${batchId}` },
  )

export async function findLastBatch(scope: Scope): Promise<{ batch: TicketBatch | null }> {
  const row = await scope.db
    .selectFrom('ticketBatches')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { batch: row ? await presentBatch(scope, row) : null }
}

/** Stops a running batch after the ticket that is being changed. An undo is not stopped, so that it undoes all. */
export async function stopBatch(scope: Scope, id: number): Promise<TicketBatch> {
  const row = await lockOwnBatch(scope, id)
  if (row.state !== 'running') return presentBatch(scope, row)
  return finishBatch(scope, row, 'stopped')
}

/**
 * The action is reduced to what an undo needs, because a note may name a customer. Messages of the batch leave when it
 * cannot be undone any more.
 */
export async function finishBatch(
  scope: Scope,
  { id, action }: BatchRow,
  state: 'done' | 'stopped' | 'undone',
): Promise<TicketBatch> {
  const sends = sendsMessages(action)
  if (sends) {
    const undoMs = state === 'undone' ? 0 : seconds(batchUndoSeconds) + undoGraceMs
    await holdBatchMessages(scope, id, addMs(scope.now(), undoMs))
  }
  const reduced = sends
    ? { kind: action.kind, farewell: action.farewell, rating: action.rating }
    : { kind: action.kind }
  return changeBatch(scope, id, { state, action: JSON.stringify(reduced), endedAt: scope.now() })
}

export async function undoBatch(scope: Scope, id: number): Promise<TicketBatch> {
  const row = await lockOwnBatch(scope, id)
  const until = undoDeadline(row)
  if (!until || scope.now().getTime() > until.getTime() + undoGraceMs) throw new AppError('ERR_UNDO_TOO_LATE')
  if (sendsMessages(row.action)) await holdBatchMessages(scope, id, addMs(scope.now(), batchHoldMs))
  await enqueueBatch(scope, id)
  return changeBatch(scope, id, { state: 'undoing', endedAt: null })
}

async function lockOwnBatch(scope: Scope, id: number): Promise<BatchRow> {
  const row = await lockBatch(scope, id)
  if (row?.userId !== scope.actor.id) throw new AppError('ERR_NO_TICKETBATCH_FOUND')
  return row
}

/** Serialises the work on a batch with its stop, its undo and other processes. */
export const lockBatch = (scope: Scope, id: number): Promise<BatchRow | undefined> =>
  scope.db
    .selectFrom('ticketBatches')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Changes the row and publishes its progress to the person. */
export async function changeBatch(
  scope: Scope,
  id: number,
  values: Updateable<DB['ticketBatches']>,
): Promise<TicketBatch> {
  const row = await updateBatchQuietly(scope, id, values)
  const batch = await presentBatch(scope, row)
  scope.live(topics.ticketBatch, { action: 'update', batch }, { users: [row.userId] })
  return batch
}

export const updateBatchQuietly = (
  scope: Scope,
  id: number,
  values: Updateable<DB['ticketBatches']>,
): Promise<BatchRow> =>
  scope.db
    .updateTable('ticketBatches')
    .set(values)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** The end of the time to undo; null if there is nothing to undo, or not yet. */
function undoDeadline({ state, done, endedAt }: BatchRow): Date | null {
  const isOver = state === 'done' || state === 'stopped'
  return isOver && done > 0 && endedAt ? addMs(new Date(endedAt), seconds(batchUndoSeconds)) : null
}

async function presentBatch(scope: Scope, row: BatchRow): Promise<TicketBatch> {
  const ofBatch = sql`i."companyId" = ${scope.companyId} and i."batchId" = ${row.id} and i.error is not null
    and i.state in ('refused', 'kept')`
  const unsent = await sql<TicketBatch['unsent'][number]>`
    select i.unsent as reason, count(*)::int as count from "ticketBatchItems" i
    where i."companyId" = ${scope.companyId} and i."batchId" = ${row.id} and i.unsent is not null and i.state <> 'undone'
    group by 1 order by 2 desc, 1`.execute(scope.db)
  const refusals = await sql<TicketBatch['refusals'][number]>`
    select i."ticketId", i.error as code from "ticketBatchItems" i where ${ofBatch}
    order by i.position limit ${maxBatchRefusals}`.execute(scope.db)
  const reasons = await sql<TicketBatch['reasons'][number]>`
    select i.error as code, count(*)::int as count from "ticketBatchItems" i where ${ofBatch}
    group by i.error order by count(*) desc, i.error`.execute(scope.db)
  return {
    id: row.id,
    kind: row.action.kind,
    state: row.state,
    total: row.total,
    done: row.done,
    refused: row.refused,
    undone: row.undone,
    undoUntil: undoDeadline(row)?.toISOString() ?? null,
    refusals: refusals.rows,
    reasons: reasons.rows,
    unsent: unsent.rows,
  }
}
