import { useEffect, useState } from 'react'

/** Whether this tab is visible, as far as the browser reports it. */
export function useIsTabVisible(): boolean {
  const [visible, setVisible] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return visible
}
