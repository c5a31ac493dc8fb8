import { sql } from 'kysely'
import { minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'

/** Further off is no clock, it is a message that was long on its way. */
const mostBehind = minutes(2)
/** So many of the latest of a chat, ticks among them, tell how quick it is. */
const lately = 40

/**
 * When something was written, by our clock. The vendor's may stand behind ours: then everything seems to be written
 * before what we just said. The quickest message of late shows by how much, for none comes before it was written.
 */
export async function byOurClock(scope: Scope, row: LineRow, event: Pick<InboundEvent, 'chat' | 'at'>): Promise<Date> {
  const { rows } = await sql<{ ms: number | null }>`
    select (min(extract(epoch from "receivedAt" - (event ->> 'at')::timestamptz)) * 1000)::float8 as ms from (
      select kind, event, "receivedAt" from journal
      where "companyId" = ${scope.companyId} and "whatsappId" = ${row.id} and chat = ${event.chat}
      order by id desc limit ${lately}
    ) j where kind in ('message', 'pending')`.execute(scope.db)
  return new Date(Date.parse(event.at) + Math.min(rows[0]?.ms ?? 0, mostBehind))
}
