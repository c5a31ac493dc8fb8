import { sql } from 'kysely'
import { minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'

/** A larger difference is not clock skew but a slow delivery. */
const maxClockSkewMs = minutes(2)
/** The latest events of a chat, acks included, that are used to measure its delay. */
const recentEventCount = 40

/**
 * When a message was written, by our clock. The vendor's clock may be behind ours: then every message seems to be written
 * before our last message. The fastest recent message shows the difference, because none arrives before it was written.
 */
export async function correctVendorClock(
  scope: Scope,
  row: LineRow,
  event: Pick<InboundEvent, 'chat' | 'at'>,
): Promise<Date> {
  const ms = await scope.load(minDeliveryDelay, { line: row.id, chat: event.chat })
  return new Date(Date.parse(event.at) + Math.min(ms ?? 0, maxClockSkewMs))
}

async function minDeliveryDelay(scope: Scope, all: { line: number; chat: string }[]): Promise<(number | null)[]> {
  const { rows } = await sql<{ ms: number | null }>`
    select (
      select (min(extract(epoch from "receivedAt" - (event ->> 'at')::timestamptz)) * 1000)::float8 from (
        select kind, event, "receivedAt" from journal j
        where j."companyId" = ${scope.companyId} and j."whatsappId" = x.line and j.chat = x.chat
        order by id desc limit ${recentEventCount}
      ) j where kind in ('message', 'pending')
    ) as ms from unnest(${all.map((one) => one.line)}::int[], ${all.map((one) => one.chat)}::text[]) with ordinality x (line, chat, n)
    order by x.n`.execute(scope.db)
  return rows.map(({ ms }) => ms)
}
