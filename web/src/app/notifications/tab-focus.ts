import { useSyncExternalStore } from 'react'

/** Whether this tab is visible and focused. */
export const isTabFocused = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

function subscribe(look: () => void): () => void {
  const chars = [
    [window, 'focus'],
    [window, 'blur'],
    [document, 'visibilitychange'],
  ] as const
  for (const [where, sign] of chars) where.addEventListener(sign, look)
  return () => {
    for (const [where, sign] of chars) where.removeEventListener(sign, look)
  }
}

export const useTabFocus = (): boolean => useSyncExternalStore(subscribe, isTabFocused)
