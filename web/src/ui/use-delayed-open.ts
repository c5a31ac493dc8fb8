import { useEffect, useState } from 'react'

/** A dialog that is born open neither fades in nor remembers where the focus was: it opens a moment later. */
export function useDelayedOpen(wanted: boolean): boolean {
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(wanted), [wanted])
  return opened
}
