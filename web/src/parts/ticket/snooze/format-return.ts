import { formatDay, formatTime } from '../../../lib/format.ts'
import { currentLanguage, currentTexts } from '../../../lib/texts.ts'
import { snoozeTexts } from './texts.ts'

const dayMs = 86_400_000

/** The weekday and day of a date that is written as dd/MM/yyyy. */
function nameDay(written: string, weekday: 'short' | 'long'): string {
  const date = new Date(`${written.split('/').reverse().join('-')}T00:00:00Z`)
  return new Intl.DateTimeFormat(currentLanguage(), { weekday, day: 'numeric', timeZone: 'UTC' }).format(date)
}
/** The same for yyyy-MM-dd. */
export const nameIsoDay = (day: string): string => nameDay(day.split('-').reverse().join('/'), 'long')

const isWithinWeek = (at: string, now: number) => Date.parse(at) - now < 6 * dayMs

/** "hoy 17:24", "mié 18, 9:00", "24/12/2026, 9:00", in the reader's time zone. */
export function formatReturn(at: string, now = Date.now()): string {
  const day = formatDay(at)
  if (day === formatDay(now)) return `${currentTexts(snoozeTexts).groups.today.toLowerCase()} ${formatTime(at)}`
  return `${isWithinWeek(at, now) ? nameDay(day, 'short') : day}, ${formatTime(at)}`
}

/** The heading of the group of tickets that come back on the same day. */
export function formatReturnGroup(until: string | null, now = Date.now()): string {
  const words = currentTexts(snoozeTexts).groups
  if (until === null) return words.message
  const day = formatDay(until)
  if (day === formatDay(now)) return words.today
  const name = isWithinWeek(until, now) ? nameDay(day, 'long') : day
  return day === formatDay(now + dayMs)
    ? words.tomorrow(nameDay(day, 'long'))
    : name.charAt(0).toUpperCase() + name.slice(1)
}
