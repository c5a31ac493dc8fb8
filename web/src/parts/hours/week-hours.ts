import { type Hours, weekdays } from '@recado/contract/hours/hours'

export type Weekday = Hours['weekdayEn']
export type HoursRange = { from: string; to: string }
/** A day with its ranges; a day without ranges is closed. */
export type DayHours = { weekday: Weekday; ranges: HoursRange[] }

export const officeHours: HoursRange = { from: '08:00', to: '18:00' }
const midnight = '00:00'
const isClosed = ({ startTime, endTime }: Hours) =>
  startTime === '' || endTime === '' || (startTime === midnight && endTime === midnight)

/** Converts the flat list of the API to seven days with ordered ranges. */
export function groupHoursByDay(hours: Hours[]): DayHours[] {
  return weekdays.map((weekday) => ({
    weekday,
    ranges: hours
      .filter((one) => one.weekdayEn === weekday && !isClosed(one))
      .map(({ startTime, endTime }) => ({ from: startTime, to: endTime })),
  }))
}

/** The inverse of `groupHoursByDay`: a closed day is 00:00 to 00:00, as existing clients write it. */
export const flattenDays = (days: DayHours[], names: string[]): Hours[] =>
  days.flatMap(({ weekday, ranges }, i) =>
    (ranges.length > 0 ? ranges : [{ from: midnight, to: midnight }]).map(({ from, to }) => ({
      weekday: names[i] ?? weekday,
      weekdayEn: weekday,
      startTime: from,
      endTime: to,
    })),
  )

export type RangeProblem = 'empty' | 'overlaps'

/** Whether the range lasts until the next morning. */
export const isOvernight = ({ from, to }: HoursRange): boolean => to < from && to !== midnight

/** The problem of each range of a day: it ends when it begins, or it overlaps the previous range. */
export function findRangeProblems(ranges: HoursRange[]): (RangeProblem | null)[] {
  // Times of one day compare as text; times of the next day sort after all of them.
  const end = ({ from, to }: HoursRange) => (to < from ? `+${to}` : to)
  const isBefore = (from: string, to: string) => to.startsWith('+') || from < to
  return ranges.map((range, i) => {
    if (range.from === range.to) return 'empty'
    const others = ranges.slice(0, i)
    return others.some((other) => isBefore(range.from, end(other)) && isBefore(other.from, end(range)))
      ? 'overlaps'
      : null
  })
}

/** The first day with a problem. */
export const findInvalidDay = (hours: Hours[]): Weekday | undefined =>
  groupHoursByDay(hours).find(({ ranges }) => findRangeProblems(ranges).some(Boolean))?.weekday

/** Suggests a new range: it starts an hour after the last range ended, and lasts until the end of the day at most. */
export function suggestNextRange(ranges: HoursRange[]): HoursRange {
  const last = ranges.at(-1)
  if (!last) return officeHours
  const begins = Math.min(Number(last.to.slice(0, 2)) + 1, 22)
  const ends = Math.min(begins + 4, 23)
  const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
  return { from: clock(begins), to: ends === 23 ? '23:59' : clock(ends) }
}

/** Consecutive days with the same hours, such as "Lun a vie 08:00–18:00". Days are indexes. */
export function groupEqualDays(hours: Hours[]): { first: number; last: number; ranges: HoursRange[] }[] {
  const stretches: { first: number; last: number; ranges: HoursRange[] }[] = []
  groupHoursByDay(hours).forEach(({ ranges }, i) => {
    const before = stretches.at(-1)
    if (before && before.last === i - 1 && JSON.stringify(before.ranges) === JSON.stringify(ranges)) before.last = i
    else stretches.push({ first: i, last: i, ranges })
  })
  return stretches.filter(({ ranges }) => ranges.length > 0)
}
