import { dateTimeFormatOptions } from '@recado/contract/text/variables'

/** The server's time. Tests control it. */
export type Clock = { now(): Date }

export const seconds = (n: number) => n * 1000
export const minutes = (n: number) => n * 60_000

/** A larger step back is the correction of a wrong clock, and is followed at once. */
const maxBackwardStepMs = minutes(1)

/**
 * When the system clock is set back, this clock stands still until its time is reached again: later events never get an
 * earlier time, so conversations keep their order, and lists show the newest message of a ticket.
 */
export function makeMonotonicClock(read: () => number = Date.now): Clock {
  let latest = 0
  return {
    now() {
      const reading = read()
      if (reading > latest || latest - reading > maxBackwardStepMs) latest = reading
      return new Date(latest)
    },
  }
}
export const systemClock: Clock = makeMonotonicClock()

export const hours = (n: number) => n * 3_600_000
export const days = (n: number) => n * 86_400_000
export const addMs = (from: Date, ms: number) => new Date(from.getTime() + ms)

const dayFormats = new Map<string, Intl.DateTimeFormat>()
function dayFormat(zone: string): Intl.DateTimeFormat {
  let format = dayFormats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { ...dateTimeFormatOptions, timeZone: zone })
    dayFormats.set(zone, format)
  }
  return format
}

function wallClock(moment: Date, zone: string): { day: string; asUtc: number } {
  const part = Object.fromEntries(
    dayFormat(zone)
      .formatToParts(moment)
      .map((p) => [p.type, p.value]),
  )
  const day = `${part.year?.padStart(4, '0')}-${part.month}-${part.day}`
  return { day, asUtc: Date.parse(`${day}T${part.hour}:${part.minute}:${part.second}Z`) }
}

/** The calendar day of a moment in a zone, as yyyy-MM-dd. */
export const toCalendarDay = (moment: Date, zone: string): string => wallClock(moment, zone).day

/** The last second of a calendar day in a zone. A due date in this form shows the same day in that zone's browsers. */
export function endOfDay(day: string, zone: string): Date {
  const target = Date.parse(`${day}T23:59:59Z`)
  const wallClockAt = (moment: number) => wallClock(new Date(moment), zone).asUtc
  // Uses the offsets before and after that night. Where clocks go back over 23:59:59, that second comes twice,
  // and the later one ends the day. Where clocks jump from 23:00 to midnight, that second does not exist, and
  // the earlier result is the last second that the clock shows.
  const [one, two] = [target - days(1), target + days(1)].map((near) => target - (wallClockAt(near) - near)) as [
    number,
    number,
  ]
  const [early, late] = [Math.min(one, two), Math.max(one, two)]
  return new Date(wallClockAt(late) === target ? late : early)
}

/** A calendar day some months later; the 31st becomes the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const lastOfTarget = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastOfTarget))).toISOString().slice(0, 10)
}

export const dayOfMonth = (day: string): number => Number(day.slice(8, 10))

/** This day in the month of a calendar day, or the month's last day if it is shorter. */
export const onDayOfMonth = (inMonth: string, date: number): string => {
  const [year, month] = inMonth.split('-').map(Number) as [number, number]
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return `${inMonth.slice(0, 8)}${String(Math.min(date, last)).padStart(2, '0')}`
}

export const addDays = (day: string, n: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days(n)).toISOString().slice(0, 10)
