import type { TicketDetail } from '@recado/contract/tickets'
import type { ClosingInput } from '@recado/contract/tickets/closing'
import type { TicketChange } from '@recado/contract/tickets/ticket-batches'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { TicketChangeUndo } from '../tables.ts'
import { findLastTicketEvent } from './base/tracking.ts'
import { assertClosingExists, translateClosing } from './closing/check-closing.ts'
import { assertUserActive } from './lifecycle.ts'
import { setPriority } from './priority.ts'
import { snoozeLockedTicket } from './snooze.ts'
import { changeTags, lockVisibleTicket } from './tags.ts'
import { runUndoable, undoLastAction } from './undo.ts'
import { applyTicketUpdate, lockTicketForUpdate } from './update.ts'

/** Refuses a change that could succeed for no ticket. */
export async function assertTicketChange(scope: Scope, action: TicketChange): Promise<void> {
  if (action.kind === 'assign') await assertUserActive(scope, action.userId)
  if (action.kind === 'queue') await assertQueueExists(scope, action.queueId)
  if (action.kind === 'tags') await assertPlainTags(scope, [...action.add, ...action.remove])
  if (action.kind === 'resolve') await assertClosingExists(scope, action)
  if (action.kind !== 'snooze') return
  const { until, wakesOnMessage } = action
  if (until === null && !wakesOnMessage) throw new AppError('ERR_VALIDATION', { until: 'Required' })
  if (until !== null && Date.parse(until) <= scope.now().getTime())
    throw new AppError('ERR_VALIDATION', { until: 'In the past' })
}

async function assertQueueExists(scope: Scope, id: number): Promise<void> {
  const found = await scope.db
    .selectFrom('queues')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw new AppError('ERR_QUEUE_NOT_FOUND')
}

async function assertPlainTags(scope: Scope, ids: number[]): Promise<void> {
  if (!ids.length) throw new AppError('ERR_VALIDATION', { add: 'Required' })
  const found = await scope.db
    .selectFrom('tags')
    .select('kanban')
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .execute()
  if (found.length < new Set(ids).size) throw new AppError('ERR_NO_TAG_FOUND')
  if (found.some(({ kanban }) => kanban === 1)) throw new AppError('ERR_VALIDATION', { add: 'Invalid' })
}

/** How a change finds and locks its ticket. By default the person must see it. */
type LockForChange = (scope: Scope, ticketId: number) => Promise<TicketDetail>

/** Does with one ticket what the person could do with it alone, without a message to the customer. */
export async function performTicketChange(
  scope: Scope,
  action: TicketChange,
  ticketId: number,
  lock: LockForChange = lockVisibleTicket,
): Promise<TicketChangeUndo | null> {
  switch (action.kind) {
    case 'assign':
      return assignTicket(scope, ticketId, action.userId)
    case 'queue':
      return moveToOtherQueue(scope, await lock(scope, ticketId), action.queueId)
    case 'resolve': {
      const ticket = await lock(scope, ticketId)
      return recordUndoable(scope, ticket, () => closeQuietly(scope, ticket, action))
    }
    case 'snooze': {
      const ticket = await lock(scope, ticketId)
      return recordUndoable(scope, ticket, () => snoozeLockedTicket(scope, ticket, action))
    }
    case 'priority': {
      const ticket = await lock(scope, ticketId)
      await setPriority(scope, ticket, action)
      return ticket.priority === action.priority ? null : { priority: { from: ticket.priority, to: action.priority } }
    }
    case 'tags':
      return changeSomeTags(scope, await lock(scope, ticketId), action)
  }
}

async function assignTicket(scope: Scope, ticketId: number, userId: number): Promise<TicketChangeUndo | null> {
  // A ticket that a colleague has just accepted is refused with the name of that colleague.
  const ticket = await lockTicketForUpdate(scope, ticketId, { status: 'open', justClose: false })
  assertNotClosed(ticket)
  return transition(scope, ticket, ticket.status === 'pending' ? { status: 'open', userId } : { userId })
}

async function moveToOtherQueue(scope: Scope, ticket: TicketDetail, queueId: number): Promise<TicketChangeUndo | null> {
  assertNotClosed(ticket)
  if (ticket.queueId === queueId) return null
  return transition(scope, ticket, { status: 'pending', queueId, userId: null })
}

function assertNotClosed({ status }: TicketDetail): void {
  if (status === 'closed') throw new AppError('ERR_TICKET_NOT_OPEN')
}

/** Closes the ticket with the reason and the fields of the same name in its own queue. */
export async function closeQuietly(scope: Scope, ticket: TicketDetail, given: ClosingInput): Promise<TicketDetail> {
  const closing = await translateClosing(scope, ticket.queueId, given)
  return changeQuietly(scope, ticket, { status: 'closed', ...closing })
}

type Transition = { status?: TicketDetail['status']; userId?: number | null; queueId?: number } & ClosingInput
const changeQuietly = (scope: Scope, ticket: TicketDetail, change: Transition): Promise<TicketDetail> =>
  applyTicketUpdate(scope, ticket, { justClose: true, ...change }, { isQuiet: true })
const transition = (scope: Scope, ticket: TicketDetail, change: Transition): Promise<TicketChangeUndo | null> =>
  recordUndoable(scope, ticket, () => changeQuietly(scope, ticket, change))

export async function recordUndoable(
  scope: Scope,
  ticket: TicketDetail,
  act: () => Promise<TicketDetail>,
): Promise<TicketChangeUndo | null> {
  const before = await findLastTicketEvent(scope, ticket.id)
  await runUndoable(scope, ticket, act)
  const event = await findLastTicketEvent(scope, ticket.id)
  return event?.undo && event.id !== before?.id ? { eventId: event.id } : null
}

async function changeSomeTags(
  scope: Scope,
  ticket: TicketDetail,
  { add, remove }: { add: number[]; remove: number[] },
): Promise<TicketChangeUndo | null> {
  const before = ticket.tags.map(({ id }) => id)
  const after = [...before.filter((id) => !remove.includes(id)), ...add.filter((id) => !before.includes(id))]
  const added = after.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !after.includes(id))
  if (!added.length && !removed.length) return null
  await changeTags(scope, ticket, { remove: 'all', add: after }, { why: 'by-person' })
  return { tags: { added, removed } }
}

/** Undoes the change of one ticket. Refused if somebody has changed the same since. */
export async function undoTicketChange(
  scope: Scope,
  ticketId: number,
  undo: TicketChangeUndo,
  lock: LockForChange = lockVisibleTicket,
): Promise<void> {
  if ('eventId' in undo) await undoLastAction(scope, ticketId, undo)
  else if ('priority' in undo) {
    const ticket = await lock(scope, ticketId)
    if (ticket.priority !== undo.priority.to) throw new AppError('ERR_UNDO_TOO_LATE')
    await setPriority(scope, ticket, { priority: undo.priority.from })
  } else await changeSomeTags(scope, await lock(scope, ticketId), { add: undo.tags.removed, remove: undo.tags.added })
}
