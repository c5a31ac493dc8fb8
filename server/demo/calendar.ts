import { days, hours } from '../src/kernel/clock.ts'

/** The zone of the demo company: UTC-3, all year. */
const utcOffsetHours = 3

/** The midnight that begins the day of a moment, in the demo's zone. */
export const localMidnight = (at: Date): Date =>
  new Date(Math.floor((at.getTime() - hours(utcOffsetHours)) / days(1)) * days(1) + hours(utcOffsetHours))

/** Whether it is before working hours: most customers who wait at that time wrote the day before. */
export const isBeforeWork = (at: Date): boolean => at.getTime() - localMidnight(at).getTime() < hours(9)

/** The weekday, with 0 for Sunday. */
export const localWeekday = (at: Date): number => new Date(at.getTime() - hours(utcOffsetHours)).getUTCDay()

/** The midnights of this many weeks, the last of them yesterday's. */
export const listPastDays = (now: Date, weeks: number): Date[] =>
  Array.from({ length: weeks * 7 }, (_, back) => new Date(localMidnight(now).getTime() - days(weeks * 7 - back)))
