import type { Ticket } from '@recado/contract/tickets'
import { step } from '../../desk/tickets/track.ts'
import { ticketColumnsText, ticketJoinsText } from '../../desk/tickets/view.ts'
import { keysOf, keyText } from '../../directory/contacts/identity.ts'
import type { ContactRow } from '../../directory/contacts/people.ts'
import { type Resolved, recognise } from '../../directory/contacts/resolve.ts'
import type { Means } from '../../kernel/scope.ts'
import type { InboundMessage, LineRow } from '../../lines/line.ts'
import { type Entry, journalled } from './journal.ts'
import { inOurTime, type Plain, tellPlain, type Written } from './plain-news.ts'
import { told } from './steps.ts'

/**
 * The hot path: text from somebody known to a ticket that lives. A whole batch of them costs one statement to read
 * and one to write. Whatever is not that plain is left for `handle`.
 */
const isPlain = ({ event }: Entry) =>
  event.kind === 'message' && !event.fromMe && !event.group && event.content.kind === 'text'

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
  await tellPlain(means, row, plain, written)
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
