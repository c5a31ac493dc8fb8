import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

/** What was said with one contact was said with the other. Returns which were written by them into groups. */
export async function moveMessages(scope: Scope, from: number, to: number): Promise<number[]> {
  const { companyId, db } = scope
  await sql`update messages set "contactId" = ${to} where "companyId" = ${companyId} and "contactId" = ${from}`.execute(
    db,
  )
  const { rows } = await sql<{ id: number }>`
    update messages set "senderId" = ${to} where "companyId" = ${companyId} and "senderId" = ${from} returning id`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/** All of these tickets, and these that were written into groups, go back. */
export async function moveMessagesBack(
  scope: Scope,
  from: number,
  to: number,
  { tickets, senders }: { tickets: number[]; senders: number[] },
): Promise<void> {
  const { companyId, db } = scope
  await sql`
    update messages set "contactId" = ${to}
    where "companyId" = ${companyId} and "contactId" = ${from} and "ticketId" = any(${tickets}::int[])`.execute(db)
  await sql`
    update messages set "senderId" = ${to}
    where "companyId" = ${companyId} and "senderId" = ${from} and id = any(${senders}::bigint[])`.execute(db)
}
