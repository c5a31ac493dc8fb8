/** How long publishing times are kept; older times are not needed. */
const activityTtlMs = 60_000

/**
 * Knows how long nothing was published in some rooms. A browser reads its lists while its socket is still connecting.
 * If an event was published meanwhile, the browser has missed it and reads again; usually there was none, and it need
 * not.
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
    /**
     * The quiet time of these rooms: at most a minute, and at most the lifetime of this process, because earlier events
     * are unknown.
     */
    quietMs(rooms: Iterable<string>): number {
      const at = now()
      let last = Math.max(startedAt, at - activityTtlMs)
      for (const room of rooms) last = Math.max(last, recent.get(room) ?? previous.get(room) ?? 0)
      return Math.round(at - last)
    },
  }
}
