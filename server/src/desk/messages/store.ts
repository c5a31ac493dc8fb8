import { randomBytes } from 'node:crypto'
import { topics } from '@recado/contract/live'
import type { Message, MessageKind } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { AppError } from '../../kernel/errors.ts'
import type { Stored } from '../../kernel/files.ts'
import type { Scope } from '../../kernel/scope.ts'
import { presentTicket } from '../tickets/view.ts'
import { roomsOf } from '../tickets/visibility.ts'
import { markRead } from './read.ts'
import { findMessages } from './view.ts'

export type Outgoing = {
  body: string
  file?: (Stored & { kind: MessageKind }) | undefined
  quotedWid?: string | null
  /** Which part of the house wrote it; null for a person. */
  bot?: string | null
}

/** An id of the kind WhatsApp's own clients choose, so that the vendor takes it as it is. */
export const newWid = () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`

/** What a list shows of a message that has no words. */
export const lastMessageOf = (body: string, mediaName: string | null | undefined) =>
  (body || mediaName || '').slice(0, 255)

/** Stores first, then lets the line send: nothing that was written can get lost on the way. */
export async function storeOutgoing(scope: Scope, ticket: Ticket, all: Outgoing[]): Promise<Message[]> {
  if (!ticket.whatsappId) throw new AppError('ERR_NO_WAPP_FOUND')
  const now = scope.now()
  const { companyId } = scope
  const rows = all.map((one) => ({
    companyId,
    ticketId: ticket.id,
    contactId: ticket.contactId,
    whatsappId: ticket.whatsappId as number,
    userId: one.bot ? null : (scope.person?.id ?? null),
    wid: newWid(),
    fromMe: true,
    body: one.body,
    mediaType: one.file?.kind ?? ('conversation' as const),
    mediaPath: one.file?.mediaPath ?? null,
    mediaName: one.file?.mediaName ?? null,
    mediaState: one.file ? ('ready' as const) : ('none' as const),
    quotedWid: one.quotedWid ?? null,
    ack: 1,
    state: 'queued' as const,
    read: true,
    bot: one.bot ?? null,
    createdAt: now,
  }))
  const ids = await scope.db.insertInto('messages').values(rows).returning('id').execute()
  const last = rows.at(-1)
  await scope.db
    .updateTable('tickets')
    .set({ lastMessage: lastMessageOf(last?.body ?? '', last?.mediaName), fromMe: true, updatedAt: now })
    .where('companyId', '=', companyId)
    .where('id', '=', ticket.id)
    .execute()
  if (scope.person) await markRead(scope, ticket)
  await scope.signal('outbox', ticket.whatsappId)
  return announce(
    scope,
    ticket.id,
    ids.map((r) => r.id),
  )
}

/** Says new messages to everyone who sees their ticket. */
export async function announce(scope: Scope, ticketId: number, ids: number[]): Promise<Message[]> {
  const messages = await findMessages(scope, sql`m.id = any(${ids}::bigint[])`, sql`order by m.id`)
  const ticket = await presentTicket(scope, ticketId)
  const { id, name, profilePicUrl } = ticket.contact
  for (const message of messages) {
    scope.live(
      topics.message,
      { action: 'create', message, ticket, contact: { id, name, profilePicUrl } },
      { rooms: roomsOf(ticket) },
    )
  }
  return messages
}

/** Says that messages changed, ticks and edits among them. */
export async function announceChange(scope: Scope, ids: number[]): Promise<Message[]> {
  if (!ids.length) return []
  const messages = await findMessages(scope, sql`m.id = any(${ids}::bigint[])`, sql`order by m.id`)
  const seen = await scope.db
    .selectFrom('tickets')
    .select(['id', 'companyId', 'userId', 'queueId', 'status'])
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', [...new Set(messages.map((m) => m.ticketId))])
    .execute()
  for (const message of messages) {
    const ticket = seen.find((t) => t.id === message.ticketId)
    if (ticket) scope.live(topics.message, { action: 'update', message }, { rooms: roomsOf(ticket) })
  }
  return messages
}
