import { useEffect, useState } from 'react'

/** A dialog mounted open neither fades in nor remembers the focus, so it opens a moment later. */
export function useDelayedOpen(wanted: boolean): boolean {
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(wanted), [wanted])
  return opened
}
