import { type Deps, Scope } from '../kernel/data/scope.ts'
import type { LiveUpdates } from '../kernel/live/live-updates.ts'
import type { Signals } from '../kernel/live/signals.ts'
import { loadViewer, roomsOfViewer, type Viewer } from './tickets/visibility.ts'

/** Rooms that follow from what a person is and does; all others are theirs whatever they do. */
const isRoleRoom = (room: string) => /^(queue-|loose-|company-\d+-(user|supervisor|admin)$)/.test(room)

const retryMs = 500

/**
 * Seats every socket among those who may hear of its tickets, when it comes and whenever its person's queues, profile
 * or rights change. Nobody chooses a room for themselves: joins of older clients are heard and change nothing.
 */
export function assignSocketRooms(live: LiveUpdates, signals: Signals, means: Deps): void {
  /** How often somebody's rights were changed: what was read before the last change is old. */
  const changes = new Map<number, number>()

  async function viewer(companyId: number, userId: number): Promise<Viewer | null> {
    for (;;) {
      const seen = changes.get(userId)
      const who = await loadViewer(new Scope(means, { companyId }), userId)
      if (changes.get(userId) === seen) return who
    }
  }
  async function seat(companyId: number, userId: number): Promise<void> {
    const who = await viewer(companyId, userId)
    if (who) live.reseat(userId, isRoleRoom, [`company-${companyId}-${who.profile}`, ...roomsOfViewer(who)])
  }

  /** Rights that were taken away must not outlive an outage: it is tried until it is done. */
  function seatUntilDone(companyId: number, userId: number): void {
    seat(companyId, userId).catch(() => setTimeout(() => seatUntilDone(companyId, userId), retryMs).unref())
  }

  live.onConnect((actor) => seat(actor.companyId, actor.id))
  // A word can get lost while a connection is down; browsers say every few minutes that they are there.
  live.onStatus((actor) => seat(actor.companyId, actor.id))
  signals.on('session', (word) => {
    const [companyId = 0, userId = 0] = word.split(' ').map(Number)
    changes.set(userId, (changes.get(userId) ?? 0) + 1)
    seatUntilDone(companyId, userId)
  })
}
