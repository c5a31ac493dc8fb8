import { sql } from 'kysely'
import { sendAcceptedGreeting } from '../../desk/greetings.ts'
import { notifyRouted } from '../../desk/tickets/base/notices.ts'
import { lockTicket, presentTicket } from '../../desk/tickets/base/ticket-view.ts'
import { acceptTicket } from '../../desk/tickets/lifecycle.ts'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { chooseAgent, type RoutableAgent } from './choose-agent.ts'

/**
 * Assigns the ticket that has waited longest in the queue to the agent whose turn it is. Returns false if nothing waits
 * or nobody is free: the queue is looked at again when that changes.
 *
 * The lock of the company lasts until the commit, so no two processes count the same free place. Only one ticket is
 * assigned per transaction: a transaction that holds several tickets could deadlock with incoming messages.
 */
export async function routeNextTicket(scope: Scope, queueId: number): Promise<boolean> {
  await lockInCompany(scope, 'routing')
  // A request that commits from here on stays for the next look.
  await scope.db
    .deleteFrom('routingRequests')
    .where('companyId', '=', scope.companyId)
    .where('queueId', '=', queueId)
    .execute()
  const queue = await scope.db
    .selectFrom('queues')
    .select(['routing', 'capacity', 'lastAgentFirst'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', queueId)
    .executeTakeFirst()
  if (!queue || queue.routing === 'manual') return false
  const ticketId = await lockOldestRoutable(scope, queueId)
  if (ticketId === null) return false
  const ticket = await presentTicket(scope, ticketId)
  const agents = await listAgents(scope, queueId)
  const choice = chooseAgent(agents, queue, await findLastAgent(scope, ticket))
  if (!choice) return false
  const { userId, why, details } = choice
  const assigned = await acceptTicket(scope, ticket, userId, { why, details })
  await scope.db
    .insertInto('routingTurns')
    .values({ companyId: scope.companyId, queueId, userId, at: scope.now() })
    .onConflict((conflict) => conflict.columns(['companyId', 'queueId', 'userId']).doUpdateSet({ at: scope.now() }))
    .execute()
  await notifyRouted(scope, assigned)
  await sendAcceptedGreeting(scope, assigned)
  return true
}

/** The longest waiting ticket of the highest priority in the queue that no bot attends, locked. Null: nothing waits. */
async function lockOldestRoutable(scope: Scope, queueId: number): Promise<number | null> {
  // A ticket may be accepted or moved while its lock is awaited; then the next one is looked for.
  for (;;) {
    const id = await findOldestRoutable(scope, queueId)
    if (id === null) return null
    await lockTicket(scope, id)
    if ((await findOldestRoutable(scope, queueId)) === id) return id
  }
}
async function findOldestRoutable(scope: Scope, queueId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets
    where "companyId" = ${scope.companyId} and "queueId" = ${queueId} and "routableSince" is not null
    order by priority, "routableSince", id limit 1`.execute(scope.db)
  return rows[0]?.id ?? null
}

async function listAgents(scope: Scope, queueId: number): Promise<RoutableAgent[]> {
  const { rows } = await sql<RoutableAgent>`
    select u.id, u.name, u.online, u.availability, u.capacity, r.at as "routedAt",
      (select count(*)::int from tickets t
        where t."companyId" = u."companyId" and t."userId" = u.id and t.status = 'open') as open
    from "userQueues" m
    join users u on u."companyId" = m."companyId" and u.id = m."userId" and u.active
    left join "routingTurns" r on r."companyId" = m."companyId" and r."queueId" = m."queueId" and r."userId" = m."userId"
    where m."companyId" = ${scope.companyId} and m."queueId" = ${queueId}
    order by u.id`.execute(scope.db)
  return rows
}

/** The agent of the contact's last ticket before this one. */
async function findLastAgent(
  scope: Scope,
  { id, contactId }: { id: number; contactId: number },
): Promise<number | null> {
  const row = await scope.db
    .selectFrom('tickets')
    .select('userId')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('id', '<', id)
    .where('userId', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.userId ?? null
}
