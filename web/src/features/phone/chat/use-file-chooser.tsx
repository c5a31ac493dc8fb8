import { useRef } from 'react'

/** The browser's file dialog, for the kind of file requested. */
export function useFileChooser() {
  const input = useRef<HTMLInputElement>(null)
  const taker = useRef<(files: File[]) => void>(() => undefined)
  const open = (accept: string, onFiles: (files: File[]) => void) => {
    if (!input.current) return
    taker.current = onFiles
    input.current.accept = accept
    // Resetting the input allows choosing the same file again.
    input.current.value = ''
    input.current.click()
  }
  const drawn = (
    <input
      ref={input}
      type="file"
      multiple
      hidden
      onChange={(event) => taker.current([...(event.currentTarget.files ?? [])])}
    />
  )
  return { open, element: drawn }
}
