import { type SessionEndReason, topics } from '@recado/contract/live'
import type { FastifyReply } from 'fastify'
import type { Scope } from '../kernel/data/scope.ts'
import { deletePushSubscriptions } from './push-subscriptions.ts'
import type { RefreshCookie } from './refresh-cookie.ts'
import type { Sessions } from './sessions.ts'

/** Ends the sessions of these users: their tokens stop working, their browsers are notified and receive nothing more. */
export async function endSessions(
  scope: Scope,
  userIds: number[],
  reason: Exclude<SessionEndReason, 'logged-out'>,
): Promise<void> {
  if (!userIds.length) return
  // A login that is being checked at this moment must not open a session afterwards.
  await countCredentialChange(scope, userIds)
  const ended = await scope.db
    .deleteFrom('sessions')
    .where('companyId', '=', scope.companyId)
    .where('userId', 'in', userIds)
    .returning(['id', 'userId'])
    .execute()
  await deletePushSubscriptions(scope, { userIds })
  for (const session of ended) publishSessionEnded(scope, session.userId, session.id, reason)
}

export function publishSessionEnded(scope: Scope, userId: number, sessionId: string, reason: SessionEndReason): void {
  const user = { id: userId, companyId: scope.companyId }
  scope.live(topics.auth, { action: 'update', reason, user }, { session: sessionId })
  scope.afterCommit(() => scope.deps.live.endSession(sessionId, reason === 'logged-out' ? 'away' : 'over'))
}

async function countCredentialChange(scope: Scope, userIds: number[]): Promise<number> {
  const rows = await scope.db
    .updateTable('users')
    .set((eb) => ({ credentialVersion: eb('credentialVersion', '+', 1) }))
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', userIds)
    .returning('credentialVersion')
    .execute()
  return rows[0]?.credentialVersion ?? 0
}

/** Must be called in the transaction in which users change their own password, address, second step or passkeys. */
export type RenewOwnSession = (scope: Scope, reply: FastifyReply) => Promise<void>

/**
 * The session that made the change continues under a new cookie. Every earlier token, cookie, socket and push
 * subscription becomes invalid, because any of them may be a stolen copy. The user's own tabs get 403, refresh and
 * reconnect.
 */
export function makeRenewOwnSession(sessions: Sessions, cookie: RefreshCookie): RenewOwnSession {
  return async (scope, reply) => {
    const { id: userId, sessionId } = scope.actor
    const version = await countCredentialChange(scope, [userId])
    const others = await scope.db
      .deleteFrom('sessions')
      .where('companyId', '=', scope.companyId)
      .where('userId', '=', userId)
      .where('id', '!=', sessionId)
      .returning('id')
      .execute()
    await deletePushSubscriptions(scope, { userIds: [userId] })
    for (const { id } of others) publishSessionEnded(scope, userId, id, 'sign-in-changed')
    const renewed = await sessions.renewed(scope, sessionId, version)
    scope.afterCommit(() => {
      if (renewed) cookie.set(reply, renewed)
      scope.deps.live.endSession(sessionId, 'renewed')
    })
  }
}
