import { sql } from 'kysely'
import { announceChange } from '../../desk/messages/store.ts'
import { step } from '../../desk/tickets/track.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import type { Outcome } from './steps.ts'

type Failed = Extract<InboundEvent, { kind: 'failed' }>

/** One of ours did not arrive, says the vendor, who had taken it. What has arrived has arrived, whatever comes late. */
export async function failed(scope: Scope, row: LineRow, event: Failed): Promise<Outcome> {
  const { rows } = await sql<{ id: number; ticketId: number }>`
    update messages set state = 'failed', ack = 0, error = ${event.reason}
    where "companyId" = ${row.companyId} and "whatsappId" = ${row.id} and wid = ${event.targetId} and "fromMe"
      and state in ('sending', 'sent') and ack < 3
    returning id, "ticketId"`.execute(scope.db)
  await announceChange(
    scope,
    rows.map((r) => r.id),
  )
  const why = step('not-delivered', event.reason.split(':')[0] as string, {
    code: event.reason.split(':')[1] ?? null,
    detail: event.detail,
  })
  return { ticketId: rows[0]?.ticketId ?? null, steps: [why] }
}
