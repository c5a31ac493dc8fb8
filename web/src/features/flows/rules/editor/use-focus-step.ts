import { useEffect, useRef } from 'react'

/** Moves the focus to the first word of a step that was added or moved. */
export function useFocusStep() {
  const ref = useRef<HTMLOListElement>(null)
  const wanted = useRef<string | undefined>(undefined)
  useEffect(() => {
    const id = wanted.current
    if (id === undefined) return
    const line = ref.current?.querySelector<HTMLElement>(`[data-step="${id}"]`)
    if (!line) return
    wanted.current = undefined
    line.querySelector<HTMLElement>('button, input')?.focus()
  })
  return {
    ref,
    next: (id: string | undefined) => {
      wanted.current = id
    },
  }
}
