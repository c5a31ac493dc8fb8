import type { Holiday } from '@recado/contract/hours/hours'

/** A holiday in the form. `key` stays the same when the row moves. */
export type HolidayRowValue = { key: string; day: string | null; name: string; yearly: boolean }

let newRowCount = 0
export const createHolidayRow = (): HolidayRowValue => ({
  key: `new-${++newRowCount}`,
  day: null,
  name: '',
  yearly: true,
})

/** Sorts in the order of the year; yearly holidays by day and month only. */
const compareHolidays = (a: Holiday, b: Holiday): number => {
  const [x, y] = [a, b].map(({ day, yearly }) => (yearly ? day.slice(5) : day))
  return a.yearly === b.yearly ? (x as string).localeCompare(y as string) : a.yearly ? -1 : 1
}

export const toHolidayRows = (holidays: Holiday[]): HolidayRowValue[] =>
  holidays.toSorted(compareHolidays).map((holiday) => ({ ...holiday, key: `new-${++newRowCount}` }))

export const toHolidaysBody = (days: HolidayRowValue[]): Holiday[] =>
  days.flatMap(({ day, name, yearly }) => (day === null ? [] : [{ day, name: name.trim(), yearly }]))

/** The problem of each holiday: no date, or a date that another holiday already has. */
export function findHolidayProblems(days: HolidayRowValue[]): ('missing' | 'twice' | null)[] {
  const same = (a: HolidayRowValue, b: HolidayRowValue) =>
    a.yearly === b.yearly && (a.yearly ? a.day?.slice(5) === b.day?.slice(5) : a.day === b.day)
  return days.map((day, i) => {
    if (day.day === null) return 'missing'
    return days.slice(0, i).some((other) => same(day, other)) ? 'twice' : null
  })
}
