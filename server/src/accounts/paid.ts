import { settingKeys } from '@recado/contract/settings'
import { endOfDay } from '../kernel/clock.ts'

/** Paid until the end of the due day, as the company's own clocks show it. */
export const isPaid = ({ dueDate, zone }: { dueDate: string | null; zone: string | null }, now: Date): boolean =>
  dueDate === null || endOfDay(dueDate, zone ?? settingKeys.timezone.default) >= now
