import { randomUUID } from 'node:crypto'
import { maxReplayedEvents, type WebhookDelivery, webhookToolsApi } from '@recado/contract/api-access/webhooks'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { toStorableJson } from '../../kernel/data/storable-json.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import { currentTraceId } from '../../kernel/trace.ts'
import { attemptWebhookDelivery, buildEventBody, formatEventId } from './delivery-attempt.ts'
import { markWebhookHealthy, type WebhookEventRow } from './event-queue.ts'
import { assertCanReadEvents } from './event-rights.ts'
import { lockReadableWebhook, renewWebhookSecret, webhooks } from './webhooks.ts'

const pageSize = 50
/** A user waits for the result of the test, so the timeout is short. */
const testTimeoutMs = 10_000

const presentDelivery = ({
  id,
  eventId,
  type,
  ticketId,
  state,
  tries,
  nextAt,
  trace,
  createdAt,
}: WebhookEventRow): WebhookDelivery => ({
  ...{ id: String(id), eventId: formatEventId(eventId), type, ticketId, state, tries, trace, createdAt },
  nextAt: state === 'waiting' ? nextAt : null,
})
/** The delivery with the body that would be sent now. */
const presentWithBody = (scope: Scope, row: WebhookEventRow) => ({
  ...presentDelivery(row),
  body: JSON.stringify(buildEventBody(scope, row)),
  answer: row.answer,
})

const ownEvents = (scope: Scope, webhookId: number) =>
  scope.db.selectFrom('webhookEvents').where('companyId', '=', scope.companyId).where('webhookId', '=', webhookId)

async function findEvent(scope: Scope, webhookId: number, id: string): Promise<WebhookEventRow> {
  const row = await ownEvents(scope, webhookId).selectAll().where('id', '=', Number(id)).executeTakeFirst()
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}

/** A delivery with its content, only for callers who may read events of this type. */
async function findReadable(scope: Scope, webhookId: number, id: string): Promise<WebhookEventRow> {
  const row = await findEvent(scope, webhookId, id)
  if (row.type !== 'test') assertCanReadEvents(scope, [row.type])
  return row
}

/** Puts an event back into the queue as if it had just happened, at its old position. */
const waitingAgain = (scope: Scope) => ({ state: 'waiting' as const, attempts: 0, nextAt: null, since: scope.now() })
const wakeDispatcher = (scope: Scope) => scope.afterCommit(() => scope.deps.webhookInterest.wake(scope.companyId))

async function replayEvents(scope: Scope, webhookId: number, from: string, until: string): Promise<number> {
  const span = ownEvents(scope, webhookId)
    .where('createdAt', '>=', from)
    .where('createdAt', '<', until)
    .where('type', '<>', 'test')
  const { ids } = await scope.db
    .selectFrom(
      span
        .select('id')
        .limit(maxReplayedEvents + 1)
        .as('some'),
    )
    .select(sql<number>`count(*)::int`.as('ids'))
    .executeTakeFirstOrThrow()
  if (ids > maxReplayedEvents) throw new AppError('ERR_VALIDATION', { until: 'Too Long!' })
  const again = await scope.db
    .updateTable('webhookEvents')
    .set(waitingAgain(scope))
    .where('companyId', '=', scope.companyId)
    .where('webhookId', '=', webhookId)
    .where('createdAt', '>=', from)
    .where('createdAt', '<', until)
    .where('type', '<>', 'test')
    .executeTakeFirst()
  return Number(again.numUpdatedRows)
}

/** Puts the given-up events back into the queue, the oldest first, and ends the pause of the webhook. */
export async function redeliverGivenUpEvents(scope: Scope, webhookId: number): Promise<void> {
  await webhooks.lockRow(scope, webhookId)
  await sql`
    update "webhookEvents" set state = 'waiting', attempts = 0, "nextAt" = null, since = ${scope.now()}
    where id in (
      select id from "webhookEvents" where "companyId" = ${scope.companyId} and "webhookId" = ${webhookId}
        and (state = 'given-up' or "nextAt" is not null) and type <> 'test' order by id desc limit ${maxReplayedEvents}
    ) and "companyId" = ${scope.companyId}`.execute(scope.db)
  await markWebhookHealthy(scope, webhookId)
  wakeDispatcher(scope)
}

/** These endpoints wait for an external service, so no transaction may be open meanwhile. */
const noTransaction = { transaction: false }

export const webhookToolRoutes = [
  route(webhookToolsApi.secret, async (scope, { params }) => ({ secret: await renewWebhookSecret(scope, params.id) })),
  route(webhookToolsApi.deliveries, async (scope, { params: { id }, query: { before, failed } }) => {
    await webhooks.findRow(scope, id)
    const last = before === undefined ? null : await findEvent(scope, id, before)
    const rows = await ownEvents(scope, id)
      .selectAll()
      .$if(last !== null, (q) =>
        q.where(sql<boolean>`("createdAt", id) < (${last?.createdAt}::timestamptz, ${last?.id}::bigint)`),
      )
      .$if(failed, (q) => q.where(sql<boolean>`(state = 'given-up' or "nextAt" is not null)`))
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(pageSize + 1)
      .execute()
    return { deliveries: rows.slice(0, pageSize).map(presentDelivery), hasMore: rows.length > pageSize }
  }),
  route(webhookToolsApi.delivery, async (scope, { params: { id, deliveryId } }) => {
    await webhooks.findRow(scope, id)
    return presentWithBody(scope, await findReadable(scope, id, deliveryId))
  }),
  route(webhookToolsApi.again, async (scope, { params: { id, deliveryId } }) => {
    await lockReadableWebhook(scope, id)
    const { id: event } = await findReadable(scope, id, deliveryId)
    const row = await scope.db
      .updateTable('webhookEvents')
      .set(waitingAgain(scope))
      .where('companyId', '=', scope.companyId)
      .where('id', '=', event)
      .returningAll()
      .executeTakeFirstOrThrow()
    wakeDispatcher(scope)
    return presentDelivery(row)
  }),
  route(webhookToolsApi.replay, async (scope, { params: { id }, body: { from, until } }) => {
    await lockReadableWebhook(scope, id)
    const events = await replayEvents(scope, id, from, until)
    wakeDispatcher(scope)
    return { events }
  }),
  route(
    webhookToolsApi.test,
    async (scope, { params: { id } }) => {
      const hook = await webhooks.findRow(scope, id)
      const now = scope.now().toISOString()
      const when = { createdAt: now, since: now, trace: currentTraceId() ?? null }
      const about = { eventId: randomUUID(), type: 'test' as const, ticketId: null, ...when }
      const event = { ...about, id: 0, lane: 'test', attempts: 0, data: { name: hook.name }, file: null }
      const {
        ok,
        attempt: one,
        answer,
      } = await attemptWebhookDelivery(scope, hook, event, {
        timeoutMs: testTimeoutMs,
        insists: true,
      })
      const row = await scope.db
        .insertInto('webhookEvents')
        .values({
          ...{ ...about, companyId: scope.companyId, webhookId: id, lane: 'test', contactId: null, attempts: 1 },
          data: JSON.stringify(event.data),
          state: ok ? 'done' : 'given-up',
          tries: JSON.stringify([one]),
          answer: toStorableJson(answer.slice(0, 2000)).value,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      if (ok && (hook.failuresInRow || hook.restsSince)) {
        await markWebhookHealthy(scope, id)
        scope.deps.webhookInterest.wake(scope.companyId)
      }
      return presentWithBody(scope, row)
    },
    noTransaction,
  ),
]
