import { useEffect, useState } from 'react'

/**
 * Whether a dialog is open. A dialog that is mounted open does not fade in or remember the focus, so it opens a moment
 * later.
 */
export function useDelayedOpen(wanted: boolean): boolean {
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(wanted), [wanted])
  return opened
}
