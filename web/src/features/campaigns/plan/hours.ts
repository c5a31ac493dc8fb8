import { leaveBetween, openBetween, type Reckoned } from '@recado/contract/campaigns/pace'
import type { Calendar } from '@recado/contract/hours/opening'
import { momentAt } from '@recado/contract/schedules/repetition'

type Bar = { at: number; now: number; before: number }
/** Minutes of the day. */
type Piece = { from: number; until: number }
export type Row = { day: string; open: Piece[]; bars: Bar[] }

const minuteMs = 60_000
const dayMinutes = 1440
/** Where more hours than these are drawn, a bar is an hour: half of one would be a hair. */
const manyHours = 14

/** The days one under the other, by the same hours: when it may send, and how many leave in each piece of an hour. */
export function hoursOf(days: string[], calendar: Calendar, now: Reckoned, before: Reckoned | null) {
  const begins = new Map(days.map((day) => [day, momentAt(`${day}T00:00`, calendar.zone).getTime()]))
  const openOn = (day: string): Piece[] => {
    const at = begins.get(day) ?? 0
    const minute = (moment: string) => Math.round((Date.parse(moment) - at) / minuteMs)
    return openBetween(calendar, new Date(at), new Date(at + dayMinutes * minuteMs)).map(({ from, until }) => ({
      from: minute(from),
      until: minute(until),
    }))
  }
  const open = new Map(days.map((day) => [day, openOn(day)]))
  const all = [...open.values()].flat()
  const first = all.length ? Math.floor(Math.min(...all.map((one) => one.from)) / 60) * 60 : 0
  const last = all.length ? Math.ceil(Math.max(...all.map((one) => one.until)) / 60) * 60 : dayMinutes
  const slot = (last - first) / 60 > manyHours ? 60 : 30
  const rows: Row[] = days.map((day) => {
    const midnight = begins.get(day) ?? 0
    const bars = Array.from({ length: Math.ceil((last - first) / slot) }, (_, i) => {
      const at = first + i * slot
      const [from, until] = [midnight + at * minuteMs, midnight + (at + slot) * minuteMs]
      return {
        at,
        now: leaveBetween(now.runs, from, until),
        before: before ? leaveBetween(before.runs, from, until) : 0,
      }
    })
    return { day, open: open.get(day) ?? [], bars }
  })
  const most = Math.max(1, ...rows.flatMap(({ bars }) => bars.map((bar) => Math.max(bar.now, bar.before))))
  return { rows, first, last, slot, most, marks: marksOf(first, last) }
}

/** Whole hours to be written under it: not more than there is room for. */
function marksOf(first: number, last: number): number[] {
  const hours = (last - first) / 60
  const step = [1, 2, 3, 4, 6, 8].find((one) => hours / one <= 6) ?? 12
  return Array.from({ length: Math.floor(hours / step) + 1 }, (_, i) => first + i * step * 60)
}
