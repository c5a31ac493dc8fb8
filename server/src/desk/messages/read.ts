import type { Message } from '@recado/contract/messages'
import { seesAll } from '@recado/contract/sight'
import type { Ticket } from '@recado/contract/tickets'
import { type RawBuilder, sql } from 'kysely'
import { hotPage } from '../../kernel/data/hot.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Cells } from '../../kernel/data/shape.ts'
import { allRead } from '../tickets/said.ts'
import { tellRead } from '../tickets/tell.ts'
import { mustSee, ticketValue } from '../tickets/view.ts'
import { asker, readsSql, type Viewer } from '../tickets/visibility.ts'
import { addErrand } from './errands.ts'
import { findMessages, messagesValue, presentMessages } from './view.ts'

const pageSize = 20

const newestFirst = sql`m."createdAt" desc, m.id desc`

/**
 * The conversation as one thread: every ticket of this contact on this line, so that the screen can show where one
 * ended and the next began. Those that this person may not read stay out. It is read together with its ticket, before
 * we know whether this person may see either; who may not gets neither.
 */
export async function thread(
  scope: Scope,
  ticketId: number,
  pageNumber: number,
): Promise<{ ticket: Ticket; messages: Message[]; hasMore: boolean }> {
  const page = { limit: pageSize + 1, offset: (pageNumber - 1) * pageSize }
  const here = sql`m."contactId" = (select "contactId" from here) and m."whatsappId" = (select "whatsappId" from here)`
  const { rows } = await sql<{ ticket: Cells; page: Cells; moved: boolean }>`${hotPage(page.limit, page.offset)}
    with here as materialized (
      select "contactId", "whatsappId" from tickets where "companyId" = ${scope.companyId} and id = ${ticketId}
    )
    select ${ticketValue(scope, sql`t.id = ${ticketId}`)} as ticket,
      ${messagesValue(scope, sql`${here} and ${isSeen(ticketId, asker(scope))}`, newestFirst, page)} as page,
      ${wasMoved(scope, ticketId)} as moved`.execute(scope.db)
  const ticket = mustSee(scope, rows[0]?.ticket)
  const whole = ticket.whatsappId && !rows[0]?.moved
  const found = whole
    ? presentMessages(scope, rows[0]?.page)
    : await findMessages(scope, inThread(scope, ticket), newestFirst, page)
  return { ticket, messages: found.slice(0, pageSize).reverse(), hasMore: found.length > pageSize }
}

/** A ticket that was handed over from another line has its beginning there; one whose line is gone has only itself. */
function inThread(scope: Scope, ticket: Ticket): RawBuilder<unknown> {
  const own = sql`m."ticketId" = ${ticket.id}`
  const here = ticket.whatsappId ? sql`(m."whatsappId" = ${ticket.whatsappId} or ${own})` : own
  return sql`m."contactId" = ${ticket.contactId} and ${here} and ${isSeen(ticket.id, asker(scope))}`
}

const wasMoved = (scope: Scope, ticketId: number) => sql`exists (
        select 1 from "ticketEvents" e, jsonb_array_elements(e.steps) s
        where e."companyId" = ${scope.companyId} and e."ticketId" = ${ticketId} and e.kind = 'transfer'
          and s -> 'with' ->> 'lineBefore' is not null)`

/** The vendor's id of a message that stands in what this person reads there, if it does. */
export async function widInThread(scope: Scope, ticket: Ticket, id: number): Promise<string | null> {
  const { rows } = await sql<{ wid: string }>`
    select m.wid from messages m
    where m."companyId" = ${scope.companyId} and m.id = ${id} and ${inThread(scope, ticket)}`.execute(scope.db)
  return rows[0]?.wid ?? null
}

const isSeen = (ticketId: number, viewer: Viewer | null) =>
  viewer && seesAll(viewer)
    ? sql`true`
    : sql`(m."ticketId" = ${ticketId} or m."ticketId" is null or exists (
        select 1 from tickets t where t."companyId" = m."companyId" and t.id = m."ticketId"
          and ${viewer ? readsSql(viewer) : sql`false`}))`

/** Read means: its own agent opened it or answered. Nobody else's look and no background update counts. */
export async function markRead(scope: Scope, ticket: Ticket): Promise<void> {
  if (ticket.unreadMessages === 0) return
  const { companyId } = scope
  await allRead(scope, ticket.id)
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
    await addErrand(scope, ticket.whatsappId, {
      kind: 'read',
      contactId: ticket.contactId,
      wids: read.map((r) => r.wid),
    })
  tellRead(scope, ticket, ticket.id)
}
