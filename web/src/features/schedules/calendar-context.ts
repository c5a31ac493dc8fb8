import type { Schedule } from '@recado/contract/schedules/schedules'
import type { CarrySchedule } from './use-carry-schedule.ts'

/** What can be done with one; each closes what is open. */
export type ScheduleActions = {
  edit: (row: Schedule) => void
  sendNow: (row: Schedule) => void
  remove: (row: Schedule, only: boolean) => void
}
export type CalendarContext = {
  zone: string
  carry: CarrySchedule
  /** Which one is open. */
  opened: number | null
  open: (id: number | null) => void
  deeds: ScheduleActions
}
