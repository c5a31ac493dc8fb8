import type { Actor } from '../kernel/actor.ts'
import { addMs, days, minutes } from '../kernel/clock.ts'
import { type Deps, Scope } from '../kernel/data/scope.ts'
import type { JobHandlers } from '../kernel/jobs.ts'
import type { LiveUpdates } from '../kernel/live/live-updates.ts'
import { recordActivity } from './activity.ts'
import type { Sessions } from './sessions.ts'
import { publishUser } from './user-view.ts'

declare module '../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Every process checks which of its sockets may stay connected. */
    sweep: []
  }
}

declare module '../kernel/jobs.ts' {
  interface Jobs {
    'presence:sweep': Record<string, never>
  }
}

/** A process that died could not set its users offline: after this time they count as offline. */
const staleAfterMs = minutes(3)

/** A user whose last browser closed counts as offline after this time: a reload or a restart of the server is no absence. */
export const offlineAfterMs = minutes(1)
/** How long the periods of each availability are kept. */
const spansKeptMs = days(400)

/**
 * A user is online while a socket is connected, and for a minute longer. After a logout the user is offline at once.
 * Presence is published to the company only when it changes.
 */
export function watchPresence(live: LiveUpdates, deps: Deps): void {
  const inTransaction = (companyId: number, work: (scope: Scope) => Promise<void>) =>
    new Scope(deps, { companyId }).transaction(work)
  const setOnline = ({ id, companyId }: Actor, online: boolean) =>
    inTransaction(companyId, async (scope) => {
      const now = scope.now()
      const person = scope.db.updateTable('users').where('companyId', '=', companyId).where('id', '=', id)
      const row = await person
        .set({ online, lastSeenAt: now, disconnectedAt: null })
        .where('online', '!=', online)
        .returningAll()
        .executeTakeFirst()
      if (!row) return void (await person.set({ lastSeenAt: now, disconnectedAt: null }).execute())
      if (online) await recordActivity(scope, id)
      await publishUser(scope, 'update', row)
    })
  /** The timer of disconnected users sets the user offline, unless a socket connects before. */
  const markDisconnected = ({ id, companyId }: Actor) =>
    inTransaction(companyId, async (scope) => {
      const now = scope.now()
      await scope.db
        .updateTable('users')
        .set({ lastSeenAt: now, disconnectedAt: now })
        .where('companyId', '=', companyId)
        .where('id', '=', id)
        .where('online', '=', true)
        .where('disconnectedAt', 'is', null)
        .execute()
    })
  live.onConnect((actor) => setOnline(actor, true))
  live.onStatus((actor) => setOnline(actor, true))
  // Between the check and the write, the user may connect in another process: check again after the write.
  live.onDisconnect(async (actor, socket) => {
    const isLoggedOut = socket.data.ended === true
    let lastWritten = true
    for (let isHere = await live.isPresent(actor.id); isHere !== lastWritten; isHere = await live.isPresent(actor.id)) {
      if (isHere || isLoggedOut) await setOnline(actor, isHere)
      else await markDisconnected(actor)
      lastWritten = isHere
    }
  })
}

/** Sets a user offline who has had no open browser for a minute. Returns false if the user is connected after all. */
export async function setOfflineIfGone(scope: Scope, userId: number): Promise<boolean> {
  // A process of the release before clears no `disconnectedAt`, so the processes are asked, too.
  const isHere = await scope.deps.live.isPresent(userId)
  const row = await scope.db
    .updateTable('users')
    .set({ disconnectedAt: null, ...(!isHere && { online: false }) })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', userId)
    .where('disconnectedAt', '<=', addMs(scope.now(), -offlineAfterMs).toISOString())
    .returningAll()
    .executeTakeFirst()
  if (!row || isHere) return false
  await publishUser(scope, 'update', row)
  return true
}

/** Refreshes users with a socket in this process, and closes sockets whose session is over. */
export async function refreshLocalPresence(live: LiveUpdates, deps: Deps, sessions: Sessions): Promise<void> {
  for (const id of await sessions.findEnded(live.sessions())) live.endSession(id)
  const scope = new Scope(deps, { companyId: 0, wide: true })
  const presentUserIds = live.presentUserIds()
  if (!presentUserIds.length) return
  const people = scope.db.updateTable('users').where('id', 'in', presentUserIds)
  await people.set({ lastSeenAt: scope.now() }).execute()
  const returned = await people.set({ online: true }).where('online', '=', false).returningAll().execute()
  for (const row of returned) await publishUser(scope.forCompany(row.companyId), 'update', row)
}

/** Runs every minute in one process: all processes refresh their users, and users without a process go offline. */
export function presenceJobs(live: LiveUpdates, deps: Deps, sessions: Sessions): Pick<JobHandlers, 'presence:sweep'> {
  return {
    'presence:sweep': async () => {
      await refreshLocalPresence(live, deps, sessions)
      const scope = new Scope(deps, { companyId: 0, wide: true })
      await scope.signal('sweep')
      const offlineUsers = await scope.db
        .updateTable('users')
        .set({ online: false, disconnectedAt: null })
        .where('online', '=', true)
        .where('lastSeenAt', '<', addMs(scope.now(), -staleAfterMs).toISOString())
        .returningAll()
        .execute()
      await scope.db
        .deleteFrom('availabilitySpans')
        .where('until', '<', addMs(scope.now(), -spansKeptMs).toISOString())
        .execute()
      for (const row of offlineUsers) await publishUser(scope.forCompany(row.companyId), 'update', row)
    },
  }
}
