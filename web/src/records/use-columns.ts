import { type RefObject, useEffect, useMemo, useState } from 'react'
import type { TableColumn } from './table-column.ts'

/** Minimum readable width of a column without a fixed width. */
export const minColumnWidthPx = 180
/** Design 8: under this width low-priority columns are hidden. */
const roomyWidthPx = 900

/** The columns that fit: low-priority columns are dropped, starting with the last. */
export function fitColumns<R>(columns: TableColumn<R>[], room: number, width: number): TableColumn<R>[] {
  const shown = width < roomyWidthPx ? columns.filter((column) => !column.isLowPriority) : [...columns]
  const needed = () => shown.reduce((sum, column) => sum + (column.width ?? minColumnWidthPx), 0)
  while (needed() > room) {
    const last = shown.findLastIndex((column) => column.isLowPriority)
    if (last < 0) break
    shown.splice(last, 1)
  }
  return shown
}

export function useColumns<R>(columns: TableColumn<R>[], scrollRef: RefObject<HTMLDivElement | null>, taken: number) {
  const [width, setWidth] = useState(() => scrollRef.current?.clientWidth ?? innerWidth)
  useEffect(() => {
    if (!scrollRef.current) return
    const watch = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)))
    watch.observe(scrollRef.current)
    return () => watch.disconnect()
  }, [scrollRef])
  return useMemo(() => fitColumns(columns, width - taken, innerWidth), [columns, width, taken])
}
