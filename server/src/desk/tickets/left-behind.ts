import type { TicketDetail } from '@recado/contract/tickets'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { Events } from '../../kernel/events.ts'
import { strand } from '../messages/stranded.ts'
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

/** So many are read at a time. */
const batch = 200

async function eachOf(scope: Scope, ids: number[], tell: (ticket: TicketDetail) => void): Promise<void> {
  for (let from = 0; from < ids.length; from += batch)
    for (const ticket of await presentTickets(scope, ids.slice(from, from + batch))) tell(ticket)
}

/** A queue is gone: who worked in it sees its tickets no more, and others see them without it. */
export async function leaveQueue(means: Means, gone: { companyId: number; queueId: number; ticketIds: number[] }) {
  const scope = new Scope(means, { companyId: gone.companyId })
  await eachOf(scope, gone.ticketIds, (ticket) => {
    if (ticket.queueId === null) tellChanged(scope, { ...ticket, queueId: gone.queueId }, ticket)
  })
}

/** A line is gone: its tickets stay with who sees them, without it, and what waited for it says that it will not go. */
export async function leaveLine(means: Means, gone: Events['line.deleted']): Promise<void> {
  const scope = new Scope(means, { companyId: gone.companyId })
  await strand(scope, gone.whatsappId)
  await eachOf(scope, gone.ticketIds, (ticket) => {
    if (ticket.whatsappId === null) tellChanged(scope, ticket, ticket)
  })
}
