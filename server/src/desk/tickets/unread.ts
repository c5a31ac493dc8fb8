import type { TicketDetail } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { oneUnread } from './said.ts'
import { tellChanged } from './tell.ts'
import { holdTicket, presentTicket, ticketById } from './view.ts'

/** Only who attends it: they alone read it by opening it, so they alone can undo this (see `markRead`). */
export async function markUnread(scope: Scope, id: number): Promise<TicketDetail> {
  await holdTicket(scope, id)
  const ticket = await ticketById(scope, id)
  if (ticket.status !== 'open') throw new AppError('ERR_TICKET_NOT_OPEN')
  if (ticket.userId !== scope.actor.id) throw new AppError('ERR_NO_PERMISSION')
  await oneUnread(scope, id)
  const after = await presentTicket(scope, id)
  tellChanged(scope, ticket, after)
  return after
}
