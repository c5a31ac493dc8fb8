import type { SelectedNumber } from '../tickets-behind-number.tsx'

/** Opens the tickets behind a figure. */
export type ShowTickets = (what: SelectedNumber) => void
