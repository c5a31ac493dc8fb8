/** Older times are not needed. */
const activityTtlMs = 60_000

/**
 * How long nothing was published in some rooms. A browser reads its lists while its socket is still connecting: if
 * something was published meanwhile it has missed that and reads again; usually nothing was, and it need not.
 */
export function makeRoomActivity(now: () => number = () => performance.now()) {
  const began = now()
  let [young, old] = [new Map<string, number>(), new Map<string, number>()]
  let turned = began

  return {
    recordActivity(rooms: string[]): void {
      const at = now()
      if (at - turned > activityTtlMs) {
        ;[young, old] = [new Map(), young]
        turned = at
      }
      for (const room of rooms) young.set(room, at)
    },
    /** Never more than a minute, nor than the lifetime of this process: earlier events are unknown. */
    quietMs(rooms: Iterable<string>): number {
      const at = now()
      let last = Math.max(began, at - activityTtlMs)
      for (const room of rooms) last = Math.max(last, young.get(room) ?? old.get(room) ?? 0)
      return Math.round(at - last)
    },
  }
}
