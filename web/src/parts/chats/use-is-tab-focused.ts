import { useSyncExternalStore } from 'react'

const isTabFocused = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

function subscribe(look: () => void): () => void {
  addEventListener('focus', look)
  addEventListener('blur', look)
  document.addEventListener('visibilitychange', look)
  return () => {
    removeEventListener('focus', look)
    removeEventListener('blur', look)
    document.removeEventListener('visibilitychange', look)
  }
}

/** Whether this tab is visible and focused, so that its content counts as read. */
export const useIsTabFocused = (): boolean => useSyncExternalStore(subscribe, isTabFocused)
