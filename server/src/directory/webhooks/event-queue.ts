import type { WebhookDelivery } from '@recado/contract/api-access/webhooks'
import { type Selectable, sql } from 'kysely'
import { addMs, days, hours, minutes } from '../../kernel/clock.ts'
import type { Deps, Scope } from '../../kernel/data/scope.ts'
import { toStorableJson } from '../../kernel/data/storable-json.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { retryDelayMs } from '../integrations/bot-webhook.ts'
import { clearedFailures, type WebhookRow, webhooks } from './webhooks.ts'

declare module '../../kernel/events.ts' {
  interface Events {
    /** The webhook was paused after failures, answered 410 Gone, or did not accept an event for a day. */
    'webhook.troubled': {
      companyId: number
      kind: 'hook-rests' | 'hook-off' | 'hook-gave-up'
      ticketId: number | null
      name: string
    }
  }
}

export type WebhookEventRow = Selectable<DB['webhookEvents']>
/** An event to be sent to one webhook. */
export type WaitingEvent = Pick<
  WebhookEventRow,
  'id' | 'eventId' | 'type' | 'lane' | 'ticketId' | 'data' | 'file' | 'attempts' | 'since' | 'trace' | 'createdAt'
>
export type DeliveryTry = WebhookDelivery['tries'][number]

/** How long an event is retried. */
export const maxDeliveryMs = hours(24)
/** Old events are deleted: they contain customer messages. */
const retentionMs = days(7)
/** How much of a webhook's response is stored: enough to find the cause. */
const maxAnswerChars = 2000
/** An event is tried every 15 minutes for a day; only the first and the newest tries are kept, up to this number. */
const maxKeptTries = 50
/** Failures in a row before a pause. The pause doubles with each further failure. */
export const failuresToRest = 5
const restDurationMs = (inRow: number) => Math.min(minutes(1) * 2 ** Math.min(inRow - failuresToRest, 10), minutes(15))
/** The lease of a dead process expires after this. */
const holdTimeoutMs = 30_000

/** Takes the lease of a webhook: one process at a time sends to it. Null: another process has it, or it is off. */
export async function holdWebhook(scope: Scope, id: number, holder: string): Promise<WebhookRow | null> {
  const { rows } = await sql<WebhookRow>`
    update webhooks set holder = ${holder}, "heldUntil" = ${addMs(scope.now(), holdTimeoutMs)}
    where "companyId" = ${scope.companyId} and id = ${id} and active and (holder = ${holder} or "heldUntil" <= ${scope.now()})
    returning *`.execute(scope.db)
  return rows[0] ?? null
}

/**
 * Releases the leases of this process. The table name is unquoted, so that this does not invalidate the cache of
 * subscriptions (see webhook-events.ts).
 */
export const releaseWebhooks = (deps: Deps, holder: string) =>
  sql`update webhooks set "heldUntil" = 'epoch' where holder = ${holder} and "heldUntil" > 'epoch'`.execute(
    deps.database.platform,
  )

/** The webhooks of these companies, or of all, with events to send, and their holders. */
export async function listWebhooksWithEvents(
  deps: Deps,
  companyIds: number[] | null,
): Promise<Pick<WebhookRow, 'id' | 'companyId' | 'holder' | 'heldUntil' | 'active'>[]> {
  const { rows } = await sql<WebhookRow>`
    select w.id, w."companyId", w.holder, w."heldUntil", w.active from webhooks w
    where (${companyIds}::int[] is null or w."companyId" = any(${companyIds}::int[])) and exists (
      select from "webhookEvents" e where e."companyId" = w."companyId" and e."webhookId" = w.id and e.state = 'waiting'
    )`.execute(deps.database.platform)
  return rows
}

const nextEventsSql = `
  select e.id, e."eventId", e.type, e.lane, e."ticketId", e.data, e.file, e.attempts, e.since, e.trace, e."createdAt"
  from "webhookEvents" e
  where e."companyId" = $1 and e."webhookId" = $2 and e.state = 'waiting' and e.id <> all($3::bigint[]) and not exists (
    select from "webhookEvents" b where b."companyId" = $1 and b."webhookId" = $2 and b.lane = e.lane
      and b."nextAt" > $4::timestamptz and b.id <= e.id
  )
  order by e.id limit $5`

/**
 * The next events in order, without those already in memory. If the first event of a lane has failed, the whole lane
 * waits, unless it is requested now.
 */
export const loadNextEvents = (
  { deps, companyId }: Scope,
  id: number,
  { excludedIds: known, dueBefore: at, limit }: { excludedIds: number[]; dueBefore: Date | 'infinity'; limit: number },
): Promise<WaitingEvent[]> =>
  deps.database.queryPrepared<WaitingEvent>(companyId, 'webhook_next_traced', nextEventsSql, [
    companyId,
    id,
    known,
    at,
    limit,
  ])

/** When the next failed event is retried. */
export async function findNextRetryAt(scope: Scope, id: number): Promise<Date | null> {
  const { rows } = await sql<{ at: string | null }>`
    select min("nextAt") as at from "webhookEvents"
    where "companyId" = ${scope.companyId} and "webhookId" = ${id} and "nextAt" is not null`.execute(scope.db)
  return rows[0]?.at ? new Date(rows[0].at) : null
}

export type DeliveredEvent = { id: number; attempt: DeliveryTry; answer: string }

/** Marks all events as delivered whose results arrived since the last call, in one statement. */
export async function markEventsDelivered(scope: Scope, webhookId: number, all: DeliveredEvent[]): Promise<void> {
  const results = all.map(({ id, attempt: one, answer }) => ({
    id,
    one,
    answer: toStorableJson(answer.slice(0, maxAnswerChars)).value,
  }))
  await sql`
    update "webhookEvents" e set state = 'done', attempts = attempts + 1, "nextAt" = null, answer = g.answer,
      tries = e.tries || jsonb_build_array(g.one)
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) g (id bigint, one jsonb, answer text)
    where e."companyId" = ${scope.companyId} and e.id = g.id and e.state = 'waiting'`.execute(scope.db)
  await countCalls(scope, webhookId, all.length, 0)
}

async function countCalls(scope: Scope, webhookId: number, calls: number, failed: number): Promise<void> {
  const now = scope.now()
  await sql`
    insert into "webhookHours" ("companyId", "webhookId", hour, calls, failed, "lastAt")
    values (${scope.companyId}, ${webhookId}, date_trunc('hour', ${now}::timestamptz), ${calls}, ${failed}, ${now})
    on conflict ("companyId", "webhookId", hour) do update set calls = "webhookHours".calls + excluded.calls,
      failed = "webhookHours".failed + excluded.failed, "lastAt" = excluded."lastAt"`.execute(scope.db)
}

/** Resets the failures of a webhook. If it was paused, all events that wait for a retry are sent at once. */
export async function markWebhookHealthy(scope: Scope, id: number): Promise<void> {
  await scope.transaction(async (tx) => {
    const { restsSince } = await webhooks.lockRow(tx, id)
    if (restsSince !== null)
      await sql`update "webhookEvents" set "nextAt" = null
      where "companyId" = ${tx.companyId} and "webhookId" = ${id} and "nextAt" is not null`.execute(tx.db)
    await webhooks.update(tx, id, clearedFailures)
  })
}

/**
 * Records a failure; the event is retried for a day. A webhook that answers 410 Gone is turned off. Returns false if
 * nothing more may be sent to the webhook now.
 */
export async function markEventFailed(
  scope: Scope,
  webhookId: number,
  event: WaitingEvent,
  {
    attempt: one,
    answer,
    isGone: gone,
    isDenied: denied,
  }: { attempt: DeliveryTry; answer: string; isGone: boolean; isDenied: boolean },
): Promise<boolean> {
  return scope.transaction(async (tx) => {
    const now = tx.now()
    const leftMs = Date.parse(event.since) + maxDeliveryMs - now.getTime()
    const pause = retryDelayMs(event.attempts + 1) ?? hours(8)
    const isOver = leftMs <= 0 || denied
    const nextAt = isOver ? null : addMs(now, Math.min(pause, leftMs))
    const before = await webhooks.lockRow(tx, webhookId)
    await sql`
      update "webhookEvents" set state = ${isOver ? 'given-up' : 'waiting'}, attempts = attempts + 1, "nextAt" = ${nextAt},
        answer = ${toStorableJson(answer.slice(0, maxAnswerChars)).value},
        tries = case when jsonb_array_length(tries) < ${maxKeptTries} then tries else tries - 1 end || ${JSON.stringify([one])}::jsonb
      where "companyId" = ${tx.companyId} and id = ${event.id} and state = 'waiting'`.execute(tx.db)
    await countCalls(tx, webhookId, 1, 1)
    // A denied event was not sent, so it says nothing about the host.
    const failuresInRow = before.failuresInRow + (denied ? 0 : 1)
    const rests = !denied &&
      failuresInRow >= failuresToRest && {
        restsSince: before.restsSince ?? now,
        restsUntil: addMs(now, restDurationMs(failuresInRow)),
      }
    const off = gone && before.active && { active: false }
    await webhooks.update(tx, webhookId, { failuresInRow, lastError: one.error, ...rests, ...off })
    const about = { companyId: tx.companyId, ticketId: event.ticketId, name: before.name }
    if (off) await tx.emit('webhook.troubled', { ...about, kind: 'hook-off' })
    else if (rests && failuresInRow === failuresToRest)
      await tx.emit('webhook.troubled', { ...about, kind: 'hook-rests' })
    if (isOver && !denied) await tx.emit('webhook.troubled', { ...about, kind: 'hook-gave-up' })
    return !rests && !off
  })
}

/**
 * Pauses a webhook while the circuit breaker is open, for as long as the breaker; no call was made. An existing pause
 * keeps its reason.
 */
export async function restWebhook(scope: Scope, id: number, reason: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const before = await webhooks.lockRow(tx, id)
    if (before.restsUntil !== null && Date.parse(before.restsUntil) > tx.now().getTime()) return
    const restsUntil = addMs(tx.now(), minutes(1))
    await webhooks.update(tx, id, { restsSince: before.restsSince ?? tx.now(), restsUntil, lastError: reason })
  })
}

/** Rows per step. */
const batchSize = 1000

/** Gives up events older than a day, including events that only waited behind others. */
export async function giveUpOldEvents(scope: Scope, webhookId: number): Promise<void> {
  const { rows: old } = await sql<{ id: number }>`
    select o.id from (
      select id, since from "webhookEvents"
      where "companyId" = ${scope.companyId} and "webhookId" = ${webhookId} and state = 'waiting' order by id limit ${batchSize}
    ) o where o.since < ${addMs(scope.now(), -maxDeliveryMs - minutes(1))}`.execute(scope.db)
  if (!old.length) return
  await scope.transaction(async (tx) => {
    const { name } = await webhooks.lockRow(tx, webhookId)
    const { rows } = await sql<{ ticketId: number | null }>`
      update "webhookEvents" set state = 'given-up', "nextAt" = null
      where "companyId" = ${tx.companyId} and id = any(${old.map(({ id }) => id)}::bigint[]) and state = 'waiting'
      returning "ticketId"`.execute(tx.db)
    if (!rows.length) return
    const ticketId = rows.find((row) => row.ticketId !== null)?.ticketId ?? null
    await tx.emit('webhook.troubled', { companyId: tx.companyId, kind: 'hook-gave-up', ticketId, name })
  })
}

/** Deletes old events, the oldest first, in batches. True: there are more to delete. */
export async function deleteOldEvents(deps: Deps): Promise<boolean> {
  const { platform } = deps.database
  const now = deps.clock.now()
  const { rows } = await sql`
    delete from "webhookEvents" where id in (
      select id from (select id, "createdAt" from "webhookEvents" order by id limit ${2 * batchSize}) o
      where "createdAt" < ${addMs(now, -retentionMs)}
    ) returning id`.execute(platform)
  await sql`delete from "webhookHours" where hour < ${addMs(now, -days(2))}`.execute(platform)
  return rows.length === 2 * batchSize
}
