import { type DragEvent, useState } from 'react'

/** A drop zone for files: its event handlers, and whether a file is dragged over it. */
export function useFileDrop(onFiles: (file: File | undefined, all: File[]) => void) {
  const [isOver, setIsOver] = useState(false)
  return {
    isOver: isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault()
        setIsOver(true)
      },
      onDragLeave: () => setIsOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setIsOver(false)
        const all = [...event.dataTransfer.files]
        onFiles(all[0], all)
      },
    },
  }
}
