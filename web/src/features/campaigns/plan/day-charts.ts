import { countSentBetween, type SendingPlan, sendingWindowsBetween } from '@recado/contract/campaigns/pace'
import type { Calendar } from '@recado/contract/hours/opening'
import { dateOfWallTime } from '@recado/contract/schedules/occurrences'

type HourBar = { at: number; now: number; before: number }
/** Minutes of the day. */
type MinuteSpan = { from: number; until: number }
export type DayChartRow = { day: string; open: MinuteSpan[]; bars: HourBar[] }

const minuteMs = 60_000
const dayMinutes = 1440
/** With more hours than this, a bar covers a whole hour: half-hour bars would be too thin. */
const maxHoursWithHalfBars = 14

/** Days below each other on one hour axis: when sending is allowed, and how many messages leave per bar. */
export function buildDayCharts(days: string[], calendar: Calendar, now: SendingPlan, before: SendingPlan | null) {
  const begins = new Map(days.map((day) => [day, dateOfWallTime(`${day}T00:00`, calendar.zone).getTime()]))
  const openOn = (day: string): MinuteSpan[] => {
    const at = begins.get(day) ?? 0
    const minute = (moment: string) => Math.round((Date.parse(moment) - at) / minuteMs)
    return sendingWindowsBetween(calendar, new Date(at), new Date(at + dayMinutes * minuteMs)).map(
      ({ from, until }) => ({
        from: minute(from),
        until: minute(until),
      }),
    )
  }
  const open = new Map(days.map((day) => [day, openOn(day)]))
  const all = [...open.values()].flat()
  const first = all.length ? Math.floor(Math.min(...all.map((one) => one.from)) / 60) * 60 : 0
  const last = all.length ? Math.ceil(Math.max(...all.map((one) => one.until)) / 60) * 60 : dayMinutes
  const slot = (last - first) / 60 > maxHoursWithHalfBars ? 60 : 30
  const rows: DayChartRow[] = days.map((day) => {
    const midnight = begins.get(day) ?? 0
    const bars = Array.from({ length: Math.ceil((last - first) / slot) }, (_, i) => {
      const at = first + i * slot
      const [from, until] = [midnight + at * minuteMs, midnight + (at + slot) * minuteMs]
      return {
        at,
        now: countSentBetween(now.runs, from, until),
        before: before ? countSentBetween(before.runs, from, until) : 0,
      }
    })
    return { day, open: open.get(day) ?? [], bars }
  })
  const most = Math.max(1, ...rows.flatMap(({ bars }) => bars.map((bar) => Math.max(bar.now, bar.before))))
  return {
    rows,
    firstMinute: first,
    lastMinute: last,
    slotMinutes: slot,
    maxPerBar: most,
    hourMarks: hourMarks(first, last),
  }
}

/** Full hours for the axis labels, as many as fit. */
function hourMarks(first: number, last: number): number[] {
  const hours = (last - first) / 60
  const step = [1, 2, 3, 4, 6, 8].find((one) => hours / one <= 6) ?? 12
  return Array.from({ length: Math.floor(hours / step) + 1 }, (_, i) => first + i * step * 60)
}
