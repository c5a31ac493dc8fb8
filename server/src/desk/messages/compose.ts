import type { LocationWrite, Message } from '@recado/contract/messages'
import { formatStoredLocation, formatVCard } from '@recado/contract/text/location-and-card'
import { renderVariables } from '@recado/contract/text/variables'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { findContact } from '../../directory/contacts/contact-store.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { keepUpload } from '../../kernel/files/media.ts'
import { loadCompanyContext } from '../company-context.ts'
import { messageKindOf } from './kinds.ts'
import type { OutgoingContent } from './store.ts'
import { findWidInThread } from './thread.ts'
import { findMessages } from './view.ts'
import { storeVoiceNote, type UploadedVoiceNote } from './voice-note.ts'
import { assertSupportedByLine } from './write-permissions.ts'

type MessageWrite = {
  body: string[]
  location?: LocationWrite | undefined
  contactCard?: number | undefined
  waveform?: number[] | undefined
}
type MessageFiles = { uploads: Upload[]; voice: UploadedVoiceNote | undefined }

/** The messages to send: a location, a contact card, a text, or one message per file. */
export async function composeMessages(
  scope: Scope,
  ticket: Ticket,
  write: MessageWrite,
  { uploads, voice }: MessageFiles,
): Promise<OutgoingContent[]> {
  if (write.location) return [await composeLocation(scope, ticket, write.location)]
  if (write.contactCard) return [await composeContactCard(scope, ticket, write.contactCard)]
  const { body: bodies } = write
  if (!uploads.length) return [{ body: await composeText(scope, ticket, bodies[0] ?? '') }]
  const rendered = await makeRenderer(scope, ticket)
  const sendAs = voice && (await storeVoiceNote(scope, voice, write.waveform))
  return Promise.all(
    uploads.map(async (upload, i) => {
      const file = await keepUpload(scope, upload)
      const caption = bodies[i] ?? ''
      const { size, pages } = upload
      const body = isCaptionFileName(caption, upload) ? '' : rendered(caption)
      return { body, file: { ...file, kind: messageKindOf(upload), size, pages }, sendAs }
    }),
  )
}

async function makeRenderer(scope: Scope, ticket: Ticket): Promise<(text: string) => string> {
  const moment = await loadCompanyContext(scope)
  // An API key has no name that could be shown to a customer, so the assigned agent's name is used.
  const user = scope.actor.key ? (ticket.user?.name ?? null) : scope.actor.name
  const words = { ...ticket.contact, user, queue: ticket.queue?.name ?? null, ticket: ticket.number }
  return (text) => renderVariables(text, words, moment)
}

/** The text with its variables filled in. */
export async function composeText(scope: Scope, ticket: Ticket, text: string): Promise<string> {
  const body = (await makeRenderer(scope, ticket))(text).trim()
  if (!body) throw new AppError('ERR_VALIDATION', { body: 'Required' })
  return body
}

async function composeLocation(scope: Scope, ticket: Ticket, location: LocationWrite): Promise<OutgoingContent> {
  await assertSupportedByLine(scope, ticket.whatsappId, 'location')
  const { body, line } = formatStoredLocation(location)
  return { body, kind: 'locationMessage', last: line, sendAs: { location } }
}

async function composeContactCard(scope: Scope, ticket: Ticket, contactId: number): Promise<OutgoingContent> {
  await assertSupportedByLine(scope, ticket.whatsappId, 'contact')
  const { name, number, isGroup } = await findContact(scope, contactId, false)
  if (!number || isGroup) throw new AppError('ERR_VALIDATION', { contactCard: 'Invalid' })
  const contact = { name, vcard: formatVCard(name, number) }
  return { body: contact.vcard, kind: 'contactMessage', last: name, sendAs: { contact } }
}

/** Older clients send the file's own name as its caption; such a caption is ignored. */
function isCaptionFileName(caption: string, upload: Upload): boolean {
  const chars = (text: string) => text.normalize('NFC').replace(/[^\p{L}\p{N}.]/gu, '')
  return chars(caption) === chars(upload.name)
}

/** Only messages that the user may read in this conversation can be quoted. */
export async function findQuotedWid(scope: Scope, ticket: Ticket, id: string | undefined): Promise<string | null> {
  return id && /^\d{1,18}$/.test(id) ? findWidInThread(scope, ticket, Number(id)) : null
}

/** The client's id for a message; if one request has several files, their index is appended. */
export const clientIdAt = (clientId: string | undefined, of: number, place: number): string | null =>
  clientId ? (of > 1 ? `${clientId}-${place}` : clientId) : null

/** The messages that the same request stored before. The caller holds the ticket lock, so a parallel request finds them. */
export async function findAlreadySent(scope: Scope, ticket: Ticket, clientId: string | undefined, of: number) {
  if (!clientId) return []
  const names = Array.from({ length: Math.max(1, of) }, (_, place) => clientIdAt(clientId, of, place))
  return findMessages(scope, sql`m."clientId" = any(${names}::text[]) and m."ticketId" = ${ticket.id}`)
}

/** Older clients send a greeting after an accept; if the server has just sent the same greeting, it is returned instead. */
export async function findRecentGreeting(scope: Scope, ticket: Ticket, body: string): Promise<Message | null> {
  if (!body.includes('{{ms}}') || !body.includes('{{name}}')) return null
  const since = new Date(scope.now().getTime() - 30_000)
  const [greeting] = await findMessages(
    scope,
    sql`m."ticketId" = ${ticket.id} and m.bot = 'greeting' and m."createdAt" > ${since}`,
    sql`m.id desc`,
    { limit: 1 },
  )
  return greeting ?? null
}
