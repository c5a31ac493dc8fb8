import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { enqueueWebhookEvents, isoTimestampSql, traceColumn } from '../webhooks/webhook-events.ts'

/** Sends webhooks that the state of a line changed. Pairing codes are never included. */
export async function enqueueLineStateEvent(
  scope: Scope,
  row: { id: number; status: string },
  before: string | undefined,
): Promise<void> {
  if (row.status === before) return
  await enqueueWebhookEvents(
    scope,
    'line.state',
    () => sql`select 1 as n, 'l' || w.id as lane, null::int as "ticketId", null::int as "contactId", json_build_object(
        'id', w.id, 'name', w.name, 'status', w.status, 'number', coalesce(w.number, ''), 'reason', coalesce(w.reason, ''),
        'updatedAt', ${sql.raw(isoTimestampSql('w."updatedAt"'))}
      ) as data, null::json as file, ${traceColumn()}
      from whatsapps w where w."companyId" = ${scope.companyId} and w.id = ${row.id}`,
  )
}
