import { topics } from '@recado/contract/live'
import { sql } from 'kysely'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import { journalEventId } from './journal.ts'

/**
 * Records a duplicate event as skipped in the events of the first one. Duplicate acks are frequent and not recorded.
 */
export async function recordDuplicates(deps: Deps, row: LineRow, events: InboundEvent[]): Promise<void> {
  const again = events.filter((event) => event.kind !== 'ack')
  if (!again.length) return
  const scope = new Scope(deps, { companyId: row.companyId })
  const passedOver = JSON.stringify([makeStep('duplicate', 'same-id')])
  await sql`
    update journal set steps = steps || ${passedOver}::jsonb
    where "companyId" = ${row.companyId} and "whatsappId" = ${row.id} and "eventId" = any(${again.map(journalEventId)}::text[])
      and "processedAt" is not null and not steps @> ${passedOver}::jsonb`.execute(scope.db)
  for (const chat of new Set(again.map((event) => event.chat.split('@')[0] as string)))
    scope.live(topics.sandbox, { action: 'update', whatsappId: row.id, chat }, { admins: row.companyId })
}
