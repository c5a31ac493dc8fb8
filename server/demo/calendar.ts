import { days, hours } from '../src/kernel/clock.ts'

/** The valley's clock: three hours behind Greenwich, all year. */
const utcOffsetHours = 3

/** The midnight in the valley with which the day of a moment begins. */
export const localMidnight = (at: Date): Date =>
  new Date(Math.floor((at.getTime() - hours(utcOffsetHours)) / days(1)) * days(1) + hours(utcOffsetHours))

/** Before the first come to work: whoever waits then wrote the day before, but for a few. */
export const isBeforeWork = (at: Date): boolean => at.getTime() - localMidnight(at).getTime() < hours(9)

/** Sunday is 0. */
export const localWeekday = (at: Date): number => new Date(at.getTime() - hours(utcOffsetHours)).getUTCDay()

/** The midnights of so many weeks, the last of them yesterday's. */
export const listPastDays = (now: Date, weeks: number): Date[] =>
  Array.from({ length: weeks * 7 }, (_, back) => new Date(localMidnight(now).getTime() - days(weeks * 7 - back)))
