import type { Message } from '@recado/contract/messages'
import { escapeLocation } from '@recado/contract/text/location-and-card'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { type RawBuilder, sql } from 'kysely'
import { keepPagePrepared, keepPrepared, literalLimit } from '../../kernel/data/keep-prepared.ts'
import { type JsonRows, makeShapedRows, timestampLeaf } from '../../kernel/data/row-shape.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { signedMediaUrl } from '../../kernel/files/media.ts'
import { canReadTicketSql, currentViewer, type Viewer } from '../tickets/base/visibility.ts'

/** A message with its author and quote. `m` is the message. */
const messages = makeShapedRows<MessageRow>({
  ...{
    id: 'm.id::text',
    companyId: 'm."companyId"',
    ticketId: 'm."ticketId"',
    ticketNumber: 'n.number',
    clientId: 'm."clientId"',
    body: 'm.body',
  },
  ...{ fromMe: 'm."fromMe"', read: 'm.read', ack: 'm.ack', mediaType: 'm."mediaType"', mediaPath: 'm."mediaPath"' },
  ...{
    mediaName: 'm."mediaName"',
    mediaSize: 'm."mediaSize"',
    mediaPages: 'm."mediaPages"',
    mediaState: 'm."mediaState"',
  },
  ...{ error: 'm.error', isDeleted: 'm."isDeleted"', isEdited: 'm."isEdited"', bot: 'm.bot', reactions: 'm.reactions' },
  transcript: 'm.transcript',
  isForwarded: `coalesce(m."sendAs" ? 'forwarded', false)`,
  heldUntil: timestampLeaf(`case when m.state = 'queued' then m."notBefore" end`),
  createdAt: timestampLeaf('m."createdAt"'),
  user: { id: 'a.id', name: 'a.name' },
  campaign: { id: 'k.id', name: 'k.name' },
  apiKey: { id: 'p.id', name: 'p.name' },
  ad: { id: 'd.id', title: 'd.title', body: 'd.body', url: 'd.url', picture: 'd.picture' },
  contact: { name: `case when not m."fromMe" then coalesce(s.name, '') end` },
  quotedMsg: {
    ...{
      id: 'o.id::text',
      ticketId: 'o."ticketId"',
      companyId: 'o."companyId"',
      fromMe: 'o."fromMe"',
      body: 'o.body',
      mediaType: 'o."mediaType"',
    },
    ...{ mediaPath: 'o."mediaPath"', mediaName: 'o."mediaName"', isDeleted: 'o."isDeleted"' },
    contact: { name: `case when not o."fromMe" then coalesce(os.name, '') end` },
  },
})

/**
 * Uses `case`, because under row-level security the planner treats `coalesce` as a leak and reads all contacts instead
 * of one.
 */
const authorIdSql = (row: string) =>
  `case when ${row}."senderId" is null then ${row}."contactId" else ${row}."senderId" end`

/** The reader for whom quotes are filtered; `all`: the caller filters them (see quotes.ts). */
type QuoteReader = Viewer | null | 'all'

/**
 * The same rule as for the thread: a quote is readable if its message is in this ticket, in no ticket, or in a ticket
 * that the reader may see.
 */
const canReadQuoteSql = (reader: QuoteReader): RawBuilder<unknown> =>
  reader === 'all' || (reader && canSeeAllTickets(reader))
    ? sql``
    : sql`and (o."ticketId" is null or o."ticketId" = m."ticketId" or exists (
        select 1 from tickets t where t."companyId" = o."companyId" and t.id = o."ticketId"
          and ${reader ? canReadTicketSql(reader) : sql`false`}))`

/**
 * Only messages of the same chat are shown as quotes, because users who see this ticket may not see another. Lateral joins
 * look up each row by its key; with plain joins the planner would read all contacts for a page of messages.
 */
const messageJoins = (reader: QuoteReader) => sql`${sql.raw(`
  left join lateral (
    select number from tickets n where n."companyId" = m."companyId" and n.id = m."ticketId" limit 1
  ) n on true
  left join lateral (
    select id, name from campaigns k where k."companyId" = m."companyId" and k.id = m."campaignId" limit 1
  ) k on true
  left join lateral (
    select id, title, body, url, picture from ads d where d."companyId" = m."companyId" and d.id = m."adId" limit 1
  ) d on true
  left join lateral (
    select id, name from "apiKeys" p where p."companyId" = m."companyId" and p.id = m."apiKeyId" limit 1
  ) p on true
  left join users a on a."companyId" = m."companyId" and a.id = m."userId"
  left join lateral (
    select name from contacts s where s."companyId" = m."companyId" and s.id = ${authorIdSql('m')} limit 1
  ) s on true
  left join lateral (
    select o.* from messages o where o."whatsappId" = m."whatsappId" and o.wid = m."quotedWid" and o."companyId" = m."companyId"
      and o."contactId" = m."contactId"`)} ${canReadQuoteSql(reader)} limit 1
  ) o on true
  ${sql.raw(`left join lateral (
    select name from contacts os where os."companyId" = o."companyId" and os.id = ${authorIdSql('o')} limit 1
  ) os on true`)}`

type MediaFile = { companyId: number; mediaPath: string | null; mediaName: string | null }
type MessageRow = Omit<Message, 'mediaUrl' | 'quotedMsg'> &
  MediaFile & {
    quotedMsg: (Omit<NonNullable<Message['quotedMsg']>, 'mediaUrl'> & MediaFile & { ticketId: number | null }) | null
  }

/** A deleted message keeps its place in the thread, but not its text. */
export function presentMessage(scope: Scope, row: MessageRow): MessageWithQuote {
  const hide = row.isDeleted
    ? { body: '', mediaUrl: null, mediaName: null, mediaSize: null, mediaPages: null, transcript: null }
    : { body: sentBody(row), mediaUrl: signedMediaUrl(scope, row) }
  const quoted = row.quotedMsg && {
    ...row.quotedMsg,
    mediaUrl: row.quotedMsg.isDeleted ? null : signedMediaUrl(scope, row.quotedMsg),
    body: row.quotedMsg.isDeleted ? '' : sentBody(row.quotedMsg),
  }
  return { ...row, ...hide, quotedMsg: quoted }
}

const sentBody = ({ mediaType, body }: { mediaType: string | null; body: string }): string =>
  mediaType === 'locationMessage' ? escapeLocation(body) : body

/** A message with the ticket of its quoted message. */
export type MessageWithQuote = Omit<Message, 'quotedMsg'> & {
  quotedMsg: (NonNullable<Message['quotedMsg']> & { ticketId: number | null }) | null
}

type MessagePage = { limit: number; offset?: number }

/** Messages as a JSON value that can be selected beside other columns; `presentMessages` parses it. */
export function messagesSql(
  scope: Scope,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  page?: MessagePage,
  reader: QuoteReader = scope.person && currentViewer(scope),
): RawBuilder<JsonRows> {
  return messages.aggregate(sql`select ${messages.cells}
    from (select * from messages m where m."companyId" = ${scope.companyId} and ${where} order by ${order} ${page ? literalLimit(page.limit, page.offset) : sql``}) m ${messageJoins(reader)}
    order by ${order}`)
}
export const presentMessages = (scope: Scope, value: JsonRows | undefined): MessageWithQuote[] =>
  messages.read(value).map((row) => presentMessage(scope, row))

/** The rows are sorted and cut to one page before the joins, so that only that page is joined. */
export async function findMessages(
  scope: Scope,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql`m.id`,
  page?: MessagePage,
  reader?: QuoteReader,
): Promise<MessageWithQuote[]> {
  const { rows } = await sql<{ page: JsonRows }>`${page ? keepPagePrepared(page.limit, page.offset) : keepPrepared}
    select ${messagesSql(scope, where, order, page, reader)} as page`.execute(scope.db)
  return presentMessages(scope, rows[0]?.page)
}

/** These messages in id order with all quotes: callers filter the quotes per reader (see quotes.ts). */
export const loadMessages = (scope: Scope, ids: number[]): Promise<MessageWithQuote[]> =>
  scope.load(loadMessagesInBatch, ids)

async function loadMessagesInBatch(scope: Scope, all: number[][]): Promise<MessageWithQuote[][]> {
  const found = await findMessages(scope, sql`m.id = any(${all.flat()}::bigint[])`, undefined, undefined, 'all')
  const byId = new Map(found.map((message) => [Number(message.id), message]))
  return all.map((ids) => ids.flatMap((id) => byId.get(Number(id)) ?? []))
}
