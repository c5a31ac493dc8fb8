import type { Holiday } from '@recado/contract/hours/hours'

/** A day off in the form. `key` outlives its place. */
export type Day = { key: string; day: string | null; name: string; yearly: boolean }

let made = 0
export const newDay = (): Day => ({ key: `new-${++made}`, day: null, name: '', yearly: true })

/** In the order of the year, those of every year by their day alone. */
const inOrder = (a: Holiday, b: Holiday): number => {
  const [x, y] = [a, b].map(({ day, yearly }) => (yearly ? day.slice(5) : day))
  return a.yearly === b.yearly ? (x as string).localeCompare(y as string) : a.yearly ? -1 : 1
}

export const daysOf = (holidays: Holiday[]): Day[] =>
  holidays.toSorted(inOrder).map((holiday) => ({ ...holiday, key: `new-${++made}` }))

export const bodyOf = (days: Day[]): Holiday[] =>
  days.flatMap(({ day, name, yearly }) => (day === null ? [] : [{ day, name: name.trim(), yearly }]))

/** What is wrong with each: without a day, or a day that another one has already. */
export function problemsOf(days: Day[]): ('missing' | 'twice' | null)[] {
  const same = (a: Day, b: Day) =>
    a.yearly === b.yearly && (a.yearly ? a.day?.slice(5) === b.day?.slice(5) : a.day === b.day)
  return days.map((day, i) => {
    if (day.day === null) return 'missing'
    return days.slice(0, i).some((other) => same(day, other)) ? 'twice' : null
  })
}
