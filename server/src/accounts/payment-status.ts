import { settingDefinitions } from '@recado/contract/settings'
import { addDays, endOfDay } from '../kernel/clock.ts'

type PaymentStatus = { dueDate: string | null; zone: string | null; graceDays: number }

/** Paid until the end of the due day, and of the days of grace behind it, as the company's own clocks show it. */
export const isCompanyPaid = ({ dueDate, zone, graceDays }: PaymentStatus, now: Date): boolean =>
  dueDate === null || endOfDay(addDays(dueDate, graceDays), zone ?? settingDefinitions.timezone.default) >= now
