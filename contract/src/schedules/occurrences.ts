import { type Holiday, weekdays } from '../hours/hours.ts'
import { isHoliday, wallClock } from '../hours/opening.ts'
import type { Repetition } from './repetition-rule.ts'

/** What a clock on the wall shows: "2026-11-19T09:30". */
export type WallTime = string

const dayMs = 86_400_000
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs
const dayText = (n: number): string => new Date(n * dayMs).toISOString().slice(0, 10)
/** Monday is 0. The first day of 1970 was a Thursday. */
const weekdayOf = (n: number): number => (((n + 3) % weekdays.length) + weekdays.length) % weekdays.length
const padTwoDigits = (n: number) => String(n).padStart(2, '0')

/** So many days without one are looked through: a rule that finds none in five years finds none. */
const maxDaysAhead = 5 * 366

/** How many months the days lie apart, and the day's place in its month. */
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
const lastDayOf = (day: string): number =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()

/** In a month that is too short it is the last day; the fifth Friday of a month that has four is the fourth. */
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
 * The next time after this one, at the hour of the first; null when it is over. `first` is where the rule counts from,
 * and may itself be one: ask for what comes after a moment before it (`firstOf`). Times are counted by who keeps them.
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

/** The first that fits, from this moment on. */
export const firstOccurrence = (rule: Repetition, first: WallTime, holidays: Holiday[]): WallTime | null =>
  nextOccurrence(rule, first, `${dayText(dayNumber(first.slice(0, 10)) - 1)}T23:59`, holidays)

/** The first few of them, as a form shows them. */
export function firstOccurrences(rule: Repetition, first: WallTime, holidays: Holiday[], most: number): WallTime[] {
  const all: WallTime[] = []
  let at = firstOccurrence(rule, first, holidays)
  while (at !== null && all.length < Math.min(most, rule.times ?? most)) {
    all.push(at)
    at = nextOccurrence(rule, first, at, holidays)
  }
  return all
}

/** What the clock on that wall shows at this moment. */
export function toWallTime(moment: Date, zone: string): WallTime {
  const { day, minute } = wallClock(moment, zone)
  return `${day}T${padTwoDigits(Math.floor(minute / 60))}:${padTwoDigits(minute % 60)}`
}

/**
 * The moment at which a clock on that wall shows this. An hour that a change to summer time leaves out is as long after
 * midnight as it would have been; of an hour that comes twice it is the first.
 */
export function dateOfWallTime(wall: WallTime, zone: string): Date {
  const asIfUtc = Date.parse(`${wall}:00Z`)
  const offsetAt = (ms: number) => Date.parse(`${toWallTime(new Date(ms), zone)}:00Z`) - ms
  const [before, after] = [asIfUtc - offsetAt(asIfUtc - dayMs), asIfUtc - offsetAt(asIfUtc + dayMs)]
  const shown = [before, after].filter((ms) => toWallTime(new Date(ms), zone) === wall)
  return new Date(shown.length ? Math.min(...shown) : before)
}

/** A moment as somebody wrote it: without a zone it is by the clocks of this one. */
export const parseMoment = (given: string, zone: string): Date =>
  /(Z|[+-]\d\d:\d\d)$/.test(given) ? new Date(given) : dateOfWallTime(given.slice(0, 16), zone)
