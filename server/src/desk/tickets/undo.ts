import type { TicketDetail } from '@recado/contract/tickets'
import { sql, type Updateable } from 'kysely'
import { seconds } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { deleteMenuAbandoned } from '../menu-steps.ts'
import { withdrawHeldMessages } from '../messages/outgoing.ts'
import { refreshLastMessage } from '../messages/store.ts'
import { removeNote } from '../notes.ts'
import { deleteRatingRequest } from '../rating.ts'
import type { UndoRecord } from '../tables.ts'
import { isUndoable, undoWindowMs } from '../undo-window.ts'
import { goalSnapshotSql, restoreGoals } from './base/goals.ts'
import { lockTicket, presentTicket } from './base/ticket-view.ts'
import { findLastTicketEvent, makeStep, recordTicketEvent, restoreSegments, storeUndoRecord } from './base/tracking.ts'
import { canSeeTicket, loadViewer } from './base/visibility.ts'
import { publishTicketWebhook } from './base/webhook-events.ts'
import { changeTicket } from './lifecycle.ts'

/** The actions that can be undone, by the kind of their event. */
const undoableKinds = new Set(['accept', 'resolve', 'return', 'transfer', 'snooze'])
/** A call to undo may take this long to arrive after the window; held messages have been sent by then. */
const undoGraceMs = seconds(4)

/** The columns that any undoable action changes. */
const restoredColumns = [
  ...['status', 'userId', 'queueId', 'whatsappId', 'laneSince', 'laneSayAt', 'chatbot', 'useIntegration', 'promptId'],
  ...['snoozedAt', 'snoozedUntil', 'snoozeWakesOnMessage', 'snoozeNote', 'snoozedById', 'returnedAt'],
  ...['integrationId', 'queueOptionId', 'botWrong', 'botMenus', 'botMenuAt', 'botLeft', 'awayTold', 'botSession'],
  ...['routableSince', 'closingReasonId', 'chosenOptionId'],
] as const
/** Columns that only closing changes. While the ticket is open, a customer's message may have changed them since. */
const columnsRestoredAfterClosing = ['unreadMessages', 'waitingSince'] as const

type Snapshot = Pick<UndoRecord, 'ticket' | 'segment' | 'goals'> & { lastMessageId: number; lastNoteId: number }

/** Runs an action on a locked ticket so that the person can undo it for a few seconds. */
export async function runUndoable(
  scope: Scope,
  ticket: TicketDetail,
  action: () => Promise<TicketDetail>,
): Promise<TicketDetail> {
  if (!isUndoable(scope)) return action()
  const before = await takeSnapshot(scope, ticket.id)
  const lastEvent = await findLastTicketEvent(scope, ticket.id)
  const after = await action()
  const event = await findLastTicketEvent(scope, ticket.id)
  if (!event || event.id === lastEvent?.id || !undoableKinds.has(event.kind)) return after
  const { lastMessageId, lastNoteId, ...snapshot } = before
  const added = await findAdded(scope, ticket.id, lastMessageId, lastNoteId)
  await storeUndoRecord(scope, event.id, { ...snapshot, ...added })
  return after
}

async function takeSnapshot(scope: Scope, ticketId: number): Promise<Snapshot> {
  const columns = [...restoredColumns, ...columnsRestoredAfterClosing]
  const { rows } = await sql<Snapshot>`
    select (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t)) where key = any(${columns}::text[])) as ticket,
      jsonb_build_object('lastId', coalesce((select max(k.id) from "ticketTracking" k where k."companyId" = t."companyId" and k."ticketId" = t.id), 0),
        'running', (select to_jsonb(k) from "ticketTracking" k where k."companyId" = t."companyId" and k."ticketId" = t.id and k."finishedAt" is null)) as segment,
      ${goalSnapshotSql} as goals,
      coalesce((select max(m.id) from messages m where m."companyId" = t."companyId" and m."ticketId" = t.id), 0)::int8 as "lastMessageId",
      coalesce((select max(n.id) from "ticketNotes" n where n."companyId" = t."companyId" and n."ticketId" = t.id), 0) as "lastNoteId"
    from tickets t where t."companyId" = ${scope.companyId} and t.id = ${ticketId}`.execute(scope.db)
  return rows[0] as Snapshot
}

/** The messages and notes that the action added. */
async function findAdded(
  scope: Scope,
  ticketId: number,
  lastMessageId: number,
  lastNoteId: number,
): Promise<Pick<UndoRecord, 'messageIds' | 'noteIds'>> {
  const { rows } = await sql<Pick<UndoRecord, 'messageIds' | 'noteIds'>>`
    select coalesce((select jsonb_agg(id) from messages where "companyId" = ${scope.companyId} and "ticketId" = ${ticketId}
        and id > ${lastMessageId} and "notBefore" is not null), '[]') as "messageIds",
      coalesce((select jsonb_agg(id) from "ticketNotes" where "companyId" = ${scope.companyId} and "ticketId" = ${ticketId}
        and id > ${lastNoteId}), '[]') as "noteIds"`.execute(scope.db)
  return rows[0] as Pick<UndoRecord, 'messageIds' | 'noteIds'>
}

/**
 * Undoes the caller's last action on the ticket, with everything that followed from it: messages that the customer has
 * not got yet, the rating request, the note, the times for reports. After a transfer the caller may not see the ticket
 * any more, but may still undo. `batch`: the event of a batch, which has a longer time to undo. `isVerified`: the caller
 * has checked that all later events are its own, and undoes them too.
 */
export async function undoLastAction(
  scope: Scope,
  ticketId: number,
  batch?: { eventId: number; isVerified?: boolean },
): Promise<TicketDetail> {
  await lockTicket(scope, ticketId)
  const ticket = await presentTicket(scope, ticketId)
  const event = await findLastTicketEvent(scope, ticketId, batch?.isVerified ? batch.eventId : undefined)
  const isOwn = event?.userId === scope.actor.id && isUndoable(scope)
  const isInTime = event && (batch ? event.id === batch.eventId : isRecent(scope, event.at))
  if (!event || !isOwn || !event.undo || !isInTime) {
    const viewer = await loadViewer(scope)
    throw new AppError(viewer && canSeeTicket(viewer, ticket) ? 'ERR_UNDO_TOO_LATE' : 'ERR_NO_TICKET_FOUND')
  }
  const record: UndoRecord = event.undo
  if (!(await withdrawHeldMessages(scope, ticketId, record.messageIds))) throw new AppError('ERR_UNDO_TOO_LATE')
  await storeUndoRecord(scope, event.id, null)
  for (const id of record.noteIds) await removeNote(scope, ticket, id)
  if (event.kind === 'resolve') {
    await deleteRatingRequest(scope, ticketId)
    await deleteMenuAbandoned(scope, ticketId, new Date(event.at))
  }
  await restoreSegments(scope, ticketId, record.segment)
  await changeTicket(scope, ticket, restoredValues(event.kind, record))
  await restoreGoals(scope, ticketId, record.goals)
  await recordTicketEvent(scope, ticketId, 'undo', makeStep('undone', event.kind))
  if (event.kind !== 'snooze')
    await publishTicketWebhook(scope, event.kind === 'resolve' ? 'ticket.opened' : 'ticket.transferred', ticketId)
  if (record.messageIds.length) await refreshLastMessage(scope, ticketId)
  return presentTicket(scope, ticketId)
}

const isRecent = (scope: Scope, at: string): boolean =>
  scope.now().getTime() - new Date(at).getTime() <= undoWindowMs + undoGraceMs

function restoredValues(kind: string, { ticket, messageIds }: UndoRecord): Updateable<DB['tickets']> {
  const columns = kind === 'resolve' ? [...restoredColumns, ...columnsRestoredAfterClosing] : restoredColumns
  const values = Object.fromEntries(columns.map((column) => [column, ticket[column]]))
  const botSession = ticket.botSession === null ? null : JSON.stringify(ticket.botSession)
  // Clears the marker of the withdrawn message, so that the same text is sent again when the action is repeated.
  return { ...values, botSession, ...(messageIds.length && { saidMark: null }) }
}
