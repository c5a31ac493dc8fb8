import { useSyncExternalStore } from 'react'

/** A count shared by the bell, the menu and the bottom bar. Showing it does not require rendering the counted items. */
export function createCounter() {
  let count = 0
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    set(next: number): void {
      if (next === count) return
      count = next
      for (const listener of listeners) listener()
    },
    use: (): number => useSyncExternalStore(subscribe, () => count),
  }
}

/** The number of this user's tickets with unread messages. */
export const { set: setUnreadCount, use: useUnreadCount } = createCounter()
