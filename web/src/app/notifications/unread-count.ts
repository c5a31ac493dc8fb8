import { useSyncExternalStore } from 'react'

/** A number shared by the bell, the menu and the bottom bar, before the counted items have to be rendered. */
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

/** The number of this user's tickets with unread messages. */
export const { set: setUnreadCount, use: useUnreadCount } = createCounter()
