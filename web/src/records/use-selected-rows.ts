import { useState } from 'react'
import type { RecordRow } from './merge-rows.ts'

export type SelectedRows<R> = {
  rows: R[]
  isSelected: (row: R) => boolean
  toggle: (row: R) => void
  /** Selects all visible rows, or deselects all. */
  toggleAll: () => void
  clear: () => void
}

/** The selected rows. A row that leaves the list is no longer selected. */
export function useSelectedRows<R extends RecordRow>(shown: R[], may: (row: R) => boolean): SelectedRows<R> {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const rows = shown.filter((row) => ids.has(row.id) && may(row))
  const all = shown.filter(may)
  return {
    rows,
    isSelected: (row) => ids.has(row.id),
    toggle: ({ id }) =>
      setIds((before) =>
        before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]),
      ),
    toggleAll: () => setIds(new Set(rows.length === all.length ? [] : all.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  }
}
