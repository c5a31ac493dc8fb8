import { type Webhook, type WebhookWrite, webhooksApi } from '@recado/contract/api-access/webhooks'
import { type Selectable, sql } from 'kysely'
import { diffAuditFields, writeAudit, writeAuditChanges } from '../../accounts/api-access/audit.ts'
import { hours } from '../../kernel/clock.ts'
import { makeRecords } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { crudRoutes, route } from '../../kernel/http/routes.ts'
import { newWebhookSecret } from '../integrations/bot-webhook.ts'
import { assertCanReadEvents } from './event-rights.ts'

export type WebhookRow = Selectable<DB['webhooks']>

/** Each event is stored once per webhook, so the number of webhooks is limited. */
const maxWebhooks = 20
/** A larger backlog is shown as this number. */
const maxCountedWaiting = 10_000
const shownHourCount = 24

type HourCount = { webhookId: number; ago: number; calls: number; failed: number; lastAt: string }

async function presentWebhooks(scope: Scope, rows: WebhookRow[]): Promise<Webhook[]> {
  if (!rows.length) return []
  const ids = rows.map((row) => row.id)
  const now = scope.now()
  const counted = await sql<HourCount>`
    select "webhookId", floor(extract(epoch from date_trunc('hour', ${now}::timestamptz) - hour) / 3600)::int as ago,
      calls, failed, "lastAt"
    from "webhookHours" where "companyId" = ${scope.companyId} and "webhookId" = any(${ids}::int[])
      and hour > ${now}::timestamptz - ${`${shownHourCount} hours`}::interval`.execute(scope.db)
  const waits = await sql<{ id: number; waiting: number }>`
    select h.id, (select count(*)::int from (
      select from "webhookEvents" e where e."companyId" = ${scope.companyId} and e."webhookId" = h.id and e.state = 'waiting' limit ${maxCountedWaiting}
    ) w) as waiting from unnest(${ids}::int[]) h (id)`.execute(scope.db)
  const waiting = new Map(waits.rows.map((one) => [one.id, one.waiting]))
  return rows.map(({ id, name, url, events, active, restsSince, lastError, createdAt, updatedAt }) => {
    const own = counted.rows.filter((hour) => hour.webhookId === id)
    const by = (what: 'calls' | 'failed') =>
      Array.from(
        { length: shownHourCount },
        (_, n) => own.find(({ ago }) => ago === shownHourCount - 1 - n)?.[what] ?? 0,
      )
    const last = own.map(({ lastAt }) => new Date(lastAt).toISOString()).sort()
    return {
      ...{ id, name, url, events, active, restsSince, reason: lastError, createdAt, updatedAt },
      ...{ calls: by('calls'), failed: by('failed'), waiting: waiting.get(id) ?? 0, lastAt: last.at(-1) ?? null },
    }
  })
}

export const webhooks = makeRecords('webhooks', webhooksApi, {
  present: presentWebhooks,
  audience: (scope) => ({ admins: scope.companyId }),
})

const isWebAddress = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !new URL(text).username && !new URL(text).password

function formFields(scope: Scope, { name, url, events, active }: WebhookWrite) {
  if (!isWebAddress(url)) throw new AppError('ERR_VALIDATION', { url: 'Invalid' })
  if (!scope.deps.outgoing.isSecure(url)) throw new AppError('ERR_VALIDATION', { url: 'Not https' })
  assertCanReadEvents(scope, events)
  const updatedAt = scope.now()
  const keyId = scope.actor.key?.id ?? null
  return { name: name || new URL(url).hostname, url, events: [...new Set(events)], active, keyId, updatedAt }
}

/** Locks a webhook whose events the caller may read. */
export async function lockReadableWebhook(scope: Scope, id: number): Promise<WebhookRow> {
  const hook = await webhooks.lockRow(scope, id)
  assertCanReadEvents(scope, hook.events)
  return hook
}

/** A changed webhook may work again, so its pause ends. */
export const clearedFailures = { failuresInRow: 0, lastError: '', restsSince: null, restsUntil: null }

export const webhookRoutes = [
  ...crudRoutes(webhooksApi, webhooks, ['create', 'update', 'remove']),
  route(webhooksApi.create, async (scope, { body }) => {
    const { rows } = await sql<{ there: number }>`
      select count(*)::int as there from webhooks where "companyId" = ${scope.companyId}`.execute(scope.db)
    if ((rows[0]?.there ?? 0) >= maxWebhooks) throw new AppError('ERR_WEBHOOK_LIMIT')
    const secret = newWebhookSecret()
    const secretSealed = scope.deps.vault.seal(secret)
    const made = await webhooks.create(scope, { ...formFields(scope, body), secretSealed, createdAt: scope.now() })
    await writeAudit(scope, 'webhook.created', made.id, made.name)
    return { ...made, secret }
  }),
  route(webhooksApi.update, async (scope, { params, body }) => {
    const written = ({ name, url, events, active }: Pick<WebhookRow, 'name' | 'url' | 'events' | 'active'>) => ({
      ...{ name, url, events, active },
    })
    const before = written(await lockReadableWebhook(scope, params.id))
    const row = await webhooks.update(scope, params.id, { ...formFields(scope, body), ...clearedFailures })
    await writeAuditChanges(scope, 'webhook.changed', row.id, row.name, diffAuditFields(before, written(row)))
    scope.afterCommit(() => scope.deps.webhookInterest.wake(scope.companyId))
    return row
  }),
  route(webhooksApi.remove, async (scope, { params }) => {
    const { name } = await lockReadableWebhook(scope, params.id)
    await webhooks.remove(scope, params.id)
    await writeAudit(scope, 'webhook.deleted', params.id, name)
    return { message: 'deleted' }
  }),
]

/** After a renewal, requests are also signed with the previous secret for this long. */
const secretOverlapMs = hours(24)

/** Creates a new secret, shown once. */
export async function renewWebhookSecret(scope: Scope, id: number): Promise<string> {
  const before = await lockReadableWebhook(scope, id)
  const secret = newWebhookSecret()
  await webhooks.update(scope, id, {
    secretSealed: scope.deps.vault.seal(secret),
    previousSealed: before.secretSealed,
    previousUntil: new Date(scope.now().getTime() + secretOverlapMs),
    updatedAt: scope.now(),
  })
  await writeAudit(scope, 'webhook.renewed', id, before.name)
  return secret
}

/** The current signing secrets, newest first. */
export function openWebhookSecrets(
  scope: Scope,
  { secretSealed, previousSealed, previousUntil }: WebhookRow,
): string[] {
  const still = previousSealed && previousUntil && Date.parse(previousUntil) > scope.now().getTime()
  return [secretSealed, ...(still ? [previousSealed] : [])].map((sealed) => scope.deps.vault.unseal(sealed))
}
