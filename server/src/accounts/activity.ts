import { usersApi } from '@recado/contract/users'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Actor } from '../kernel/actor.ts'
import { seconds } from '../kernel/clock.ts'
import { type Deps, Scope } from '../kernel/data/scope.ts'
import type { LiveUpdates } from '../kernel/live/live-updates.ts'
import type { Log } from '../kernel/log.ts'
import { publishUser } from './user-view.ts'

/** Records that the user has just done something. */
export async function recordActivity(scope: Scope, userId: number): Promise<void> {
  await sql`
    insert into "userActivity" ("companyId", "userId", at) values (${scope.companyId}, ${userId}, ${scope.now()})
    on conflict ("companyId", "userId") do update set at = greatest("userActivity".at, excluded.at)`.execute(scope.db)
}

/** Activity is recorded at most this often per user: minutes are counted, not seconds. */
const recordIntervalMs = seconds(20)
/**
 * Calls that only a person causes. Browsers also call by themselves (they mark messages as read, renew sessions), so a
 * call that is not listed does not count.
 */
const callsByPeople = new Set([
  'POST /messages/:ticketId',
  'PUT /tickets/:id',
  'POST /ticket-notes',
  `PUT ${usersApi.setAvailability.path}`,
])

/** Records activity that browsers report, and calls that only a person causes, for clients that report nothing. */
export function watchActivity(app: FastifyInstance, live: LiveUpdates, deps: Deps, log: Log): void {
  const recordedAt = new Map<number, number>()
  async function record({ id, companyId }: Actor): Promise<void> {
    const now = deps.clock.now().getTime()
    const last = recordedAt.get(id)
    if (last !== undefined && now - last < recordIntervalMs) return
    for (const [user, at] of recordedAt) if (now - at >= recordIntervalMs) recordedAt.delete(user)
    recordedAt.set(id, now)
    await recordActivity(new Scope(deps, { companyId }), id)
  }
  live.onClientState('userActive', (actor) => record(actor))
  app.addHook('onResponse', async (request) => {
    const actor = request.visit?.actor
    if (!actor?.sessionId || !callsByPeople.has(`${request.method} ${request.routeOptions.url}`)) return
    await record(actor).catch((err) => log.warn({ err }, 'could not record the activity of a user'))
  })
}

/** SQL: when the user `u` of a company with the setting `s` becomes away. */
export const awayAtSql = `a.at + make_interval(mins => s.value::int)`

/** Sets an available user to away who has done nothing for as long as the company allows. */
export async function setAwayIfInactive(scope: Scope, userId: number): Promise<void> {
  const { rows } = await sql<{ at: string }>`
    select a.at from settings s
    join users u on u."companyId" = s."companyId" and u.id = ${userId} and u.online and u.availability = 'available'
    join "userActivity" a on a."companyId" = u."companyId" and a."userId" = u.id
    where s."companyId" = ${scope.companyId} and s.key = 'awayAfterMinutes' and s.value <> '0'
      and ${sql.raw(awayAtSql)} <= ${scope.now()}
    for update of u`.execute(scope.db)
  if (!rows.length) return
  const row = await scope.db
    .updateTable('users')
    .set({
      availability: 'away',
      availabilityReason: '',
      availabilityCause: 'inactivity',
      availabilitySince: scope.now(),
    })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await publishUser(scope, 'update', row)
}
