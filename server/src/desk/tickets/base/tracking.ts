import type { TicketEventStep } from '@recado/contract/tickets'
import { type Insertable, sql } from 'kysely'
import type { Scope } from '../../../kernel/data/scope.ts'
import type { DB } from '../../../kernel/data/tables.ts'
import { publishReportsChanged } from '../../report-changes.ts'
import type { UndoRecord } from '../../tables.ts'

/**
 * Times for the dashboard (docs/reports.md). A ticket's history is stored in segments: the ticket waits in a queue,
 * perhaps with a bot, and is attended by one agent; a return, a transfer and the end of the bot begin the next segment, and
 * no segment is overwritten. So
 * - a wait is `queuedAt` to `startedAt` of a segment that an agent accepted (a ticket assigned at once has no wait);
 * - an attendance is `startedAt` to `ratingAt` or `finishedAt`, of the segment's agent, whatever ended it;
 * - a ticket was closed where `endedBy` is `resolved`; by nobody if that segment has no agent (a menu closed it);
 * - `chatbotAt` marks the segment of the bot; the wait for an agent begins with the next segment.
 */
type SegmentTimes = { queuedAt?: Date; startedAt?: Date; userId?: number | null; chatbotAt?: Date }
export type SegmentEnd = 'resolved' | 'returned' | 'transferred' | 'bot'
type SegmentTicket = { id: number; whatsappId: number | null; queueId: number | null }

/** Whether a conversation begins or is reopened with a segment; most segments only continue a conversation. */
type SegmentStart = 'new' | 'again' | null

/** Updates the running segment, or creates the first one. */
export async function trackSegment(
  scope: Scope,
  ticket: SegmentTicket,
  times: SegmentTimes,
  began: Exclude<SegmentStart, null> = 'new',
): Promise<void> {
  publishReportsChanged(scope)
  const running = await changeSegment(scope, ticket, { ...times, queueId: ticket.queueId })
  if (!running) await insertSegment(scope, ticket, times, began)
}

/** Ends the running segment and begins the next. */
export async function startNextSegment(
  scope: Scope,
  ticket: SegmentTicket,
  endedBy: SegmentEnd,
  times: SegmentTimes,
): Promise<void> {
  publishReportsChanged(scope)
  // A ticket that a bot moved to a queue counts as a new arrival in that queue.
  const led = endedBy === 'bot' && ticket.queueId !== null && { queueId: ticket.queueId }
  const ran = await changeSegment(scope, ticket, { finishedAt: scope.now(), endedBy, ...led })
  await insertSegment(scope, ticket, times, ran ? null : 'new')
}

/** How a conversation was closed. */
type SegmentClosing = {
  botEnded: boolean
  closedItself: boolean
  closingReasonId: number | null
  closingNote: string | null
  closingValues: string | null
}

/** Ends the segments of a closed ticket. The attendance counts for the ticket's agent, else for the closing user. */
export async function endLastSegment(
  scope: Scope,
  ticket: SegmentTicket,
  userId: number | null,
  closing: SegmentClosing,
): Promise<void> {
  publishReportsChanged(scope)
  const end = { finishedAt: scope.now(), endedBy: 'resolved' as const, userId, ...closing }
  if (!(await changeSegment(scope, ticket, end))) await insertSegment(scope, ticket, end, 'new')
}

type SegmentValues = SegmentTimes &
  Partial<SegmentClosing> & { finishedAt?: Date; endedBy?: SegmentEnd; queueId?: number | null }
const changeSegment = (scope: Scope, { id: ticketId }: SegmentTicket, values: SegmentValues): Promise<boolean> =>
  scope.load(changeSegmentsInBatch, { ticketId, values })
async function changeSegmentsInBatch(
  scope: Scope,
  all: { ticketId: number; values: SegmentValues }[],
): Promise<boolean[]> {
  const changed = new Set<number>()
  // Equal changes are written in one statement.
  for (const same of Map.groupBy(all, ({ values }) => JSON.stringify(values)).values()) {
    const rows = await scope.db
      .updateTable('ticketTracking')
      .set(same[0]?.values as SegmentValues)
      .where('companyId', '=', scope.companyId)
      .where('ticketId', '=', sql<number>`any(${same.map(({ ticketId }) => ticketId)}::int[])`)
      .where('finishedAt', 'is', null)
      .returning('ticketId')
      .execute()
    for (const { ticketId } of rows) changed.add(ticketId)
  }
  return all.map(({ ticketId }) => changed.has(ticketId))
}
async function insertSegment(
  scope: Scope,
  { id: ticketId, whatsappId, queueId }: SegmentTicket,
  values: SegmentValues,
  began: SegmentStart,
): Promise<void> {
  const { companyId } = scope
  await scope.load(insertSegmentsInBatch, {
    companyId,
    ticketId,
    whatsappId,
    queueId,
    began,
    createdAt: scope.now(),
    ...values,
  })
}
async function insertSegmentsInBatch(scope: Scope, all: Insertable<DB['ticketTracking']>[]): Promise<undefined[]> {
  await scope.db.insertInto('ticketTracking').values(all).execute()
  return all.map(() => undefined)
}

/** Restores the segments of an undone action: newer ones are deleted, and the one that was running runs again. */
export async function restoreSegments(
  scope: Scope,
  ticketId: number,
  { lastId, running }: UndoRecord['segment'],
): Promise<void> {
  publishReportsChanged(scope)
  await scope.db
    .deleteFrom('ticketTracking')
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('id', '>', lastId)
    .execute()
  if (!running) return
  await sql`
    update "ticketTracking" k set "whatsappId" = r."whatsappId", "userId" = r."userId", "queuedAt" = r."queuedAt",
      "startedAt" = r."startedAt", "ratingAt" = r."ratingAt", "finishedAt" = null, "chatbotAt" = r."chatbotAt",
      "queueId" = r."queueId", "endedBy" = null, "openWait" = r."openWait", "openTalk" = r."openTalk",
      once = r.once, "againAt" = r."againAt", "botEnded" = r."botEnded", "closingReasonId" = r."closingReasonId",
      "closingNote" = r."closingNote", "closingValues" = r."closingValues", "closedItself" = r."closedItself"
    from jsonb_populate_record(null::"ticketTracking", ${JSON.stringify(running)}::jsonb) r
    where k."companyId" = ${scope.companyId} and k."ticketId" = ${ticketId} and k.id = r.id`.execute(scope.db)
}

/** Stores the rating in the rated attendance, which is the newest finished one. */
export async function trackRating(
  scope: Scope,
  ticketId: number,
  times: { ratingAt?: Date; rated?: boolean },
): Promise<void> {
  await scope.db
    .updateTable('ticketTracking')
    .set(times)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('ticketTracking')
        .select('id')
        .where('companyId', '=', scope.companyId)
        .where('ticketId', '=', ticketId)
        .where('endedBy', '=', 'resolved')
        .orderBy('id', 'desc')
        .limit(1),
    )
    .execute()
}

/** Records what was done to a ticket and why, so that it can be explained later. */
export async function recordTicketEvent(
  scope: Scope,
  ticketId: number,
  kind: string,
  ...steps: TicketEventStep[]
): Promise<void> {
  await recordTicketEvents(scope, kind, [{ ticketId, steps }])
}
export async function recordTicketEvents(
  scope: Scope,
  kind: string,
  all: { ticketId: number; steps: TicketEventStep[] }[],
): Promise<void> {
  if (!all.length) return
  const [companyId, userId, at] = [scope.companyId, scope.person?.id ?? null, scope.now()]
  const rows = all.map(({ ticketId, steps }) => ({
    ...{ companyId, ticketId, userId, kind, at },
    steps: JSON.stringify(steps),
  }))
  await scope.load(insertTicketEvents, rows)
}

async function insertTicketEvents(scope: Scope, all: Insertable<DB['ticketEvents']>[][]): Promise<undefined[]> {
  await scope.db.insertInto('ticketEvents').values(all.flat()).execute()
  return all.map(() => undefined)
}

/** The last event of the ticket, or the last one up to an id, with its actor. */
export const findLastTicketEvent = (scope: Scope, ticketId: number, upToId = Number.MAX_SAFE_INTEGER) =>
  scope.db
    .selectFrom('ticketEvents')
    .select(['id', 'kind', 'userId', 'at', 'undo'])
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('id', '<=', upToId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Stores what an undo of this event restores. */
export async function storeUndoRecord(scope: Scope, eventId: number, undo: UndoRecord | null): Promise<void> {
  await scope.db
    .updateTable('ticketEvents')
    .set({ undo: undo && JSON.stringify(undo) })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', eventId)
    .execute()
}

export const makeStep = (name: string, why: string, values: TicketEventStep['with'] = {}): TicketEventStep => ({
  step: name,
  why,
  with: values,
})
