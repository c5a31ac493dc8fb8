import { topics } from '@recado/contract/live'
import type { TicketDetail } from '@recado/contract/tickets'
import type { Scope } from '../../../kernel/data/scope.ts'
import { roomsOfTicket, type TicketVisibility } from './visibility.ts'

/**
 * Lists of older clients never drop a row on an update. So a change of status, agent or queue is published first as a
 * delete to users who saw the ticket, then as an update to users who see it now.
 */
export function publishTicketChanged(scope: Scope, before: TicketVisibility | null, after: TicketDetail): void {
  const moved =
    before && (before.status !== after.status || before.userId !== after.userId || before.queueId !== after.queueId)
  if (moved) scope.live(topics.ticket, { action: 'delete', ticketId: after.id }, { rooms: roomsOfTicket(before) })
  scope.live(topics.ticket, { action: 'update', ticket: after }, { rooms: roomsOfTicket(after) })
}

export const publishTicketDeleted = (scope: Scope, before: TicketVisibility, ticketId: number): void =>
  scope.live(topics.ticket, { action: 'delete', ticketId }, { rooms: roomsOfTicket(before) })

export const publishTicketRead = (scope: Scope, ticket: TicketVisibility, ticketId: number): void =>
  scope.live(topics.ticket, { action: 'updateUnread', ticketId }, { rooms: roomsOfTicket(ticket) })
