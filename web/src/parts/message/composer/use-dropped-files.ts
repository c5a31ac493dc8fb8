import { useEffect, useEffectEvent, useState } from 'react'

/** A page over the page has its own idea of what is dropped on it. */
const isInDialog = (target: EventTarget | null) => target instanceof Element && target.closest('[role=dialog]') !== null
const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true && !isInDialog(event.target)

/**
 * Files let go anywhere on the page land here: dropped beside the box they would otherwise take the page away and with
 * it what was written. True while some are held over it.
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
    // Leaving one element for the next is told as leaving: only silence afterwards means that they are gone.
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
