import { topics } from '@recado/contract/live'
import type { TicketDetail } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'
import { roomsOf, type Seen } from './visibility.ts'

/**
 * Lists of older clients never drop a row by an update: a change of status, owner or queue is first a delete to those
 * who saw it, then an update to those who see it now.
 */
export function tellChanged(scope: Scope, before: Seen | null, after: TicketDetail): void {
  const moved =
    before && (before.status !== after.status || before.userId !== after.userId || before.queueId !== after.queueId)
  if (moved) scope.live(topics.ticket, { action: 'delete', ticketId: after.id }, { rooms: roomsOf(before) })
  scope.live(topics.ticket, { action: 'update', ticket: after }, { rooms: roomsOf(after) })
}

export const tellGone = (scope: Scope, before: Seen, ticketId: number): void =>
  scope.live(topics.ticket, { action: 'delete', ticketId }, { rooms: roomsOf(before) })

export const tellRead = (scope: Scope, ticket: Seen, ticketId: number): void =>
  scope.live(topics.ticket, { action: 'updateUnread', ticketId }, { rooms: roomsOf(ticket) })
