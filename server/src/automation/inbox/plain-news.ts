import { topics } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { findMessages } from '../../desk/messages/view.ts'
import { presentTickets } from '../../desk/tickets/view.ts'
import { roomsOf } from '../../desk/tickets/visibility.ts'
import type { Resolved } from '../../directory/contacts/resolve.ts'
import { type Means, Scope } from '../../kernel/scope.ts'
import type { InboundMessage, LineRow } from '../../lines/line.ts'

/** A plain message, with what was known of its sender and ticket before it was written (see plain.ts). */
export type Plain = { journalId: number; event: InboundMessage; body: string; resolved: Resolved; ticket: Ticket }
type Touched = Pick<
  Ticket,
  'id' | 'status' | 'userId' | 'queueId' | 'contactId' | 'unreadMessages' | 'lastMessage' | 'updatedAt'
>
/** What the write did: entries that are finished, messages that are new, tickets as they are after it. */
export type Written = { done: number[]; stored: { id: string; wid: string }[]; touched: Touched[] }

/** Inside JSON the database writes moments its own way. */
export const inOurTime = <T extends { updatedAt: string; createdAt?: string }>(row: T): T => ({
  ...row,
  updatedAt: new Date(row.updatedAt).toISOString(),
  ...(row.createdAt && { createdAt: new Date(row.createdAt).toISOString() }),
})

/** In the order of commits, like everything that is told (see live.takeTurn); our commit was part of the statement. */
export async function tellPlain(means: Means, row: LineRow, plain: Plain[], written: Written): Promise<void> {
  const ids = new Map(written.stored.map((s) => [s.wid, s.id]))
  const scope = new Scope(means, { companyId: row.companyId })
  const turn = means.live.takeTurn(row.companyId)
  try {
    await turn.before
    const quotes = await quoting(scope, plain, ids)
    const tickets = await ticketsNow(scope, plain, written.touched, turn.alone)
    for (const { event, body, ticket: before, resolved } of plain) {
      const id = ids.get(event.id)
      const ticket = tickets.get(before.id)
      if (!id || !ticket) continue
      const message = quotes.get(id) ?? received(id, ticket, body, event, resolved.contact.name)
      const { id: contactId, name, profilePicUrl } = ticket.contact
      const news = { action: 'create' as const, message, ticket, contact: { id: contactId, name, profilePicUrl } }
      scope.live(topics.message, news, { rooms: roomsOf(ticket) })
    }
  } finally {
    turn.done()
  }
}

/** Messages that quote are read again, with what they quote. */
async function quoting(scope: Scope, plain: Plain[], ids: Map<string, string>): Promise<Map<string, Message>> {
  const which = plain.flatMap(({ event }) => (event.quotedId ? (ids.get(event.id) ?? []) : []))
  if (!which.length) return new Map()
  return new Map((await findMessages(scope, sql`m.id = any(${which}::bigint[])`)).map((m) => [m.id, m]))
}

/**
 * The tickets as they are now. What was looked up before the write is good for most of it, unless somebody accepted or
 * passed on the ticket in between, or is about to tell of a change: then it is read again.
 */
async function ticketsNow(
  scope: Scope,
  plain: Plain[],
  touched: Touched[],
  alone: boolean,
): Promise<Map<number, Ticket>> {
  const before = new Map(plain.map((p) => [p.ticket.id, p.ticket]))
  const same = (t: Touched, b: Ticket | undefined) =>
    b?.status === t.status && b.userId === t.userId && b.queueId === t.queueId && b.contactId === t.contactId
  const changed = touched.filter((t) => !alone || !same(t, before.get(t.id))).map((t) => t.id)
  for (const t of touched) before.set(t.id, { ...(before.get(t.id) as Ticket), ...inOurTime(t) })
  for (const id of changed) before.delete(id)
  for (const ticket of await presentTickets(scope, changed)) before.set(ticket.id, ticket)
  return before
}

const received = (id: string, ticket: Ticket, body: string, event: InboundMessage, name: string): Message => ({
  id,
  ticketId: ticket.id,
  body,
  fromMe: false,
  read: false,
  ack: 0,
  mediaType: 'conversation',
  mediaUrl: null,
  mediaName: null,
  mediaState: 'none',
  error: null,
  isDeleted: false,
  isEdited: false,
  bot: null,
  user: null,
  reactions: [],
  contact: { name },
  quotedMsg: null,
  createdAt: new Date(event.at).toISOString(),
})
