import { defaultHours, Holiday, type Hours, WeekHours, weekdays } from '@recado/contract/hours/hours'
import { isTimeZone } from '@recado/contract/settings'
import { z } from 'zod'

type OpeningHours = { hours: Hours[]; holidays: Holiday[]; zone: string | null }

const range = z.object({ from: z.string(), to: z.string() })
/** The ticketz format since 2026: weekly rules, and exceptions by date. */
const WeeklyRules = z.object({
  weeklyRules: z.array(z.object({ days: z.array(z.string()), hours: z.array(range) })),
  overrides: z
    .array(
      z.object({
        date: z.string(),
        repeat: z.string().nullish(),
        closed: z.boolean().nullish(),
        label: z.string().nullish(),
      }),
    )
    .catch([]),
  timezone: z.string().nullish(),
})

const parseTime = (text: string) => (/^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : '')

/** Parses opening hours: one range per day, as in most Whaticket-compatible systems, or rules. Null: unreadable. */
export function parseOpeningHours(cell: unknown): OpeningHours | null {
  if (Array.isArray(cell)) {
    const week = WeekHours.safeParse(cell)
    return week.success && week.data.length ? { hours: week.data, holidays: [], zone: null } : null
  }
  const rules = WeeklyRules.safeParse(cell)
  if (!rules.success) return null
  const hours = weekdays.flatMap((weekdayEn, i) => {
    const weekday = defaultHours[i]?.weekday ?? weekdayEn
    const ranges = rules.data.weeklyRules
      .filter(({ days }) => days.some((day) => weekdayEn.startsWith(day.toLowerCase().slice(0, 3))))
      .flatMap((rule) => rule.hours)
      .map(({ from, to }) => ({ weekday, weekdayEn, startTime: parseTime(from), endTime: parseTime(to) }))
      .filter(({ startTime, endTime }) => startTime && endTime)
    // A range of zero length means closed all day.
    return ranges.length ? ranges.slice(0, 5) : [{ weekday, weekdayEn, startTime: '00:00', endTime: '00:00' }]
  })
  const holidays = rules.data.overrides.flatMap(({ date, repeat, closed, label }) => {
    const day = Holiday.safeParse({ day: date, name: label ?? '', yearly: repeat === 'yearly' })
    return closed && day.success ? [day.data] : []
  })
  const zone = rules.data.timezone
  return { hours, holidays: holidays.slice(0, 400), zone: zone && isTimeZone(zone) ? zone : null }
}
