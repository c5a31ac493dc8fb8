import { maxOffersPerUser } from '@recado/contract/routing/offers'
import type { TicketDetail } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { sendAcceptedGreeting } from '../../desk/greetings.ts'
import { notifyRouted } from '../../desk/tickets/base/notices.ts'
import { lockTicket, presentTicket } from '../../desk/tickets/base/ticket-view.ts'
import { acceptTicket } from '../../desk/tickets/lifecycle.ts'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import {
  chooseAgent,
  chooseTicket,
  findServedNeeds,
  type RoutableAgent,
  type RoutingChoice,
  type TicketNeeds,
} from './choose-agent.ts'
import { offerTicket } from './offers.ts'
import { listAgents } from './queue-agents.ts'
import {
  combineNeeds,
  findGivesUpAt,
  listPassedTickets,
  listSkills,
  listWaitingHeads,
  type RoutedQueue,
  type WaitingHead,
} from './ticket-needs.ts'

/**
 * Assigns the ticket that has waited longest in the queue, of those that somebody can serve, to the agent whose turn it
 * is, or offers it to them. Returns false if there is no such ticket: the queue is looked at again when that changes.
 * `onlyId`: only this ticket, which is locked, if it is the next one.
 *
 * The lock of the company lasts until the commit, so no two processes count the same free place. Only one ticket is
 * assigned per transaction: a transaction that holds several tickets could deadlock with incoming messages.
 */
export async function routeNextTicket(scope: Scope, queueId: number, onlyId?: number): Promise<boolean> {
  await lockInCompany(scope, 'routing')
  // A request that commits from here on stays for the next look.
  if (onlyId === undefined)
    await scope.db
      .deleteFrom('routingRequests')
      .where('companyId', '=', scope.companyId)
      .where('queueId', '=', queueId)
      .execute()
  const queue = await findRoutedQueue(scope, queueId)
  if (!queue) return false
  const next = onlyId === undefined ? await lockNextTicket(scope, queue) : await findNextTicket(scope, queue)
  if (!next || (onlyId !== undefined && next.ticket.id !== onlyId)) return false
  const ticket = await presentTicket(scope, next.ticket.id)
  const knownAgents = { ownerId: ticket.contact.ownerId, lastAgentId: await findLastAgent(scope, ticket) }
  const choice = chooseAgent(next.agents, queue, { ...next.ticket, ...knownAgents }, next.ticket.passedUserIds)
  if (!choice) return false
  if (queue.offerSeconds) await offerTicket(scope, ticket, { ...choice, queueId, seconds: queue.offerSeconds })
  else await assignTicket(scope, ticket, choice)
  await scope.db
    .insertInto('routingTurns')
    .values({ companyId: scope.companyId, queueId, userId: choice.userId, at: scope.now() })
    .onConflict((conflict) => conflict.columns(['companyId', 'queueId', 'userId']).doUpdateSet({ at: scope.now() }))
    .execute()
  // Others may wait: if this process dies now, another one goes on.
  await requestRouting(scope, queueId, null)
  return true
}

async function assignTicket(
  scope: Scope,
  ticket: TicketDetail,
  { userId, why, details }: RoutingChoice,
): Promise<void> {
  const assigned = await acceptTicket(scope, ticket, userId, { why, details })
  await notifyRouted(scope, assigned)
  await sendAcceptedGreeting(scope, assigned)
}

/** Requests a look at the queue, at once or not before a time. */
const requestRouting = (scope: Scope, queueId: number, notBefore: Date | null) =>
  scope.db.insertInto('routingRequests').values({ companyId: scope.companyId, queueId, notBefore }).execute()

async function findRoutedQueue(scope: Scope, id: number): Promise<RoutedQueue | null> {
  const queue = await scope.db
    .selectFrom('queues')
    .select(['id', 'routing', 'capacity', 'lastAgentFirst', 'ownerFirst', 'offerSeconds'])
    .select(['weight', 'skillIds', 'asksLanguage', 'skillTimeoutMinutes'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  return queue && queue.routing !== 'manual' ? queue : null
}

/** `passedUserIds`: agents to whom it was offered in vain. */
type Candidate = WaitingHead & TicketNeeds & { passedUserIds: ReadonlySet<number> }
type NextTicket = { ticket: Candidate; agents: RoutableAgent[] }
/** The next ticket of the queue, locked, and the agents who may get it. Null: nothing waits that anybody can serve. */
async function lockNextTicket(scope: Scope, queue: RoutedQueue): Promise<NextTicket | null> {
  // A ticket may be accepted, moved or changed while its lock is awaited; then the next one is looked for.
  for (let lockedId: number | null = null; ; ) {
    const next = await findNextTicket(scope, queue)
    if (next === null || next.ticket.id === lockedId) return next
    lockedId = next.ticket.id
    await lockTicket(scope, lockedId)
  }
}

async function findNextTicket(scope: Scope, queue: RoutedQueue): Promise<NextTicket | null> {
  let heads = await listWaitingHeads(scope, queue, [])
  if (!heads.length) return null
  const skills = await listSkills(scope)
  const agents = (await listAgents(scope, queue.id)).filter(({ offers }) => offers < maxOffersPerUser)
  const passed = queue.offerSeconds ? await listPassedTickets(scope, queue.id) : []
  const passedBy = new Map(passed.map(({ id, passedUserIds }) => [id, new Set(passedUserIds)]))
  const toCandidate = (head: WaitingHead): Candidate => ({
    ...head,
    ...combineNeeds(queue, head, skills, scope.now()),
    passedUserIds: passedBy.get(head.id) ?? new Set(),
  })
  // A ticket that all free agents have passed keeps its place and lets the next one be offered, until it starts over.
  const skipped = passed.map(toCandidate).filter((one) => !findServedNeeds(agents, queue, one, one.passedUserIds))
  if (skipped.length)
    heads = await listWaitingHeads(
      scope,
      queue,
      skipped.map(({ id }) => id),
    )
  const tickets = heads.map(toCandidate)
  const next = chooseTicket(tickets, agents, queue)
  if (!next) await requestLookWhenSkillsAreGivenUp(scope, queue, tickets)
  return next
}

async function requestLookWhenSkillsAreGivenUp(
  scope: Scope,
  queue: RoutedQueue,
  tickets: (WaitingHead & TicketNeeds)[],
): Promise<void> {
  const times = tickets
    .filter(({ skills, takesAnybody }) => skills.length > 0 && !takesAnybody)
    .flatMap((ticket) => findGivesUpAt(queue, ticket) ?? [])
  if (times.length) await requestRouting(scope, queue.id, new Date(Math.min(...times)))
}

/** The agent who had the ticket before it was closed and opened again, else the agent of the contact's last ticket before. */
async function findLastAgent(
  scope: Scope,
  { id, contactId }: { id: number; contactId: number },
): Promise<number | null> {
  const { rows } = await sql<{ userId: number; endedBy: string | null }>`
    select "userId", "endedBy" from "ticketTracking"
    where "companyId" = ${scope.companyId} and "ticketId" = ${id} and "userId" is not null
    order by id desc limit 1`.execute(scope.db)
  // An agent who returned the ticket does not get it again because of that.
  if (rows[0]?.endedBy === 'resolved') return rows[0].userId
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
