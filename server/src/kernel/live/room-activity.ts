/** Older times are not needed. */
const activityTtlMs = 60_000

/**
 * How long nothing was published in some rooms. A browser reads its lists while its socket is still connecting: if
 * something was published meanwhile it has missed that and reads again; usually nothing was, and it need not.
 */
export function makeRoomActivity(now: () => number = () => performance.now()) {
  const startedAt = now()
  let [recent, previous] = [new Map<string, number>(), new Map<string, number>()]
  let rotatedAt = startedAt

  return {
    recordActivity(rooms: string[]): void {
      const at = now()
      if (at - rotatedAt > activityTtlMs) {
        ;[recent, previous] = [new Map(), recent]
        rotatedAt = at
      }
      for (const room of rooms) recent.set(room, at)
    },
    /** Never more than a minute, nor than the lifetime of this process: earlier events are unknown. */
    quietMs(rooms: Iterable<string>): number {
      const at = now()
      let last = Math.max(startedAt, at - activityTtlMs)
      for (const room of rooms) last = Math.max(last, recent.get(room) ?? previous.get(room) ?? 0)
      return Math.round(at - last)
    },
  }
}
