import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

type HistoryChat = { contactId: number; whatsappId: number; isGroup: boolean }
type HistorySpan = { from: string; to: string }

/** The closed ticket for imported history of a contact, locked; created if missing. It has no queue and no agent. */
export async function findOrCreateHistoryTicket(
  scope: Scope,
  { isGroup, ...chat }: HistoryChat,
  { from, to }: HistorySpan,
): Promise<number> {
  const { companyId } = scope
  const found = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', companyId)
    .where('contactId', '=', chat.contactId)
    .where('whatsappId', '=', chat.whatsappId)
    .where('past', '=', true)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (found) return found.id
  const made = await scope.db
    .insertInto('tickets')
    .values({
      ...chat,
      companyId,
      queueId: null,
      isGroup,
      status: 'closed',
      past: true,
      createdAt: from,
      updatedAt: to,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** While the ticket is closed, its times are those of its first and last message; once reopened, it is an ordinary ticket. */
export async function refreshHistoryTicket(scope: Scope, ticketId: number): Promise<void> {
  await sql`
    update tickets t set "fromMe" = l."fromMe", "updatedAt" = l."createdAt",
      "createdAt" = least(t."createdAt", f."createdAt")
    from (select * from messages m where m."companyId" = ${scope.companyId} and m."ticketId" = ${ticketId}
            order by m."createdAt" desc, m.id desc limit 1) l,
         (select min(m."createdAt") as "createdAt" from messages m
            where m."companyId" = ${scope.companyId} and m."ticketId" = ${ticketId}) f
    where t."companyId" = ${scope.companyId} and t.id = ${ticketId} and t.status = 'closed'`.execute(scope.db)
}
