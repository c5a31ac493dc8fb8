import { sql } from 'kysely'
import {
  type BotWebhookBody,
  parseWebhookReply,
  postWebhook,
  retryDelayMs,
} from '../../directory/integrations/bot-webhook.ts'
import { BadAnswerError } from '../../directory/integrations/external-call.ts'
import { openIntegrationSecret } from '../../directory/integrations/integration-secrets.ts'
import type { IntegrationRow } from '../../directory/integrations/integrations.ts'
import { runRecordedCall } from '../../directory/integrations/recorded-call.ts'
import { addMs, days } from '../../kernel/clock.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { toStorableJson } from '../../kernel/data/storable-json.ts'
import { signedMediaUrl } from '../../kernel/files/media.ts'
import { asExternalCallJob, type JobHandlers, outboundLaneName } from '../../kernel/jobs.ts'
import { currentTraceId, runWithTrace } from '../../kernel/trace.ts'
import type { CustomerMessage } from './customer-messages.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    /** What a ticket's webhook has not been told yet. */
    'webhook:deliver': { companyId: number; integrationId: number; ticketId: number }
  }
}

type DeliveryBody = Omit<BotWebhookBody, 'id' | 'company'>
type Delivery = {
  id: number
  ticketId: number
  messageId: number
  body: DeliveryBody & { file?: { mediaPath: string; mediaName: string | null } }
  state: 'waiting' | 'done' | 'given-up'
  attempts: number
  answer: string
  trace: string | null
}

/** As much of an answer as is kept for one that is asked anew. */
const maxAnswerLength = 64 * 1024
/** Long over: they have customers' words in them. */
const deliveryTtlMs = days(7)
/** One attempt in the background may take so long; nobody waits for it. */
const deliveryTimeoutMs = 20_000
/** Who dies while telling is replaced after this. */
const leaseGraceMs = 10_000

/** Somebody is just telling it of an earlier message. */
export class DeliveryInProgressError extends Error {}

/** Written down before anybody is told: each message once. Old ones go with each new one. */
export async function insertDeliveries(
  scope: Scope,
  integrationId: number,
  ticketId: number,
  news: { heard: CustomerMessage; body: DeliveryBody }[],
): Promise<void> {
  if (!news.length) return
  const { companyId } = scope
  await scope.db
    .deleteFrom('webhookDeliveries')
    .where('companyId', '=', companyId)
    .where('createdAt', '<', addMs(scope.now(), -deliveryTtlMs).toISOString())
    .execute()
  const values = news.map(({ heard: { id, mediaPath, mediaName }, body }) => ({
    ...{ companyId, integrationId, ticketId, messageId: id, trace: currentTraceId() ?? null, createdAt: scope.now() },
    body: JSON.stringify({ ...body, ...(mediaPath && { file: { mediaPath, mediaName } }) }),
  }))
  await scope.db
    .insertInto('webhookDeliveries')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** In their order: what of the ticket still waits, and these messages. */
export async function loadDeliveries(
  scope: Scope,
  integrationId: number,
  ticketId: number,
  messageIds: number[],
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select id, "ticketId", "messageId", body, state, attempts, answer, trace from "webhookDeliveries"
    where "companyId" = ${scope.companyId} and "ticketId" = ${ticketId} and "integrationId" = ${integrationId}
      and (state = 'waiting' or (state = 'done' and "messageId" = any(${messageIds}::bigint[])))
    order by "messageId"`.execute(scope.db)
  return rows
}

type DeliveryLimits = { timeoutMs: number; signal?: AbortSignal }

/** Tells it once; what it answered, or null where somebody else is just telling it. Where it fails it is tried again later. */
export const attemptDelivery = (
  scope: Scope,
  it: IntegrationRow,
  one: Delivery,
  limits: DeliveryLimits,
): Promise<string | null> => runWithTrace(one.trace, () => deliverOnce(scope, it, one, limits))

async function deliverOnce(
  scope: Scope,
  it: IntegrationRow,
  one: Delivery,
  limits: DeliveryLimits,
): Promise<string | null> {
  if (!(await claimDelivery(scope, one, limits.timeoutMs))) return null
  const body = await buildBody(scope, one)
  const hook = { url: it.urlN8N, secret: await openIntegrationSecret(scope, it) }
  let answer: string | null = null
  try {
    await runRecordedCall(scope, it, { ticketId: one.ticketId, ...limits }, async (call) => {
      answer = await postWebhook(call, hook, body.id, JSON.stringify(body), scope.now())
      // Told it is, whatever its answer is worth.
      return parseWebhookReply(answer)
    })
  } catch (error) {
    if (answer === null) {
      await postponeDelivery(scope, it, one, error)
      throw error
    }
    await storeDeliveryResult(scope, one.id, { state: 'done', answer })
    throw error
  }
  await storeDeliveryResult(scope, one.id, { state: 'done', answer: answer ?? '' })
  return answer
}

/** With what may change or end: who we are called, and where its file is for the next hour. */
async function buildBody(scope: Scope, { id, body: { file, ...body } }: Delivery): Promise<BotWebhookBody> {
  const company = await scope.db
    .selectFrom('companies')
    .select(['id', 'name'])
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const url = file ? signedMediaUrl(scope, { companyId: scope.companyId, ...file }) : null
  const { message } = body
  const media = message?.media && url ? { ...message.media, url } : null
  return { ...body, id: `msg_${scope.companyId}_${id}`, company, message: message && { ...message, media } }
}

/** Of two who would tell it one does. Who dies meanwhile is replaced. */
async function claimDelivery(scope: Scope, { id }: Delivery, timeoutMs: number): Promise<boolean> {
  const now = scope.now()
  const { rows } = await sql`
    update "webhookDeliveries" set "heldUntil" = ${addMs(now, timeoutMs + leaseGraceMs)}
    where "companyId" = ${scope.companyId} and id = ${id} and state = 'waiting' and "heldUntil" <= ${now}
    returning id`.execute(scope.db)
  return rows.length > 0
}

const storeDeliveryResult = (scope: Scope, id: number, { state, answer }: Pick<Delivery, 'state' | 'answer'>) =>
  sql`update "webhookDeliveries" set state = ${state}, answer = ${toStorableJson(answer.slice(0, maxAnswerLength)).value}, attempts = attempts + 1
    where "companyId" = ${scope.companyId} and id = ${id}`.execute(scope.db)

/** Later once more, for a day; one that says it is gone for good is believed. */
async function postponeDelivery(
  scope: Scope,
  it: IntegrationRow,
  { id, ticketId, attempts }: Delivery,
  error: unknown,
) {
  const afterMs = retryDelayMs(attempts + 1)
  if (afterMs === null || (error instanceof BadAnswerError && !error.passing))
    return storeDeliveryResult(scope, id, { state: 'given-up', answer: '' })
  await scope.transaction(async (tx) => {
    await sql`update "webhookDeliveries" set attempts = attempts + 1, "heldUntil" = 'epoch'
      where "companyId" = ${tx.companyId} and id = ${id}`.execute(tx.db)
    await scheduleDelivery(tx, it.id, ticketId, afterMs)
  })
}

/** One job for each ticket: it tells what waits in its order. */
const scheduleDelivery = (scope: Scope, integrationId: number, ticketId: number, afterMs: number) => {
  const { companyId } = scope
  return scope.job(
    'webhook:deliver',
    { companyId, integrationId, ticketId },
    {
      runAt: addMs(scope.now(), afterMs),
      key: `webhook ${integrationId} ${ticketId}`,
      queue: outboundLaneName(companyId, ticketId),
    },
  )
}

/** What waits is told, one after the other; the first that fails keeps the others waiting. */
async function deliverWaiting(scope: Scope, integrationId: number, ticketId: number): Promise<void> {
  const it = await scope.db
    .selectFrom('queueIntegrations')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', integrationId)
    .executeTakeFirst()
  if (!it) return
  for (const one of await loadDeliveries(scope, integrationId, ticketId, [])) {
    try {
      // Somebody else is just telling it: they go on where it fails.
      if ((await attemptDelivery(scope, it, one, { timeoutMs: deliveryTimeoutMs })) === null)
        return scheduleDelivery(scope, integrationId, ticketId, deliveryTimeoutMs)
    } catch {
      // Written down with its reason, and due again by a job of its own.
      return
    }
  }
}

export const webhookDeliveryJobs = (means: Deps): Pick<JobHandlers, 'webhook:deliver'> => ({
  'webhook:deliver': asExternalCallJob(({ companyId, integrationId, ticketId }) =>
    deliverWaiting(new Scope(means, { companyId }), integrationId, ticketId),
  ),
})
