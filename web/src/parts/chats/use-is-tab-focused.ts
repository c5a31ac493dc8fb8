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

/** Somebody looks at this very tab: what stands here is being read. */
export const useIsTabFocused = (): boolean => useSyncExternalStore(subscribe, isTabFocused)
