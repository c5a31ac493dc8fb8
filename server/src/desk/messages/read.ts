import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { type RawBuilder, sql } from 'kysely'
import { hot } from '../../kernel/hot.ts'
import type { Scope } from '../../kernel/scope.ts'
import { tellRead } from '../tickets/tell.ts'
import { asker, type Viewer } from '../tickets/visibility.ts'
import { addErrand } from './errands.ts'
import { findMessages } from './view.ts'

const pageSize = 20

/**
 * The conversation as one thread: every ticket of this contact on this line, so that the screen can show where one
 * ended and the next began. Earlier tickets of queues this person does not work in stay out.
 */
export async function thread(
  scope: Scope,
  ticket: Ticket,
  pageNumber: number,
): Promise<{ messages: Message[]; hasMore: boolean }> {
  const rows = await findMessages(scope, await inThread(scope, ticket), sql`m."createdAt" desc, m.id desc`, {
    limit: pageSize + 1,
    offset: (pageNumber - 1) * pageSize,
  })
  return { messages: rows.slice(0, pageSize).reverse(), hasMore: rows.length > pageSize }
}

async function inThread(scope: Scope, ticket: Ticket): Promise<RawBuilder<unknown>> {
  const seen = isSeen(ticket, asker(scope))
  return sql`m."contactId" = ${ticket.contactId} and ${await onLine(scope, ticket)} and ${seen}`
}

/** Whether it stands in what this person reads there. */
export async function isInThread(scope: Scope, ticket: Ticket, id: number): Promise<boolean> {
  const found = await findMessages(scope, sql`${await inThread(scope, ticket)} and m.id = ${id}`)
  return found.length > 0
}

const isSeen = (ticket: Ticket, viewer: Viewer | null) =>
  viewer?.profile === 'admin'
    ? sql`true`
    : sql`(m."ticketId" = ${ticket.id} or exists (
        select 1 from tickets h where h."companyId" = m."companyId" and h.id = m."ticketId"
          and (h."queueId" is null or h."queueId" = any(${viewer?.queueIds ?? []}::int[]) or h."userId" = ${viewer?.id ?? 0})))`

/** A ticket that was handed over from another line has its beginning there; one whose line is gone has only itself. */
async function onLine(scope: Scope, ticket: Ticket): Promise<RawBuilder<unknown>> {
  if (!ticket.whatsappId) return sql`m."ticketId" = ${ticket.id}`
  const { rows } = await sql<{ line: number }>`${hot}
    select distinct (s -> 'with' ->> 'lineBefore')::int as line
    from "ticketEvents" e, jsonb_array_elements(e.steps) s
    where e."companyId" = ${scope.companyId} and e."ticketId" = ${ticket.id} and e.kind = 'transfer'
      and s -> 'with' ->> 'lineBefore' is not null`.execute(scope.db)
  const here = sql`m."whatsappId" = ${ticket.whatsappId}`
  return rows.length ? sql`(${here} or m."ticketId" = ${ticket.id})` : here
}

/** Read means: its own agent opened it or answered. Nobody else's look and no background update counts. */
export async function markRead(scope: Scope, ticket: Ticket): Promise<void> {
  if (ticket.unreadMessages === 0) return
  const { companyId } = scope
  await scope.db
    .updateTable('tickets')
    .set({ unreadMessages: 0 })
    .where('companyId', '=', companyId)
    .where('id', '=', ticket.id)
    .execute()
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
