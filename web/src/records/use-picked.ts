import { useState } from 'react'
import type { Row } from './merge.ts'

export type Picked<R> = {
  rows: R[]
  has: (row: R) => boolean
  toggle: (row: R) => void
  /** All that are shown, or none. */
  toggleAll: () => void
  clear: () => void
}

/** Which of the rows somebody picked to do something with them together. One that left the list is not picked any more. */
export function usePicked<R extends Row>(shown: R[], may: (row: R) => boolean): Picked<R> {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const rows = shown.filter((row) => ids.has(row.id) && may(row))
  const all = shown.filter(may)
  return {
    rows,
    has: (row) => ids.has(row.id),
    toggle: ({ id }) =>
      setIds((before) =>
        before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]),
      ),
    toggleAll: () => setIds(new Set(rows.length === all.length ? [] : all.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  }
}
