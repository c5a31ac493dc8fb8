import { later, minutes } from '../kernel/clock.ts'
import type { JobHandlers } from '../kernel/jobs.ts'
import type { Live } from '../kernel/live.ts'
import { type Actor, type Means, Scope } from '../kernel/scope.ts'
import type { Sessions } from '../kernel/session.ts'
import { tellUser } from './user-view.ts'

declare module '../kernel/jobs.ts' {
  interface Jobs {
    'presence:sweep': Record<string, never>
  }
}

/** A process that died could not say goodbye for its people: after this they count as gone. */
const staleAfter = minutes(3)

/** Online while a socket lives. Told to the company only when it changes. */
export function watchPresence(live: Live, means: Means): void {
  const set = async ({ id, companyId }: Actor, online: boolean) => {
    const scope = new Scope(means, { companyId })
    const now = scope.now()
    const person = scope.db.updateTable('users').where('companyId', '=', companyId).where('id', '=', id)
    const row = await person
      .set({ online, lastSeenAt: now })
      .where('online', '!=', online)
      .returningAll()
      .executeTakeFirst()
    if (row) await tellUser(scope, 'update', row)
    else await person.set({ lastSeenAt: now }).execute()
  }
  live.onConnect((actor) => set(actor, true))
  live.onStatus((actor) => set(actor, true))
  live.onDisconnect((actor) => (live.present().includes(actor.id) ? undefined : set(actor, false)))
}

/** Every minute: refreshes who is here, lets go of who is not, and closes the sockets whose session is over. */
export function presenceJobs(live: Live, means: Means, sessions: Sessions): Pick<JobHandlers, 'presence:sweep'> {
  return {
    'presence:sweep': async () => {
      for (const id of await sessions.over(live.sessions())) live.endSession(id)
      const scope = new Scope(means, { companyId: 0, wide: true })
      const now = scope.now()
      const present = live.present()
      const people = scope.db.updateTable('users')
      if (present.length) await people.set({ lastSeenAt: now }).where('id', 'in', present).execute()
      const back = present.length
        ? await people
            .set({ online: true })
            .where('id', 'in', present)
            .where('online', '=', false)
            .returningAll()
            .execute()
        : []
      const gone = await people
        .set({ online: false })
        .where('online', '=', true)
        .where('lastSeenAt', '<', later(now, -staleAfter).toISOString())
        .returningAll()
        .execute()
      for (const row of [...back, ...gone]) await tellUser(scope.of(row.companyId), 'update', row)
    },
  }
}
