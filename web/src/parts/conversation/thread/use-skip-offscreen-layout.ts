import { type RefObject, useEffect } from 'react'

/** From this many rows on, skipping invisible ones pays off. */
const minRows = 80

/**
 * Far rows are not laid out (content-visibility), but only after each was rendered once: the browser then
 * remembers its height, and the thread keeps its length.
 */
export function useSkipOffscreenLayout(rows: RefObject<HTMLElement | null>, count: number): void {
  useEffect(() => {
    if (count < minRows) return
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        for (const row of rows.current?.children ?? []) row.setAttribute('data-settled', '')
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [rows, count])
}
