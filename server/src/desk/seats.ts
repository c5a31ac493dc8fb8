import type { Live } from '../kernel/live.ts'
import { type Means, Scope } from '../kernel/scope.ts'
import type { Signals } from '../kernel/signals.ts'
import { roomsOfViewer, viewerOf } from './tickets/visibility.ts'

/** Rooms that follow from what a person is and does; all others are theirs whatever they do. */
const follows = (room: string) => /^(queue-|loose-|company-\d+-(user|supervisor|admin)$)/.test(room)

/**
 * Seats every socket among those who may hear of its tickets, when it comes and whenever its person's queues, profile
 * or rights change. Nobody chooses a room for themselves: joins of older clients are heard and change nothing.
 */
export function watchSeats(live: Live, signals: Signals, means: Means): void {
  const viewer = (companyId: number, userId: number) => viewerOf(new Scope(means, { companyId }), userId)

  live.onConnect(async (actor, socket) => {
    const who = await viewer(actor.companyId, actor.id)
    if (who) await socket.join(roomsOfViewer(who))
  })
  signals.on('session', async (word) => {
    const [companyId = 0, userId = 0] = word.split(' ').map(Number)
    const who = await viewer(companyId, userId)
    if (who) live.reseat(userId, follows, [`company-${companyId}-${who.profile}`, ...roomsOfViewer(who)])
  })
}
