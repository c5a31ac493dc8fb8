import { type RefObject, useEffect } from 'react'

/** From so many rows on it pays to leave out what is not seen. */
const minRows = 80

/**
 * Rows far from the eye are not laid out. Only once each has been drawn: the browser then remembers its height, and the
 * thread is as long as before.
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
