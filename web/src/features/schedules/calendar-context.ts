import type { Schedule } from '@recado/contract/schedules/schedules'
import type { CarrySchedule } from './use-carry-schedule.ts'

/** The actions on an entry; each action closes the open details or form. */
export type ScheduleActions = {
  edit: (row: Schedule) => void
  sendNow: (row: Schedule) => void
  remove: (row: Schedule, only: boolean) => void
}
export type CalendarContext = {
  zone: string
  scheduleDrag: CarrySchedule
  /** The id of the open entry. */
  openedId: number | null
  open: (id: number | null) => void
  actions: ScheduleActions
}
