import type { ConversationExportFormat } from '@recado/contract/api-access/export-and-erasure'
import type { Message } from '@recado/contract/messages'
import { messagePreviewText, unescapeLocationName } from '@recado/contract/text/location-and-card'
import { parseSignature } from '@recado/contract/text/signature'
import type { Ticket } from '@recado/contract/tickets'
import type { ClosingValue } from '@recado/contract/tickets/closing'
import type { Language } from '@recado/contract/users'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { loadCompanyContext } from '../company-context.ts'
import { inThreadSql } from '../messages/thread.ts'
import { findMessages } from '../messages/view.ts'
import { deskTexts } from '../texts.ts'
import { findVisibleTicket } from '../tickets/base/ticket-view.ts'
import { listClosings } from '../tickets/closing/closing.ts'
import { conversationExportTexts } from './texts.ts'

/** One message as it is exported. */
export type ConversationEntry = {
  /** The title of the ticket, set on the first message of that ticket. */
  chapter: string | null
  at: string
  who: string
  fromMe: boolean
  /** The kind of message, if it is not text. */
  kind: string | null
  fileName: string | null
  text: string
  quoted: { who: string; text: string } | null
  transcript: string | null
  marks: string[]
  reactions: string
  /** An image that can be shown in the export. */
  picture: { mediaPath: string } | null
}
export type ConversationHeader = {
  title: string
  lines: string[]
  language: Language
  transcript: string
  answer: (name: string) => string
  none: string
}
export type ExportedConversation = {
  number: number
  head: ConversationHeader
  fileName: string
  entries: AsyncGenerator<ConversationEntry>
}

/** Maximum number of messages; only the newest are exported, because a long PDF is expensive and nobody reads it. */
export const maxMessagesByFormat: Record<ConversationExportFormat, number> = { pdf: 5000, html: 50_000, text: 50_000 }
const batchSize = 100
/** Longer than any text that people type; longer texts were generated. */
const maxTextLength = 20_000

/** The chat of a ticket as the user may see it, oldest first, read while the file is written. */
export async function loadConversation(
  scope: Scope,
  ticketId: number,
  format: ConversationExportFormat,
): Promise<ExportedConversation> {
  const ticket = await findVisibleTicket(scope, ticketId)
  const { zone, language: companys, now } = await loadCompanyContext(scope)
  const language = scope.actor.language ?? companys
  const words = conversationExportTexts[language]
  const clock = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const begin = await findStartMessage(scope, ticket, maxMessagesByFormat[format])
  const head: ConversationHeader = {
    title: words.title(ticket.contact.name),
    lines: [
      [ticket.contact.number, ticket.whatsapp?.name, words.ticket(ticket.number)].filter(Boolean).join(' · '),
      `${words.made(clock.format(now), scope.actor.name)} · ${words.zone(zone)}`,
      ...(await describeClosings(scope, ticket, language, clock)),
      ...(begin ? [words.cut(maxMessagesByFormat[format])] : []),
    ],
    language,
    transcript: words.transcript,
    answer: words.answer,
    none: words.none,
  }
  return {
    number: ticket.number,
    head,
    fileName: `${ticket.contact.name.slice(0, 60)} ${ticket.number}`.replace(/[^\p{L}\p{N} _-]/gu, '').trim(),
    entries: readEntries(scope, ticket, begin, language, clock),
  }
}

/** One line for each time that a person closed the ticket and said why. */
async function describeClosings(
  scope: Scope,
  { id }: Ticket,
  language: Language,
  clock: Intl.DateTimeFormat,
): Promise<string[]> {
  const words = conversationExportTexts[language]
  const show = (value: ClosingValue) =>
    typeof value === 'boolean' ? (value ? words.yes : words.no) : value.toLocaleString(language)
  return (await listClosings(scope, id)).flatMap(({ at, reason, fields, note }) => {
    const how = [reason?.name, ...fields.map(({ name, value }) => `${name}: ${show(value)}`), note].filter(Boolean)
    return how.length ? [words.closed(clock.format(new Date(at)), how.join(' · '))] : []
  })
}

/**
 * Finds the message after which the newest `count` messages begin. Null: the conversation has at most `count` messages.
 */
async function findStartMessage(scope: Scope, ticket: Ticket, count: number): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select m.id::text as id from messages m where m."companyId" = ${scope.companyId} and ${inThreadSql(scope, ticket)}
    order by m."createdAt" desc, m.id desc offset ${count} limit 1`.execute(scope.db)
  return rows[0]?.id ?? null
}

/** Compares with the stored time of that message, which has microseconds; the time that the API returns is rounded. */
const afterMessageSql = (scope: Scope, id: string | null) =>
  id === null
    ? sql`true`
    : sql`(m."createdAt", m.id) > (
        select o."createdAt", o.id from messages o where o."companyId" = ${scope.companyId} and o.id = ${id}::bigint)`

async function* readEntries(
  scope: Scope,
  ticket: Ticket,
  begin: string | null,
  language: Language,
  clock: Intl.DateTimeFormat,
): AsyncGenerator<ConversationEntry> {
  const words = conversationExportTexts[language]
  let last = begin
  let chapter: number | null | undefined
  for (;;) {
    const where = sql`${inThreadSql(scope, ticket)} and ${afterMessageSql(scope, last)}`
    const page = await findMessages(scope, where, sql`m."createdAt", m.id`, { limit: batchSize })
    const paths = await loadPicturePaths(scope, page)
    for (const message of page) {
      const begins = message.ticketId !== chapter
      chapter = message.ticketId
      const name = message.ticketNumber ? words.ticket(message.ticketNumber) : words.alone
      const mediaPath = paths.get(message.id)
      yield {
        ...toEntry(message, language, clock),
        chapter: begins ? name : null,
        picture: mediaPath ? { mediaPath } : null,
      }
    }
    if (page.length < batchSize) return
    last = page.at(-1)?.id ?? null
  }
}

async function loadPicturePaths(scope: Scope, page: Message[]): Promise<Map<string, string>> {
  const ids = page.filter((m) => m.mediaType === 'image' && m.mediaUrl && !m.isDeleted).map((m) => m.id)
  if (!ids.length) return new Map()
  const { rows } = await sql<{ id: string; mediaPath: string }>`
    select id::text as id, "mediaPath" from messages
    where "companyId" = ${scope.companyId} and id = any (${ids}::bigint[]) and "mediaPath" is not null`.execute(
    scope.db,
  )
  return new Map(rows.map((row) => [row.id, row.mediaPath]))
}

function toEntry(
  message: Message,
  language: Language,
  clock: Intl.DateTimeFormat,
): Omit<ConversationEntry, 'chapter' | 'picture'> {
  const words = conversationExportTexts[language]
  const server = deskTexts[language]
  const { mediaType, isDeleted, fromMe } = message
  const said = fromMe ? parseSignature(message.body) : { name: '', text: message.body }
  const name = fromMe
    ? (message.user?.name ?? (said.name || (message.bot ? words.bot : words.us)))
    : (message.contact?.name ?? '')
  const kinds: Record<string, string> = server.kinds
  const known = mediaType && mediaType !== 'conversation' ? (kinds[mediaType] ?? server.unknown) : null
  const text =
    mediaType === 'conversation' || !mediaType
      ? said.text
      : unescapeLocationName(messagePreviewText(mediaType, said.text))
  const quoted = message.quotedMsg
  return {
    at: clock.format(new Date(message.createdAt)),
    who: name,
    fromMe,
    kind: isDeleted ? server.deleted : known,
    fileName: message.mediaName,
    // A file without a caption is stored with its name as the body.
    text: isDeleted || text === message.mediaName ? '' : text.slice(0, maxTextLength).toWellFormed(),
    quoted: quoted && {
      who: quoted.fromMe ? words.us : (quoted.contact?.name ?? ''),
      text: quoted.isDeleted
        ? server.deleted
        : messagePreviewText(quoted.mediaType, parseSignature(quoted.body).text).slice(0, 200).toWellFormed(),
    },
    transcript: message.transcript?.slice(0, maxTextLength).toWellFormed() ?? null,
    marks: [...(message.isEdited ? [words.edited] : []), ...(message.error ? [words.failed] : [])],
    reactions: message.reactions.map(({ emoji }) => emoji).join(' '),
  }
}
