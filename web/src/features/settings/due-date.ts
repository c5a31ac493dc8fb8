import { type Company, type Recurrence, recurrenceMonths } from '@recado/contract/companies'
import { settingDefinitions } from '@recado/contract/settings'
import type { RowTone } from '../../records/table-column.ts'

/** A company's days are in its own time zone, regardless of the viewer's time zone. */
function companyTimeZone(company: Company): string {
  return company.settings.find((setting) => setting.key === 'timezone')?.value ?? settingDefinitions.timezone.default
}

/** The calendar day of a moment in a zone, yyyy-MM-dd. */
export function calendarDayIn(moment: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return format.format(moment)
}

export const getDueDay = (company: Company): string | null =>
  company.dueDate && calendarDayIn(new Date(company.dueDate), companyTimeZone(company))

/** Whole days until the due day; 0 is today. */
export function countDaysUntilDue(company: Company, now = new Date()): number | null {
  const due = getDueDay(company)
  if (!due) return null
  return Math.round((Date.parse(due) - Date.parse(calendarDayIn(now, companyTimeZone(company)))) / 86_400_000)
}

/** Colours of spec section 4: 5 days left are yellow, 4 to -3 orange, -4 and less red. */
export function dueTone(left: number | null): RowTone | undefined {
  if (left === null || left > 5) return undefined
  if (left === 5) return 'notice'
  return left >= -3 ? 'warn' : 'danger'
}

/** The due day after a renewal, computed as on the server. */
export function nextDueDay(company: Company, now = new Date()): string {
  const from = getDueDay(company) ?? calendarDayIn(now, companyTimeZone(company))
  return addMonths(from, recurrenceMonths[company.recurrence ?? ('MENSAL' satisfies Recurrence)])
}

/** Adds months to a day. The 31st becomes the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** Formats yyyy-MM-dd as dd/MM/yyyy. */
export const formatDueDay = (day: string): string => day.split('-').reverse().join('/')
