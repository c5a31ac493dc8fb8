import type { Holiday, Hours } from '../hours/hours.ts'
import { type Calendar, hasHours, openRangesOf } from '../hours/opening.ts'
import { createWallTimeConverter } from '../hours/wall-time-converter.ts'
import { toWallTime } from '../schedules/occurrences.ts'
import type { CampaignSettings } from './settings.ts'

export type CampaignPace = Pick<CampaignSettings, 'messageInterval' | 'longerIntervalAfter' | 'greaterInterval'>

/** The pause is never shorter than the interval, and up to this share longer: a regular pace looks automated. */
export const maxPauseJitter = 0.3

/** Seconds to wait after a message. `inRow`: messages since the last long pause, this message included. */
export const pauseSecondsAfter = (pace: CampaignPace, inRow: number): number =>
  pace.longerIntervalAfter > 0 && inRow >= pace.longerIntervalAfter
    ? Math.max(pace.greaterInterval, pace.messageInterval)
    : pace.messageInterval

const dayMs = 86_400_000
const minuteMs = 60_000
/** Maximum days of a plan. */
export const maxDaysAhead = 400

/** A period in which a campaign may send. */
type SendingSpan = { from: number; until: number }
/** `midnight`: the end of the day on which the period begins. */
type DaySendingSpan = SendingSpan & { midnight: number }

const nextDay = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)

/** When a campaign may send on a day, in local time; nights reach into the next day. Without hours: all day, except days off. */
function sendingSpansOf(calendar: Calendar): (day: string) => DaySendingSpan[] {
  const rangesOn = openRangesOf({ ...calendar, week: hasHours(calendar.week) ? calendar.week : allDayHours })
  const momentOn = createWallTimeConverter(calendar.zone)
  return (day) =>
    rangesOn(day)
      .map(({ from, until }) => ({
        from: momentOn(day, from),
        until: momentOn(day, until),
        midnight: momentOn(day, 1440),
      }))
      .filter(({ from, until }) => from < until)
      .sort((a, b) => a.from - b.from)
}

const allDayHours: Hours[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(
  (one) => ({
    weekday: '',
    weekdayEn: one as Hours['weekdayEn'],
    startTime: '00:00',
    endTime: '23:59',
  }),
)

/** The next moment, from this one on, at which a campaign may send; null if there is none. */
export function nextSendingTime(calendar: Calendar, from: Date): Date | null {
  const stretchesOn = sendingSpansOf(calendar)
  let day = toWallTime(new Date(from.getTime() - dayMs), calendar.zone).slice(0, 10)
  for (let n = 0; n < maxDaysAhead; n++, day = nextDay(day))
    for (const stretch of stretchesOn(day))
      if (stretch.until > from.getTime()) return new Date(Math.max(stretch.from, from.getTime()))
  return null
}

/** The periods between these two moments in which a campaign may send. */
export function sendingWindowsBetween(calendar: Calendar, from: Date, until: Date): { from: string; until: string }[] {
  const [first, last] = [from.getTime(), until.getTime()]
  const found: SendingSpan[] = []
  const stretchesOn = sendingSpansOf(calendar)
  let day = toWallTime(new Date(first - dayMs), calendar.zone).slice(0, 10)
  const end = toWallTime(until, calendar.zone).slice(0, 10)
  for (let n = 0; n < maxDaysAhead && day <= end; n++, day = nextDay(day)) {
    for (const stretch of stretchesOn(day)) {
      const piece = { from: Math.max(stretch.from, first), until: Math.min(stretch.until, last) }
      const before = found.at(-1)
      if (piece.from >= piece.until) continue
      // Adjacent periods are joined.
      if (before && piece.from <= before.until) before.until = Math.max(before.until, piece.until)
      else found.push(piece)
    }
  }
  return found.map((one) => spanOf(one.from, one.until))
}

export const isSendingTime = (calendar: Calendar, at: Date): boolean =>
  nextSendingTime(calendar, at)?.getTime() === at.getTime()

/** `caps` and `sentToday` begin with the day on which the campaign starts. */
export type LineSendingLimits = {
  perMinute: number | null
  caps: (number | null)[]
  sentToday: number
  ahead: number
  rolling?: RollingLimit | null | undefined
}
/** The vendor's limit of people in any 24 hours. `used`: the people of the last 24 hours, by the moment they were reached. */
export type RollingLimit = { limit: number; used: { at: string; count: number }[] }
type SendingPlanInput = {
  count: number
  from: Date
  calendar: Calendar
  pace: CampaignPace
  dailyLimit: number
  line: LineSendingLimits
}
export type SendingPlan = {
  firstAt: string | null
  lastAt: string | null
  /** How many messages are sent later than the pace alone would allow, because of a daily limit. */
  overLimit: number
  /** `full`: the limit was reached while there was more to send. */
  days: { day: string; count: number; full: boolean }[]
  runs: SendingRun[]
  /** How many messages do not fit into the days that a plan looks ahead. */
  unplanned: number
}
/** Messages sent evenly between two moments; between two runs the desk is closed, or the limit is reached. */
export type SendingRun = { from: string; until: string; count: number }

/** Average milliseconds per message. */
export function averageMessageMs(pace: CampaignPace, perMinute: number | null): number {
  const { messageInterval: m, longerIntervalAfter: after } = pace
  const long = pauseSecondsAfter(pace, after || Number.POSITIVE_INFINITY)
  const mean = (after > 0 ? (m * (after - 1) + long) / after : m) * 1000 * (1 + maxPauseJitter / 2)
  return Math.max(mean, perMinute ? minuteMs / perMinute : 0)
}

/** How many messages all campaigns of the line together may send on the n-th day. */
function dailyCapOn({ dailyLimit, line }: SendingPlanInput, n: number): number {
  const own = line.caps[Math.min(n, line.caps.length - 1)] ?? null
  const cap = Math.min(dailyLimit || Number.POSITIVE_INFINITY, own ?? Number.POSITIVE_INFINITY)
  return Math.max(0, cap - (n === 0 ? line.sentToday : 0))
}

/**
 * Counts people within the last 24 hours. A run frees its places from its first message on: the next run has the same
 * pace, so each of its messages finds the place that a message of the earlier run has left.
 */
function makeRollingWindow({ limit, used }: RollingLimit) {
  const places = used.map(({ at, count }) => ({ freeAt: Date.parse(at) + dayMs, count }))
  return {
    freeAt: (at: number): number =>
      Math.max(0, limit - places.reduce((sum, { freeAt, count }) => (freeAt > at ? sum + count : sum), 0)),
    nextFree: (at: number): number =>
      places.reduce((first, { freeAt }) => (freeAt > at ? Math.min(first, freeAt) : first), Number.POSITIVE_INFINITY),
    take: (at: number, count: number): void => void places.push({ freeAt: at + dayMs, count }),
  }
}

/** Plans when this many messages are sent, at this pace, in these hours, under these limits. */
export function planSending(asked: SendingPlanInput): SendingPlan {
  const { calendar, from } = asked
  const stretchesOn = sendingSpansOf(calendar)
  const each = averageMessageMs(asked.pace, asked.line.perMinute)
  const none = { firstAt: null, lastAt: null, overLimit: 0, days: [], runs: [], unplanned: Math.max(0, asked.count) }
  const rolling = asked.line.rolling ? makeRollingWindow(asked.line.rolling) : null
  if (asked.count <= 0) return none
  const days = new Map<string, number>()
  const full = new Set<string>()
  const runs: SendingRun[] = []
  let left = asked.count
  let ahead = asked.line.ahead
  /** How many messages were left when the first had to wait for another day. */
  let overLimit = 0
  let [firstAt, lastAt]: [number | null, number | null] = [null, null]
  const today = toWallTime(from, calendar.zone).slice(0, 10)
  let day = toWallTime(new Date(from.getTime() - dayMs), calendar.zone).slice(0, 10)
  for (let n = -1; n < maxDaysAhead && left > 0; n++, day = nextDay(day)) {
    for (const stretch of stretchesOn(day)) {
      let start = Math.max(stretch.from, from.getTime(), lastAt === null ? 0 : lastAt + each)
      // Without a rolling limit this runs once: whatever fits is sent, and the rest waits for another stretch.
      while (start < stretch.until && left > 0) {
        const on = start < stretch.midnight ? day : toWallTime(new Date(start), calendar.zone).slice(0, 10)
        const passed = Math.round((Date.parse(on) - Date.parse(today)) / dayMs)
        const used = days.get(on) ?? 0
        const fits = each > 0 ? Math.ceil((stretch.until - start) / each) : Number.POSITIVE_INFINITY
        const places = rolling?.freeAt(start) ?? Number.POSITIVE_INFINITY
        const ofDay = Math.max(0, dailyCapOn(asked, passed) - used)
        const mayLeave = Math.min(ofDay, places)
        const room = Math.min(fits, mayLeave)
        const before = Math.min(ahead, room)
        ahead -= before
        const now = Math.min(left, room - before)
        left -= now
        if (mayLeave < fits) overLimit ||= left
        if (mayLeave < fits && left > 0) full.add(on)
        if (before + now > 0) rolling?.take(start, before + now)
        if (now > 0) {
          const begin = start + before * each
          firstAt ??= begin
          lastAt = begin + (now - 1) * each
          runs.push({ ...spanOf(begin, Math.min(begin + now * each, stretch.until)), count: now })
          days.set(on, used + now)
        }
        if (!rolling || places > Math.min(fits, ofDay)) break
        start = Math.max(start + (before + now) * each, rolling.nextFree(start))
      }
    }
  }
  if (firstAt === null || lastAt === null) return none
  return {
    firstAt: new Date(firstAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    overLimit,
    days: [...days].map(([on, count]) => ({ day: on, count, full: full.has(on) })),
    runs,
    unplanned: left,
  }
}

const spanOf = (from: number, until: number) => ({
  from: new Date(from).toISOString(),
  until: new Date(until).toISOString(),
})

/** How many messages of these runs are sent in this period. */
export function countSentBetween(runs: SendingRun[], from: number, until: number): number {
  return runs.reduce((sum, run) => {
    const [begins, ends] = [Date.parse(run.from), Date.parse(run.until)]
    if (ends <= begins) return sum + (begins >= from && begins < until ? run.count : 0)
    const within = Math.min(ends, until) - Math.max(begins, from)
    return within > 0 ? sum + (run.count * within) / (ends - begins) : sum
  }, 0)
}

/** The hours in which campaigns may send: their own, or else the company's. */
export const sendingCalendar = (
  settings: Pick<CampaignSettings, 'hours' | 'daysOff'>,
  company: { week: Hours[]; holidays: Holiday[]; zone: string },
): Calendar => ({
  week: settings.hours ?? company.week,
  holidays: settings.daysOff ? company.holidays : [],
  zone: company.zone,
})
