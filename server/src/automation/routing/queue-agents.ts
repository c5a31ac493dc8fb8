import { sql } from 'kysely'
import { ticketTalliesSql } from '../../desk/tickets/ticket-tallies.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { RoutableAgent } from './choose-agent.ts'

/** `offers`: how many open offers the agent has. */
export type QueueAgent = RoutableAgent & { offers: number }

/** SQL: what open tickets take of their agents' capacities, from counts that the database maintains. */
const openPlacesSql = (scope: Scope) => sql`
  select t."userId", sum(t.n * greatest(t."tagWeight", coalesce(q.weight, 1))) as places from ${ticketTalliesSql(scope)}
  left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"
  where t.status = 'open' group by t."userId"`

/** SQL: what open offers take of them; an offer occupies the places of its ticket. */
export const offeredPlacesSql = ({ companyId }: Scope) => sql`
  select o."userId", count(*) as n, sum(greatest(t."tagWeight", q.weight)) as places from "ticketOffers" o
  join tickets t on t."companyId" = o."companyId" and t.id = o."ticketId"
  join queues q on q."companyId" = o."companyId" and q.id = o."queueId"
  where o."companyId" = ${companyId} and o."userId" is not null group by o."userId"`

/** The active agents of a queue, or these users as if they were its agents. */
export async function listAgents(scope: Scope, queueId: number | null, userIds?: number[]): Promise<QueueAgent[]> {
  const members = userIds
    ? sql`select unnest(${userIds}::int[]) as id`
    : sql`select "userId" as id from "userQueues" where "companyId" = ${scope.companyId} and "queueId" = ${queueId}`
  const { rows } = await sql<QueueAgent>`
    select u.id, u.name, u.online and u."disconnectedAt" is null as online, u.availability, u."onShift", u.capacity,
      u."skillIds", r.at as "routedAt", coalesce(o.n, 0)::int as offers,
      (coalesce(h.places, 0) + coalesce(o.places, 0))::int as places
    from (${members}) m
    join users u on u."companyId" = ${scope.companyId} and u.id = m.id and u.active
    left join "routingTurns" r on r."companyId" = u."companyId" and r."queueId" = ${queueId}::int and r."userId" = u.id
    left join (${openPlacesSql(scope)}) h on h."userId" = u.id
    left join (${offeredPlacesSql(scope)}) o on o."userId" = u.id
    order by u.id`.execute(scope.db)
  return rows
}
