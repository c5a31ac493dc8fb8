import type { Ability } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import type { Ticket } from '@recado/contract/tickets'
import { canLeadQueues } from '@recado/contract/visibility'
import { sql } from 'kysely'
import { findLine } from '../../directory/connections/find-line.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { findVisibleTicket, lockTicket } from '../tickets/base/ticket-view.ts'
import { canSeeTicketSql, currentViewer } from '../tickets/base/visibility.ts'
import { findWidInThread } from './thread.ts'

/** Only the assigned agent and supervisors may write in the ticket. */
export function assertCanWrite(scope: Scope, ticket: Ticket): void {
  if (ticket.userId !== scope.actor.id && !canLeadQueues(scope.actor)) throw new AppError('ERR_NO_PERMISSION')
}

/** Whoever may write in the ticket, or may take it because it waits, may let a flow attend it. */
export function assertCanStartFlow(scope: Scope, ticket: Ticket): void {
  if (ticket.status === 'closed') throw new AppError('ERR_TICKET_NOT_OPEN')
  if (ticket.status === 'open') assertCanWrite(scope, ticket)
}

export const assertTicketOpen = (ticket: Ticket): void => {
  if (ticket.status !== 'open') throw new AppError('ERR_TICKET_NOT_OPEN')
}

export async function isSupportedByLine(scope: Scope, whatsappId: number, ability: Ability): Promise<boolean> {
  const { provider } = await findLine(scope, whatsappId)
  return !lineTraits[provider].cannot.includes(ability)
}
export async function assertSupportedByLine(scope: Scope, whatsappId: number | null, ability: Ability): Promise<void> {
  if (whatsappId === null) throw new AppError('ERR_NO_WAPP_FOUND')
  if (!(await isSupportedByLine(scope, whatsappId, ability))) throw new AppError('ERR_WAPP_CANNOT')
}

/** Locks the ticket of a message and then the message, in the order used everywhere. */
export async function lockMessage(scope: Scope, id: string) {
  const known = () =>
    scope.db
      .selectFrom('messages')
      .select(['id', 'ticketId', 'contactId', 'whatsappId', 'wid', 'body', 'mediaType', 'fromMe', 'state', 'userId'])
      .select(['isDeleted', 'isEdited', 'bot', 'sendAs', 'reactions', 'createdAt', 'notBefore', 'undo'])
      .where('companyId', '=', scope.companyId)
      .where('id', '=', Number(id))
  const seen = await known().executeTakeFirst()
  if (!seen) throw new AppError('ERR_NO_MESSAGE_FOUND')
  await lockTicket(scope, seen.ticketId)
  return known().forUpdate().executeTakeFirstOrThrow()
}
export type LockedMessage = Awaited<ReturnType<typeof lockMessage>>

/**
 * The ticket through which a message is read: its own ticket or, if it has none, the chat's open ticket, else the newest
 * ticket that the user may see.
 */
export async function findTicketOfMessage(
  scope: Scope,
  { ticketId, contactId, whatsappId }: Pick<LockedMessage, 'ticketId' | 'contactId' | 'whatsappId'>,
): Promise<number> {
  if (ticketId !== null) return ticketId
  const viewer = currentViewer(scope)
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t
    where t."companyId" = ${scope.companyId} and t."contactId" = ${contactId} and t."whatsappId" = ${whatsappId}
      and ${viewer ? canSeeTicketSql(viewer) : sql`false`}
    order by t.status = 'closed', t.id desc limit 1`.execute(scope.db)
  if (!rows[0]) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return rows[0].id
}

/** Locks a message sent by the company. */
export async function lockOwnMessage(scope: Scope, id: string): Promise<{ row: LockedMessage; ticket: Ticket }> {
  const row = await lockMessage(scope, id)
  const ticket = await findVisibleTicket(scope, await findTicketOfMessage(scope, row))
  if (!row.fromMe) throw new AppError('ERR_NO_PERMISSION')
  return { row, ticket }
}

/**
 * The ticket whose write rules apply when a message is changed: the chat's open ticket. A thread spans all tickets of a
 * chat, and a reply of an hour ago may belong to a closed ticket.
 */
export async function findWritableTicket(scope: Scope, row: LockedMessage): Promise<Ticket> {
  const ticket = await findOpenTicketOrOwn(scope, row)
  assertTicketOpen(ticket)
  assertCanWrite(scope, ticket)
  return ticket
}

/**
 * The ticket whose write rules apply when a failed message is sent again: this is allowed also in a closed conversation,
 * which stays closed. Otherwise a customer who was promised an answer would wait.
 */
export async function findRetryTicket(scope: Scope, row: LockedMessage): Promise<Ticket> {
  const ticket = await findOpenTicketOrOwn(scope, row)
  assertCanWrite(scope, ticket)
  return ticket
}

async function findOpenTicketOrOwn(scope: Scope, row: LockedMessage): Promise<Ticket> {
  const open = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', row.contactId)
    .where('whatsappId', '=', row.whatsappId)
    .where('status', '=', 'open')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const ticket = await findVisibleTicket(scope, open?.id ?? (await findTicketOfMessage(scope, row)))
  if (ticket.id !== row.ticketId && (await findWidInThread(scope, ticket, row.id)) === null)
    throw new AppError('ERR_NO_MESSAGE_FOUND')
  return ticket
}
