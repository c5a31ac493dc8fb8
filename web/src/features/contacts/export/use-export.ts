import { useEffect, useRef, useState } from 'react'
import { toast } from '../../../lib/toast.ts'

export type Export = { read: number; total: number }

/** An export and how far it is; can be stopped at any moment. Its code comes when it is asked for. */
export function useExport() {
  const [running, setRunning] = useState<Export | null>(null)
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])

  const start = async (search: string, total: number) => {
    if (abort.current) return
    const control = new AbortController()
    abort.current = control
    setRunning({ read: 0, total })
    try {
      const { exportEveryone } = await import('./export-everyone.ts')
      await exportEveryone(search, control.signal, (read) => setRunning({ read, total }))
    } catch (error) {
      toast.error(error)
    } finally {
      abort.current = null
      setRunning(null)
    }
  }
  return { running, start, stop: () => abort.current?.abort() }
}
