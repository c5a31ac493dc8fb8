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

/**
 * The latest moment from which on this much opening time has passed until `until`: the inverse of `addOpenTime`. Null if
 * the desk was never open for so long.
 */
export function subtractOpenTime(calendar: Calendar | null, until: Date, ms: number): Date | null {
  if (!calendar || !hasHours(calendar.week)) return new Date(until.getTime() - ms)
  let left = ms
  let reached = until.getTime()
  const rangesOn = openRangesOf(calendar)
  const momentOn = createWallTimeConverter(calendar.zone)
  const last = wallClock(until, calendar.zone).day
  for (let n = 0; n < maxDaysAhead; n++) {
    const day = dayAfter(last, -n)
    for (const range of spansOfDay(rangesOn(day), rangesOn(dayAfter(day, -1)))) {
      const begins = momentOn(day, range.from)
      const ends = Math.min(momentOn(day, range.until), reached)
      if (ends <= begins) continue
      if (ends - begins >= left) return new Date(ends - left)
      left -= ends - begins
      reached = begins
    }
  }
  return null
}

type Span = { from: number; until: number }
/** What is open between two midnights, the latest first, without overlaps: a night shift may have begun the day before. */
function spansOfDay(today: Span[], yesterday: Span[]): Span[] {
  const nights = yesterday.map(({ from, until }) => ({ from: from - dayMinutes, until: until - dayMinutes }))
  const spans: Span[] = []
  for (const { from, until } of [...nights, ...today].sort((a, b) => a.from - b.from)) {
    const span = { from: Math.max(from, 0), until: Math.min(until, dayMinutes) }
    const before = spans.at(-1)
    if (before && span.from <= before.until) before.until = Math.max(before.until, span.until)
    else if (span.from < span.until) spans.push(span)
  }
  return spans.reverse()
}
