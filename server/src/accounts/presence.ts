import type { Actor } from '../kernel/actor.ts'
import { addMs, minutes } from '../kernel/clock.ts'
import { type Deps, Scope } from '../kernel/data/scope.ts'
import type { JobHandlers } from '../kernel/jobs.ts'
import type { LiveUpdates } from '../kernel/live/live-updates.ts'
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

/** A user is online while a socket is connected. Presence is published to the company only when it changes. */
export function watchPresence(live: LiveUpdates, deps: Deps): void {
  const setOnline = ({ id, companyId }: Actor, online: boolean) =>
    new Scope(deps, { companyId }).transaction(async (scope) => {
      const now = scope.now()
      const person = scope.db.updateTable('users').where('companyId', '=', companyId).where('id', '=', id)
      const row = await person
        .set({ online, lastSeenAt: now })
        .where('online', '!=', online)
        .returningAll()
        .executeTakeFirst()
      if (row) await publishUser(scope, 'update', row)
      else await person.set({ lastSeenAt: now }).execute()
    })
  live.onConnect((actor) => setOnline(actor, true))
  live.onStatus((actor) => setOnline(actor, true))
  // Between the check and the write, the user may connect in another process: check again after the write.
  live.onDisconnect(async (actor) => {
    let lastWritten = true
    for (let isHere = await live.isPresent(actor.id); isHere !== lastWritten; isHere = await live.isPresent(actor.id)) {
      await setOnline(actor, isHere)
      lastWritten = isHere
    }
  })
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
        .set({ online: false })
        .where('online', '=', true)
        .where('lastSeenAt', '<', addMs(scope.now(), -staleAfterMs).toISOString())
        .returningAll()
        .execute()
      for (const row of offlineUsers) await publishUser(scope.forCompany(row.companyId), 'update', row)
    },
  }
}
