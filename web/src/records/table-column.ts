import type { ReactNode } from 'react'
import type { SelectedRows } from './use-selected-rows.ts'

export type TableColumn<R> = {
  key: string
  head: string
  cell: (row: R) => ReactNode
  /** Pixels; columns without a width share the rest. */
  width?: number
  /** Right-aligned, for numbers. */
  alignRight?: boolean
  /** Low priority: hidden under 900 px. */
  isLowPriority?: boolean
  /** Its position on the two-line card that replaces a row under 600 px. */
  card?: 'title' | 'line' | 'end'
}

/** An additional action on a row, in the menu. */
export type RowAction<R> = {
  key: string
  label: string
  icon: ReactNode
  run: (row: R) => void
  isOffered?: (row: R) => boolean
  /** A main action is shown before the menu, with a label that names the row: "Escribir a Lucía". */
  direct?: (name: string) => string
}

/** The resolved actions of a row. */
export type RowCommands = {
  name: string
  edit: (() => void) | null
  remove: (() => void) | null
  /** `cannot`: why it is not possible for this row; empty when it is. */
  more: { key: string; label: string; icon: ReactNode; run: () => void; direct?: string; cannot?: string }[]
}

/** Rows that need attention: always together with a text in one of the columns. */
export type RowTone = 'notice' | 'warn' | 'danger'

export type RowsProps<R> = {
  rows: R[]
  columns: TableColumn<R>[]
  offer: (row: R) => RowCommands
  tone?: ((row: R) => RowTone | undefined) | undefined
  label: string
  /** At the left of a card: an avatar, a colour. */
  mark?: ((row: R) => ReactNode) | undefined
  /** Rows with two lines are taller. */
  hasTallRows?: boolean | undefined
  /** Rows can be selected for bulk actions. */
  picked?: SelectedRows<R> | undefined
  scrollRef: React.RefObject<HTMLDivElement | null>
}
