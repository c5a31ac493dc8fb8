import type { TicketEventStep } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import { keepPrepared } from '../../kernel/data/keep-prepared.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import type { Bot } from '../bot-actions/bot.ts'
import { handleAck } from './acks.ts'
import { handleCall } from './call.ts'
import { handleContactUpdate, handleEdit, handleReaction, handleRevoke } from './changes.ts'
import { handleDeliveryFailure } from './delivery-failure.ts'
import { handleHistory, handleHistoryProgress } from './history.ts'
import type { JournalEntry } from './journal.ts'
import { handleMessage } from './message.ts'
import { type EventOutcome, journalledStep } from './steps.ts'
import { handleDecrypted, handleUndecrypted } from './undecrypted.ts'

type EventKind = InboundEvent['kind']
type Handler<K extends EventKind> = (
  scope: Scope,
  row: LineRow,
  event: Extract<InboundEvent, { kind: K }>,
  bots?: readonly Bot[],
) => Promise<EventOutcome>

const handlers: { [K in EventKind]: Handler<K> } = {
  message: handleMessage,
  past: handleHistory,
  pastProgress: handleHistoryProgress,
  pending: handleUndecrypted,
  fill: handleDecrypted,
  ack: handleAck,
  failed: handleDeliveryFailure,
  edit: handleEdit,
  revoke: handleRevoke,
  reaction: handleReaction,
  call: handleCall,
  contact: handleContactUpdate,
}

/**
 * Handles one event in one transaction: locks it in the journal, decides, writes and finishes it, together with the
 * earlier events that wait for it (`isAwaited`). Returns the message that the event itself has to wait for.
 */
export async function handleEvent(
  deps: Deps,
  row: LineRow,
  { journalId, event }: JournalEntry,
  { isAwaited = false, bots }: { isAwaited?: boolean; bots?: readonly Bot[] | undefined } = {},
): Promise<string | null> {
  const scope = new Scope(deps, { companyId: row.companyId })
  return scope.transaction(async (tx) => {
    if (!(await tx.load(lockUnprocessed, journalId))) return null
    const waitsFor = await processEvent(tx, row, { journalId, event }, bots)
    if (isAwaited)
      for (const early of await findEventsWaitingFor(tx, row, event.id)) await processEvent(tx, row, early, bots)
    return waitsFor
  })
}

/** Locks these entries in their order, and returns the unfinished ones. `processEvent` finishes them. */
export async function lockUnprocessed(scope: Scope, journalIds: number[]): Promise<boolean[]> {
  const rows = await scope.db
    .selectFrom('journal')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', sql<number>`any(${journalIds}::bigint[])`)
    .where('processedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const taken = new Set(rows.map(({ id }) => id))
  return journalIds.map((id) => taken.has(id))
}

/** Decides how to handle the event, and records the decision with its reasons. */
export async function processEvent(
  scope: Scope,
  row: LineRow,
  { journalId, event }: JournalEntry,
  bots?: readonly Bot[],
): Promise<string | null> {
  const outcome = await (handlers[event.kind] as Handler<EventKind>)(scope, row, event, bots)
  const { ticketId, steps, waitsFor = null } = outcome
  await scope.load(storeProcessed, { journalId, ticketId, waitsFor, steps: [journalledStep, ...steps] })
  return waitsFor
}

type ProcessedEvent = { journalId: number; ticketId: number | null; waitsFor: string | null; steps: TicketEventStep[] }
async function storeProcessed(scope: Scope, all: ProcessedEvent[]): Promise<undefined[]> {
  await sql`${keepPrepared}
    update journal j set "processedAt" = coalesce(j."processedAt", ${scope.now()}), "ticketId" = x."ticketId",
      "waitsFor" = x."waitsFor", steps = x.steps, error = null
    from json_to_recordset(${JSON.stringify(all)}) x ("journalId" bigint, "ticketId" int, "waitsFor" text, steps jsonb)
    where j."companyId" = ${scope.companyId} and j.id = x."journalId"`.execute(scope.db)
  return all.map(() => undefined)
}

/** Events that arrived before this message and wait for it, in their order. */
async function findEventsWaitingFor(scope: Scope, row: LineRow, wid: string): Promise<JournalEntry[]> {
  const rows = await scope.db
    .selectFrom('journal')
    .select(['id', 'event'])
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('waitsFor', '=', wid)
    .orderBy('id')
    .execute()
  return rows.map(({ id, event }) => ({ journalId: id, event: event as unknown as InboundEvent }))
}

/** Handles waiting events of a message that arrived by another path just when an event began to wait for it. */
export async function processLateArrival(deps: Deps, row: LineRow, wid: string): Promise<boolean> {
  const scope = new Scope(deps, { companyId: row.companyId })
  const come = await scope.db
    .selectFrom('messages')
    .select('id')
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', '=', wid)
    .executeTakeFirst()
  if (!come) return false
  await scope.transaction(async (tx) => {
    for (const early of await findEventsWaitingFor(tx, row, wid)) await processEvent(tx, row, early)
  })
  return true
}

/** Dead-letters an event with its error after the maximum number of attempts, so that a person can check it. */
export async function setEventAside(
  deps: Deps,
  row: LineRow,
  { journalId }: JournalEntry,
  error: unknown,
): Promise<void> {
  const { db } = new Scope(deps, { companyId: row.companyId })
  const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
  await db
    .updateTable('journal')
    .set((eb) => ({
      processedAt: deps.clock.now(),
      attempts: eb('attempts', '+', 1),
      error: reason,
      steps: JSON.stringify([journalledStep, makeStep('set-aside', 'always-failed', { error: reason })]),
    }))
    .where('companyId', '=', row.companyId)
    .where('id', '=', journalId)
    .where('processedAt', 'is', null)
    .execute()
}
