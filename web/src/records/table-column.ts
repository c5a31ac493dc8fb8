import type { ReactNode } from 'react'
import type { SelectedRows } from './use-selected-rows.ts'

export type TableColumn<R> = {
  key: string
  head: string
  cell: (row: R) => ReactNode
  /** The width in pixels; columns without a width share the remaining space. */
  width?: number
  /** Whether the column is right-aligned, for numbers. */
  alignRight?: boolean
  /** Whether the column is hidden under 900 px. */
  isLowPriority?: boolean
  /** The column's position on the card with two rows of text that replaces a table row under 600 px. */
  card?: 'title' | 'line' | 'end'
}

/** An additional action on a row, in the menu. */
export type RowAction<R> = {
  key: string
  label: string
  icon: ReactNode
  run: (row: R) => void
  isOffered?: (row: R) => boolean
  /** Set for a main action, which is shown before the menu with a label that names the row, such as "Escribir a Lucía". */
  direct?: (name: string) => string
}

/** The actions of one row, with their labels and handlers. */
export type RowCommands = {
  name: string
  edit: (() => void) | null
  remove: (() => void) | null
  /** `cannot`: why the action is not possible for this row; empty when it is possible. */
  more: { key: string; label: string; icon: ReactNode; run: () => void; direct?: string; cannot?: string }[]
}

/** The highlight of a row that needs attention. One of the columns always says the same as text. */
export type RowTone = 'notice' | 'warn' | 'danger'

export type RowsProps<R> = {
  rows: R[]
  columns: TableColumn<R>[]
  offer: (row: R) => RowCommands
  tone?: ((row: R) => RowTone | undefined) | undefined
  label: string
  /** A mark at the left of a card, such as an avatar or a colour. */
  mark?: ((row: R) => ReactNode) | undefined
  /** Whether rows are taller, because they have two rows of text. */
  hasTallRows?: boolean | undefined
  /** The selection, if rows can be selected for bulk actions. */
  picked?: SelectedRows<R> | undefined
  scrollRef: React.RefObject<HTMLDivElement | null>
}
