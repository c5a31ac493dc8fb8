import { type DragEvent, useState } from 'react'

/** A drop zone for files: its event handlers, and whether a file is dragged over it. */
export function useFileDrop(take: (file: File | undefined, all: File[]) => void) {
  const [over, setOver] = useState(false)
  return {
    isOver: over,
    handlers: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        const all = [...event.dataTransfer.files]
        take(all[0], all)
      },
    },
  }
}
