import { days, hours } from '../src/kernel/clock.ts'

/** The valley's clock: three hours behind Greenwich, all year. */
export const zoneHours = 3

/** Midnights in the valley. */
export function pastDays(now: Date, weeks: number): Date[] {
  const midnight = Math.floor((now.getTime() - hours(zoneHours)) / days(1)) * days(1) + hours(zoneHours)
  return Array.from({ length: weeks * 7 }, (_, back) => new Date(midnight - days(weeks * 7 - back)))
}
