import type { Schedule } from '@recado/contract/schedules/schedules'
import { contains } from '../../records/merge.ts'

/** By its words or by the contact's name, as the server looks. */
export const matches = contains<Schedule>(
  ({ body }) => body,
  ({ contact }) => contact.name,
)
