import type { TicketDetail, ticketsApi } from '@recado/contract/tickets'
import { canSeeAllTickets } from '@recado/contract/visibility'
import type { z } from 'zod'
import { chooseLine } from '../../directory/connections/find-line.ts'
import { findContact } from '../../directory/contacts/contact-store.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError, translateConstraintErrors } from '../../kernel/errors.ts'
import { nextTimestampInChat } from './base/chat-timestamps.ts'
import { updateGoals } from './base/goals.ts'
import { notifyAssigned } from './base/notices.ts'
import { publishTicketChanged } from './base/publish-ticket.ts'
import { presentTicket } from './base/ticket-view.ts'
import { makeStep, recordTicketEvent, trackSegment } from './base/tracking.ts'
import { publishTicketWebhook } from './base/webhook-events.ts'
import { assertUserActive, canAssign, findActiveTicket, ticketConflicts, ticketHolder } from './lifecycle.ts'

type NewTicket = z.output<typeof ticketsApi.create.body>

/** Starts a conversation. If that contact already has one on that line, the error names its agent. */
export async function createTicket(scope: Scope, w: NewTicket): Promise<TicketDetail> {
  const line = await chooseLine(scope, w.whatsappId)
  const contact = await findContact(scope, w.contactId)
  if (!canAssign(scope, w.userId)) throw new AppError('ERR_NO_PERMISSION')
  assertOwnQueue(scope, w.queueId)
  const { companyId } = scope
  const { status, queueId } = w
  const userId = status === 'open' ? (w.userId ?? scope.actor.id) : null
  if (userId) await assertUserActive(scope, userId)
  const now = await nextTimestampInChat(scope, { contactId: contact.id, whatsappId: line.id })
  const place = { companyId, contactId: contact.id, whatsappId: line.id, isGroup: contact.isGroup }
  const made = await translateConstraintErrors(ticketConflicts, () =>
    scope.db
      .insertInto('tickets')
      // An agent began the conversation, so no bot takes part.
      .values({ ...place, queueId, userId, status, botLeft: true, createdAt: now, updatedAt: now })
      .onConflict((c) =>
        c.columns(['companyId', 'contactId', 'whatsappId']).where('status', 'in', ['open', 'pending']).doNothing(),
      )
      .returning('id')
      .executeTakeFirst(),
  )
  if (!made) throw otherTicketError(scope, await findActiveTicket(scope, contact.id, line.id))
  await updateGoals(scope, made.id, null)
  const ticket = await presentTicket(scope, made.id)
  await trackSegment(scope, ticket, { queuedAt: now, ...(userId && { startedAt: now, userId }) })
  await recordTicketEvent(scope, ticket.id, 'create', makeStep('opened', 'by-person'))
  await publishTicketWebhook(scope, 'ticket.opened', ticket.id)
  publishTicketChanged(scope, null, ticket)
  await notifyAssigned(scope, null, ticket)
  return ticket
}

/** A new ticket must be in a queue of its creator. Users who see all queues may leave the queue empty. */
function assertOwnQueue({ actor }: Scope, queueId: number | null): void {
  if (canSeeAllTickets(actor)) return
  if (queueId === null) throw new AppError('ERR_VALIDATION', { queueId: 'Required' })
  if (!actor.queueIds.includes(queueId)) throw new AppError('ERR_QUEUE_NOT_FOUND')
}

/**
 * The new-ticket dialog of older clients opens one's own ticket when `error` contains it, and reads the queue's name in it
 * even if there is no queue. For another agent's ticket that dialog shows only a text. Our client reads `holder`.
 */
function otherTicketError(scope: Scope, living: TicketDetail | null): AppError {
  const holder = living && ticketHolder(scope, living)
  const mine = holder && holder.userId === scope.actor.id
  const named = mine && { error: { ...holder, queue: holder.queue ?? { name: '' } } }
  const more = { code: 'ERR_OTHER_OPEN_TICKET', holder, ...named }
  return new AppError('ERR_OTHER_OPEN_TICKET', undefined, more)
}
