import type { Delivery } from '@recado/contract/doors/webhooks'
import { type Selectable, sql } from 'kysely'
import { days, hours, later, minutes } from '../../kernel/clock.ts'
import { keepable } from '../../kernel/data/keepable.ts'
import type { Means, Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { againAfterMs } from '../machines/webhook.ts'
import { afresh, type HookRow, hooks } from './hooks.ts'

declare module '../../kernel/events.ts' {
  interface Events {
    /** It did not answer so often that it is left alone; it said that nobody is there any more; a day was not enough. */
    'webhook.troubled': {
      companyId: number
      kind: 'hook-rests' | 'hook-off' | 'hook-gave-up'
      ticketId: number | null
      name: string
    }
  }
}

export type EventRow = Selectable<DB['webhookEvents']>
/** An event on its way to one webhook. */
export type Waiting = Pick<
  EventRow,
  'id' | 'eventId' | 'type' | 'lane' | 'ticketId' | 'data' | 'file' | 'attempts' | 'since' | 'trace' | 'createdAt'
>
export type Try = Delivery['tries'][number]

/** It is tried for so long. */
export const patienceMs = hours(24)
/** Long over: they have customers' words in them. */
const keptMs = days(7)
/** As much of an answer as helps who looks. */
const mostAnswer = 2000
/** Of one that is tried for a day every quarter of an hour the first and the newest are kept. */
const mostTries = 50
/** So many failures in a row, and it rests; twice as long after each that follows. */
export const failuresToRest = 5
const restMs = (inRow: number) => Math.min(minutes(1) * 2 ** Math.min(inRow - failuresToRest, 10), minutes(15))
/** Who dies while telling is replaced after this. */
const holdMs = 30_000

/** One process tells a webhook at a time. Null: another does, or it is off. */
export async function holdHook(scope: Scope, id: number, holder: string): Promise<HookRow | null> {
  const { rows } = await sql<HookRow>`
    update webhooks set holder = ${holder}, "heldUntil" = ${later(scope.now(), holdMs)}
    where "companyId" = ${scope.companyId} and id = ${id} and active and (holder = ${holder} or "heldUntil" <= ${scope.now()})
    returning *`.execute(scope.db)
  return rows[0] ?? null
}

/** Unquoted, and so no news of what is wanted (see told.ts). */
export const letGo = (means: Means, holder: string) =>
  sql`update webhooks set "heldUntil" = 'epoch' where holder = ${holder} and "heldUntil" > 'epoch'`.execute(
    means.database.platform,
  )

/** Of these companies, or of all: which webhooks have something to tell, and who tells it. */
export async function hooksWithNews(
  means: Means,
  companyIds: number[] | null,
): Promise<Pick<HookRow, 'id' | 'companyId' | 'holder' | 'heldUntil' | 'active'>[]> {
  const { rows } = await sql<HookRow>`
    select w.id, w."companyId", w.holder, w."heldUntil", w.active from webhooks w
    where (${companyIds}::int[] is null or w."companyId" = any(${companyIds}::int[])) and exists (
      select from "webhookEvents" e where e."companyId" = w."companyId" and e."webhookId" = w.id and e.state = 'waiting'
    )`.execute(means.database.platform)
  return rows
}

const nextText = `
  select e.id, e."eventId", e.type, e.lane, e."ticketId", e.data, e.file, e.attempts, e.since, e.trace, e."createdAt"
  from "webhookEvents" e
  where e."companyId" = $1 and e."webhookId" = $2 and e.state = 'waiting' and e.id <> all($3::bigint[]) and not exists (
    select from "webhookEvents" b where b."companyId" = $1 and b."webhookId" = $2 and b.lane = e.lane
      and b."nextAt" > $4::timestamptz and b.id <= e.id
  )
  order by e.id limit $5`

/**
 * What waits, in its order, without what is known already. A lane whose first has failed waits as a whole, unless it
 * is wanted now.
 */
export const nextOf = (
  { means, companyId }: Scope,
  id: number,
  { known, at, most }: { known: number[]; at: Date | 'infinity'; most: number },
): Promise<Waiting[]> =>
  means.database.named<Waiting>(companyId, 'webhook_next_traced', nextText, [companyId, id, known, at, most])

/** When the next of those that failed is tried again. */
export async function nextTry(scope: Scope, id: number): Promise<Date | null> {
  const { rows } = await sql<{ at: string | null }>`
    select min("nextAt") as at from "webhookEvents"
    where "companyId" = ${scope.companyId} and "webhookId" = ${id} and "nextAt" is not null`.execute(scope.db)
  return rows[0]?.at ? new Date(rows[0].at) : null
}

export type Told = { id: number; one: Try; answer: string }

/** They have been told: all that came back meanwhile, in one statement. */
export async function settleTold(scope: Scope, webhookId: number, all: Told[]): Promise<void> {
  const given = all.map(({ id, one, answer }) => ({ id, one, answer: keepable(answer.slice(0, mostAnswer)).value }))
  await sql`
    update "webhookEvents" e set state = 'done', attempts = attempts + 1, "nextAt" = null, answer = g.answer,
      tries = e.tries || jsonb_build_array(g.one)
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) g (id bigint, one jsonb, answer text)
    where e."companyId" = ${scope.companyId} and e.id = g.id and e.state = 'waiting'`.execute(scope.db)
  await count(scope, webhookId, all.length, 0)
}

async function count(scope: Scope, webhookId: number, calls: number, failed: number): Promise<void> {
  const now = scope.now()
  await sql`
    insert into "webhookHours" ("companyId", "webhookId", hour, calls, failed, "lastAt")
    values (${scope.companyId}, ${webhookId}, date_trunc('hour', ${now}::timestamptz), ${calls}, ${failed}, ${now})
    on conflict ("companyId", "webhookId", hour) do update set calls = "webhookHours".calls + excluded.calls,
      failed = "webhookHours".failed + excluded.failed, "lastAt" = excluded."lastAt"`.execute(scope.db)
}

/** It is well. Where it had rested, those that failed meanwhile need not wait for their time. */
export async function isWell(scope: Scope, id: number): Promise<void> {
  await scope.transaction(async (tx) => {
    const { restsSince } = await hooks.held(tx, id)
    if (restsSince !== null)
      await sql`update "webhookEvents" set "nextAt" = null
      where "companyId" = ${tx.companyId} and "webhookId" = ${id} and "nextAt" is not null`.execute(tx.db)
    await hooks.update(tx, id, afresh)
  })
}

/**
 * It was not told: later once more, for a day. One that says it is gone for good is believed, and switched off. False:
 * the webhook is to be left alone.
 */
export async function settleFailed(
  scope: Scope,
  webhookId: number,
  event: Waiting,
  { one, answer, gone, denied }: { one: Try; answer: string; gone: boolean; denied: boolean },
): Promise<boolean> {
  return scope.transaction(async (tx) => {
    const now = tx.now()
    const leftMs = Date.parse(event.since) + patienceMs - now.getTime()
    const pause = againAfterMs(event.attempts + 1) ?? hours(8)
    const isOver = leftMs <= 0 || denied
    const nextAt = isOver ? null : later(now, Math.min(pause, leftMs))
    const before = await hooks.held(tx, webhookId)
    await sql`
      update "webhookEvents" set state = ${isOver ? 'given-up' : 'waiting'}, attempts = attempts + 1, "nextAt" = ${nextAt},
        answer = ${keepable(answer.slice(0, mostAnswer)).value},
        tries = case when jsonb_array_length(tries) < ${mostTries} then tries else tries - 1 end || ${JSON.stringify([one])}::jsonb
      where "companyId" = ${tx.companyId} and id = ${event.id} and state = 'waiting'`.execute(tx.db)
    await count(tx, webhookId, 1, 1)
    // What may not be told says nothing of the place.
    const failuresInRow = before.failuresInRow + (denied ? 0 : 1)
    const rests = !denied &&
      failuresInRow >= failuresToRest && {
        restsSince: before.restsSince ?? now,
        restsUntil: later(now, restMs(failuresInRow)),
      }
    const off = gone && before.active && { active: false }
    await hooks.update(tx, webhookId, { failuresInRow, lastError: one.error, ...rests, ...off })
    const about = { companyId: tx.companyId, ticketId: event.ticketId, name: before.name }
    if (off) await tx.emit('webhook.troubled', { ...about, kind: 'hook-off' })
    else if (rests && failuresInRow === failuresToRest)
      await tx.emit('webhook.troubled', { ...about, kind: 'hook-rests' })
    if (isOver && !denied) await tx.emit('webhook.troubled', { ...about, kind: 'hook-gave-up' })
    return !rests && !off
  })
}

/** The way out is closed for a while: nothing was tried, and it rests as long. Does it rest already, that holds, with its reason. */
export async function rest(scope: Scope, id: number, reason: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const before = await hooks.held(tx, id)
    if (before.restsUntil !== null && Date.parse(before.restsUntil) > tx.now().getTime()) return
    const restsUntil = later(tx.now(), minutes(1))
    await hooks.update(tx, id, { restsSince: before.restsSince ?? tx.now(), restsUntil, lastError: reason })
  })
}

/** So many at a time. */
const portion = 1000

/** A day is over, and they were not told: also those that only waited behind others. */
export async function giveUpOld(scope: Scope, webhookId: number): Promise<void> {
  const { rows: old } = await sql<{ id: number }>`
    select o.id from (
      select id, since from "webhookEvents"
      where "companyId" = ${scope.companyId} and "webhookId" = ${webhookId} and state = 'waiting' order by id limit ${portion}
    ) o where o.since < ${later(scope.now(), -patienceMs - minutes(1))}`.execute(scope.db)
  if (!old.length) return
  await scope.transaction(async (tx) => {
    const { name } = await hooks.held(tx, webhookId)
    const { rows } = await sql<{ ticketId: number | null }>`
      update "webhookEvents" set state = 'given-up', "nextAt" = null
      where "companyId" = ${tx.companyId} and id = any(${old.map(({ id }) => id)}::bigint[]) and state = 'waiting'
      returning "ticketId"`.execute(tx.db)
    if (!rows.length) return
    const ticketId = rows.find((row) => row.ticketId !== null)?.ticketId ?? null
    await tx.emit('webhook.troubled', { companyId: tx.companyId, kind: 'hook-gave-up', ticketId, name })
  })
}

/** What is long over goes, the oldest first and some at a time. True: there is more. */
export async function forgetOld(means: Means): Promise<boolean> {
  const { platform } = means.database
  const now = means.clock.now()
  const { rows } = await sql`
    delete from "webhookEvents" where id in (
      select id from (select id, "createdAt" from "webhookEvents" order by id limit ${2 * portion}) o
      where "createdAt" < ${later(now, -keptMs)}
    ) returning id`.execute(platform)
  await sql`delete from "webhookHours" where hour < ${later(now, -days(2))}`.execute(platform)
  return rows.length === 2 * portion
}
