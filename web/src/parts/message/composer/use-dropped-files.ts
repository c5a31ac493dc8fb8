import { useEffect, useEffectEvent, useState } from 'react'

/** Whether a drop is in a dialog, which handles it itself. */
const isInDialog = (target: EventTarget | null) => target instanceof Element && target.closest('[role=dialog]') !== null
const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true && !isInDialog(event.target)

/**
 * Accepts files dropped anywhere on the page: outside the composer the browser would open the file and lose the
 * draft. True while files are dragged over the page.
 */
export function useDroppedFiles(enabled: boolean, onFiles: (files: File[]) => void): boolean {
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const handleFiles = useEffectEvent(onFiles)
  useEffect(() => {
    if (!enabled) return
    let leaveTimer: ReturnType<typeof setTimeout> | undefined
    const hold = (event: DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event)) return
      event.preventDefault()
      clearTimeout(leaveTimer)
      setIsDraggedOver(true)
    }
    // Moving between elements also fires dragleave: only a pause after it means that the files left the page.
    const leave = () => {
      clearTimeout(leaveTimer)
      leaveTimer = setTimeout(() => setIsDraggedOver(false), 120)
    }
    const drop = (event: DragEvent) => {
      setIsDraggedOver(false)
      if (event.defaultPrevented || !hasFiles(event)) return
      event.preventDefault()
      handleFiles([...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragover', hold)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      clearTimeout(leaveTimer)
      removeEventListener('dragover', hold)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
      setIsDraggedOver(false)
    }
  }, [enabled])
  return isDraggedOver && enabled
}
