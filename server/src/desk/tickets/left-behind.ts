import { type Means, Scope } from '../../kernel/scope.ts'
import { giveBack } from './lifecycle.ts'
import { tellChanged } from './tell.ts'
import { holdTicket, presentTicket, presentTickets } from './view.ts'

/** Somebody is gone: what they attended waits for whoever is free. Only so can an open ticket have nobody. */
export async function freeTickets(means: Means, companyId: number): Promise<void> {
  const scope = new Scope(means, { companyId })
  const left = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', companyId)
    .where('status', '=', 'open')
    .where('userId', 'is', null)
    .execute()
  for (const { id } of left) await scope.transaction((tx) => freeTicket(tx, id))
}

async function freeTicket(scope: Scope, id: number): Promise<void> {
  await holdTicket(scope, id)
  const ticket = await presentTicket(scope, id)
  if (ticket.status === 'open' && ticket.userId === null) await giveBack(scope, ticket)
}

/** A queue is gone: who worked in it sees its tickets no more, and others see them without it. */
export async function leaveQueue(means: Means, gone: { companyId: number; queueId: number; ticketIds: number[] }) {
  const scope = new Scope(means, { companyId: gone.companyId })
  for (const ticket of await presentTickets(scope, gone.ticketIds))
    if (ticket.queueId === null) tellChanged(scope, { ...ticket, queueId: gone.queueId }, ticket)
}
