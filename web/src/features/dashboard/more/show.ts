import type { Pressed } from '../behind.tsx'

/** Opens the tickets behind a number. */
export type Show = (what: Pressed) => void
