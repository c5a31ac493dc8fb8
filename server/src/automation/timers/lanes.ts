import { sql } from 'kysely'
import { lockTicket, presentTicket } from '../../desk/tickets/base/ticket-view.ts'
import { sendLaneMessage } from '../../desk/tickets/lane-message.ts'
import { changeTags } from '../../desk/tickets/tags.ts'
import { makeTimer } from './timer.ts'

/** A company whose plan no longer includes the board keeps its lanes, but the lanes send nothing. */
const hasBoardSql = (company: string) => `exists (
      select from companies c join plans p on p.id = c."planId" where c.id = ${company} and p."useKanban")`

/** Runs when a card has stayed in its lane long enough, and sends the lane's message. */
export const laneMessageTimer = makeTimer({
  dueSql: `
    select t."companyId", t.id, t."laneSayAt" as at from tickets t
    where t."laneSayAt" <= $1 and t.id <> all($3::int[]) and ${hasBoardSql('t."companyId"')}
    order by t."laneSayAt" limit $2`,
  async lockDue(scope, id) {
    await lockTicket(scope, id)
    const { rows } = await sql`
      select from tickets t where t."companyId" = ${scope.companyId} and t.id = ${id}
        and t."laneSayAt" <= ${scope.now()}`.execute(scope.db)
    return rows.length ? presentTicket(scope, id) : null
  },
  perform: sendLaneMessage,
})

/** Runs when a card has stayed in its lane too long, and moves it to the next lane. */
export const laneMoveTimer = makeTimer({
  dueSql: `
    select t."companyId", t.id, t."laneSince" + make_interval(hours => g."carryHours") as at
    from tags g join tags n on n."companyId" = g."companyId" and n.id = g."carryTo" and n.kanban = 1
    join tickets t on t."companyId" = g."companyId" and t."laneId" = g.id
      and t."laneSince" <= $1::timestamptz - make_interval(hours => g."carryHours")
    where g."carryOn" and g.kanban = 1 and t.id <> all($3::int[]) and ${hasBoardSql('g."companyId"')}
    limit $2`,
  async lockDue(scope, id) {
    await lockTicket(scope, id)
    const { rows } = await sql<{ to: number; hours: number }>`
      select n.id as to, g."carryHours" as hours from tickets t
      join tags g on g."companyId" = t."companyId" and g.id = t."laneId" and g."carryOn"
      join tags n on n."companyId" = g."companyId" and n.id = g."carryTo" and n.kanban = 1
      where t."companyId" = ${scope.companyId} and t.id = ${id}
        and t."laneSince" + make_interval(hours => g."carryHours") <= ${scope.now()}`.execute(scope.db)
    return rows[0] ? { ...rows[0], ticket: await presentTicket(scope, id) } : null
  },
  async perform(scope, { ticket, to, hours }) {
    await changeTags(scope, ticket, { remove: 'kanban', add: [to] }, { why: 'nobody-moved-it', hours })
  },
})
