import { type DragEvent, useState } from 'react'

/** A place where files can be let go: what it listens to, and whether one is held over it. */
export function useFileDrop(take: (file: File | undefined, all: File[]) => void) {
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
        const all = [...event.dataTransfer.files]
        take(all[0], all)
      },
    },
  }
}
