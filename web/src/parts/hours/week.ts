import { type Hours, weekdays } from '@recado/contract/hours/hours'

export type Weekday = Hours['weekdayEn']
export type Range = { from: string; to: string }
/** A day and when it is open; without a range it is closed. */
export type Day = { weekday: Weekday; ranges: Range[] }

export const office: Range = { from: '08:00', to: '18:00' }
const none = '00:00'
const isNone = ({ startTime, endTime }: Hours) =>
  startTime === '' || endTime === '' || (startTime === none && endTime === none)

/** The wire's flat list as seven days, each with its ranges in order. */
export function daysOf(hours: Hours[]): Day[] {
  return weekdays.map((weekday) => ({
    weekday,
    ranges: hours
      .filter((one) => one.weekdayEn === weekday && !isNone(one))
      .map(({ startTime, endTime }) => ({ from: startTime, to: endTime })),
  }))
}

/** And back: a closed day is 00:00 to 00:00, as the family writes it. */
export const hoursOf = (days: Day[], names: string[]): Hours[] =>
  days.flatMap(({ weekday, ranges }, i) =>
    (ranges.length > 0 ? ranges : [{ from: none, to: none }]).map(({ from, to }) => ({
      weekday: names[i] ?? weekday,
      weekdayEn: weekday,
      startTime: from,
      endTime: to,
    })),
  )

export type RangeProblem = 'empty' | 'overlaps'

/** It lasts until the next morning. */
export const isNight = ({ from, to }: Range): boolean => to < from && to !== none

/** What is wrong with each range of a day: it ends when it begins, or begins before the one above has ended. */
export function problemsOfDay(ranges: Range[]): (RangeProblem | null)[] {
  // Of two times of one day the later is the greater text; those of the next day come after all of them.
  const end = ({ from, to }: Range) => (to < from ? `+${to}` : to)
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
export const wrongDay = (hours: Hours[]): Weekday | undefined =>
  daysOf(hours).find(({ ranges }) => problemsOfDay(ranges).some(Boolean))?.weekday

/** A further range begins an hour after the last one ended, and lasts as long as there is day. */
export function nextRange(ranges: Range[]): Range {
  const last = ranges.at(-1)
  if (!last) return office
  const begins = Math.min(Number(last.to.slice(0, 2)) + 1, 22)
  const ends = Math.min(begins + 4, 23)
  const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
  return { from: clock(begins), to: ends === 23 ? '23:59' : clock(ends) }
}

/** The same hours for days that follow one another: "Lun a vie 08:00–18:00". Days by their index. */
export function stretchesOf(hours: Hours[]): { first: number; last: number; ranges: Range[] }[] {
  const stretches: { first: number; last: number; ranges: Range[] }[] = []
  daysOf(hours).forEach(({ ranges }, i) => {
    const before = stretches.at(-1)
    if (before && before.last === i - 1 && JSON.stringify(before.ranges) === JSON.stringify(ranges)) before.last = i
    else stretches.push({ first: i, last: i, ranges })
  })
  return stretches.filter(({ ranges }) => ranges.length > 0)
}
