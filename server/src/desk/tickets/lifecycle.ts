import type { TicketDetail, TicketEventStep } from '@recado/contract/tickets'
import { canLeadQueues } from '@recado/contract/visibility'
import { sql, type Updateable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../../kernel/errors.ts'
import { recordMenuAbandoned } from '../menu-steps.ts'
import { deleteRatingRequest } from '../rating.ts'
import { publishReportsChanged } from '../report-changes.ts'
import { publishThreadChanged, publishThreadToReaders } from '../thread-updates.ts'
import { initialBotState, stoppedBotState } from './base/bot-state.ts'
import { monotonicUpdatedAtSql } from './base/chat-timestamps.ts'
import { updateGoals } from './base/goals.ts'
import { deleteAssignmentNotices } from './base/notices.ts'
import { publishTicketChanged, publishTicketDeleted } from './base/publish-ticket.ts'
import { endedSnooze } from './base/snooze-columns.ts'
import { presentTicket } from './base/ticket-view.ts'
import { endLastSegment, makeStep, recordTicketEvent, startNextSegment, trackSegment } from './base/tracking.ts'
import { canSeeTicket, currentViewer } from './base/visibility.ts'
import { publishTicketWebhook } from './base/webhook-events.ts'
import { type ClosingRecord, describeClosing, noClosing } from './closing/closing.ts'

type TicketChange = Updateable<DB['tickets']>
export const ticketConflicts = {
  tickets_living_key: 'ERR_OTHER_OPEN_TICKET',
  tickets_companyId_queueId_fkey: 'ERR_QUEUE_NOT_FOUND',
  tickets_companyId_userId_fkey: 'ERR_NO_USER_FOUND',
  tickets_companyId_whatsappId_fkey: 'ERR_NO_WAPP_FOUND',
} as const

/** The current agent, in the shape that the new-ticket dialog of older clients reads. */
export const ticketHolder = (scope: Scope, ticket: TicketDetail) => ({
  userId: ticket.userId,
  user: ticket.user,
  queue: ticket.queue,
  uuid: ticket.uuid,
  ticketId: ticket.id,
  mayOpen: canActorSee(scope, ticket),
})
/** Whether the caller may see the ticket. */
const canActorSee = (scope: Scope, ticket: TicketDetail): boolean => {
  const viewer = currentViewer(scope)
  return viewer !== null && canSeeTicket(viewer, ticket)
}

/**
 * The error for a ticket that is assigned, or whose contact has another open ticket: it names the agent and the queue.
 */
export const ticketHeldError = (scope: Scope, ticket: TicketDetail): AppError =>
  new AppError('ERR_OTHER_OPEN_TICKET', undefined, { holder: ticketHolder(scope, ticket) })

/** The open ticket of a contact on a line, if there is one. */
export async function findActiveTicket(
  scope: Scope,
  contactId: number,
  whatsappId: number,
): Promise<TicketDetail | null> {
  const row = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('whatsappId', '=', whatsappId)
    .where('status', 'in', ['open', 'pending'])
    .executeTakeFirst()
  return row ? presentTicket(scope, row.id) : null
}

/** The unique index would also refuse a second active ticket, but without naming the agent. */
async function assertOnlyActiveTicket(scope: Scope, ticket: TicketDetail, whatsappId: number | null): Promise<void> {
  const other = whatsappId && (await findActiveTicket(scope, ticket.contactId, whatsappId))
  if (other && other.id !== ticket.id) throw ticketHeldError(scope, other)
}

/** Changes the ticket, publishes it to users who saw it and users who see it now, and returns the new state. */
export async function changeTicket(scope: Scope, before: TicketDetail, values: TicketChange): Promise<TicketDetail> {
  await translateConstraintErrors(ticketConflicts, () =>
    updateTicketQuietly(scope, before.id, {
      ...(movesTicket(before, values) && endedSnooze),
      ...values,
      updatedAt: scope.now(),
    }),
  )
  await updateGoals(scope, before.id, before)
  const after = await presentTicket(scope, before.id)
  publishTicketChanged(scope, before, after)
  const keys = ['userId', 'status', 'queueId'] as const
  if (keys.some((key) => before[key] !== after[key])) {
    await publishThreadToReaders(scope, before, after)
    await deleteAssignmentNotices(scope, before, after)
    await emitMovedIfScheduled(scope, before, after)
  }
  return after
}

/** Whether the ticket gets another status, agent or queue: a snooze was the decision of whoever had it before. */
const movesTicket = (before: TicketDetail, values: TicketChange): boolean =>
  (before.snooze !== null || before.returned !== null) &&
  (['status', 'userId', 'queueId'] as const).some((key) => values[key] !== undefined && values[key] !== before[key])

declare module '../../kernel/events.ts' {
  interface Events {
    /** A ticket of a chat with scheduled messages changed its visibility. */
    'ticket.moved': { companyId: number; ticketId: number; before: Pick<TicketDetail, 'userId' | 'queueId' | 'status'> }
  }
}

/** Schedules follow the chat's visibility. They are in a higher layer, so an event is emitted, and only if there are any. */
async function emitMovedIfScheduled(scope: Scope, before: TicketDetail, { id: ticketId, contactId }: TicketDetail) {
  const { userId, queueId, status } = before
  if (await scope.load(hasSchedules, contactId))
    await scope.emit('ticket.moved', { companyId: scope.companyId, ticketId, before: { userId, queueId, status } })
}
async function hasSchedules(scope: Scope, contactIds: number[]): Promise<boolean[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from unnest(${contactIds}::int[]) c (id)
    where exists (select from schedules s where s."companyId" = ${scope.companyId} and s."contactId" = c.id)`.execute(
    scope.db,
  )
  const some = new Set(rows.map(({ id }) => id))
  return contactIds.map((id) => some.has(id))
}

/** Changes columns that no screen shows: nothing is published. */
export const updateTicketQuietly = (scope: Scope, ticketId: number, values: TicketChange): Promise<void> =>
  scope.load(updateTicketsInBatch, { ticketId, values })

/** Updates several tickets; equal changes are written in one statement. */
async function updateTicketsInBatch(
  scope: Scope,
  all: { ticketId: number; values: TicketChange }[],
): Promise<undefined[]> {
  for (const same of Map.groupBy(all, ({ values }) => JSON.stringify(values)).values()) {
    const { updatedAt, ...values } = (same[0] as (typeof same)[number]).values
    await scope.db
      .updateTable('tickets')
      .set({ ...values, ...(updatedAt && { updatedAt: monotonicUpdatedAtSql(sql`${updatedAt}::timestamptz`) }) })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', sql<number>`any(${same.map(({ ticketId }) => ticketId)}::int[])`)
      .execute()
  }
  return all.map(() => undefined)
}

/** A ticket assigned to a user who cannot log in would be seen by nobody. */
export async function assertUserActive(scope: Scope, userId: number): Promise<void> {
  if (userId === scope.person?.id) return
  const found = await scope.db
    .selectFrom('users')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', userId)
    .where('active', '=', true)
    .executeTakeFirst()
  if (!found) throw new AppError('ERR_NO_USER_FOUND')
}

type AcceptReason = { why: string; details?: TicketEventStep['with'] }

/** Makes a pending ticket open and assigned. */
export async function acceptTicket(
  scope: Scope,
  ticket: TicketDetail,
  userId = scope.actor.id,
  { why, details = {} }: AcceptReason = { why: 'by-person' },
): Promise<TicketDetail> {
  await assertUserActive(scope, userId)
  const after = await changeTicket(scope, ticket, { status: 'open', userId, ...stoppedBotState })
  await trackSegment(scope, after, { startedAt: scope.now(), userId })
  await recordTicketEvent(
    scope,
    after.id,
    'accept',
    makeStep('accepted', why, { user: after.user?.name ?? null, ...details }),
  )
  await publishTicketWebhook(scope, 'ticket.accepted', after.id)
  return after
}

/** Makes an open ticket pending and unassigned. */
export async function returnTicket(
  scope: Scope,
  ticket: TicketDetail,
  why = scope.person ? 'by-person' : 'agent-is-gone',
): Promise<TicketDetail> {
  if (ticket.status === 'pending') return ticket
  const after = await changeTicket(scope, ticket, { status: 'pending', userId: null })
  await startNextSegment(scope, after, 'returned', { queuedAt: scope.now() })
  await recordTicketEvent(scope, after.id, 'return', makeStep('returned', why))
  await publishTicketWebhook(scope, 'ticket.transferred', after.id)
  return after
}

/** The reasons recorded when a bot closes a ticket. */
export const [endedByMenu, endedByAutomation] = ['menu-ended-it', 'machine-ended-it'] as const

/**
 * Closes the ticket under the name of the closing user; the queue stays. The attendance counts for the attending agent.
 * Only a person says why (`closing`).
 */
export async function resolveTicket(
  scope: Scope,
  ticket: TicketDetail,
  why = 'by-person',
  closing: ClosingRecord = noClosing,
): Promise<TicketDetail> {
  if (ticket.status === 'closed') return ticket
  const byBot = why === endedByMenu || why === endedByAutomation
  if (ticket.chatbot && !byBot) await recordMenuAbandoned(scope, ticket.id)
  // A ticket closed with an API key is not closed in the name of the user who created the key.
  const userId = scope.person && !scope.person.key ? scope.person.id : ticket.userId
  const after = await changeTicket(scope, ticket, {
    status: 'closed',
    userId,
    unreadMessages: 0,
    waitingSince: null,
    laneSince: null,
    laneSayAt: null,
    closingReasonId: closing.reason?.id ?? null,
    ...initialBotState,
  })
  await endLastSegment(scope, after, ticket.userId ?? userId, {
    botEnded: byBot,
    closedItself: why !== 'by-person',
    closingReasonId: closing.reason?.id ?? null,
    closingNote: closing.note || null,
    closingValues: closing.values.length ? JSON.stringify(closing.values) : null,
  })
  await recordTicketEvent(scope, after.id, 'resolve', makeStep('resolved', why, describeClosing(closing)))
  await publishTicketWebhook(scope, 'ticket.resolved', after.id)
  return after
}

/** Makes a closed ticket open and assigned. Refused if another ticket of the contact on that line is open. */
export async function reopenTicket(
  scope: Scope,
  ticket: TicketDetail,
  { queueId, userId = scope.actor.id }: { queueId?: number | null | undefined; userId?: number | undefined },
): Promise<TicketDetail> {
  await assertUserActive(scope, userId)
  await assertOnlyActiveTicket(scope, ticket, ticket.whatsappId)
  const wanted = queueId !== undefined && { queueId }
  const after = await changeTicket(scope, ticket, {
    status: 'open',
    userId,
    laneSince: scope.now(),
    ...wanted,
    ...stoppedBotState,
  })
  await deleteRatingRequest(scope, after.id)
  await trackSegment(scope, after, { queuedAt: scope.now(), startedAt: scope.now(), userId }, 'again')
  await recordTicketEvent(scope, after.id, 'reopen', makeStep('reopened', 'by-person'))
  await publishTicketWebhook(scope, 'ticket.opened', after.id)
  return after
}

export type TransferTarget = {
  queueId?: number | null | undefined
  userId?: number | null | undefined
  whatsappId?: number | null | undefined
}

/** An automation puts a pending ticket into a queue. `marks`: the bot columns to set. */
export async function moveToQueue(
  scope: Scope,
  ticket: TicketDetail,
  queueId: number,
  why: string,
  marks: TicketChange = stoppedBotState,
): Promise<TicketDetail> {
  const after = await changeTicket(scope, ticket, { queueId, ...marks })
  // The ticket keeps waiting, because no agent had it in between.
  await trackSegment(scope, after, {})
  await recordTicketEvent(
    scope,
    after.id,
    'transfer',
    makeStep('transferred', why, { from: null, queue: after.queue?.name ?? null, user: null }),
  )
  await publishTicketWebhook(scope, 'ticket.transferred', after.id)
  return after
}

/**
 * A transfer to a queue makes the ticket pending there; to an agent, it is assigned at once; to another line only, the
 * agent stays.
 */
export async function transferTicket(
  scope: Scope,
  ticket: TicketDetail,
  to: TransferTarget,
  why: 'by-person' | 'by-machine' = 'by-person',
): Promise<TicketDetail> {
  const now = scope.now()
  const queueId = to.queueId === undefined ? ticket.queueId : to.queueId
  const whatsappId = to.whatsappId ?? ticket.whatsappId
  if (whatsappId !== ticket.whatsappId) await assertOnlyActiveTicket(scope, ticket, whatsappId)
  if (to.userId) await assertUserActive(scope, to.userId)
  const stays = to.userId === undefined && queueId === ticket.queueId
  const whose = to.userId
    ? { userId: to.userId, status: 'open' as const }
    : { userId: null, status: 'pending' as const }
  const after = await changeTicket(scope, ticket, { queueId, whatsappId, ...(!stays && whose), ...stoppedBotState })
  const taken = to.userId ? { startedAt: now, userId: to.userId } : {}
  if (!stays) await startNextSegment(scope, after, 'transferred', { queuedAt: now, ...taken })
  const moved = {
    from: ticket.queue?.name ?? null,
    queue: after.queue?.name ?? null,
    user: after.user?.name ?? null,
    // The line of the ticket's earlier messages (see messages/thread.ts).
    ...(whatsappId !== ticket.whatsappId && { lineBefore: ticket.whatsappId, line: after.whatsapp?.name ?? null }),
  }
  await recordTicketEvent(scope, after.id, 'transfer', makeStep('transferred', why, moved))
  await publishTicketWebhook(scope, 'ticket.transferred', after.id)
  return after
}

/** Deletes the ticket with its messages, which also disappear from the threads of the chat's other tickets. */
export async function removeTicket(scope: Scope, ticket: TicketDetail): Promise<void> {
  await scope.db.deleteFrom('tickets').where('companyId', '=', scope.companyId).where('id', '=', ticket.id).execute()
  publishTicketDeleted(scope, ticket, ticket.id)
  publishReportsChanged(scope)
  if (ticket.whatsappId !== null) await publishThreadChanged(scope, [ticket.contactId], ticket.whatsappId)
}

/** Only supervisors may assign a ticket to another user. */
export const canAssign = (scope: Scope, userId: number | null | undefined): boolean =>
  !userId || userId === scope.actor.id || canLeadQueues(scope.actor)
