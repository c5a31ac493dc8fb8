import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

type MovedMessages = { senders: number[]; alone: number[] }

/**
 * Moves the messages of one contact to another. Returns the messages that do not move with a ticket (see
 * `MovedDeskRows`).
 */
export async function moveMessages(scope: Scope, from: number, to: number): Promise<MovedMessages> {
  const { companyId, db } = scope
  const alone = await sql<{ id: number }>`
    update messages set "contactId" = ${to}
    where "companyId" = ${companyId} and "aloneWith" = ${from} returning id`.execute(db)
  await sql`update messages set "contactId" = ${to} where "companyId" = ${companyId} and "contactId" = ${from}`.execute(
    db,
  )
  const senders = await sql<{ id: number }>`
    update messages set "senderId" = ${to} where "companyId" = ${companyId} and "senderId" = ${from} returning id`.execute(
    db,
  )
  const idsOf = ({ rows }: typeof alone) => rows.map((row) => row.id)
  return { senders: idsOf(senders), alone: idsOf(alone) }
}

/** Moves the messages of these tickets, and these messages without a ticket, back. */
export async function moveMessagesBack(
  scope: Scope,
  from: number,
  to: number,
  { tickets, senders, alone }: MovedMessages & { tickets: number[] },
): Promise<void> {
  const { companyId, db } = scope
  await sql`
    update messages set "contactId" = ${to}
    where "companyId" = ${companyId} and "contactId" = ${from} and "ticketId" = any(${tickets}::int[])`.execute(db)
  await sql`
    update messages set "contactId" = ${to}
    where "companyId" = ${companyId} and "aloneWith" = ${from} and id = any(${alone}::bigint[])`.execute(db)
  await sql`
    update messages set "senderId" = ${to}
    where "companyId" = ${companyId} and "senderId" = ${from} and id = any(${senders}::bigint[])`.execute(db)
}

/** The chats of these messages. */
export async function findChatsOfMessages(
  scope: Scope,
  ids: number[],
): Promise<{ contactId: number; whatsappId: number }[]> {
  if (!ids.length) return []
  const { rows } = await sql<{ contactId: number; whatsappId: number }>`
    select distinct "contactId", "whatsappId" from messages
    where "companyId" = ${scope.companyId} and id = any(${ids}::bigint[])`.execute(scope.db)
  return rows
}
