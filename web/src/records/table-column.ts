import type { ReactNode } from 'react'
import type { SelectedRows } from './use-selected-rows.ts'

export type TableColumn<R> = {
  key: string
  head: string
  cell: (row: R) => ReactNode
  /** Pixels; columns without it share the rest. */
  width?: number
  /** Numbers stand right. */
  right?: boolean
  /** Of low value: leaves under 900 px. */
  low?: boolean
  /** Its place on the two-line card that a row becomes under 600 px. */
  card?: 'title' | 'line' | 'end'
}

/** One more thing to do with a row, under the dots. */
export type RowAction<R> = {
  key: string
  label: string
  icon: ReactNode
  run: (row: R) => void
  offered?: (row: R) => boolean
  /** What people come for stands before the dots, with a name that says whom it is about: "Escribir a Lucía". */
  direct?: (name: string) => string
}

/** What one row offers, worked out. */
export type RowCommands = {
  name: string
  edit: (() => void) | null
  remove: (() => void) | null
  /** `cannot`: why it cannot be done with this one; empty when it can. */
  more: { key: string; label: string; icon: ReactNode; run: () => void; direct?: string; cannot?: string }[]
}

/** Rows that need a look: always together with a word in one of the columns. */
export type RowTone = 'notice' | 'warn' | 'danger'

export type RowsProps<R> = {
  rows: R[]
  columns: TableColumn<R>[]
  offer: (row: R) => RowCommands
  tone?: ((row: R) => RowTone | undefined) | undefined
  label: string
  /** Left of a card: an avatar, a colour. */
  mark?: ((row: R) => ReactNode) | undefined
  /** Rows with a second line are higher. */
  tall?: boolean | undefined
  /** Rows can be picked to do something with several at once. */
  picked?: SelectedRows<R> | undefined
  scroller: React.RefObject<HTMLDivElement | null>
}
