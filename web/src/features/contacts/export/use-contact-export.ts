import { useEffect, useRef, useState } from 'react'
import { toast } from '../../../lib/toast.ts'

/** An export that can be stopped at any time. Its code loads on first use. */
export function useContactExport() {
  const [running, setRunning] = useState(false)
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])

  const start = async (search: string) => {
    if (abort.current) return
    const control = new AbortController()
    abort.current = control
    setRunning(true)
    try {
      const { exportContacts } = await import('./export-contacts.ts')
      await exportContacts(search, control.signal)
    } catch (error) {
      toast.error(error)
    } finally {
      abort.current = null
      setRunning(false)
    }
  }
  return { isRunning: running, start, stop: () => abort.current?.abort() }
}
