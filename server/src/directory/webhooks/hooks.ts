import { type Webhook, type WebhookWrite, webhooksApi } from '@recado/contract/doors/webhooks'
import { type Selectable, sql } from 'kysely'
import { changesOf, writeDown, writeDownChanges } from '../../accounts/doors/audit.ts'
import { hours } from '../../kernel/clock.ts'
import { records } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { resource, route } from '../../kernel/http/http.ts'
import { newSecret } from '../machines/webhook.ts'
import { mustReadEvents } from './rights.ts'

export type HookRow = Selectable<DB['webhooks']>

/** Each event is written once for every one of them. */
const mostHooks = 20
/** More than this that waits is shown as this. */
const mostCounted = 10_000
const shownHours = 24

type Hour = { webhookId: number; ago: number; calls: number; failed: number; lastAt: string }

async function present(scope: Scope, rows: HookRow[]): Promise<Webhook[]> {
  if (!rows.length) return []
  const ids = rows.map((row) => row.id)
  const now = scope.now()
  const counted = await sql<Hour>`
    select "webhookId", floor(extract(epoch from date_trunc('hour', ${now}::timestamptz) - hour) / 3600)::int as ago,
      calls, failed, "lastAt"
    from "webhookHours" where "companyId" = ${scope.companyId} and "webhookId" = any(${ids}::int[])
      and hour > ${now}::timestamptz - ${`${shownHours} hours`}::interval`.execute(scope.db)
  const waits = await sql<{ id: number; waiting: number }>`
    select h.id, (select count(*)::int from (
      select from "webhookEvents" e where e."companyId" = ${scope.companyId} and e."webhookId" = h.id and e.state = 'waiting' limit ${mostCounted}
    ) w) as waiting from unnest(${ids}::int[]) h (id)`.execute(scope.db)
  const waiting = new Map(waits.rows.map((one) => [one.id, one.waiting]))
  return rows.map(({ id, name, url, events, active, restsSince, lastError, createdAt, updatedAt }) => {
    const own = counted.rows.filter((hour) => hour.webhookId === id)
    const by = (what: 'calls' | 'failed') =>
      Array.from({ length: shownHours }, (_, n) => own.find(({ ago }) => ago === shownHours - 1 - n)?.[what] ?? 0)
    const last = own.map(({ lastAt }) => new Date(lastAt).toISOString()).sort()
    return {
      ...{ id, name, url, events, active, restsSince, reason: lastError, createdAt, updatedAt },
      ...{ calls: by('calls'), failed: by('failed'), waiting: waiting.get(id) ?? 0, lastAt: last.at(-1) ?? null },
    }
  })
}

export const hooks = records('webhooks', webhooksApi, {
  present,
  audience: (scope) => ({ admins: scope.companyId }),
})

const isWebAddress = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !new URL(text).username && !new URL(text).password

function fields(scope: Scope, { name, url, events, active }: WebhookWrite) {
  if (!isWebAddress(url)) throw new AppError('ERR_VALIDATION', { url: 'Invalid' })
  if (!scope.means.outgoing.isSecure(url)) throw new AppError('ERR_VALIDATION', { url: 'Not https' })
  mustReadEvents(scope, events)
  const updatedAt = scope.now()
  const keyId = scope.actor.key?.id ?? null
  return { name: name || new URL(url).hostname, url, events: [...new Set(events)], active, keyId, updatedAt }
}

/** One whose events who acts may read. */
export async function heldByRight(scope: Scope, id: number): Promise<HookRow> {
  const hook = await hooks.held(scope, id)
  mustReadEvents(scope, hook.events)
  return hook
}

/** What was changed may work again: it is called at once. */
export const afresh = { failuresInRow: 0, lastError: '', restsSince: null, restsUntil: null }

export const webhookRoutes = [
  ...resource(webhooksApi, hooks, ['create', 'update', 'remove']),
  route(webhooksApi.create, async (scope, { body }) => {
    const { rows } = await sql<{ there: number }>`
      select count(*)::int as there from webhooks where "companyId" = ${scope.companyId}`.execute(scope.db)
    if ((rows[0]?.there ?? 0) >= mostHooks) throw new AppError('ERR_WEBHOOK_LIMIT')
    const secret = newSecret()
    const secretSealed = scope.means.vault.seal(secret)
    const made = await hooks.create(scope, { ...fields(scope, body), secretSealed, createdAt: scope.now() })
    await writeDown(scope, 'webhook.created', made.id, made.name)
    return { ...made, secret }
  }),
  route(webhooksApi.update, async (scope, { params, body }) => {
    const written = ({ name, url, events, active }: Pick<HookRow, 'name' | 'url' | 'events' | 'active'>) => ({
      ...{ name, url, events, active },
    })
    const before = written(await heldByRight(scope, params.id))
    const row = await hooks.update(scope, params.id, { ...fields(scope, body), ...afresh })
    await writeDownChanges(scope, 'webhook.changed', row.id, row.name, changesOf(before, written(row)))
    scope.afterCommit(() => scope.means.hooks.wake(scope.companyId))
    return row
  }),
  route(webhooksApi.remove, async (scope, { params }) => {
    const { name } = await heldByRight(scope, params.id)
    await hooks.remove(scope, params.id)
    await writeDown(scope, 'webhook.deleted', params.id, name)
    return { message: 'deleted' }
  }),
]

/** So long the one before signs beside a new secret. */
const overlapMs = hours(24)

/** A new secret, shown this once. */
export async function renewSecret(scope: Scope, id: number): Promise<string> {
  const before = await heldByRight(scope, id)
  const secret = newSecret()
  await hooks.update(scope, id, {
    secretSealed: scope.means.vault.seal(secret),
    previousSealed: before.secretSealed,
    previousUntil: new Date(scope.now().getTime() + overlapMs),
    updatedAt: scope.now(),
  })
  await writeDown(scope, 'webhook.renewed', id, before.name)
  return secret
}

/** What it signs with now, the newest first. */
export function secretsOf(scope: Scope, { secretSealed, previousSealed, previousUntil }: HookRow): string[] {
  const still = previousSealed && previousUntil && Date.parse(previousUntil) > scope.now().getTime()
  return [secretSealed, ...(still ? [previousSealed] : [])].map((sealed) => scope.means.vault.open(sealed))
}
