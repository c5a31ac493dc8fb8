import { type Holiday, type Hours, weekdays } from './hours.ts'

/** The data that decides whether the desk is open: the week, the holidays, and the time zone. */
export type Calendar = { week: Hours[]; holidays: Holiday[]; zone: string }
/** `closedSince` identifies a closed period by the local time of its beginning: constant within the period, and unique. */
export type OpenState = { open: true } | { open: false; closedSince: string }

/** Minutes of the day on which the range begins; a range past midnight ends after minute 1440. */
type Range = { from: number; until: number }

const formats = new Map<string, Intl.DateTimeFormat>()
function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const made = new Intl.DateTimeFormat('en-CA', { timeZone: zone, calendar: 'iso8601', ...date, ...clock })
  formats.set(zone, made)
  return made
}

/** The local calendar day and minute of the day. */
export function wallClock(moment: Date, zone: string): { day: string; minute: number } {
  const part = Object.fromEntries(
    formatFor(zone)
      .formatToParts(moment)
      .map((p) => [p.type, p.value]),
  )
  const day = `${String(part.year).padStart(4, '0')}-${part.month}-${part.day}`
  return { day, minute: Number(part.hour) * 60 + Number(part.minute) }
}

const dayMinutes = 24 * 60
/** No clock is set back by more than this many minutes. */
const maxClockSetBackMinutes = 3 * 60

/** The latest local time so far: after a clock was set back, it is ahead of the current local time until that catches up. */
function latestWallClock(now: Date, zone: string): { day: string; minute: number } {
  const ago = (minutes: number) => wallClock(new Date(now.getTime() - minutes * 60_000), zone)
  const shown = (clock: { day: string; minute: number }) => Date.parse(`${clock.day}T00:00:00Z`) / 60_000 + clock.minute
  let latest = ago(0)
  if (shown(latest) - shown(ago(maxClockSetBackMinutes)) >= maxClockSetBackMinutes) return latest
  for (let minutes = 1; minutes <= maxClockSetBackMinutes; minutes++)
    if (shown(ago(minutes)) > shown(latest)) latest = ago(minutes)
  return latest
}
/** Maximum days to look back for the beginning of a closed period. */
const maxLookbackDays = 400

/** "08:30" in minutes; the last minute of the day means until midnight. */
function minuteOf(time: string, ends: boolean): number | null {
  const [hour, minute] = time.split(':').map(Number)
  if (hour === undefined || minute === undefined || Number.isNaN(hour + minute)) return null
  const at = hour * 60 + minute
  return ends && at === dayMinutes - 1 ? dayMinutes : at
}

/** Ranges with a length. 00:00-00:00 has no length: that day is closed. 22:00-06:00 lasts until the next morning. */
function rangesOf(week: Hours[]): Map<string, Range[]> {
  const ranges = new Map<string, Range[]>()
  for (const { weekdayEn, startTime, endTime } of week) {
    const [from, until] = [minuteOf(startTime, false), minuteOf(endTime, true)]
    if (from === null || until === null || from === until) continue
    const range = { from, until: from < until ? until : until + dayMinutes }
    ranges.set(weekdayEn, [...(ranges.get(weekdayEn) ?? []), range])
  }
  return ranges
}

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - dayMinutes * 60_000).toISOString().slice(0, 10)
const weekdayOf = (day: string): string => weekdays[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] as string
export const isHoliday = (day: string, holidays: Holiday[]): boolean =>
  holidays.some((h) => (h.yearly ? h.day.slice(5) === day.slice(5) : h.day === day))

/** Without any configured hours the desk is always open. A configured 00:00-00:00 counts as hours. */
export const hasHours = (week: Hours[]): boolean => week.some((h) => h.startTime !== '' && h.endTime !== '')

/**
 * The open ranges of a day in minutes, in order; minutes beyond 1440 are the next morning. A holiday has no ranges. The
 * calendar is parsed once, for any number of days.
 */
export function openRangesOf({ week, holidays }: Pick<Calendar, 'week' | 'holidays'>): (day: string) => Range[] {
  const ranges = rangesOf(week)
  for (const all of ranges.values()) all.sort((a, b) => a.from - b.from)
  const daysOff = new Set(holidays.map((h) => (h.yearly ? h.day.slice(5) : h.day)))
  return (day) => (daysOff.has(day) || daysOff.has(day.slice(5)) ? [] : (ranges.get(weekdayOf(day)) ?? []))
}

/** Whether the desk is open, and if not, since when it is closed. */
export function openStateAt(calendar: Calendar, now: Date): OpenState {
  const { week, zone } = calendar
  if (!hasHours(week)) return { open: true }
  if (!rangesOf(week).size) return { open: false, closedSince: 'always' }
  // A night shift belongs to the day it begins on: none begins on a holiday, but a shift of the day before
  // lasts until the holiday's morning.
  const on = openRangesOf(calendar)
  const begunOrLeft = (day: string): Range[] => [
    ...on(day),
    ...on(dayBefore(day)).map((r) => ({ from: r.from - dayMinutes, until: r.until - dayMinutes })),
  ]
  const { day: today, minute } = wallClock(now, zone)
  if (begunOrLeft(today).some((r) => r.from <= minute && minute < r.until)) return { open: true }
  const latest = latestWallClock(now, zone)
  let day = latest.day
  for (let back = 0; back < maxLookbackDays; back++) {
    const ends = begunOrLeft(day)
      .map((r) => r.until)
      .filter((until) => until > 0 && until <= (back > 0 ? dayMinutes : latest.minute))
    if (ends.length) return { open: false, closedSince: `${day} ${Math.max(...ends)}` }
    day = dayBefore(day)
  }
  return { open: false, closedSince: 'always' }
}
