import { sql } from 'kysely'
import { keepPrepared } from '../../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import { publishReportsChanged } from '../../report-changes.ts'
import type { ReplySnapshot } from '../../tables.ts'
import { stoppedBotState } from './bot-state.ts'
import { monotonicUpdatedAtSql } from './chat-timestamps.ts'
import { goalSnapshotSql, markGoalsAnswered, restoreGoals } from './goals.ts'
import { endSnoozeAt } from './snooze-columns.ts'
import { makeStep, recordTicketEvents } from './tracking.ts'

const updateOwnTicket = (scope: Scope, ticketId: number) =>
  scope.db.updateTable('tickets').where('companyId', '=', scope.companyId).where('id', '=', ticketId)

/** `fromMe`: typed on the phone. `settled`: the message does not count as unread. */
type IncomingActivity = { last: string; fromMe: boolean; settled: boolean }

/** Updates the ticket's preview and unread count for an incoming message. */
export async function recordIncoming(scope: Scope, ticketId: number, how: IncomingActivity): Promise<void> {
  await scope.load(recordIncomingInBatch, { ticketId, ...how })
  if (!how.fromMe) return
  // Someone replied from the phone: the bots stop.
  await updateOwnTicket(scope, ticketId)
    .set({ ...stoppedBotState, saidMark: null })
    .execute()
  await markGoalsAnswered(scope, [ticketId])
}
async function recordIncomingInBatch(
  scope: Scope,
  all: (IncomingActivity & { ticketId: number })[],
): Promise<undefined[]> {
  const now = sql`${scope.now()}::timestamptz`
  await sql`${keepPrepared}
    update tickets t set "lastMessage" = x.last, "fromMe" = x."fromMe", "updatedAt" = ${monotonicUpdatedAtSql(now)},
      "unreadMessages" = case when x."fromMe" then 0 when x.settled then t."unreadMessages" else t."unreadMessages" + 1 end,
      "waitingSince" = case when x.settled then t."waitingSince" when x."fromMe" then null else coalesce(t."waitingSince", ${now}) end
    from json_to_recordset(${JSON.stringify(all)}) x ("ticketId" int, last text, "fromMe" boolean, settled boolean)
    where t."companyId" = ${scope.companyId} and t.id = x."ticketId"`.execute(scope.db)
  await wakeOnMessage(
    scope,
    all.flatMap(({ ticketId, fromMe, settled }) => (fromMe || settled ? [] : [ticketId])),
  )
  return all.map(() => undefined)
}

/** The customers of these tickets wrote: ends a snooze that waits for it. The message brings the ticket to the top. */
async function wakeOnMessage(scope: Scope, ticketIds: number[]): Promise<void> {
  if (!ticketIds.length) return
  const { snoozeNote: _, ...ended } = endSnoozeAt(scope.now())
  const woken = await scope.db
    .updateTable('tickets')
    .set({ ...ended, returnedAt: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', sql<number>`any(${ticketIds}::int[])`)
    .where('snoozedAt', 'is not', null)
    .where('snoozeWakesOnMessage', '=', true)
    .returning('id')
    .execute()
  await recordTicketEvents(
    scope,
    'snooze',
    woken.map(({ id }) => ({ ticketId: id, steps: [makeStep('returned-to-inbox', 'customer-wrote')] })),
  )
}

/** `byPerson`: the message is not automatic. `mark`: see bot-message.ts. */
type OutgoingActivity = { ticketId: number; last: string; byPerson: boolean; mark: string | null }

/** Updates the tickets of outgoing messages. */
export const recordOutgoing = (scope: Scope, all: OutgoingActivity[]): Promise<void> =>
  scope.load(recordOutgoingInBatch, all)

async function recordOutgoingInBatch(scope: Scope, given: OutgoingActivity[][]): Promise<undefined[]> {
  const all = given.flat()
  const now = sql`${scope.now()}::timestamptz`
  const answeredIds = [...new Set(all.filter(({ byPerson }) => byPerson).map(({ ticketId }) => ticketId))]
  if (answeredIds.length) await recordAnswers(scope, answeredIds)
  await sql`${keepPrepared}
    update tickets t set "lastMessage" = x.last, "saidMark" = x.mark, "saidAt" = ${now}, "updatedAt" = ${monotonicUpdatedAtSql(now)},
      "fromMe" = x."byPerson" or t."fromMe", "waitingSince" = case when not x."byPerson" then t."waitingSince" end,
      -- A person who writes takes the conversation over from a flow.
      "flowRunId" = case when not x."byPerson" then t."flowRunId" end
    from json_to_recordset(${JSON.stringify(all)}) x ("ticketId" int, last text, "byPerson" boolean, mark text)
    where t."companyId" = ${scope.companyId} and t.id = x."ticketId"`.execute(scope.db)
  if (answeredIds.length) await markGoalsAnswered(scope, answeredIds)
  return given.map(() => undefined)
}

/**
 * Records how long the customers waited, before the tickets forget it. The first answer of a person, which the
 * inactivity timer also waits for, is stored with the segment; every later one is a row of its own.
 */
async function recordAnswers(scope: Scope, ticketIds: number[]): Promise<void> {
  const now = sql`${scope.now()}::timestamptz`
  const { rows } = await sql<{ recorded: number }>`${keepPrepared}
    with was as (
      select t.id, t."waitingSince" from unnest(${ticketIds}::int[]) x (id)
      join tickets t on t."companyId" = ${scope.companyId} and t.id = x.id),
    answered as (
      update "ticketTracking" k set "answeredAt" = ${now} from was
      where k."companyId" = ${scope.companyId} and k."ticketId" = was.id
        and k."finishedAt" is null and k."startedAt" is not null and k."answeredAt" is null
      returning 1),
    -- Whom somebody waited for from the beginning has their first answer; what ends a wait after it is the next one.
    next as (
      insert into "nextAnswers" ("companyId", "ticketId", "queueId", "userId", "whatsappId", "askedAt", at)
      select k."companyId", k."ticketId", k."queueId", k."userId", k."whatsappId", was."waitingSince", ${now}
      from was join "ticketTracking" k on k."companyId" = ${scope.companyId} and k."ticketId" = was.id
        and k."finishedAt" is null and k."startedAt" is not null
      where was."waitingSince" is not null and (k."answeredAt" is not null or k."startedAt" = k."queuedAt")
      returning 1)
    select (select count(*)::int from answered) + (select count(*)::int from next) as recorded`.execute(scope.db)
  if (rows[0]?.recorded) publishReportsChanged(scope)
}

/** What a reply is about to change in the ticket, so that taking the reply back can restore it. */
export async function takeReplySnapshot(scope: Scope, ticketId: number): Promise<ReplySnapshot> {
  const { rows } = await sql<ReplySnapshot>`
    select t."waitingSince", t."fromMe",
      (select k.id from "ticketTracking" k where k."companyId" = t."companyId" and k."ticketId" = t.id
        and k."finishedAt" is null and k."answeredAt" is null) as "unansweredSegment",
      coalesce((select max(n.id) from "nextAnswers" n where n."companyId" = t."companyId" and n."ticketId" = t.id), 0) as "lastAnswerId",
      ${goalSnapshotSql} as goals
    from tickets t where t."companyId" = ${scope.companyId} and t.id = ${ticketId}`.execute(scope.db)
  return rows[0] as ReplySnapshot
}

/** Restores what a reply changed that was taken back. What the customer wrote since then stays unanswered. */
export async function restoreReplySnapshot(scope: Scope, ticketId: number, before: ReplySnapshot): Promise<void> {
  await sql`
    update tickets set "waitingSince" = coalesce(${before.waitingSince}::timestamptz, "waitingSince"), "fromMe" = ${before.fromMe}
    where "companyId" = ${scope.companyId} and id = ${ticketId}`.execute(scope.db)
  await sql`
    update "ticketTracking" set "answeredAt" = null
    where "companyId" = ${scope.companyId} and "ticketId" = ${ticketId} and id = ${before.unansweredSegment}`.execute(
    scope.db,
  )
  await sql`
    delete from "nextAnswers"
    where "companyId" = ${scope.companyId} and "ticketId" = ${ticketId} and id > ${before.lastAnswerId}`.execute(
    scope.db,
  )
  await restoreGoals(scope, ticketId, before.goals)
  publishReportsChanged(scope)
}

export async function clearUnread(scope: Scope, ticketId: number): Promise<void> {
  await updateOwnTicket(scope, ticketId).set({ unreadMessages: 0 }).execute()
}

/** Marks the ticket as unread without changing its position in lists. */
export async function ensureUnread(scope: Scope, ticketId: number): Promise<void> {
  await updateOwnTicket(scope, ticketId).set({ unreadMessages: sql<number>`greatest(1, "unreadMessages")` }).execute()
}

/** Decrements the unread count after an unread message was deleted. */
export async function decrementUnread(scope: Scope, ticketId: number): Promise<void> {
  await updateOwnTicket(scope, ticketId)
    .set({ unreadMessages: sql<number>`greatest(0, "unreadMessages" - 1)` })
    .execute()
}

/** Sets the preview; `inPlaceOf`: only if the preview shows that text. */
export async function setLastMessage(scope: Scope, ticketId: number, last: string, inPlaceOf?: string): Promise<void> {
  const ticket = updateOwnTicket(scope, ticketId).set({ lastMessage: last })
  await (inPlaceOf === undefined ? ticket : ticket.where('lastMessage', '=', inPlaceOf)).execute()
}
