import type { SelectedNumber } from '../tickets-behind-number.tsx'

/** Opens the tickets behind a number. */
export type ShowTickets = (what: SelectedNumber) => void
