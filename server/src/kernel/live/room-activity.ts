/** Longer ago than this nobody needs to know. */
const activityTtlMs = 60_000

/**
 * How long nothing was said in some rooms. A browser reads its lists while its socket is still on the way: if something
 * was said meanwhile it has missed that, and reads again; if not, which is nearly always so, it need not.
 */
export function makeRoomActivity(now: () => number = () => performance.now()) {
  const began = now()
  let [young, old] = [new Map<string, number>(), new Map<string, number>()]
  let turned = began

  return {
    said(rooms: string[]): void {
      const at = now()
      if (at - turned > activityTtlMs) {
        ;[young, old] = [new Map(), young]
        turned = at
      }
      for (const room of rooms) young.set(room, at)
    },
    /** Never more than a minute, nor than this process has lived: of what was before it knows nothing. */
    quietMs(rooms: Iterable<string>): number {
      const at = now()
      let last = Math.max(began, at - activityTtlMs)
      for (const room of rooms) last = Math.max(last, young.get(room) ?? old.get(room) ?? 0)
      return Math.round(at - last)
    },
  }
}
