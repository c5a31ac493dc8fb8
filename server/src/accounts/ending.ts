import { type EndReason, topics } from '@recado/contract/live'
import type { Scope } from '../kernel/data/scope.ts'
import { dropSubscriptions } from './push.ts'

/** Ends the sessions of these people: their tokens stop working, their browsers are told and hear nothing more. */
export async function endSessions(scope: Scope, userIds: number[], reason: EndReason): Promise<void> {
  if (!userIds.length) return
  const ended = await scope.db
    .deleteFrom('sessions')
    .where('companyId', '=', scope.companyId)
    .where('userId', 'in', userIds)
    .returning(['id', 'userId'])
    .execute()
  await dropSubscriptions(scope, { userIds })
  for (const session of ended) tellEnded(scope, session.userId, session.id, reason)
}

export function tellEnded(scope: Scope, userId: number, sessionId: string, reason: EndReason): void {
  const user = { id: userId, companyId: scope.companyId }
  scope.live(topics.auth, { action: 'update', reason, user }, { session: sessionId })
  scope.afterCommit(() => scope.means.live.endSession(sessionId, reason === 'logged-out'))
}
