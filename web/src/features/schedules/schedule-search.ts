import type { Schedule } from '@recado/contract/schedules/schedules'
import { matchesSearchIn } from '../../records/merge-rows.ts'

/** Matches the text or the contact's name, as the server does. */
export const matchesScheduleSearch = matchesSearchIn<Schedule>(
  ({ body }) => body,
  ({ contact }) => contact.name,
)
