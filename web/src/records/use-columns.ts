import { type RefObject, useEffect, useMemo, useState } from 'react'
import type { Column } from './column.ts'

/** A column that shares the rest of the line needs this much to be read. */
export const least = 180
/** Design 8: under this, what is of low value leaves. */
const roomy = 900

/** The columns there is room for: those of low value leave, the last one first. */
export function fitting<R>(columns: Column<R>[], room: number, width: number): Column<R>[] {
  const shown = width < roomy ? columns.filter((column) => !column.low) : [...columns]
  const needed = () => shown.reduce((sum, column) => sum + (column.width ?? least), 0)
  while (needed() > room) {
    const last = shown.findLastIndex((column) => column.low)
    if (last < 0) break
    shown.splice(last, 1)
  }
  return shown
}

export function useColumns<R>(columns: Column<R>[], scroller: RefObject<HTMLDivElement | null>, taken: number) {
  const [width, setWidth] = useState(() => scroller.current?.clientWidth ?? innerWidth)
  useEffect(() => {
    if (!scroller.current) return
    const watch = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)))
    watch.observe(scroller.current)
    return () => watch.disconnect()
  }, [scroller])
  return useMemo(() => fitting(columns, width - taken, innerWidth), [columns, width, taken])
}
