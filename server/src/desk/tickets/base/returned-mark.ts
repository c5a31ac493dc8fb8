import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../../../kernel/data/scope.ts'
import { publishTicketChanged } from './publish-ticket.ts'
import { presentTicket } from './ticket-view.ts'

/** Removes the mark of a ticket that came back from a snooze, because its agent has opened it. */
export async function clearReturnedMark(scope: Scope, ticket: Ticket): Promise<void> {
  await scope.db
    .updateTable('tickets')
    .set({ returnedAt: null, snoozeNote: '' })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', ticket.id)
    .where('returnedAt', 'is not', null)
    .execute()
  publishTicketChanged(scope, ticket, await presentTicket(scope, ticket.id))
}
