import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

/** Closed tickets with messages from before that moment, oldest first; continues after `last`. */
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

/** Clears the preview of a deleted message. No event: such a ticket has been closed for months. */
export async function clearLastMessages(scope: Scope, ticketIds: number[]): Promise<void> {
  await sql`
    update tickets t set "lastMessage" = '', "lastElsewhere" = null
    where t."companyId" = ${scope.companyId} and t.id = any (${ticketIds}::int[]) and t.status = 'closed'
      and not exists (select from messages m where m."companyId" = t."companyId" and m."ticketId" = t.id)`.execute(
    scope.db,
  )
}
