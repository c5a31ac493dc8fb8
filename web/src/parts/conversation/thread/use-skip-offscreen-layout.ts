import { type RefObject, useEffect } from 'react'

/** From this many rows on, skipping the layout of invisible rows is faster. */
const minRows = 80

/**
 * Rows far from the viewport are not laid out (content-visibility), but only after each was rendered once. The browser
 * then remembers each row's height, and the thread keeps its length.
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
