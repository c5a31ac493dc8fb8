import { topics } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { findMessages } from '../../desk/messages/view.ts'
import { step } from '../../desk/tickets/track.ts'
import { presentTickets, ticketColumnsText, ticketJoinsText } from '../../desk/tickets/view.ts'
import { roomsOf } from '../../desk/tickets/visibility.ts'
import { keysOf, keyText } from '../../directory/contacts/identity.ts'
import type { ContactRow } from '../../directory/contacts/people.ts'
import { type Resolved, recognise } from '../../directory/contacts/resolve.ts'
import type { Means } from '../../kernel/scope.ts'
import { Scope } from '../../kernel/scope.ts'
import type { InboundMessage, LineRow } from '../../lines/line.ts'
import { type Entry, journalled } from './journal.ts'
import { told } from './steps.ts'

/**
 * The hot path: text from somebody known to a ticket that lives. A whole batch of them costs one statement to read
 * and one to write. Whatever is not that plain is left for `handle`.
 */
const isPlain = ({ event }: Entry) =>
  event.kind === 'message' && !event.fromMe && !event.group && event.content.kind === 'text'
type Plain = { journalId: number; event: InboundMessage; body: string; resolved: Resolved; ticket: Ticket }

const preload = `
  select i.kind, i.value, row_to_json(c) as contact, case when f.id is not null then row_to_json(f) end as ticket
  from unnest($2::text[], $3::text[]) k (kind, value)
  join "contactIdentities" i on i."companyId" = $1 and i.kind = k.kind and i.value = k.value
  join contacts c on c."companyId" = i."companyId" and c.id = i."contactId" and c."mergedInto" is null
  left join lateral (
    select ${ticketColumnsText} from (
      select * from tickets where "companyId" = $1 and "contactId" = i."contactId" and "whatsappId" = $4 and status in ('open', 'pending')
    ) t ${ticketJoinsText.replace('join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"', '')}
  ) f on true`

// The ticket is locked and must still live; the journal entry must still be unfinished. Only then is there a message.
const write = `
  with given as (
    select * from jsonb_to_recordset($2::jsonb) as g("journalId" bigint, "ticketId" int, wid text, body text, at timestamptz, "quotedWid" text, steps jsonb, n int)
  ),
  living as (select t.id, t."contactId" from tickets t where t."companyId" = $1 and t.id = any($3::int[]) and t."whatsappId" = $5 and t.status in ('open', 'pending') order by t.id for update),
  mine as (
    update journal j set "processedAt" = $4, "ticketId" = g."ticketId", steps = g.steps
    from given g join living l on l.id = g."ticketId"
    where j.id = g."journalId" and j."processedAt" is null returning j.id
  ),
  stored as (
    insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "mediaType", "quotedWid", "createdAt", "storedAt")
    select $1, l.id, l."contactId", $5, g.wid, false, g.body, 'conversation', g."quotedWid", g.at, $4
    from given g join mine on mine.id = g."journalId" join living l on l.id = g."ticketId" order by g.n
    on conflict ("whatsappId", wid) do nothing
    returning id, "ticketId", wid, body
  ),
  touched as (
    update tickets t set "lastMessage" = s.last, "fromMe" = false, "unreadMessages" = t."unreadMessages" + s.fresh, "updatedAt" = $4
    from (select "ticketId", count(*)::int as fresh, left((array_agg(body order by id desc))[1], 255) as last from stored group by "ticketId") s
    where t."companyId" = $1 and t.id = s."ticketId"
    returning t.id, t.status, t."userId", t."queueId", t."contactId", t."unreadMessages", t."lastMessage", t."updatedAt"
  )
  select coalesce((select json_agg(id) from mine), '[]') as done,
    coalesce((select json_agg(json_build_object('id', id::text, 'wid', wid)) from stored), '[]') as stored,
    coalesce((select json_agg(touched) from touched), '[]') as touched`

type Touched = Pick<
  Ticket,
  'id' | 'status' | 'userId' | 'queueId' | 'contactId' | 'unreadMessages' | 'lastMessage' | 'updatedAt'
>
type Written = { done: number[]; stored: { id: string; wid: string }[]; touched: Touched[] }

/** Handles what is plain; returns the rest, in order. Once a chat has something that is not plain, all after it waits. */
export async function handlePlain(means: Means, row: LineRow, entries: Entry[]): Promise<Entry[]> {
  const candidates = entries.filter(isPlain) as { journalId: number; event: InboundMessage }[]
  if (!candidates.length) return entries
  const known = await lookUp(
    means,
    row,
    candidates.map((c) => c.event),
  )
  const held = new Set<string>()
  const plain: Plain[] = []
  for (const entry of entries) {
    const { chat } = entry.event
    const found = held.has(chat) || !isPlain(entry) ? null : known(entry.event as InboundMessage)
    if (!found) held.add(chat)
    else
      plain.push({
        journalId: entry.journalId,
        event: entry.event as InboundMessage,
        body: (entry.event as InboundMessage & { content: { body: string } }).content.body,
        ...found,
      })
  }
  if (!plain.length) return entries
  const written = await store(means, row, plain)
  await tell(means, row, plain, written)
  const done = new Set(written.done.map(Number))
  return entries.filter((entry) => !done.has(entry.journalId))
}

async function lookUp(means: Means, row: LineRow, events: InboundMessage[]) {
  const keys = [...new Map(events.flatMap((e) => keysOf(e.person)).map((key) => [keyText(key), key])).values()]
  const rows = await means.database.named<{ kind: never; value: string; contact: ContactRow; ticket: Ticket | null }>(
    row.companyId,
    'inbox_preload',
    preload,
    [row.companyId, keys.map((k) => k.kind), keys.map((k) => k.value), row.id],
  )
  const contacts = new Map(rows.map((r) => [keyText(r), r.contact]))
  const tickets = new Map(rows.map((r) => [r.contact.id, r.ticket && inOurTime(r.ticket)]))
  return (event: InboundMessage): { resolved: Resolved; ticket: Ticket } | null => {
    const resolved = recognise(contacts, { identity: event.person, name: event.pushName, whatsappId: row.id })
    const ticket = resolved && tickets.get(resolved.contact.id)
    return ticket ? { resolved, ticket } : null
  }
}

/** Inside JSON the database writes moments its own way. */
const inOurTime = <T extends { updatedAt: string; createdAt?: string }>(row: T): T => ({
  ...row,
  updatedAt: new Date(row.updatedAt).toISOString(),
  ...(row.createdAt && { createdAt: new Date(row.createdAt).toISOString() }),
})

const reasons = ({ resolved, ticket }: Plain) => [
  journalled,
  step('contact', 'known', { by: resolved.by, name: resolved.contact.name }),
  step('ticket', 'joined', { ticket: ticket.id, status: ticket.status }),
  told(ticket),
]

async function store(means: Means, row: LineRow, plain: Plain[]): Promise<Written> {
  const given = plain.map((p, n) => ({
    journalId: p.journalId,
    ticketId: p.ticket.id,
    wid: p.event.id,
    body: p.body,
    at: p.event.at,
    quotedWid: p.event.quotedId ?? null,
    steps: reasons(p),
    n,
  }))
  const [written] = await means.database.named<Written>(row.companyId, 'inbox_write', write, [
    row.companyId,
    JSON.stringify(given),
    [...new Set(plain.map((p) => p.ticket.id))],
    means.clock.now(),
    row.id,
  ])
  return written as Written
}

/** In the order of commits, like everything that is told (see live.takeTurn); our commit was part of the statement. */
async function tell(means: Means, row: LineRow, plain: Plain[], written: Written): Promise<void> {
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
