import type { SelectedNumber } from '../behind.tsx'

/** Opens the tickets behind a number. */
export type ShowTickets = (what: SelectedNumber) => void
