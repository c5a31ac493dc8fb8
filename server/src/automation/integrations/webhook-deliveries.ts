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
    /** The pending deliveries of a ticket's webhook. */
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

/** Maximum size of a stored answer, which is reused when the bot request is repeated. */
const maxAnswerLength = 64 * 1024
/** Older deliveries are deleted, because they contain customer messages. */
const deliveryTtlMs = days(7)
/** Timeout of one background attempt, for which no customer waits. */
const deliveryTimeoutMs = 20_000
/** A delivery of a dead process is taken over after this time. */
const leaseGraceMs = 10_000

/** Another process is delivering an earlier message. */
export class DeliveryInProgressError extends Error {}

/** Stores deliveries before any call, one per message, and deletes old deliveries. */
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

/** The pending deliveries of the ticket and these messages, in order. */
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

/** One attempt. Returns the answer, or null if another process is delivering. A failed attempt is retried later. */
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
      // The delivery counts as done, whatever the answer contains.
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

/** Adds the values that may change or expire to the body: the company's name, and a file URL valid for an hour. */
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

/** Takes the lease, so that only one process delivers. An expired lease can be taken over. */
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

/** Retries for a day; an answer of 410 Gone is final. */
async function postponeDelivery(
  scope: Scope,
  it: IntegrationRow,
  { id, ticketId, attempts }: Delivery,
  error: unknown,
) {
  const afterMs = retryDelayMs(attempts + 1)
  if (afterMs === null || (error instanceof BadAnswerError && !error.isTransient))
    return storeDeliveryResult(scope, id, { state: 'given-up', answer: '' })
  await scope.transaction(async (tx) => {
    await sql`update "webhookDeliveries" set attempts = attempts + 1, "heldUntil" = 'epoch'
      where "companyId" = ${tx.companyId} and id = ${id}`.execute(tx.db)
    await scheduleDelivery(tx, it.id, ticketId, afterMs)
  })
}

/** Schedules one job per ticket, which delivers pending messages in order. */
const scheduleDelivery = (scope: Scope, integrationId: number, ticketId: number, afterMs: number) => {
  const { companyId } = scope
  return scope.enqueueJob(
    'webhook:deliver',
    { companyId, integrationId, ticketId },
    {
      runAt: addMs(scope.now(), afterMs),
      key: `webhook ${integrationId} ${ticketId}`,
      queue: outboundLaneName(companyId, ticketId),
    },
  )
}

/** Delivers pending messages one at a time; the first failure stops the rest. */
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
      // Another process is delivering this message: check again later in case that process fails.
      if ((await attemptDelivery(scope, it, one, { timeoutMs: deliveryTimeoutMs })) === null)
        return scheduleDelivery(scope, integrationId, ticketId, deliveryTimeoutMs)
    } catch {
      // The failure is recorded with its reason, and the delivery's own job retries it.
      return
    }
  }
}

export const webhookDeliveryJobs = (deps: Deps): Pick<JobHandlers, 'webhook:deliver'> => ({
  'webhook:deliver': asExternalCallJob(({ companyId, integrationId, ticketId }) =>
    deliverWaiting(new Scope(deps, { companyId }), integrationId, ticketId),
  ),
})
