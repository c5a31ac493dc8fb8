import { type Hours, weekdays } from '@recado/contract/hours/hours'

export type Weekday = Hours['weekdayEn']
export type HoursRange = { from: string; to: string }
/** A day and when it is open; without a range it is closed. */
export type DayHours = { weekday: Weekday; ranges: HoursRange[] }

export const officeHours: HoursRange = { from: '08:00', to: '18:00' }
const midnight = '00:00'
const isClosed = ({ startTime, endTime }: Hours) =>
  startTime === '' || endTime === '' || (startTime === midnight && endTime === midnight)

/** The wire's flat list as seven days, each with its ranges in order. */
export function groupHoursByDay(hours: Hours[]): DayHours[] {
  return weekdays.map((weekday) => ({
    weekday,
    ranges: hours
      .filter((one) => one.weekdayEn === weekday && !isClosed(one))
      .map(({ startTime, endTime }) => ({ from: startTime, to: endTime })),
  }))
}

/** And back: a closed day is 00:00 to 00:00, as the family writes it. */
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

/** It lasts until the next morning. */
export const isOvernight = ({ from, to }: HoursRange): boolean => to < from && to !== midnight

/** What is wrong with each range of a day: it ends when it begins, or begins before the one above has ended. */
export function findRangeProblems(ranges: HoursRange[]): (RangeProblem | null)[] {
  // Of two times of one day the later is the greater text; those of the next day come after all of them.
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

/** The first day that cannot be saved as it is. */
export const findInvalidDay = (hours: Hours[]): Weekday | undefined =>
  groupHoursByDay(hours).find(({ ranges }) => findRangeProblems(ranges).some(Boolean))?.weekday

/** A further range begins an hour after the last one ended, and lasts as long as there is day. */
export function suggestNextRange(ranges: HoursRange[]): HoursRange {
  const last = ranges.at(-1)
  if (!last) return officeHours
  const begins = Math.min(Number(last.to.slice(0, 2)) + 1, 22)
  const ends = Math.min(begins + 4, 23)
  const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
  return { from: clock(begins), to: ends === 23 ? '23:59' : clock(ends) }
}

/** The same hours for days that follow one another: "Lun a vie 08:00–18:00". Days by their index. */
export function groupEqualDays(hours: Hours[]): { first: number; last: number; ranges: HoursRange[] }[] {
  const stretches: { first: number; last: number; ranges: HoursRange[] }[] = []
  groupHoursByDay(hours).forEach(({ ranges }, i) => {
    const before = stretches.at(-1)
    if (before && before.last === i - 1 && JSON.stringify(before.ranges) === JSON.stringify(ranges)) before.last = i
    else stretches.push({ first: i, last: i, ranges })
  })
  return stretches.filter(({ ranges }) => ranges.length > 0)
}
