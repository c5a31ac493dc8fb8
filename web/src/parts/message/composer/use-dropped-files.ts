import { useEffect, useEffectEvent, useState } from 'react'

/** A dialog handles its own drops. */
const isInDialog = (target: EventTarget | null) => target instanceof Element && target.closest('[role=dialog]') !== null
const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true && !isInDialog(event.target)

/**
 * Accepts files dropped anywhere on the page: outside the composer the browser would open the file and lose the
 * draft. True while files are dragged over the page.
 */
export function useDroppedFiles(enabled: boolean, onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    if (!enabled) return
    let leaving: ReturnType<typeof setTimeout> | undefined
    const hold = (event: DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event)) return
      event.preventDefault()
      clearTimeout(leaving)
      setOver(true)
    }
    // Moving between elements fires dragleave: only a pause after it means that the files left the page.
    const leave = () => {
      clearTimeout(leaving)
      leaving = setTimeout(() => setOver(false), 120)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (event.defaultPrevented || !hasFiles(event)) return
      event.preventDefault()
      take([...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragover', hold)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      clearTimeout(leaving)
      removeEventListener('dragover', hold)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
      setOver(false)
    }
  }, [enabled])
  return over && enabled
}
