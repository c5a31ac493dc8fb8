import { setImmediate as nextRound } from 'node:timers/promises'
import { topics } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { splitByQuoteVisibility } from '../../desk/messages/quotes.ts'
import { findMessages, type MessageWithQuote } from '../../desk/messages/view.ts'
import { requestTicketPush } from '../../desk/push.ts'
import { extendReplyWindow } from '../../desk/reply-window.ts'
import { presentTickets, withPictureUrls } from '../../desk/tickets/base/ticket-view.ts'
import { roomsOfTicket } from '../../desk/tickets/base/visibility.ts'
import { toIsoTimestamp } from '../../kernel/data/row-shape.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { journalTraceId, runWithTrace } from '../../kernel/trace.ts'
import type { InboundMessage, LineRow } from '../../lines/line.ts'
import type { KnownSender, KnownTicket } from './fast-path.ts'

/** A message of the fast path, with its sender and ticket as looked up before the write (see fast-path.ts). */
export type FastPathMessage = KnownSender & { journalId: number; event: InboundMessage }
type UpdatedTicket = Pick<
  Ticket,
  'id' | 'status' | 'userId' | 'queueId' | 'contactId' | 'unreadMessages' | 'lastMessage' | 'updatedAt'
> & { waitingSince: string }
/** The result of the write: new messages, and the tickets as they are after the write. */
export type FastPathResult = { stored: { id: string; wid: string }[]; touched: UpdatedTicket[] }

/** Publishes in commit order, like all events (see live.takeNumber); the commit was part of the write statement. */
export async function publishFastPathMessages(
  deps: Deps,
  row: LineRow,
  plain: FastPathMessage[],
  written: FastPathResult,
): Promise<void> {
  const ids = new Map(written.stored.map((s) => [s.wid, s.id]))
  const scope = new Scope(deps, { companyId: row.companyId })
  const number = deps.live.takePublishTurn(row.companyId, true)
  try {
    await number.previousDone
    // Lets the next batch go to the database first, which then works while this process publishes.
    await nextRound()
    const quotes = await loadQuotingMessages(scope, plain, ids)
    const tickets = await currentTickets(scope, plain, written)
    for (const { journalId, event, ticket: before, resolvedContact: resolved } of plain) {
      const id = ids.get(event.id)
      const ticket = tickets.get(before.id)
      if (!id || !ticket) continue
      const message = presentReceived(id, ticket, event, resolved.contact.name)
      const { id: contactId, name, profilePicUrl } = ticket.contact
      const about = { ticket, contact: { id: contactId, name, profilePicUrl } }
      const rooms = roomsOfTicket(ticket)
      const quoting = quotes.get(id)
      const tellings = quoting
        ? await splitByQuoteVisibility(scope, [{ message: quoting, rooms }])
        : [{ message, audience: { rooms } }]
      for (const { message, audience: to } of tellings)
        deps.live.publish(
          topics.message,
          row.companyId,
          { action: 'create', message, ...about },
          to,
          journalTraceId({ journalId }),
        )
    }
  } finally {
    number.done()
  }
  // The messages are already stored and published: a failed notification is only logged by the calling lane.
  const because = new Map(plain.map((one) => [one.ticket.id, journalTraceId(one)]))
  for (const { id } of written.touched) await runWithTrace(because.get(id), () => requestTicketPush(scope, [id]))
}

/** Reads messages that quote another message again, with the quoted message. */
async function loadQuotingMessages(
  scope: Scope,
  plain: FastPathMessage[],
  ids: Map<string, string>,
): Promise<Map<string, MessageWithQuote>> {
  const which = plain.flatMap(({ event }) => (event.quotedId ? (ids.get(event.id) ?? []) : []))
  if (!which.length) return new Map()
  const found = await findMessages(scope, sql`m.id = any(${which}::bigint[])`, undefined, undefined, 'all')
  return new Map(found.map((m) => [m.id, m]))
}

/**
 * The current tickets. The lookup from before the write is reused, unless anything of the company has changed since in
 * this process, or a status, user or queue in any process: then the tickets are read again.
 */
async function currentTickets(
  scope: Scope,
  plain: FastPathMessage[],
  { touched, stored }: FastPathResult,
): Promise<Map<number, Ticket>> {
  const ids = new Map(stored.map((s) => [s.wid, s.id]))
  const before = new Map(plain.map((p) => [p.ticket.id, p.ticket]))
  const last = new Map<number, string>()
  const windows = new Map<number, string | null>()
  for (const { ticket, event } of plain) {
    if (!ids.has(event.id)) continue
    last.set(ticket.id, ids.get(event.id) as string)
    windows.set(ticket.id, extendReplyWindow(windows.get(ticket.id) ?? ticket.windowEndsAt, event.at))
  }
  const same = (t: UpdatedTicket, b: KnownTicket | undefined) =>
    b?.status === t.status && b.userId === t.userId && b.queueId === t.queueId && b.contactId === t.contactId
  const changes = scope.deps.live.changeCount(scope.companyId)
  const old = new Set(plain.filter((p) => p.changeCount !== changes).map((p) => p.ticket.id))
  const changed = touched.filter((t) => old.has(t.id) || !same(t, before.get(t.id))).map((t) => t.id)
  const now = new Map<number, Ticket>()
  for (const t of touched) {
    const newest = { id: last.get(t.id) as string, fromMe: false, ack: 0, mediaType: 'conversation' as const }
    const windowEndsAt = windows.get(t.id) ?? null
    now.set(t.id, {
      ...(before.get(t.id) as KnownTicket),
      ...t,
      updatedAt: toIsoTimestamp(t.updatedAt),
      waitingSince: toIsoTimestamp(t.waitingSince),
      last: newest,
      heard: null,
      windowEndsAt,
    })
  }
  for (const id of changed) now.delete(id)
  withPictureUrls(scope, [...now.values()])
  for (const ticket of await presentTickets(scope, changed)) now.set(ticket.id, ticket)
  return now
}

const presentReceived = (id: string, ticket: Ticket, event: InboundMessage, name: string): Message => ({
  id,
  ticketId: ticket.id,
  ticketNumber: ticket.number,
  clientId: null,
  body: event.content.kind === 'text' ? event.content.body : '',
  fromMe: false,
  read: false,
  ack: 0,
  mediaType: 'conversation',
  mediaUrl: null,
  mediaName: null,
  mediaSize: null,
  mediaPages: null,
  mediaState: 'none',
  error: null,
  isDeleted: false,
  isEdited: false,
  isForwarded: false,
  transcript: null,
  bot: null,
  user: null,
  campaign: null,
  apiKey: null,
  ad: null,
  reactions: [],
  contact: { name },
  quotedMsg: null,
  heldUntil: null,
  createdAt: new Date(event.at).toISOString(),
})
