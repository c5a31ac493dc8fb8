import { days, hours } from '../src/kernel/clock.ts'

/** The valley's clock: three hours behind Greenwich, all year. */
const zoneHours = 3

/** The midnight in the valley with which the day of a moment begins. */
export const midnightOf = (at: Date): Date =>
  new Date(Math.floor((at.getTime() - hours(zoneHours)) / days(1)) * days(1) + hours(zoneHours))

/** Before the first come to work: whoever waits then wrote the day before, but for a few. */
export const isNight = (at: Date): boolean => at.getTime() - midnightOf(at).getTime() < hours(9)

/** Sunday is 0. */
export const weekdayOf = (at: Date): number => new Date(at.getTime() - hours(zoneHours)).getUTCDay()

/** The midnights of so many weeks, the last of them yesterday's. */
export const pastDays = (now: Date, weeks: number): Date[] =>
  Array.from({ length: weeks * 7 }, (_, back) => new Date(midnightOf(now).getTime() - days(weeks * 7 - back)))
