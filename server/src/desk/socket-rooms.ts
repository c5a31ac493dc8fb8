import { type Deps, Scope } from '../kernel/data/scope.ts'
import type { LiveUpdates } from '../kernel/live/live-updates.ts'
import type { Signals } from '../kernel/live/signals.ts'
import { loadViewer, roomsOfViewer, type Viewer } from './tickets/base/visibility.ts'

/** Whether the room depends on a user's role and queues; all other rooms are permanent. */
const isRoleRoom = (room: string) => /^(queue-|loose-|company-\d+-(user|supervisor|admin)$)/.test(room)

const retryMs = 500

/**
 * Puts every socket into the rooms of the tickets its user may see, on connect and whenever queues, profile or
 * permissions change. Clients cannot choose rooms: joins of older clients are accepted and change nothing.
 */
export function assignSocketRooms(live: LiveUpdates, signals: Signals, deps: Deps): void {
  /** Counts changes of a user's permissions: data read before the last change is stale. */
  const changes = new Map<number, number>()

  async function viewer(companyId: number, userId: number): Promise<Viewer | null> {
    for (;;) {
      const seen = changes.get(userId)
      const who = await loadViewer(new Scope(deps, { companyId }), userId)
      if (changes.get(userId) === seen) return who
    }
  }
  async function assignRooms(companyId: number, userId: number): Promise<void> {
    const who = await viewer(companyId, userId)
    if (who) live.changeRooms(userId, isRoleRoom, [`company-${companyId}-${who.profile}`, ...roomsOfViewer(who)])
  }

  /**
   * Assigns the rooms of a user again, and retries until it succeeds: a revoked permission must not stay in effect
   * because of an outage.
   */
  function assignRoomsUntilDone(companyId: number, userId: number): void {
    assignRooms(companyId, userId).catch(() =>
      setTimeout(() => assignRoomsUntilDone(companyId, userId), retryMs).unref(),
    )
  }

  live.onConnect((actor) => assignRooms(actor.companyId, actor.id))
  // A signal can be lost while a connection is down, so rooms are also assigned when browsers report their
  // presence, every few minutes.
  live.onStatus((actor) => assignRooms(actor.companyId, actor.id))
  signals.on('session', (word) => {
    const [companyId = 0, userId = 0] = word.split(' ').map(Number)
    changes.set(userId, (changes.get(userId) ?? 0) + 1)
    assignRoomsUntilDone(companyId, userId)
  })
}
