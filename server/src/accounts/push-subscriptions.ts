import { pushApi } from '@recado/contract/push'
import { sql } from 'kysely'
import { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import { route } from '../kernel/http/routes.ts'
import type { Signals } from '../kernel/live/signals.ts'
import type { PushSubscriptionSource } from '../kernel/outgoing/push.ts'

declare module '../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** A push subscription was added or removed. */
    push: []
  }
}

/** Searches the subscriptions of all companies, for the push sender. */
export const makePushSubscriptionSource = (platform: Scope['db'], signals: Signals): PushSubscriptionSource => ({
  async companies() {
    const rows = await platform.selectFrom('pushSubscriptions').select('companyId').distinct().execute()
    return rows.map((row) => row.companyId)
  },
  async dropAll() {
    await platform.deleteFrom('pushSubscriptions').execute()
  },
  onChange: (onChange) => signals.on('push', onChange),
})

/** A session belongs to one browser; a few more subscriptions cover its private windows. */
const maxSubscriptionsPerSession = 5

/**
 * Binds the subscription to the session, not only to the user: a browser that was logged out must not go on showing
 * customer messages. An endpoint is one browser, whatever user or company uses it now, so this searches all companies.
 */
async function saveSubscription(callerScope: Scope, sub: { endpoint: string; keys: { p256dh: string; auth: string } }) {
  if (!callerScope.deps.outgoing.isSecure(sub.endpoint)) throw new AppError('ERR_VALIDATION', { endpoint: 'Not https' })
  const { id: userId, companyId, sessionId } = callerScope.actor
  const scope = new Scope(callerScope.deps, { companyId, person: callerScope.person, wide: true })
  const row = { companyId, userId, sessionId, endpoint: sub.endpoint, ...sub.keys, createdAt: scope.now() }
  await scope.transaction(async (tx) => {
    await sql`
      delete from "pushSubscriptions" p where p."userId" = ${userId}
        and not exists (select 1 from sessions s where s.id = p."sessionId")`.execute(tx.db)
    await sql`
      delete from "pushSubscriptions" where id in (
        select id from "pushSubscriptions" where "sessionId" = ${sessionId} and endpoint <> ${sub.endpoint} order by id desc offset ${maxSubscriptionsPerSession - 1}
      )`.execute(tx.db)
    await tx.db
      .insertInto('pushSubscriptions')
      .values(row)
      .onConflict((c) => c.expression(sql`md5(endpoint)`).doUpdateSet(row))
      .execute()
    await tx.signal('push')
  })
}

export const pushRoutes = [
  route(pushApi.key, async (scope) => ({ publicKey: scope.deps.push.publicKey })),
  route(
    pushApi.subscribe,
    async (scope, { body }) => {
      await saveSubscription(scope, body)
      return { message: 'subscribed' }
    },
    { transaction: false },
  ),
  route(pushApi.unsubscribe, async (scope, { query }) => {
    await scope.db
      .deleteFrom('pushSubscriptions')
      .where('companyId', '=', scope.companyId)
      .where('userId', '=', scope.actor.id)
      .where('endpoint', '=', query.endpoint)
      .execute()
    await scope.signal('push')
    return { message: 'unsubscribed' }
  }),
]

/** Deletes subscriptions whose session is over or whose endpoint no longer exists. */
export async function deletePushSubscriptions(
  scope: Scope,
  filter: { id: number } | { userIds: number[] } | { sessionId: string },
): Promise<void> {
  const all = scope.db.deleteFrom('pushSubscriptions').where('companyId', '=', scope.companyId).returning('id')
  const matching =
    'id' in filter
      ? all.where('id', '=', filter.id)
      : 'userIds' in filter
        ? all.where('userId', 'in', filter.userIds)
        : all.where('sessionId', '=', filter.sessionId)
  if ((await matching.execute()).length) await scope.signal('push')
}
