import { useCallback, useState } from 'react'

/**
 * Returns a function that gives the focus back to where it was when the dialog opened. Mantine does so only for a dialog
 * that was rendered before it opened, and these load when they are first needed.
 */
export function useFocusReturn(): () => void {
  const [opener] = useState(() => document.activeElement)
  return useCallback(() => {
    // The focus trap ends with the next render.
    if (opener instanceof HTMLElement) requestAnimationFrame(() => opener.focus({ preventScroll: true }))
  }, [opener])
}
