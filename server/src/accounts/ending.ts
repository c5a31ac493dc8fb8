import { topics } from '@recado/contract/live'
import type { Scope } from '../kernel/scope.ts'

/** Ends the sessions of these people: their tokens stop working, their browsers are told and hear nothing more. */
export async function endSessions(scope: Scope, userIds: number[]): Promise<void> {
  if (!userIds.length) return
  const ended = await scope.db
    .deleteFrom('sessions')
    .where('companyId', '=', scope.companyId)
    .where('userId', 'in', userIds)
    .returning(['id', 'userId'])
    .execute()
  for (const session of ended) tellEnded(scope, session.userId, session.id)
}

export function tellEnded(scope: Scope, userId: number, sessionId: string): void {
  const user = { id: userId, email: '', companyId: scope.companyId }
  scope.live(topics.auth, { action: 'update', user }, { session: sessionId })
  scope.afterCommit(() => scope.means.live.endSession(sessionId))
}
