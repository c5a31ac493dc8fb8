import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

/** Closed tickets that hold something from before that moment, from the oldest on; the next ones after `last`. */
export async function findOldTickets(
  scope: Scope,
  before: string,
  last: { createdAt: string; id: number },
  limit: number,
): Promise<{ createdAt: string; id: number }[]> {
  const { rows } = await sql<{ createdAt: string; id: number }>`
    select t."createdAt", t.id from tickets t
    where t."companyId" = ${scope.companyId} and t.status = 'closed' and t."createdAt" < ${before}
      and (t."createdAt", t.id) > (${last.createdAt}::timestamptz, ${last.id}::int)
      and exists (select from messages m where m."companyId" = t."companyId" and m."ticketId" = t.id and m."createdAt" < ${before})
    order by t."createdAt", t.id limit ${limit}`.execute(scope.db)
  return rows
}

/** Lists show no words of a message that is gone. Nobody is told: such a ticket has been closed for months. */
export async function clearLastMessages(scope: Scope, ticketIds: number[]): Promise<void> {
  await sql`
    update tickets t set "lastMessage" = '', "lastElsewhere" = null
    where t."companyId" = ${scope.companyId} and t.id = any (${ticketIds}::int[]) and t.status = 'closed'
      and not exists (select from messages m where m."companyId" = t."companyId" and m."ticketId" = t.id)`.execute(
    scope.db,
  )
}
