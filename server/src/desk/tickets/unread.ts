import type { TicketDetail } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { ensureUnread } from './base/message-activity.ts'
import { publishTicketChanged } from './base/publish-ticket.ts'
import { findVisibleTicket, lockTicket, presentTicket } from './base/ticket-view.ts'

/**
 * Marks a ticket as unread, only for the assigned agent, because only that agent marks it as read by opening it (see
 * `markTicketRead`).
 */
export async function markTicketUnread(scope: Scope, id: number): Promise<TicketDetail> {
  await lockTicket(scope, id)
  const ticket = await findVisibleTicket(scope, id)
  if (ticket.status !== 'open') throw new AppError('ERR_TICKET_NOT_OPEN')
  if (ticket.userId !== scope.actor.id) throw new AppError('ERR_NO_PERMISSION')
  await ensureUnread(scope, id)
  const after = await presentTicket(scope, id)
  publishTicketChanged(scope, ticket, after)
  return after
}
