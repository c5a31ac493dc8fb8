import type { WebhookEvent } from '@recado/contract/api-access/webhooks'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Signals } from '../../kernel/live/signals.ts'
import type { WebhookInterestSource } from '../../kernel/outgoing/webhook-interest.ts'
import { currentTraceId } from '../../kernel/trace.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Signal that webhook subscriptions have changed (migration 0125). */
    hooks: []
    /** Signal that events of this company wait to be sent by the process that holds its webhook. */
    told: [companyId: number]
  }
}

/** Finds the companies with webhooks, among all companies whose plan has webhooks. */
export const makeWebhookInterestSource = (
  { platform, watch }: Scope['deps']['database'],
  signals: Signals,
): WebhookInterestSource => ({
  async loadAll() {
    const { rows } = await sql<{ companyId: number; events: string[] }>`
      select w."companyId", w.events from webhooks w
      join companies c on c.id = w."companyId" join plans p on p.id = c."planId"
      where w.active and p."useExternalApi"`.execute(platform)
    return rows
  },
  onLocalWrite(forget) {
    // `records` quotes table names in its writes. The dispatcher's own updates are unquoted, so they do not
    // match.
    watch({ pattern: /\b(insert into|update|delete from)\s+"webhooks"/i, onWrite: forget })
    signals.on('hooks', forget)
  },
  onChange: (look) => signals.on('who', look),
})

/** A timestamp in the format of the contract. */
export const isoTimestampSql = (column: string): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * Writes an event for every subscribed webhook, in the transaction of its cause. `source` has a row for each event: `n`
 * (their order), `lane`, "ticketId", "contactId", `data`, `file`, whose URL is signed at delivery, and `trace`. `type`,
 * `company` and `now` are SQL.
 */
export const insertEventsSql = (
  source: string,
  { company, type, now }: Record<'company' | 'type' | 'now', string>,
): string => `
  insert into "webhookEvents" ("companyId", "webhookId", "eventId", type, lane, "ticketId", "contactId", data, file, trace, since, "createdAt")
  select ${company}, w.id, e.event, ${type}, e.lane, e."ticketId", e."contactId", e.data, e.file, e.trace, ${now}, ${now}
  from (select gen_random_uuid() as event, s.* from (${source}) s) e
  join webhooks w on w."companyId" = ${company} and w.active and ${type} = any(w.events)
  order by e.n, w.id`

const insertSqlParts = insertEventsSql('§', { company: '§', type: '§', now: '§' }).split('§')

/** The current trace, as a column of a source with one event. */
export const traceColumn = (): RawBuilder<unknown> => sql`${currentTraceId() ?? null}::text as trace`

/** Events written together, each with its own trace. */
export type WithTrace<A> = { value: A; trace: string | null }
export const withTrace = <A>(of: A): WithTrace<A> => ({ value: of, trace: currentTraceId() ?? null })
/** The events as SQL rows `(id, trace)`. */
export const traceRows = (all: WithTrace<(number | string)[]>[]): RawBuilder<unknown> => {
  // The same id twice in one call counts as one event.
  const known = new Map(all.flatMap(({ value: of, trace }) => of.map((id) => [String(id), { id, trace }] as const)))
  const rows = [...known.values()]
  return sql`unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map((row) => row.trace)}::text[]) because (id, trace)`
}

/** Enqueues events from a source that has its own values. Costs nothing for companies without a subscription. */
export async function enqueueWebhookEvents(
  scope: Scope,
  type: WebhookEvent,
  source: () => RawBuilder<unknown>,
): Promise<void> {
  const { deps, companyId } = scope
  if (!deps.webhookInterest.wants(companyId, type)) return
  const [company, kind, now] = [sql`${companyId}::int`, sql`${type}::text`, sql`${scope.now()}::timestamptz`]
  const parts = [company, kind, now, now, source(), company, kind]
  const whole = insertSqlParts.map((text, n) => sql`${sql.raw(text)}${parts[n] ?? sql``}`)
  await sql`${sql.join(whole, sql``)}`.execute(scope.db)
  scope.afterCommit(() => deps.webhookInterest.wake(companyId))
}

/** Deletes the events, also pending ones, of a deleted contact and of the contacts merged into it. */
export async function eraseContactEvents(scope: Scope, contactId: number): Promise<void> {
  const { companyId } = scope
  await sql`
    with recursive gone as (
      select ${contactId}::int as id
      union
      select c.id from contacts c join gone on c."mergedInto" = gone.id where c."companyId" = ${companyId}
    )
    delete from "webhookEvents" where "companyId" = ${companyId} and "contactId" in (select id from gone)`.execute(
    scope.db,
  )
}
