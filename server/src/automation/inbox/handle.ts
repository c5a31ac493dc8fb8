import type { Step } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { step } from '../../desk/tickets/track.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import type { Bot } from '../bots/bot.ts'
import { acked } from './acks.ts'
import { call } from './call.ts'
import { contactNews, edited, reacted, revoked } from './changes.ts'
import { failed } from './failures.ts'
import type { Entry } from './journal.ts'
import { message } from './message.ts'
import { past } from './past.ts'
import { filled, pending } from './pending.ts'
import { journalled, type Outcome } from './steps.ts'

type Kind = InboundEvent['kind']
type Handler<K extends Kind> = (
  scope: Scope,
  row: LineRow,
  event: Extract<InboundEvent, { kind: K }>,
  bots?: readonly Bot[],
) => Promise<Outcome>

const handlers: { [K in Kind]: Handler<K> } = {
  message,
  past,
  pending,
  fill: filled,
  ack: acked,
  failed,
  edit: edited,
  revoke: revoked,
  reaction: reacted,
  call,
  contact: contactNews,
}

/**
 * One event in one transaction: taken from the journal, decided, written, and finished together or not at all, with
 * what came before it and was about it (`isAwaited`). Returns the message that the event itself has to wait for.
 */
export async function handle(
  means: Means,
  row: LineRow,
  { journalId, event }: Entry,
  { isAwaited = false, bots }: { isAwaited?: boolean; bots?: readonly Bot[] | undefined } = {},
): Promise<string | null> {
  const scope = new Scope(means, { companyId: row.companyId })
  return scope.transaction(async (tx) => {
    if (!(await tx.ask(take, journalId))) return null
    const waitsFor = await decide(tx, row, { journalId, event }, bots)
    if (isAwaited) for (const early of await earlyFor(tx, row, event.id)) await decide(tx, row, early, bots)
    return waitsFor
  })
}

/** Which of these nobody has finished; held, in their order. They are finished by `decide`. */
export async function take(scope: Scope, journalIds: number[]): Promise<boolean[]> {
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

/** What the event means, written down with its reasons. */
export async function decide(
  scope: Scope,
  row: LineRow,
  { journalId, event }: Entry,
  bots?: readonly Bot[],
): Promise<string | null> {
  const outcome = await (handlers[event.kind] as Handler<Kind>)(scope, row, event, bots)
  const { ticketId, steps, waitsFor = null } = outcome
  await scope.ask(keep, { journalId, ticketId, waitsFor, steps: [journalled, ...steps] })
  return waitsFor
}

type Decided = { journalId: number; ticketId: number | null; waitsFor: string | null; steps: Step[] }
async function keep(scope: Scope, all: Decided[]): Promise<undefined[]> {
  await sql`
    update journal j set "processedAt" = coalesce(j."processedAt", ${scope.now()}), "ticketId" = x."ticketId",
      "waitsFor" = x."waitsFor", steps = x.steps, error = null
    from json_to_recordset(${JSON.stringify(all)}) x ("journalId" bigint, "ticketId" int, "waitsFor" text, steps jsonb)
    where j."companyId" = ${scope.companyId} and j.id = x."journalId"`.execute(scope.db)
  return all.map(() => undefined)
}

/** What came before this message and has waited for it, in its order. */
async function earlyFor(scope: Scope, row: LineRow, wid: string): Promise<Entry[]> {
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

/** The message may have come by another way in the very moment in which somebody began to wait for it. */
export async function catchUp(means: Means, row: LineRow, wid: string): Promise<boolean> {
  const scope = new Scope(means, { companyId: row.companyId })
  const come = await scope.db
    .selectFrom('messages')
    .select('id')
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', '=', wid)
    .executeTakeFirst()
  if (!come) return false
  await scope.transaction(async (tx) => {
    for (const early of await earlyFor(tx, row, wid)) await decide(tx, row, early)
  })
  return true
}

/** Tried often enough: kept with what went wrong, for a person to look at. */
export async function setAside(means: Means, row: LineRow, { journalId }: Entry, error: unknown): Promise<void> {
  const { db } = new Scope(means, { companyId: row.companyId })
  const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
  await db
    .updateTable('journal')
    .set((eb) => ({
      processedAt: means.clock.now(),
      attempts: eb('attempts', '+', 1),
      error: reason,
      steps: JSON.stringify([journalled, step('set-aside', 'always-failed', { error: reason })]),
    }))
    .where('companyId', '=', row.companyId)
    .where('id', '=', journalId)
    .where('processedAt', 'is', null)
    .execute()
}
