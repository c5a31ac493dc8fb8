import { later, minutes } from '../kernel/clock.ts'
import type { JobHandlers } from '../kernel/jobs.ts'
import type { Live } from '../kernel/live.ts'
import { type Means, Scope } from '../kernel/scope.ts'
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
  const set = async (userId: number, companyId: number, online: boolean) => {
    const scope = new Scope(means, { companyId })
    const row = await scope.db
      .updateTable('users')
      .set({ online, lastSeenAt: scope.now() })
      .where('companyId', '=', companyId)
      .where('id', '=', userId)
      .where('online', '!=', online)
      .returningAll()
      .executeTakeFirst()
    if (row) await tellUser(scope, 'update', row)
  }
  live.onConnect((actor) => set(actor.id, actor.companyId, true))
  live.onDisconnect((actor) => (live.present().includes(actor.id) ? undefined : set(actor.id, actor.companyId, false)))
  live.onStatus(async (actor) => {
    const scope = new Scope(means, { companyId: actor.companyId })
    await scope.db.updateTable('users').set({ lastSeenAt: scope.now() }).where('companyId', '=', actor.companyId).where('id', '=', actor.id).execute()
  })
}

/** Every minute: refreshes who is here and lets go of who is not. */
export function presenceJobs(live: Live, means: Means): Pick<JobHandlers, 'presence:sweep'> {
  return {
    'presence:sweep': async () => {
      const scope = new Scope(means, { companyId: 0, wide: true })
      const present = live.present()
      if (present.length) await scope.db.updateTable('users').set({ lastSeenAt: scope.now() }).where('id', 'in', present).execute()
      const gone = await scope.db
        .updateTable('users')
        .set({ online: false })
        .where('online', '=', true)
        .where('lastSeenAt', '<', later(scope.now(), -staleAfter).toISOString())
        .returningAll()
        .execute()
      for (const row of gone) await tellUser(scope.of(row.companyId), 'update', row)
    },
  }
}
