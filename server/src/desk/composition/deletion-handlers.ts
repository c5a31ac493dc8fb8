import type { TicketDetail } from '@recado/contract/tickets'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Events } from '../../kernel/events.ts'
import { failMessagesOfDeletedLine } from '../messages/line-deleted.ts'
import { publishTicketChanged } from '../tickets/base/publish-ticket.ts'
import { lockTicket, presentTicket, presentTickets } from '../tickets/base/ticket-view.ts'
import { returnTicket } from '../tickets/lifecycle.ts'

/**
 * A user was deleted or deactivated: their open tickets wait in their queues again. A deleted user leaves open tickets
 * without an agent, and there are no other open tickets without one. `userId`: the deactivated user.
 */
export async function returnTicketsWithoutAgent(
  deps: Deps,
  companyId: number,
  userId: number | null = null,
): Promise<void> {
  const scope = new Scope(deps, { companyId })
  const left = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', companyId)
    .where('status', '=', 'open')
    .where('userId', userId === null ? 'is' : '=', userId)
    .execute()
  for (const { id } of left) await scope.transaction((tx) => returnTicketOf(tx, id, userId))
}

async function returnTicketOf(scope: Scope, id: number, userId: number | null): Promise<void> {
  await lockTicket(scope, id)
  const ticket = await presentTicket(scope, id)
  if (ticket.status === 'open' && ticket.userId === userId) await returnTicket(scope, ticket)
}

/** Number of tickets read at a time. */
const batchSize = 200

async function forEachTicket(scope: Scope, ids: number[], tell: (ticket: TicketDetail) => void): Promise<void> {
  for (let from = 0; from < ids.length; from += batchSize)
    for (const ticket of await presentTickets(scope, ids.slice(from, from + batchSize))) tell(ticket)
}

/** A queue was deleted: its agents no longer see its tickets, and other users see them without a queue. */
export async function handleQueueDeleted(
  deps: Deps,
  gone: { companyId: number; queueId: number; ticketIds: number[] },
) {
  const scope = new Scope(deps, { companyId: gone.companyId })
  await forEachTicket(scope, gone.ticketIds, (ticket) => {
    if (ticket.queueId === null) publishTicketChanged(scope, { ...ticket, queueId: gone.queueId }, ticket)
  })
}

/** A line was deleted: its tickets stay without a line, and its waiting messages fail with the reason. */
export async function handleLineDeleted(deps: Deps, gone: Events['line.deleted']): Promise<void> {
  const scope = new Scope(deps, { companyId: gone.companyId })
  await failMessagesOfDeletedLine(scope, gone.whatsappId)
  await forEachTicket(scope, gone.ticketIds, (ticket) => {
    if (ticket.whatsappId === null) publishTicketChanged(scope, ticket, ticket)
  })
}
