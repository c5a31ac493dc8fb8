import { type Calendar, hasHours, openRangesOf, wallClock } from '../hours/opening.ts'
import { createWallTimeConverter } from '../hours/wall-time-converter.ts'

/** If the desk is closed for longer than this, no goal is computed. */
const maxDaysAhead = 400
const dayMinutes = 24 * 60
const dayMs = dayMinutes * 60_000

const dayAfter = (day: string, n: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + n * dayMs).toISOString().slice(0, 10)
/**
 * The moment at which this much opening time has passed; null if it never passes. Time is real time: a night with a
 * clock change has its real length. Without hours (null, or none configured) all time counts.
 */
export function addOpenTime(calendar: Calendar | null, from: Date, ms: number): Date | null {
  if (!calendar || !hasHours(calendar.week)) return new Date(from.getTime() + ms)
  let left = ms
  let reached = from.getTime()
  const rangesOn = openRangesOf(calendar)
  const momentOn = createWallTimeConverter(calendar.zone)
  // A night shift that began the day before may still be running.
  const first = dayAfter(wallClock(from, calendar.zone).day, -1)
  for (let n = 0; n < maxDaysAhead; n++) {
    const day = dayAfter(first, n)
    for (const range of rangesOn(day)) {
      const [begins, ends] = [momentOn(day, range.from), momentOn(day, range.until)]
      const since = Math.max(begins, reached)
      if (ends <= since) continue
      if (ends - since >= left) return new Date(since + left)
      left -= ends - since
      reached = ends
    }
  }
  return null
}
