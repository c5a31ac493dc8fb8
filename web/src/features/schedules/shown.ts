import type { Schedule } from '@recado/contract/schedules/schedules'
import type { Carry } from './use-carry.ts'

/** What can be done with one; each closes what is open. */
export type Deeds = {
  edit: (row: Schedule) => void
  sendNow: (row: Schedule) => void
  remove: (row: Schedule, only: boolean) => void
}
export type Shown = {
  zone: string
  carry: Carry
  /** Which one is open. */
  opened: number | null
  open: (id: number | null) => void
  deeds: Deeds
}
