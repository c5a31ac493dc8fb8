import { type DragEvent, useState } from 'react'

/** A place where one file can be let go: what it listens to, and whether one is held over it. */
export function useDrop(take: (file: File | undefined) => void) {
  const [over, setOver] = useState(false)
  return {
    over,
    on: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files[0])
      },
    },
  }
}
