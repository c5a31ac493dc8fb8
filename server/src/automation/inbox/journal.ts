import type { TicketEventStep } from '@recado/contract/tickets'
import { webhookMessageJoins, webhookMessageSql } from '../../desk/messages/webhook-events.ts'
import { insertEventsSql } from '../../directory/webhooks/webhook-events.ts'
import type { PreparedStatement } from '../../kernel/data/prepared-statement.ts'
import type { Deps } from '../../kernel/data/scope.ts'
import { toStorableJson } from '../../kernel/data/storable-json.ts'
import type { InboundEvent, InboundMessage, LineRow } from '../../lines/line.ts'
import { fastPathSteps, type KnownSender } from './fast-path.ts'
import type { FastPathMessage, FastPathResult } from './publish-fast-path.ts'

/** An event that is stored in the journal. */
export type JournalEntry = { journalId: number; event: InboundEvent }

/** This process no longer holds the line: another process handles its events. */
export class LostLeaseError extends Error {}

export const journalEventId = (event: InboundEvent): string => `${event.kind}:${event.id}`

// One statement for a whole batch. It checks the lease: a process that lost the line cannot write any more. Messages of
// the fast path are finished in the same statement if their ticket, locked here, is still active.
const journalSql = (hasWebhooks: boolean) => `
  with held as (select 1 from "lineLeases" where "whatsappId" = $2 and fence = $3),
  given as (
    select * from jsonb_to_recordset($4::jsonb) as g("eventId" text, chat text, kind text, event jsonb, n int, "ticketId" int, steps jsonb)
  ),
  living as (
    select t.id, t."contactId" from tickets t
    where t."companyId" = $1 and t.id in (select "ticketId" from given) and t."whatsappId" = $2 and t.status in ('open', 'pending')
      and t."snoozedAt" is null and exists (select from held)
    order by t.id for update
  ),
  written as (
    insert into journal ("companyId", "whatsappId", "eventId", chat, kind, event, "receivedAt", "processedAt", "ticketId", steps)
    select $1, $2, g."eventId", g.chat, g.kind, g.event, $5, case when l.id is not null then $5::timestamptz end, l.id,
      case when l.id is not null then g.steps else '[]' end
    from given g cross join held left join living l on l.id = g."ticketId" order by g.n
    on conflict do nothing
    returning id, "eventId", "ticketId", event
  ),
  stored as (
    insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "mediaType", "quotedWid", "createdAt", "storedAt")
    select $1, l.id, l."contactId", $2, w.event ->> 'id', false, w.event -> 'content' ->> 'body', 'conversation',
      w.event ->> 'quotedId', (w.event ->> 'at')::timestamptz, $5
    from written w join living l on l.id = w."ticketId" order by w.id
    on conflict do nothing
    returning ${hasWebhooks ? '*' : 'id, "ticketId", wid, body'}
  ),${hasWebhooks ? ` told as (${publishWebhooksSql}),` : ''}
  touched as (
    update tickets t set "lastMessage" = s.last, "fromMe" = false, "unreadMessages" = t."unreadMessages" + s.fresh,
      "updatedAt" = case when t."updatedAt" > $5 and t."updatedAt" < $5::timestamptz + interval '1 minute'
        then t."updatedAt" + interval '1 millisecond' else $5 end,
      "waitingSince" = coalesce(t."waitingSince", $5)
    from (select "ticketId", count(*)::int as fresh, left((array_agg(body order by id desc))[1], 255) as last from stored group by "ticketId") s
    where t."companyId" = $1 and t.id = s."ticketId"
    returning t.id, t.status, t."userId", t."queueId", t."contactId", t."unreadMessages", t."lastMessage", t."updatedAt", t."waitingSince"
  )
  select (select count(*) from held) as held,
    coalesce((select json_agg(json_build_object('id', id, 'eventId', "eventId", 'done', "ticketId" is not null)) from written), '[]') as written,
    coalesce((select json_agg(json_build_object('id', id::text, 'wid', wid)) from stored), '[]') as stored,
    coalesce((select json_agg(touched) from touched), '[]') as touched`

const fromWrittenSql = `join written w on w."eventId" = 'message:' || m.wid`
const publishWebhooksSql = insertEventsSql(
  `select ${webhookMessageSql}, 'j' || w.id as trace from stored m ${fromWrittenSql} ${webhookMessageJoins}`,
  {
    ...{ company: '$1::int', type: "'message.created'", now: '$5::timestamptz' },
  },
)
const writeSql = journalSql(false)
/** The same statement for companies with webhooks for new messages. */
const writeAndPublishSql = journalSql(true)

type JournalRow = {
  eventId: string
  chat: string
  kind: string
  event: InboundEvent
  n: number
  ticketId: number | null
  steps: TicketEventStep[] | null
}
type JournalReply = FastPathResult & { held: number; written: { id: number; eventId: string; done: boolean }[] }

/**
 * Writes events to the journal, each once. `plain` decides which events can be finished at once, and why. Returns the
 * new unfinished entries in order, the rows written for the finished events, and the duplicate events. `along` is
 * written in the same transaction.
 */
export async function writeToJournal(
  deps: Deps,
  row: LineRow,
  events: InboundEvent[],
  plain: (event: InboundEvent) => KnownSender | null = () => null,
  along: PreparedStatement[] = [],
): Promise<{
  unfinished: JournalEntry[]
  plain: FastPathMessage[]
  written: FastPathResult
  duplicates: InboundEvent[]
}> {
  const senders = events.map(plain)
  // Vendor text is untrusted: no character in it may stop a line.
  const { value: rows, text } = toStorableJson<JournalRow[]>(
    events.map((event, n) => {
      const sender = senders[n]
      const finish = { ticketId: sender?.ticket.id ?? null, steps: sender ? fastPathSteps(sender) : null }
      return { eventId: journalEventId(event), chat: event.chat, kind: event.kind, event, n, ...finish }
    }),
  )
  const values = [row.companyId, row.id, row.fence, text, deps.clock.now()]
  const hasWebhooks = senders.some((sender) => sender) && deps.webhookInterest.wants(row.companyId, 'message.created')
  const [name, statement] = hasWebhooks
    ? (['journal_write_told', writeAndPublishSql] as const)
    : (['journal_write', writeSql] as const)
  const [reply] = await deps.database.queryPrepared<JournalReply>(row.companyId, name, statement, values, along)
  if (!reply?.held) throw new LostLeaseError()
  if (hasWebhooks && reply.stored.length) deps.webhookInterest.wake(row.companyId)
  const written = new Map(reply.written.map((w) => [w.eventId, w]))
  const rest: JournalEntry[] = []
  const finished: FastPathMessage[] = []
  const repeated: InboundEvent[] = []
  for (const { eventId: id, event, n } of rows) {
    const entry = written.get(id)
    // An event that occurs twice in one batch is stored once: the first counts.
    if (!entry || !written.delete(id)) {
      repeated.push(event)
      continue
    }
    const sender = senders[n]
    if (entry.done && sender) finished.push({ ...sender, journalId: entry.id, event: event as InboundMessage })
    else rest.push({ journalId: entry.id, event })
  }
  return { unfinished: rest, plain: finished, written: reply, duplicates: repeated }
}

const unfinishedSql = `
  select id as "journalId", event from journal
  where "companyId" = $1 and "whatsappId" = $2 and "processedAt" is null and id > $3 order by id limit $4`

/** Entries that an earlier process wrote and did not finish. */
export const readUnfinished = (deps: Deps, row: LineRow, after: number, limit: number): Promise<JournalEntry[]> =>
  deps.database.queryPrepared<JournalEntry>(row.companyId, 'journal_waiting', unfinishedSql, [
    row.companyId,
    row.id,
    after,
    limit,
  ])
