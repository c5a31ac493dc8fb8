import { useSyncExternalStore } from 'react'

let count = 0
const watchers = new Set<() => void>()

/** Known to the bell, the menu and the bar of the phone, long before what is counted has to be drawn. */
export function setUnreadCount(next: number): void {
  if (next === count) return
  count = next
  for (const watcher of watchers) watcher()
}

/** How many tickets have something unread for this person. */
export const useUnreadCount = (): number =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => count,
  )
