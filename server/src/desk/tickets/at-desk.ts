import type { AtDesk } from '../../directory/contacts/at-desk.ts'
import type { Scope } from '../../kernel/scope.ts'
import { resolve } from './lifecycle.ts'
import { tellChanged, tellGone } from './tell.ts'
import { presentTicket, presentTickets } from './view.ts'

/** What happens to tickets when contacts are joined, taken apart or deleted. */
export const atDesk: AtDesk = {
  async close(scope, ticketId, keptId) {
    const double = await presentTicket(scope, ticketId)
    await resolve(scope, double, 'same-person')
    await takeOver(scope, keptId, double)
  },
  async moved(scope, ticketIds) {
    for (const ticket of await presentTickets(scope, ticketIds)) tellChanged(scope, ticket, ticket)
  },
  async leaving(scope, ticketIds) {
    for (const ticket of await presentTickets(scope, ticketIds)) tellGone(scope, ticket, ticket.id)
  },
}

type Double = { unreadMessages: number; lastMessage: string; updatedAt: string }

/** What nobody has read there waits here now. */
async function takeOver(scope: Scope, keptId: number, double: Double): Promise<void> {
  const before = await presentTicket(scope, keptId)
  const newer = double.updatedAt > before.updatedAt
  await scope.db
    .updateTable('tickets')
    .set({
      unreadMessages: before.unreadMessages + double.unreadMessages,
      ...(newer && { lastMessage: double.lastMessage, updatedAt: double.updatedAt }),
    })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', keptId)
    .execute()
  tellChanged(scope, before, await presentTicket(scope, keptId))
}
