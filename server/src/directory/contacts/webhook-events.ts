import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import {
  enqueueWebhookEvents,
  isoTimestampSql,
  traceRows,
  type WithTrace,
  withTrace,
} from '../webhooks/webhook-events.ts'

/** Contacts as sent to webhooks (contract: ApiContact); `more`: additional columns. */
const contactEventSource = (scope: Scope, all: WithTrace<number[]>[], more: RawBuilder<unknown> = sql``) => sql`
  select c.id as n, 'c' || c.id as lane, null::int as "ticketId", c.id as "contactId", json_build_object(
    'id', c.id, 'name', c.name, 'number', c.number, 'email', coalesce(c.email, ''), 'isGroup', c."isGroup",
    'createdAt', ${sql.raw(isoTimestampSql('c."createdAt"'))} ${more}
  ) as data, null::json as file, because.trace
  from contacts c join ${traceRows(all)} on because.id = c.id where c."companyId" = ${scope.companyId}`

/** A contact was created. */
export async function enqueueContactCreatedEvents(scope: Scope, ids: number[]): Promise<void> {
  if (ids.length && scope.deps.webhookInterest.wants(scope.companyId, 'contact.created'))
    await scope.load(enqueueCreatedBatch, withTrace(ids))
}
async function enqueueCreatedBatch(scope: Scope, all: WithTrace<number[]>[]): Promise<undefined[]> {
  await enqueueWebhookEvents(scope, 'contact.created', () => contactEventSource(scope, all))
  return all.map(() => undefined)
}

/** Two contacts were merged. */
export const enqueueContactMergedEvent = (
  scope: Scope,
  keptId: number,
  { id, name, number }: { id: number; name: string; number: string },
): Promise<void> =>
  enqueueWebhookEvents(scope, 'contact.merged', () =>
    contactEventSource(
      scope,
      [withTrace([keptId])],
      sql`, 'merged', json_build_object('id', ${id}::int, 'name', ${name}::text, 'number', ${number}::text)`,
    ),
  )
