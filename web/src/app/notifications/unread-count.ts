import { useSyncExternalStore } from 'react'

/** A number known to the bell, the menu and the bar of the phone, long before what is counted has to be drawn. */
export function createCounter() {
  let count = 0
  const watchers = new Set<() => void>()
  const subscribe = (watcher: () => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }
  return {
    set(next: number): void {
      if (next === count) return
      count = next
      for (const watcher of watchers) watcher()
    },
    use: (): number => useSyncExternalStore(subscribe, () => count),
  }
}

/** How many tickets have something unread for this person. */
export const { set: setUnreadCount, use: useUnreadCount } = createCounter()
