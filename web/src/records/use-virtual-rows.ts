import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'

/** Lists up to this length are rendered completely, so that the browser's own search finds every row. */
const maxRowsDrawnWhole = 200

/** The rows of a long list to render, and the height of the rows that are not rendered. */
export function useVirtualRows(count: number, height: number, scrollRef: RefObject<HTMLDivElement | null>) {
  const long = count > maxRowsDrawnWhole
  const virtual = useVirtualizer({
    count,
    enabled: long,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => height,
    overscan: 12,
  })
  if (!long) return { from: 0, to: count, before: 0, after: 0 }
  const items = virtual.getVirtualItems()
  const from = items[0]?.index ?? 0
  const to = (items.at(-1)?.index ?? Math.min(count, 40) - 1) + 1
  return { from, to, before: from * height, after: (count - to) * height }
}
