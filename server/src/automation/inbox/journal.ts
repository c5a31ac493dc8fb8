import type { Step } from '@recado/contract/tickets'
import { step } from '../../desk/tickets/track.ts'
import type { Means } from '../../kernel/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'

/** An event that is safely written down. */
export type Entry = { journalId: number; event: InboundEvent }

/** This process no longer holds the line: what it heard is somebody else's to hear. */
export class LostLease extends Error {}

export const eventId = (event: InboundEvent): string => `${event.kind}:${event.id}`

/** What every entry begins with; the lane that reads it adds what it decided. */
export const journalled: Step = step('journalled', 'before-anything-else')

// One statement for a whole batch. The lease is checked in it: a process that lost the line cannot write any more.
const write = `
  with held as (select 1 from "lineLeases" where "whatsappId" = $2 and fence = $3),
  given as (select * from jsonb_to_recordset($4::jsonb) as g("eventId" text, chat text, kind text, event jsonb, n int)),
  written as (
    insert into journal ("companyId", "whatsappId", "eventId", chat, kind, event, "receivedAt")
    select $1, $2, g."eventId", g.chat, g.kind, g.event, $5 from given g, held order by g.n
    on conflict ("whatsappId", "eventId") do nothing
    returning id, "eventId"
  )
  select (select count(*) from held) as held, coalesce((select json_agg(json_build_object('id', id, 'eventId', "eventId")) from written), '[]') as written`

/** In JSON, and not after a backslash that is itself a text. */
const unkept = /(?<=(?:^|[^\\])(?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g
type Row = { eventId: string; chat: string; kind: string; event: InboundEvent; n: number }

/** The database keeps neither a NUL nor half a character. Vendors promise nothing, and no text may stop a line. */
function keepable(given: Row[]): { rows: Row[]; text: string } {
  const text = JSON.stringify(given)
  if (!text.includes('\\u0000') && !text.includes('\\ud')) return { rows: given, text }
  const kept = text.replace(unkept, (sign) => (sign === '\\u0000' ? '' : '\ufffd'))
  return { rows: JSON.parse(kept), text: kept }
}

/** Writes events down, once each. Returns those that were new, in their order. */
export async function writeDown(means: Means, row: LineRow, events: InboundEvent[]): Promise<Entry[]> {
  const { rows, text } = keepable(
    events.map((event, n) => ({ eventId: eventId(event), chat: event.chat, kind: event.kind, event, n })),
  )
  const [reply] = await means.database.named<{ held: number; written: { id: number; eventId: string }[] }>(
    row.companyId,
    'journal_write',
    write,
    [row.companyId, row.id, row.fence, text, means.clock.now()],
  )
  if (!reply?.held) throw new LostLease()
  const ids = new Map(reply.written.map((w) => [w.eventId, w.id]))
  const fresh = new Map<number, InboundEvent>()
  // Twice in one batch is once in the journal: the first of them speaks.
  for (const { eventId: id, event } of rows)
    if (ids.has(id) && !fresh.has(ids.get(id) as number)) fresh.set(ids.get(id) as number, event)
  return [...fresh].map(([journalId, event]) => ({ journalId, event }))
}

const waiting = `
  select id as "journalId", event from journal
  where "companyId" = $1 and "whatsappId" = $2 and "processedAt" is null and id > $3 order by id limit $4`

/** What an earlier process wrote down and did not finish. */
export const unfinished = (means: Means, row: LineRow, after: number, most: number): Promise<Entry[]> =>
  means.database.named<Entry>(row.companyId, 'journal_waiting', waiting, [row.companyId, row.id, after, most])
