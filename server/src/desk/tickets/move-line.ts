import { sql } from 'kysely'
import { isStillMoved } from '../../directory/connections/move-line.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Events } from '../../kernel/events.ts'
import { moveWaitingMessages } from '../messages/move-line.ts'
import { lockTicket, presentTicket } from './base/ticket-view.ts'
import { makeStep, recordTicketEvent } from './base/tracking.ts'
import { changeTicket, findActiveTicket } from './lifecycle.ts'

const activeSql = sql`t.status in ('open', 'pending')`
const isDoubledSql = (toId: number) => sql`exists (
  select from tickets o where o."companyId" = t."companyId" and o."contactId" = t."contactId" and o."whatsappId" = ${toId}
    and o.status in ('open', 'pending'))`

/** The active tickets of a line: those that move, those of groups, and those of people who have one on the other line. */
export async function countTicketsToMove(scope: Scope, fromId: number, toId: number) {
  const { rows } = await sql<{ tickets: number; groups: number; doubled: number; waiting: number }>`
    select (count(*) filter (where not x.group and not x.doubled))::int as tickets,
      (count(*) filter (where x.group))::int as groups,
      (count(*) filter (where not x.group and x.doubled))::int as doubled,
      coalesce(sum(x.waiting) filter (where not x.group and not x.doubled), 0)::int as waiting
    from (
      select t."isGroup" as group, ${isDoubledSql(toId)} as doubled, (
        select count(*) from messages m where m."companyId" = t."companyId" and m."contactId" = t."contactId"
          and m."whatsappId" = ${fromId} and m."ticketId" = t.id and m."fromMe" and m.state = 'queued') as waiting
      from tickets t where t."companyId" = ${scope.companyId} and t."whatsappId" = ${fromId} and ${activeSql}
    ) x`.execute(scope.db)
  return rows[0] ?? { tickets: 0, groups: 0, doubled: 0, waiting: 0 }
}

/**
 * Moves the active conversations of a line one by one, the newest first, until somebody moves them back. After a crash
 * the job starts again and continues with those that are left.
 */
export async function moveTicketsToLine(deps: Deps, { companyId, fromId, toId }: Events['line.moved']): Promise<void> {
  const scope = new Scope(deps, { companyId })
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t where t."companyId" = ${companyId} and t."whatsappId" = ${fromId} and ${activeSql}
      and not t."isGroup" and not ${isDoubledSql(toId)} order by t."updatedAt" desc, t.id desc`.execute(scope.db)
  for (const { id } of rows) if (!(await scope.transaction((tx) => moveTicketToLine(tx, id, fromId, toId)))) return
}

/** False: the lines belong together no longer. The customer may have written to the new line meanwhile: then it stays. */
async function moveTicketToLine(scope: Scope, id: number, fromId: number, toId: number): Promise<boolean> {
  if (!(await isStillMoved(scope, fromId, toId))) return false
  await lockTicket(scope, id)
  const ticket = await presentTicket(scope, id)
  if (ticket.whatsappId !== fromId || ticket.status === 'closed') return true
  if (await findActiveTicket(scope, ticket.contactId, toId)) return true
  const after = await changeTicket(scope, ticket, { whatsappId: toId })
  const line = { lineBefore: fromId, line: after.whatsapp?.name ?? null }
  const stays = { from: ticket.queue?.name ?? null, queue: after.queue?.name ?? null, user: after.user?.name ?? null }
  await recordTicketEvent(scope, id, 'transfer', makeStep('transferred', 'line-moved', { ...stays, ...line }))
  await moveWaitingMessages(scope, id, fromId, toId)
  return true
}
