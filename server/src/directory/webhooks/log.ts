import { randomUUID } from 'node:crypto'
import { type Delivery, mostReplayed, webhookToolsApi } from '@recado/contract/doors/webhooks'
import { sql } from 'kysely'
import { keepable } from '../../kernel/data/keepable.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/http.ts'
import { trace } from '../../kernel/trace.ts'
import { attempt, bodyOf, eventIdOf } from './attempt.ts'
import { heldByRight, hooks, renewSecret } from './hooks.ts'
import { type EventRow, isWell } from './queue.ts'
import { mustReadEvents } from './rights.ts'

const pageSize = 50
/** Somebody looks at a button meanwhile. */
const timeoutMs = 10_000

const present = ({ id, eventId, type, ticketId, state, tries, nextAt, trace, createdAt }: EventRow): Delivery => ({
  ...{ id: String(id), eventId: eventIdOf(eventId), type, ticketId, state, tries, trace, createdAt },
  nextAt: state === 'waiting' ? nextAt : null,
})
/** As it would be told now. */
const presentWhole = (scope: Scope, row: EventRow) => ({
  ...present(row),
  body: JSON.stringify(bodyOf(scope, row)),
  answer: row.answer,
})

const own = (scope: Scope, webhookId: number) =>
  scope.db.selectFrom('webhookEvents').where('companyId', '=', scope.companyId).where('webhookId', '=', webhookId)

async function find(scope: Scope, webhookId: number, id: string): Promise<EventRow> {
  const row = await own(scope, webhookId).selectAll().where('id', '=', Number(id)).executeTakeFirst()
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}

/** The same with what it says: only for who may read such events. */
async function findReadable(scope: Scope, webhookId: number, id: string): Promise<EventRow> {
  const row = await find(scope, webhookId, id)
  if (row.type !== 'test') mustReadEvents(scope, [row.type])
  return row
}

/** Whoever waits for it again is told as if it had just happened, in its old place. */
const afresh = (scope: Scope) => ({ state: 'waiting' as const, attempts: 0, nextAt: null, since: scope.now() })
const wake = (scope: Scope) => scope.afterCommit(() => scope.means.hooks.wake(scope.companyId))

async function replay(scope: Scope, webhookId: number, from: string, until: string): Promise<number> {
  const span = own(scope, webhookId)
    .where('createdAt', '>=', from)
    .where('createdAt', '<', until)
    .where('type', '<>', 'test')
  const { ids } = await scope.db
    .selectFrom(
      span
        .select('id')
        .limit(mostReplayed + 1)
        .as('some'),
    )
    .select(sql<number>`count(*)::int`.as('ids'))
    .executeTakeFirstOrThrow()
  if (ids > mostReplayed) throw new AppError('ERR_VALIDATION', { until: 'Too Long!' })
  const again = await scope.db
    .updateTable('webhookEvents')
    .set(afresh(scope))
    .where('companyId', '=', scope.companyId)
    .where('webhookId', '=', webhookId)
    .where('createdAt', '>=', from)
    .where('createdAt', '<', until)
    .where('type', '<>', 'test')
    .executeTakeFirst()
  return Number(again.numUpdatedRows)
}

/** What was given up is told after all, from the beginning, and whoever rests is tried at once. */
export async function tellAgain(scope: Scope, webhookId: number): Promise<void> {
  await hooks.held(scope, webhookId)
  await sql`
    update "webhookEvents" set state = 'waiting', attempts = 0, "nextAt" = null, since = ${scope.now()}
    where id in (
      select id from "webhookEvents" where "companyId" = ${scope.companyId} and "webhookId" = ${webhookId}
        and (state = 'given-up' or "nextAt" is not null) and type <> 'test' order by id desc limit ${mostReplayed}
    ) and "companyId" = ${scope.companyId}`.execute(scope.db)
  await isWell(scope, webhookId)
  wake(scope)
}

/** These wait for somebody outside: no transaction is open meanwhile. */
const outside = { transaction: false }

export const webhookToolRoutes = [
  route(webhookToolsApi.secret, async (scope, { params }) => ({ secret: await renewSecret(scope, params.id) })),
  route(webhookToolsApi.deliveries, async (scope, { params: { id }, query: { before, failed } }) => {
    await hooks.stored(scope, id)
    const last = before === undefined ? null : await find(scope, id, before)
    const rows = await own(scope, id)
      .selectAll()
      .$if(last !== null, (q) =>
        q.where(sql<boolean>`("createdAt", id) < (${last?.createdAt}::timestamptz, ${last?.id}::bigint)`),
      )
      .$if(failed, (q) => q.where(sql<boolean>`(state = 'given-up' or "nextAt" is not null)`))
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(pageSize + 1)
      .execute()
    return { deliveries: rows.slice(0, pageSize).map(present), hasMore: rows.length > pageSize }
  }),
  route(webhookToolsApi.delivery, async (scope, { params: { id, deliveryId } }) => {
    await hooks.stored(scope, id)
    return presentWhole(scope, await findReadable(scope, id, deliveryId))
  }),
  route(webhookToolsApi.again, async (scope, { params: { id, deliveryId } }) => {
    await heldByRight(scope, id)
    const { id: event } = await findReadable(scope, id, deliveryId)
    const row = await scope.db
      .updateTable('webhookEvents')
      .set(afresh(scope))
      .where('companyId', '=', scope.companyId)
      .where('id', '=', event)
      .returningAll()
      .executeTakeFirstOrThrow()
    wake(scope)
    return present(row)
  }),
  route(webhookToolsApi.replay, async (scope, { params: { id }, body: { from, until } }) => {
    await heldByRight(scope, id)
    const events = await replay(scope, id, from, until)
    wake(scope)
    return { events }
  }),
  route(
    webhookToolsApi.test,
    async (scope, { params: { id } }) => {
      const hook = await hooks.stored(scope, id)
      const now = scope.now().toISOString()
      const when = { createdAt: now, since: now, trace: trace() ?? null }
      const about = { eventId: randomUUID(), type: 'test' as const, ticketId: null, ...when }
      const event = { ...about, id: 0, lane: 'test', attempts: 0, data: { name: hook.name }, file: null }
      const { ok, one, answer } = await attempt(scope, hook, event, { timeoutMs, insists: true })
      const row = await scope.db
        .insertInto('webhookEvents')
        .values({
          ...{ ...about, companyId: scope.companyId, webhookId: id, lane: 'test', contactId: null, attempts: 1 },
          data: JSON.stringify(event.data),
          state: ok ? 'done' : 'given-up',
          tries: JSON.stringify([one]),
          answer: keepable(answer.slice(0, 2000)).value,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      if (ok && (hook.failuresInRow || hook.restsSince)) {
        await isWell(scope, id)
        scope.means.hooks.wake(scope.companyId)
      }
      return presentWhole(scope, row)
    },
    outside,
  ),
]
