import { type TicketPriority, ticketPriorities } from '@recado/contract/ticket-statuses'
import type { TicketDetail, TicketWrite } from '@recado/contract/tickets'
import type { z } from 'zod'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { updateGoalsForPriority } from './base/goals.ts'
import { publishTicketChanged } from './base/publish-ticket.ts'
import { presentTicket } from './base/ticket-view.ts'
import { makeStep, recordTicketEvent } from './base/tracking.ts'
import { updateTicketQuietly } from './lifecycle.ts'

type PriorityWrite = Pick<z.output<typeof TicketWrite>, 'priority' | 'status'>

/** Sets the priority of a locked ticket. The ticket keeps its position in lists by last change. */
export async function setPriority(scope: Scope, ticket: TicketDetail, w: PriorityWrite): Promise<TicketDetail> {
  if (w.priority === undefined || w.priority === ticket.priority) return ticket
  if (ticket.status === 'closed' && w.status !== 'open') throw new AppError('ERR_TICKET_NOT_OPEN')
  await updateTicketQuietly(scope, ticket.id, { priority: ticketPriorities.indexOf(w.priority) })
  await updateGoalsForPriority(scope, ticket.id)
  await recordTicketEvent(scope, ticket.id, 'priority', describePriorityChange(scope, ticket.priority, w.priority))
  const after = await presentTicket(scope, ticket.id)
  publishTicketChanged(scope, ticket, after)
  return after
}

const describePriorityChange = (scope: Scope, from: TicketPriority, to: TicketPriority) =>
  makeStep('prioritized', scope.person ? 'by-person' : 'by-machine', { from, to })
