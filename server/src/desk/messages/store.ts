import { randomBytes } from 'node:crypto'
import { topics } from '@recado/contract/live'
import type { Message, MessageKind } from '@recado/contract/messages'
import { messagePreviewText } from '@recado/contract/text/location-and-card'
import type { Ticket } from '@recado/contract/tickets'
import { sql, type Updateable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../../kernel/errors.ts'
import type { MediaColumns } from '../../kernel/files/files.ts'
import { currentTraceId } from '../../kernel/trace.ts'
import { loadCompanyContext } from '../company-context.ts'
import type { ReplySnapshot, SendAs } from '../tables.ts'
import { deskTexts } from '../texts.ts'
import { findRoomsOfChats, isReadByWholeChat } from '../thread-updates.ts'
import { monotonicTimestamp } from '../tickets/base/chat-timestamps.ts'
import { recordOutgoing, setLastMessage } from '../tickets/base/message-activity.ts'
import { publishTicketChanged } from '../tickets/base/publish-ticket.ts'
import { lockTicket, presentTicket, presentTickets } from '../tickets/base/ticket-view.ts'
import { roomsOfTicket, type TicketVisibility } from '../tickets/base/visibility.ts'
import { insertMessages } from './insert.ts'
import { hideUnreadableQuotes, splitByQuoteVisibility } from './quotes.ts'
import { markTicketRead } from './thread.ts'
import { findMessages, loadMessages } from './view.ts'
import { publishMessageWebhooks } from './webhook-events.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Signal that a line has a message to send or a task to do. */
    outbox: [whatsappId: number]
  }
}

export type OutgoingContent = {
  body: string
  file?: (MediaColumns & { kind: MessageKind; size: number | null; pages: number | null }) | undefined
  /** Set for kinds other than text and file. */
  kind?: MessageKind
  /** The preview for lists, if the body is not readable text. */
  last?: string
  quotedWid?: string | null
  clientId?: string | null
  /** The automation that wrote the message; null for a user. */
  bot?: string | null
  /** The author, if it is not the actor. */
  userId?: number | null
  /** Low priority: sent after all other messages of the line. */
  later?: boolean
  /** The customer did nothing that this message answers: campaigns keep their distance from it. */
  unprompted?: boolean
  /** Options for the vendor format (see lines/line.ts). */
  sendAs?: SendAs | undefined
  /** The campaign that the message belongs to. */
  campaignId?: number
  /** The API key that sends the message. */
  apiKeyId?: number | null
  /** The message is not sent before this time (see undo-window.ts). */
  notBefore?: Date | undefined
  /** What taking back the message restores. */
  undo?: ReplySnapshot | undefined
  /** Marks automatic messages so that they can be recognised later (see bot-message.ts). */
  mark?: string
}

/** A message id in the format of WhatsApp's own clients, so that the vendor accepts it unchanged. */
export const generateWid = () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`

/** The preview of a message, or the file name if there is no text. Cut at whole characters, so that no emoji is split. */
export const lastMessageText = (body: string, mediaName: string | null | undefined): string =>
  [...(body || mediaName || '').slice(0, 510)].slice(0, 255).join('')

type MessageTarget = { ticketId: number | null; contactId: number; whatsappId: number }

/** Stores messages before the line sends them, so that none is lost. Returns the ids in the given order. */
export async function enqueueMessages(
  scope: Scope,
  all: { target: MessageTarget; content: OutgoingContent; at?: Date }[],
): Promise<number[]> {
  if (!all.length) return []
  const rows = all.map(({ target: place, content: one, at = scope.now() }) => ({
    ...place,
    userId: one.userId !== undefined ? one.userId : one.bot ? null : (scope.person?.id ?? null),
    wid: generateWid(),
    clientId: one.clientId ?? null,
    fromMe: true,
    body: one.body,
    mediaType: one.file?.kind ?? one.kind ?? ('conversation' as const),
    mediaPath: one.file?.mediaPath ?? null,
    mediaName: one.file?.mediaName ?? null,
    mediaSize: one.file?.size ?? null,
    mediaPages: one.file?.pages ?? null,
    mediaState: one.file ? ('ready' as const) : ('none' as const),
    quotedWid: one.quotedWid ?? null,
    ack: 1,
    state: 'queued' as const,
    read: true,
    bot: one.bot ?? null,
    later: one.later ?? false,
    unprompted: one.unprompted ?? false,
    sendAs: one.sendAs ? JSON.stringify(one.sendAs) : null,
    campaignId: one.campaignId ?? null,
    apiKeyId: one.apiKeyId ?? null,
    trace: currentTraceId() ?? null,
    notBefore: one.notBefore ?? null,
    undo: one.undo ? JSON.stringify(one.undo) : null,
    createdAt: at,
  }))
  const ids = await translateConstraintErrors({ messages_client_key: 'ERR_VALIDATION' }, () =>
    insertMessages(scope, rows),
  )
  for (const line of new Set(rows.map(({ whatsappId }) => whatsappId))) await scope.signal('outbox', line)
  return ids
}

/** Stores outgoing messages in a ticket. */
export async function storeOutgoing(scope: Scope, ticket: Ticket, all: OutgoingContent[]): Promise<Message[]> {
  return storeOutgoingInTickets(
    scope,
    all.map((one) => ({ ticket, content: one })),
  )
}

/** Stores outgoing messages in many tickets, with as many statements as for one. Returns them in the given order. */
export async function storeOutgoingInTickets(
  scope: Scope,
  all: { ticket: Ticket; content: OutgoingContent }[],
): Promise<Message[]> {
  const placed = all.map(({ ticket: { id: ticketId, contactId, whatsappId, updatedAt }, content }) => {
    if (!whatsappId) throw new AppError('ERR_NO_WAPP_FOUND')
    return { target: { ticketId, contactId, whatsappId }, content, at: monotonicTimestamp(updatedAt, scope.now()) }
  })
  const ids = await enqueueMessages(scope, placed)
  const tickets = Map.groupBy(all, ({ ticket }) => ticket.id)
  const words = [...tickets].map(([ticketId, said]) => {
    const last = said.at(-1)?.content
    return {
      ticketId,
      last: lastMessageText(last?.last ?? last?.body ?? '', last?.file?.mediaName),
      byPerson: said.some(({ content: one }) => !one.bot),
      mark: last?.mark ?? null,
    }
  })
  await recordOutgoing(scope, words)
  // A reply by a person marks the ticket as read; an automatic message does not.
  if (scope.person)
    for (const { ticketId, byPerson } of words)
      if (byPerson) await markTicketRead(scope, tickets.get(ticketId)?.[0]?.ticket as Ticket)
  return publishNewMessages(scope, await presentTickets(scope, [...tickets.keys()]), ids)
}

/** Publishes new messages, with the ticket's current state, to everyone who sees the ticket. */
export async function publishNewMessages(scope: Scope, shownTickets: Ticket[], ids: number[]): Promise<Message[]> {
  const messages = await loadMessages(scope, ids)
  const tickets = new Map(shownTickets.map((ticket) => [ticket.id, ticket]))
  const ticketOf = ({ ticketId }: Pick<Message, 'ticketId'>): Ticket => {
    const ticket = tickets.get(ticketId ?? 0)
    if (!ticket) throw new AppError('ERR_NO_TICKET_FOUND')
    return ticket
  }
  const told = messages.map((message) => ({ message, rooms: roomsOfTicket(ticketOf(message)) }))
  for (const { message, audience: to } of await splitByQuoteVisibility(scope, told)) {
    const ticket = ticketOf(message)
    const { id, name, profilePicUrl } = ticket.contact
    scope.live(topics.message, { action: 'create', message, ticket, contact: { id, name, profilePicUrl } }, to)
  }
  return hideUnreadableQuotes(scope, messages)
}

/** Publishes changed messages, including acknowledgements and edits. */
export async function publishChangedMessages(scope: Scope, ids: number[]): Promise<Message[]> {
  if (!ids.length) return []
  const messages = await findMessages(scope, sql`m.id = any(${ids}::bigint[])`, undefined, undefined, 'all')
  const inTickets = await roomsByTicket(scope, messages)
  const alone = await roomsOfUnticketed(scope, messages)
  const told = messages.flatMap((message) => {
    const rooms = message.ticketId === null ? alone.get(message.id) : inTickets.get(message.ticketId)
    return rooms?.length ? [{ message, rooms }] : []
  })
  for (const { message, audience: to } of await splitByQuoteVisibility(scope, told))
    scope.live(topics.message, { action: 'update', message }, to)
  return hideUnreadableQuotes(scope, messages)
}

async function roomsByTicket(scope: Scope, messages: Message[]): Promise<Map<number, string[]>> {
  const ids = [...new Set(messages.flatMap(({ ticketId }) => ticketId ?? []))]
  const rooms = new Map<number, string[]>()
  if (!ids.length) return rooms
  const seen = await scope.db
    .selectFrom('tickets')
    .select(['id', 'companyId', 'userId', 'queueId', 'status', 'contactId', 'whatsappId'])
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .execute()
  const readers = await findRoomsOfReaders(scope, seen)
  seen.forEach((ticket, n) => {
    rooms.set(ticket.id, readers[n] as string[])
  })
  return rooms
}

/** A message without a ticket is visible to all who see a ticket of its chat. */
async function roomsOfUnticketed(scope: Scope, messages: Message[]): Promise<Map<string, string[]>> {
  const ids = messages.filter(({ ticketId }) => ticketId === null).map(({ id }) => Number(id))
  const rooms = new Map<string, string[]>()
  if (!ids.length) return rooms
  const chats = await scope.db
    .selectFrom('messages')
    .select(['id', 'contactId', 'whatsappId'])
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .execute()
  const readers = await findRoomsOfChats(scope, chats)
  chats.forEach(({ id }, n) => {
    rooms.set(String(id), readers[n] as string[])
  })
  return rooms
}

type ReadableTicket = TicketVisibility & { contactId: number; whatsappId: number | null }
/** The rooms of the users who may read each of these tickets, ticket by ticket. */
export async function findRoomsOfReaders(scope: Scope, tickets: ReadableTicket[]): Promise<string[][]> {
  const chats = tickets.filter(isReadByWholeChat)
  const rooms = await findRoomsOfChats(scope, chats)
  const ofChat = new Map<ReadableTicket, string[]>(chats.map((chat, n) => [chat, rooms[n] as string[]]))
  return tickets.map((ticket) => ofChat.get(ticket) ?? roomsOfTicket(ticket))
}

type MessageChanges = Pick<
  Updateable<DB['messages']>,
  'body' | 'isEdited' | 'isDeleted' | 'reactions' | 'state' | 'error' | 'ack' | 'notBefore' | 'undo'
>

/** Changes one message, publishes it, and updates the ticket's preview. */
export async function changeMessage(scope: Scope, id: number, values: MessageChanges): Promise<Message> {
  const { ticketId } = await scope.db
    .selectFrom('messages')
    .select('ticketId')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // The ticket is locked before its messages, as everywhere, to avoid deadlocks.
  await lockTicket(scope, ticketId)
  const row = await scope.db
    .updateTable('messages')
    .set(values)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .returning(['id', 'ticketId'])
    .executeTakeFirstOrThrow()
  if (values.body !== undefined || values.isDeleted !== undefined) await refreshLastMessageIfShown(scope, row)
  if (values.state !== undefined) await publishMessageWebhooks(scope, 'message.state', [id])
  return (await publishChangedMessages(scope, [id]))[0] as Message
}

/** Updates the list preview after an edit or deletion of the message that it shows. */
async function refreshLastMessageIfShown(
  scope: Scope,
  { id, ticketId }: { id: number; ticketId: number | null },
): Promise<void> {
  // A message without a ticket is in no list preview.
  if (ticketId === null) return
  const shownTickets = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where((eb) => eb.or([eb('id', '=', ticketId), eb('lastElsewhere', '=', id)]))
    .execute()
  for (const ticket of shownTickets) await refreshLastMessage(scope, ticket.id, id)
}

/** Sets the ticket's preview to its newest message; `changed`: only if the newest message is this one. */
export async function refreshLastMessage(scope: Scope, ticketId: number, changed?: number): Promise<void> {
  const ticket = await presentTicket(scope, ticketId)
  const newest = ticket.last === null ? null : Number(ticket.last.id)
  if (changed !== undefined && newest !== changed) return
  const row =
    newest === null
      ? undefined
      : await scope.db
          .selectFrom('messages')
          .select(['body', 'mediaType', 'mediaName', 'isDeleted'])
          .where('companyId', '=', scope.companyId)
          .where('id', '=', newest)
          .executeTakeFirst()
  const lastMessage = row?.isDeleted
    ? deskTexts[(await loadCompanyContext(scope)).language].deleted
    : lastMessageText(messagePreviewText(row?.mediaType ?? null, row?.body ?? ''), row?.mediaName)
  await setLastMessage(scope, ticketId, lastMessage)
  publishTicketChanged(scope, ticket, { ...ticket, lastMessage })
}
