import { maxTicketsTakenAlong } from '@recado/contract/queues'
import { sql } from 'kysely'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Events } from '../../kernel/events.ts'
import { lockTicket, presentTicket } from './base/ticket-view.ts'
import { moveToQueue } from './lifecycle.ts'

const maxCounted = 1000

/** Tickets that wait for an agent without a queue. Customers who are in a menu are about to choose a queue. */
const selectWaiting = (scope: Scope) =>
  scope.db
    .selectFrom('tickets')
    .where('companyId', '=', scope.companyId)
    .where('status', '=', 'pending')
    .where('queueId', 'is', null)
    .where('chatbot', '=', false)
    .where('whatsappId', 'is not', null)

export async function countWaitingWithoutQueue(scope: Scope): Promise<{ whatsappId: number; count: number }[]> {
  return scope.db
    .selectFrom(selectWaiting(scope).select('whatsappId').limit(maxCounted).as('waiting'))
    .select([sql<number>`"whatsappId"`.as('whatsappId'), sql<number>`count(*)::int`.as('count')])
    .groupBy('whatsappId')
    .orderBy('whatsappId')
    .execute()
}

/** Moves waiting tickets of these lines into the queue, those who have waited longest first. */
export async function moveWaitingIntoQueue(
  deps: Deps,
  { companyId, queueId, whatsappIds }: Events['queue.takes-waiting'],
): Promise<void> {
  const scope = new Scope(deps, { companyId })
  const waiting = await selectWaiting(scope)
    .select('id')
    .where('whatsappId', 'in', whatsappIds)
    .orderBy('id')
    .limit(maxTicketsTakenAlong)
    .execute()
  for (const { id } of waiting) await scope.transaction((tx) => moveIfStillWaiting(tx, id, queueId))
}

async function moveIfStillWaiting(scope: Scope, id: number, queueId: number): Promise<void> {
  await lockTicket(scope, id)
  const ticket = await presentTicket(scope, id)
  if (ticket.status !== 'pending' || ticket.queueId !== null || ticket.chatbot) return
  await moveToQueue(scope, ticket, queueId, 'queue-created')
}
