import { settingDefinitions } from '@recado/contract/settings'
import { addDays, endOfDay } from '../kernel/clock.ts'

type PaymentStatus = { dueDate: string | null; zone: string | null; graceDays: number }

/** Whether now is before the end of the due date plus the grace days, in the company's time zone. */
export const isCompanyPaid = ({ dueDate, zone, graceDays }: PaymentStatus, now: Date): boolean =>
  dueDate === null || endOfDay(addDays(dueDate, graceDays), zone ?? settingDefinitions.timezone.default) >= now
