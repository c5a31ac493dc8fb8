import type { Ability } from '@recado/contract/connections'
import type { ParsedInput } from '@recado/contract/endpoint'
import type { Message, messagesApi } from '@recado/contract/messages'
import { messagePreviewText, parseStoredLocation } from '@recado/contract/text/location-and-card'
import { parseSignature } from '@recado/contract/text/signature'
import type { Ticket, TicketDetail } from '@recado/contract/tickets'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { type Selectable, sql } from 'kysely'
import { chooseLine } from '../../directory/connections/find-line.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { copyFile } from '../../kernel/files/media.ts'
import { clientIdAt } from '../messages/compose.ts'
import { type OutgoingContent, storeOutgoing } from '../messages/store.ts'
import { findMessages } from '../messages/view.ts'
import { assertCanWrite, assertSupportedByLine, assertTicketOpen } from '../messages/write-permissions.ts'
import { assertReplyWindowOpen } from '../reply-window.ts'
import { findVisibleTicket, lockTicket } from '../tickets/base/ticket-view.ts'
import { canReadByTicketSql, canSeeChatSql, currentViewer } from '../tickets/base/visibility.ts'
import { createTicket } from '../tickets/create.ts'
import { findActiveTicket, ticketHeldError } from '../tickets/lifecycle.ts'

type ForwardWrite = ParsedInput<typeof messagesApi.forward>['body']
type ForwardedMessage = Pick<
  Selectable<DB['messages']>,
  'body' | 'mediaType' | 'mediaPath' | 'mediaName' | 'mediaSize' | 'mediaPages' | 'mediaState' | 'sendAs' | 'userId'
> & { id: number; createdAt: string; queueId: number | null; whatsappId: number | null }

/** Forwards messages to other conversations, either to all of them or to none, in the order of their conversation. */
export async function forwardMessages(scope: Scope, id: string, write: ForwardWrite): Promise<{ messages: Message[] }> {
  const sources: ForwardedMessage[] = []
  for (const one of new Set([id, ...write.messageIds])) sources.push(await loadForwardedMessage(scope, one))
  // The line and the queue of the message that was chosen first apply to new tickets.
  const [source] = sources as [ForwardedMessage]
  sources.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.id - b.id)
  const sent = await findAlreadyForwarded(scope, write)
  if (sent.length) return { messages: sent }
  const messages: Message[] = []
  for (const [place, to] of (await lockRecipientTickets(scope, source, write)).entries()) {
    assertReplyWindowOpen(scope, to)
    const parts: OutgoingContent[] = []
    for (const one of sources) parts.push(...(await composeForwarded(scope, one, to)))
    if (parts.length > maxPartsPerRecipient) throw new AppError('ERR_WAPP_CANNOT')
    const name = clientIdAt(write.clientId, countRecipients(write), place)
    // The messages of one forward stay together: their client ids differ by index.
    const all = parts.map((one, part) => ({ ...one, clientId: name && partClientId(name, part) }))
    messages.push(...(await storeOutgoing(scope, to, all)))
  }
  return { messages }
}

/** Limit of the messages that one recipient gets, because each contact card is sent as a separate message. */
const maxPartsPerRecipient = 40
const partClientId = (name: string, part: number): string => (part ? `${name}-${part}` : name)

const countRecipients = ({ tickets, contacts }: ForwardWrite): number => tickets.length + contacts.length

/** The messages that an earlier, identical request has already stored; a repeated request returns them. */
async function findAlreadyForwarded(scope: Scope, write: ForwardWrite): Promise<Message[]> {
  if (!write.clientId) return []
  const names = Array.from({ length: countRecipients(write) }, (_, place) =>
    clientIdAt(write.clientId, countRecipients(write), place),
  ).flatMap((name) => Array.from({ length: maxPartsPerRecipient }, (_, part) => name && partClientId(name, part)))
  return findMessages(scope, sql`m."clientId" = any(${names}::text[]) and m."userId" = ${scope.actor.id}`)
}

/** A message that can be forwarded and that the user may read by the visibility rule of threads. */
async function loadForwardedMessage(scope: Scope, id: string): Promise<ForwardedMessage> {
  const viewer = currentViewer(scope)
  if (!viewer) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const { rows } = await sql<ForwardedMessage & { isDeleted: boolean }>`
    select m.id::float8 as id, m."createdAt", m.body, m."mediaType", m."mediaPath", m."mediaName", m."mediaSize", m."mediaPages", m."mediaState",
      m."sendAs", m."userId", m."isDeleted",
      (select w.id from whatsapps w where w."companyId" = m."companyId" and w.id = m."whatsappId") as "whatsappId",
      (select t."queueId" from tickets t where t."companyId" = m."companyId" and t.id = m."ticketId") as "queueId"
    from messages m
    where m."companyId" = ${scope.companyId} and m.id = ${Number(id)} and case when m."ticketId" is null
      then ${canSeeChatSql(viewer, sql`m."contactId"`, sql`m."whatsappId"`)}
      else ${canReadByTicketSql(viewer, sql`m."ticketId"`, sql`m."whatsappId"`)} end`.execute(scope.db)
  const source = rows[0]
  if (!source || source.isDeleted) throw new AppError('ERR_NO_MESSAGE_FOUND')
  if (source.mediaType === 'call_log' || source.mediaType === 'unknown') throw new AppError('ERR_WAPP_CANNOT')
  // A file that is still downloading, or only on the phone, cannot be forwarded.
  if (source.mediaState === 'pending' || source.mediaState === 'failed') throw new AppError('ERR_FETCH_WAPP_MSG')
  return source
}

/** The target tickets, locked and writable; in id order, to avoid deadlocks. */
async function lockRecipientTickets(
  scope: Scope,
  source: ForwardedMessage,
  { tickets, contacts }: ForwardWrite,
): Promise<Ticket[]> {
  const found: TicketDetail[] = []
  for (const id of [...new Set(tickets)].sort((a, b) => a - b)) {
    await lockTicket(scope, id)
    found.push(await findVisibleTicket(scope, id))
  }
  for (const id of [...new Set(contacts)].sort((a, b) => a - b)) found.push(await findOrCreateTicket(scope, source, id))
  for (const ticket of found) {
    assertTicketOpen(ticket)
    assertCanWrite(scope, ticket)
  }
  return [...new Map(found.map((ticket) => [ticket.id, ticket])).values()]
}

/** The contact's open ticket on the message's line (or the default line), if writable; else a new ticket of the user. */
async function findOrCreateTicket(scope: Scope, source: ForwardedMessage, contactId: number): Promise<TicketDetail> {
  const line = await chooseLine(scope, source.whatsappId)
  const living = await findActiveTicket(scope, contactId, line.id)
  if (!living)
    return createTicket(scope, {
      contactId,
      whatsappId: line.id,
      queueId: chooseQueue(scope, source),
      ...ownOpenTicket,
    })
  await lockTicket(scope, living.id)
  try {
    const ticket = await findVisibleTicket(scope, living.id)
    assertTicketOpen(ticket)
    assertCanWrite(scope, ticket)
    return ticket
  } catch (error) {
    // A user who may not write in that ticket gets the name of its agent, as when starting a conversation.
    throw error instanceof AppError ? ticketHeldError(scope, living) : error
  }
}
const ownOpenTicket = { userId: null, status: 'open' as const }

/** The queue of the message, if the user works in it; else the user's first queue. */
function chooseQueue({ actor }: Scope, { queueId }: ForwardedMessage): number | null {
  if (queueId !== null && (canSeeAllTickets(actor) || actor.queueIds.includes(queueId))) return queueId
  return canSeeAllTickets(actor) ? null : (actor.queueIds[0] ?? null)
}

/** Limit of contact cards, because each card is sent as a separate message. */
const maxContactCards = 20

const abilityByMediaType: Partial<Record<ForwardedMessage['mediaType'], Ability>> = {
  locationMessage: 'location',
  contactMessage: 'contact',
  vcard: 'contact',
}

/** The message to send. Each conversation gets its own copy of a file, so that either copy can be deleted alone. */
async function composeForwarded(scope: Scope, source: ForwardedMessage, to: Ticket): Promise<OutgoingContent[]> {
  const forwarded = true as const
  const ability = abilityByMediaType[source.mediaType]
  if (ability) await assertSupportedByLine(scope, to.whatsappId, ability)
  if (source.mediaType === 'locationMessage') {
    const location = parseStoredLocation(source.body)
    if (!location) throw new AppError('ERR_WAPP_CANNOT')
    const kind = source.mediaType
    return [{ body: source.body, kind, last: messagePreviewText(kind, source.body), sendAs: { location, forwarded } }]
  }
  if (ability) {
    const cards = source.body.split(/BEGIN:VCARD/i).slice(1)
    if (cards.length === 0 || cards.length > maxContactCards) throw new AppError('ERR_WAPP_CANNOT')
    return cards.map((card) => {
      const vcard = `BEGIN:VCARD${card.trimEnd()}`
      const name = messagePreviewText('contactMessage', vcard)
      return { body: vcard, kind: 'contactMessage', last: name, sendAs: { contact: { name, vcard }, forwarded } }
    })
  }
  // The signature is removed, because the original author may not be the user who forwards.
  const body = source.userId === null ? source.body : parseSignature(source.body).text
  if (!source.mediaPath) return [{ body, sendAs: { forwarded } }]
  const voice = source.sendAs?.voice
  return [
    {
      body,
      file: {
        mediaPath: await copyFile(scope, source.mediaPath),
        mediaName: source.mediaName ?? 'file',
        mediaType: source.mediaType,
        kind: source.mediaType,
        size: source.mediaSize,
        pages: source.mediaPages,
      },
      sendAs: { ...(voice && { voice: { ...voice, path: await copyFile(scope, voice.path) } }), forwarded },
    },
  ]
}
