import { sql } from 'kysely'
import { returnTicket } from '../../desk/tickets/lifecycle.ts'
import { lockTicketIf } from './lock-ticket.ts'
import { makeTimer } from './timer.ts'

/** SQL: since when the user `u` has been away or offline. */
const absentSinceSql = `case
  when u.online then u."availabilitySince"
  when u.availability = 'away' then least(u."availabilitySince", u."lastSeenAt")
  else u."lastSeenAt" end`
const isAbsentSql = `(not u.online or u.availability = 'away')`
const returnsAtSql = `${absentSinceSql} + make_interval(mins => q."returnAfterMinutes")`
/** SQL: the customer of the ticket `t` waits for an answer of its agent. Snoozed tickets wait for nobody. */
const waitsForAgentSql = `t.status = 'open' and t."waitingSince" is not null and not t."isGroup" and t."snoozedAt" is null`

/** Runs when the agent of a ticket has been away or offline for as long as its queue allows: the ticket is assigned anew. */
export const absentAgentTimer = makeTimer({
  dueSql: `
    select t."companyId", t.id, ${returnsAtSql} as at from queues q
    join "userQueues" m on m."companyId" = q."companyId" and m."queueId" = q.id
    join users u on u."companyId" = m."companyId" and u.id = m."userId" and ${isAbsentSql}
    join tickets t on t."companyId" = u."companyId" and t."userId" = u.id and t."queueId" = q.id and ${waitsForAgentSql}
    where q."returnAfterMinutes" is not null and q.routing <> 'manual' and ${returnsAtSql} <= $1
      and t.id <> all($3::int[])
    order by 3 limit $2`,
  lockDue: (scope, id) =>
    lockTicketIf(
      scope,
      id,
      sql`${sql.raw(waitsForAgentSql)} and exists (
        select from queues q join users u on u."companyId" = q."companyId" and u.id = t."userId"
        where q."companyId" = t."companyId" and q.id = t."queueId" and q.routing <> 'manual'
          and ${sql.raw(isAbsentSql)} and ${sql.raw(returnsAtSql)} <= ${scope.now()})`,
    ),
  async perform(scope, ticket) {
    await returnTicket(scope, ticket, 'agent-is-away')
  },
})
