import { type Holiday, weekdays } from '../hours/hours.ts'
import { isHoliday, wallClock } from '../hours/opening.ts'
import type { Repetition } from './repetition-rule.ts'

/** Local time without a zone: "2026-11-19T09:30". */
export type WallTime = string

const dayMs = 86_400_000
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs
const dayText = (n: number): string => new Date(n * dayMs).toISOString().slice(0, 10)
/** Monday is 0. 1970-01-01 was a Thursday. */
const weekdayOf = (n: number): number => (((n + 3) % weekdays.length) + weekdays.length) % weekdays.length
const padTwoDigits = (n: number) => String(n).padStart(2, '0')

/** Days to search ahead: a rule without a match within five years never matches. */
const maxDaysAhead = 5 * 366

/** The month as a running number, so that distances between months can be computed. */
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
const lastDayOf = (day: string): number =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()

/** In a shorter month the last day matches; in a month with only four Fridays, the fourth replaces the fifth. */
function isOnMonthDay(first: string, day: string, by: Repetition['by']): boolean {
  const [wanted, is, last] = [Number(first.slice(8)), Number(day.slice(8)), lastDayOf(day)]
  if (by === 'day') return is === Math.min(wanted, last)
  if (weekdayOf(dayNumber(first)) !== weekdayOf(dayNumber(day))) return false
  const place = Math.ceil(wanted / 7)
  return place === 5 ? is + 7 > last : Math.ceil(is / 7) === place
}

function isOnRepetitionDay(rule: Repetition, first: string, day: string): boolean {
  const [from, n] = [dayNumber(first), dayNumber(day)]
  if (rule.unit === 'day') return (n - from) % rule.every === 0
  if (rule.unit === 'month')
    return (monthOf(day) - monthOf(first)) % rule.every === 0 && isOnMonthDay(first, day, rule.by)
  const weeks = (n - weekdayOf(n) - (from - weekdayOf(from))) / 7
  const days = rule.days.length ? rule.days : [weekdayOf(from)]
  return weeks % rule.every === 0 && days.includes(weekdayOf(n))
}

/**
 * The next occurrence after `after`, at the time of day of `first`; null when the rule has ended. The rule counts from
 * `first`, which may itself be an occurrence: to include it, pass a moment before it (`firstOccurrence`). The caller
 * counts occurrences.
 */
export function nextOccurrence(
  rule: Repetition,
  first: WallTime,
  after: WallTime,
  holidays: Holiday[],
): WallTime | null {
  const [day, time] = [first.slice(0, 10), first.slice(11)]
  const from = Math.max(dayNumber(day), dayNumber(after.slice(0, 10)))
  const end = rule.until ? Math.min(dayNumber(rule.until), from + maxDaysAhead) : from + maxDaysAhead
  for (let n = from; n <= end; n++) {
    const at = `${dayText(n)}T${time}`
    if (at <= after || !isOnRepetitionDay(rule, day, at.slice(0, 10))) continue
    if (!(rule.skipOff && isHoliday(at.slice(0, 10), holidays))) return at
  }
  return null
}

/** The first occurrence at or after `first`. */
export const firstOccurrence = (rule: Repetition, first: WallTime, holidays: Holiday[]): WallTime | null =>
  nextOccurrence(rule, first, `${dayText(dayNumber(first.slice(0, 10)) - 1)}T23:59`, holidays)

/** The first few occurrences, for a form's preview. */
export function firstOccurrences(rule: Repetition, first: WallTime, holidays: Holiday[], most: number): WallTime[] {
  const all: WallTime[] = []
  let at = firstOccurrence(rule, first, holidays)
  while (at !== null && all.length < Math.min(most, rule.times ?? most)) {
    all.push(at)
    at = nextOccurrence(rule, first, at, holidays)
  }
  return all
}

/** The local time in that zone at this moment. */
export function toWallTime(moment: Date, zone: string): WallTime {
  const { day, minute } = wallClock(moment, zone)
  return `${day}T${padTwoDigits(Math.floor(minute / 60))}:${padTwoDigits(minute % 60)}`
}

/**
 * The moment of a local time in a zone. An hour skipped by daylight saving time is shifted by the skipped
 * amount; of an hour that occurs twice, the first is used.
 */
export function dateOfWallTime(wall: WallTime, zone: string): Date {
  const asIfUtc = Date.parse(`${wall}:00Z`)
  const offsetAt = (ms: number) => Date.parse(`${toWallTime(new Date(ms), zone)}:00Z`) - ms
  const [before, after] = [asIfUtc - offsetAt(asIfUtc - dayMs), asIfUtc - offsetAt(asIfUtc + dayMs)]
  const shown = [before, after].filter((ms) => toWallTime(new Date(ms), zone) === wall)
  return new Date(shown.length ? Math.min(...shown) : before)
}

/** Parses a typed moment: without an offset it is local time in `zone`. */
export const parseMoment = (given: string, zone: string): Date =>
  /(Z|[+-]\d\d:\d\d)$/.test(given) ? new Date(given) : dateOfWallTime(given.slice(0, 16), zone)
