import type { Ability } from '@recado/contract/connections'
import { leads } from '@recado/contract/sight'
import type { Ticket } from '@recado/contract/tickets'
import { traits } from '@recado/contract/traits'
import { sql } from 'kysely'
import { findLine } from '../../directory/connections/connections.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { holdTicket, ticketById } from '../tickets/view.ts'
import { asker, seesSql } from '../tickets/visibility.ts'
import { widInThread } from './read.ts'

/** Speaking for the house is for who attends the ticket, and for those who lead. */
export function mayWrite(scope: Scope, ticket: Ticket): void {
  if (ticket.userId !== scope.actor.id && !leads(scope.actor)) throw new AppError('ERR_NO_PERMISSION')
}

export const mustBeOpen = (ticket: Ticket): void => {
  if (ticket.status !== 'open') throw new AppError('ERR_TICKET_NOT_OPEN')
}

export async function isAble(scope: Scope, whatsappId: number, ability: Ability): Promise<boolean> {
  const { provider } = await findLine(scope, whatsappId)
  return !traits[provider].cannot.includes(ability)
}
export async function mustBeAble(scope: Scope, whatsappId: number | null, ability: Ability): Promise<void> {
  if (whatsappId === null) throw new AppError('ERR_NO_WAPP_FOUND')
  if (!(await isAble(scope, whatsappId, ability))) throw new AppError('ERR_WAPP_CANNOT')
}

/** A message, held; its ticket before it, as everywhere. */
export async function heldMessage(scope: Scope, id: string) {
  const known = () =>
    scope.db
      .selectFrom('messages')
      .select(['id', 'ticketId', 'contactId', 'whatsappId', 'wid', 'body', 'mediaType', 'fromMe', 'state', 'userId'])
      .select(['isDeleted', 'isEdited', 'bot', 'sendAs', 'reactions', 'createdAt'])
      .where('companyId', '=', scope.companyId)
      .where('id', '=', Number(id))
  const seen = await known().executeTakeFirst()
  if (!seen) throw new AppError('ERR_NO_MESSAGE_FOUND')
  await holdTicket(scope, seen.ticketId)
  return known().forUpdate().executeTakeFirstOrThrow()
}
export type Held = Awaited<ReturnType<typeof heldMessage>>

/**
 * The ticket by which it is read: its own; of one that belongs to none, the chat's living one, else the newest, of those
 * that this person sees.
 */
export async function ticketOf(
  scope: Scope,
  { ticketId, contactId, whatsappId }: Pick<Held, 'ticketId' | 'contactId' | 'whatsappId'>,
): Promise<number> {
  if (ticketId !== null) return ticketId
  const viewer = asker(scope)
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t
    where t."companyId" = ${scope.companyId} and t."contactId" = ${contactId} and t."whatsappId" = ${whatsappId}
      and ${viewer ? seesSql(viewer) : sql`false`}
    order by t.status = 'closed', t.id desc limit 1`.execute(scope.db)
  if (!rows[0]) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return rows[0].id
}

/** A message of ours. */
export async function ownMessage(scope: Scope, id: string): Promise<{ row: Held; ticket: Ticket }> {
  const row = await heldMessage(scope, id)
  const ticket = await ticketById(scope, await ticketOf(scope, row))
  if (!row.fromMe) throw new AppError('ERR_NO_PERMISSION')
  return { row, ticket }
}

/**
 * Where one speaks when one changes what stands in a conversation: the ticket that the chat has open, by the rules of
 * writing in it. A thread goes over all tickets of a chat, and an answer of an hour ago may belong to a resolved one.
 */
export async function speakingIn(scope: Scope, row: Held): Promise<Ticket> {
  const ticket = await placeOf(scope, row)
  mustBeOpen(ticket)
  mayWrite(scope, ticket)
  return ticket
}

/**
 * The same for what was said in its time and has not left: it may leave although the conversation has ended meanwhile,
 * which stays ended. Nobody would open it anew for that, and a customer who was promised an answer would wait.
 */
export async function sayingAgainIn(scope: Scope, row: Held): Promise<Ticket> {
  const ticket = await placeOf(scope, row)
  mayWrite(scope, ticket)
  return ticket
}

async function placeOf(scope: Scope, row: Held): Promise<Ticket> {
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
  const ticket = await ticketById(scope, open?.id ?? (await ticketOf(scope, row)))
  if (ticket.id !== row.ticketId && (await widInThread(scope, ticket, row.id)) === null)
    throw new AppError('ERR_NO_MESSAGE_FOUND')
  return ticket
}
