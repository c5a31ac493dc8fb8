import { dateOfWallTime } from '../schedules/occurrences.ts'
import { wallClock } from './opening.ts'

const dayMinutes = 24 * 60
const dayMs = dayMinutes * 60_000
const weekMs = 7 * dayMs

/**
 * Like `momentAt`, for many minutes of many days: `minute` counts from the day's midnight, beyond 1440 into the next
 * day. The offset of a zone is computed once a week, and daily in a week with a clock change. If the offset is the
 * same a day before and a day after, the result is computed by arithmetic, and equals that of `momentAt`.
 */
export function createWallTimeConverter(zone: string): (day: string, minute: number) => number {
  const offsets = new Map<number, number>()
  const steady = new Map<number, number | null>()

  function lookUp(moment: number): number {
    const known = offsets.get(moment)
    if (known !== undefined) return known
    const { day, minute } = wallClock(new Date(moment), zone)
    const offset = Date.parse(`${day}T00:00:00Z`) + minute * 60_000 - moment
    offsets.set(moment, offset)
    return offset
  }
  function offsetAt(midnight: number): number {
    const week = Math.floor(midnight / weekMs) * weekMs
    const ofWeek = lookUp(week)
    return ofWeek === lookUp(week + weekMs) ? ofWeek : lookUp(midnight)
  }
  /** The offset around this day; null if the clock changes. */
  function steadyOffset(midnight: number): number | null {
    const known = steady.get(midnight)
    if (known !== undefined) return known
    const offset = offsetAt(midnight)
    const isSteady = [-1, 1, 2].every((n) => offsetAt(midnight + n * dayMs) === offset)
    steady.set(midnight, isSteady ? offset : null)
    return isSteady ? offset : null
  }
  return (day, minute) => {
    const asIfUtc = Date.parse(`${day}T00:00:00Z`) + minute * 60_000
    const offset = steadyOffset(Math.floor(asIfUtc / dayMs) * dayMs)
    if (offset !== null) return asIfUtc - offset
    return dateOfWallTime(new Date(asIfUtc).toISOString().slice(0, 16), zone).getTime()
  }
}
