import { settingKeys } from '@recado/contract/settings'
import { addDays, endOfDay } from '../kernel/clock.ts'

type Standing = { dueDate: string | null; zone: string | null; graceDays: number }

/** Paid until the end of the due day, and of the days of grace behind it, as the company's own clocks show it. */
export const isPaid = ({ dueDate, zone, graceDays }: Standing, now: Date): boolean =>
  dueDate === null || endOfDay(addDays(dueDate, graceDays), zone ?? settingKeys.timezone.default) >= now
