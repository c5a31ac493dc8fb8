import { type Message, maxThreadHits } from '@recado/contract/messages'
import { fold } from '@recado/contract/text/fold'
import type { Ticket } from '@recado/contract/tickets'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { type RawBuilder, sql } from 'kysely'
import { keepPagePrepared, literalLimit } from '../../kernel/data/keep-prepared.ts'
import { likePattern } from '../../kernel/data/records.ts'
import type { JsonRows } from '../../kernel/data/row-shape.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { clearUnread } from '../tickets/base/message-activity.ts'
import { publishTicketRead } from '../tickets/base/publish-ticket.ts'
import { clearReturnedMark } from '../tickets/base/returned-mark.ts'
import { findReadableTicket, readReadableTicket, ticketSql } from '../tickets/base/ticket-view.ts'
import { canReadTicketSql, canSeeTicket, currentViewer, type Viewer } from '../tickets/base/visibility.ts'
import { addLineTask } from './line-tasks.ts'
import { findMessages, messagesSql, presentMessages } from './view.ts'

const pageSize = 20

const newestFirst = sql`m."createdAt" desc, m.id desc`

/**
 * The conversation as one thread: every ticket of this contact on this line, so that the screen can show where a ticket
 * ended and the next began. Tickets that the user may not read are left out. The thread is queried together with its
 * ticket, before permission is checked; without permission neither is returned.
 */
export async function loadThread(
  scope: Scope,
  ticketId: number,
  pageNumber: number,
): Promise<{ ticket: Ticket; messages: Message[]; hasMore: boolean }> {
  const page = { limit: pageSize + 1, offset: (pageNumber - 1) * pageSize }
  const here = sql`m."contactId" = (select "contactId" from here) and m."whatsappId" = (select "whatsappId" from here)`
  const { rows } = await sql<{
    ticket: JsonRows
    page: JsonRows
    moved: boolean
  }>`${keepPagePrepared(page.limit, page.offset)}
    with here as materialized (
      select "contactId", "whatsappId" from tickets where "companyId" = ${scope.companyId} and id = ${ticketId}
    )
    select ${ticketSql(scope, sql`t.id = ${ticketId}`)} as ticket,
      ${messagesSql(scope, sql`${here} and ${isVisibleSql(ticketId, currentViewer(scope))}`, newestFirst, page)} as page,
      ${wasMovedSql(scope, ticketId)} as moved`.execute(scope.db)
  const ticket = await readReadableTicket(scope, rows[0]?.ticket)
  const whole = ticket.whatsappId && !rows[0]?.moved && !isReadByMention(scope, ticket)
  const found = whole
    ? presentMessages(scope, rows[0]?.page)
    : await findMessages(scope, inThreadSql(scope, ticket), newestFirst, page)
  return { ticket, messages: found.slice(0, pageSize).reverse(), hasMore: found.length > pageSize }
}

/** The thread of a ticket moved from another line includes its messages there; without a line it is only the ticket. */
export function inThreadSql(scope: Scope, ticket: Ticket): RawBuilder<unknown> {
  const own = sql`m."ticketId" = ${ticket.id}`
  if (isReadByMention(scope, ticket)) return sql`m."contactId" = ${ticket.contactId} and ${own}`
  const here = ticket.whatsappId ? sql`(m."whatsappId" = ${ticket.whatsappId} or ${own})` : own
  return sql`m."contactId" = ${ticket.contactId} and ${here} and ${isVisibleSql(ticket.id, currentViewer(scope))}`
}

/**
 * Whether the ticket was found although the user does not see it: a note mentions the user, who reads only this ticket.
 */
function isReadByMention(scope: Scope, ticket: Ticket): boolean {
  const viewer = currentViewer(scope)
  return !viewer || !canSeeTicket(viewer, ticket)
}

const wasMovedSql = (scope: Scope, ticketId: number) => sql`exists (
        select 1 from "ticketEvents" e, jsonb_array_elements(e.steps) s
        where e."companyId" = ${scope.companyId} and e."ticketId" = ${ticketId} and e.kind = 'transfer'
          and s -> 'with' ->> 'lineBefore' is not null)`

/** The vendor's id of a message in the thread, if the user may read it there. */
export async function findWidInThread(scope: Scope, ticket: Ticket, id: number): Promise<string | null> {
  const { rows } = await sql<{ wid: string }>`
    select m.wid from messages m
    where m."companyId" = ${scope.companyId} and m.id = ${id} and ${inThreadSql(scope, ticket)}`.execute(scope.db)
  return rows[0]?.wid ?? null
}

const isVisibleSql = (ticketId: number, viewer: Viewer | null) =>
  viewer && canSeeAllTickets(viewer)
    ? sql`true`
    : sql`(m."ticketId" = ${ticketId} or m."ticketId" is null or exists (
        select 1 from tickets t where t."companyId" = m."companyId" and t.id = m."ticketId"
          and ${viewer ? canReadTicketSql(viewer) : sql`false`}))`

/** Kinds shown as text; other kinds are stored in a form that is not readable. */
const searchableKinds = ['conversation', 'image', 'audio', 'video', 'application']

/** Messages of a conversation searched per statement. */
const searchBatchSize = 5000
type ThreadHit = { id: string; createdAt: string }

/** Finds text in the part of the thread that the user may read, newest first; `before`: only hits before this one. */
export async function searchThread(
  scope: Scope,
  ticketId: number,
  { searchParam, before }: { searchParam: string; before?: string | undefined },
): Promise<{ hits: ThreadHit[]; hasMore: boolean }> {
  const ticket = await findReadableTicket(scope, ticketId)
  const hits: ThreadHit[] = []
  // Groups have hundreds of thousands of messages: reading stops when the page of hits is full.
  for (let oldest = before; searchParam && hits.length <= maxThreadHits; ) {
    const batch = await searchThreadBatch(scope, ticket, searchParam, oldest)
    hits.push(...batch.hits)
    if (!batch.oldest) break
    oldest = batch.oldest
  }
  return { hits: hits.slice(0, maxThreadHits), hasMore: hits.length > maxThreadHits }
}

/** The hits among the next messages before `before`, and the last of those messages if there may be more. */
async function searchThreadBatch(scope: Scope, ticket: Ticket, words: string, before: string | undefined) {
  const pattern = sql`(select ${likePattern(fold(words))}::text)`
  const last = (column: 'createdAt' | 'id') =>
    sql`(select m.${sql.ref(column)} from messages m
      where m."companyId" = ${scope.companyId} and m.id = ${before}::bigint and ${inThreadSql(scope, ticket)})`
  const older = before ? sql`and (m."createdAt", m.id) < (${last('createdAt')}, ${last('id')})` : sql``
  const { rows } = await sql<{ hits: ThreadHit[] | null; looked: number; oldest: string | null }>`
    with thread as materialized (
      select m.id, m."createdAt", m.body, m."mediaName", m."mediaType", m."isDeleted" from messages m
      where m."companyId" = ${scope.companyId} and ${inThreadSql(scope, ticket)} ${older}
      order by ${newestFirst} ${literalLimit(searchBatchSize)}
    ), hits as (
      select m.id::text as id, m."createdAt" from thread m
      where not m."isDeleted" and m."mediaType" = any(${searchableKinds}::text[])
        and (fold(m.body) like ${pattern} or fold(m."mediaName") like ${pattern})
      order by ${newestFirst} ${literalLimit(maxThreadHits + 1)}
    )
    select (select json_agg(h) from hits h) as hits, (select count(*)::int from thread) as looked,
      (select id::text from thread m order by m."createdAt", m.id limit 1) as oldest`.execute(scope.db)
  const { hits, looked, oldest } = rows[0] ?? { hits: null, looked: 0, oldest: null }
  return {
    hits: (hits ?? []).map(({ id, createdAt }) => ({ id, createdAt: new Date(createdAt).toISOString() })),
    oldest: looked === searchBatchSize ? oldest : null,
  }
}

/** A ticket is read when the assigned agent opens it or replies. Views by other users and background updates do not count. */
export async function markTicketRead(scope: Scope, ticket: Ticket): Promise<void> {
  if (ticket.returned) await clearReturnedMark(scope, ticket)
  if (ticket.unreadMessages === 0) return
  const { companyId } = scope
  await clearUnread(scope, ticket.id)
  const read = await scope.db
    .updateTable('messages')
    .set({ read: true })
    .where('companyId', '=', companyId)
    .where('ticketId', '=', ticket.id)
    .where('read', '=', false)
    .where('fromMe', '=', false)
    .returning('wid')
    .execute()
  if (read.length && ticket.whatsappId)
    await addLineTask(scope, ticket.whatsappId, {
      kind: 'read',
      contactId: ticket.contactId,
      wids: read.map((r) => r.wid),
    })
  publishTicketRead(scope, ticket, ticket.id)
}
