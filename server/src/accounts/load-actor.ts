import { sql } from 'kysely'
import type { Actor } from '../kernel/actor.ts'
import type { Scope } from '../kernel/data/scope.ts'

/** An active user with their current rights, for work in their name that outlasts a request. Null: no longer active. */
export async function loadActor(scope: Scope, userId: number): Promise<Actor | null> {
  const { rows } = await sql<Omit<Actor, 'sessionId'>>`
    select u.id, u."companyId", u.name, u.email, u.profile, u.super, u.language, u."credentialVersion",
      u."allTicket" = 'enabled' as "allTicket",
      array(select q."queueId" from "userQueues" q where q."companyId" = u."companyId" and q."userId" = u.id) as "queueIds"
    from users u where u."companyId" = ${scope.companyId} and u.id = ${userId} and u.active`.execute(scope.db)
  return rows[0] ? { ...rows[0], sessionId: '' } : null
}
