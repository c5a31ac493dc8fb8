import type { Schedule } from '@recado/contract/schedules/schedules'
import { matchesSearchIn } from '../../records/merge-rows.ts'

/** By its words or by the contact's name, as the server looks. */
export const matchesScheduleSearch = matchesSearchIn<Schedule>(
  ({ body }) => body,
  ({ contact }) => contact.name,
)
