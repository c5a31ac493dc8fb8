import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultHours, type Holiday, type Hours, weekdays } from '../src/hours/hours.ts'
import { type Calendar, hasHours, openStateAt, wallClock } from '../src/hours/opening.ts'

const zone = 'America/Argentina/Buenos_Aires'
const hours = (weekdayEn: Hours['weekdayEn'], startTime: string, endTime: string): Hours => ({
  weekday: weekdayEn,
  weekdayEn,
  startTime,
  endTime,
})
const at = (text: string) => new Date(text)
const isOpen = (calendar: Partial<Calendar>, moment: string) =>
  openStateAt({ week: defaultHours, holidays: [], zone, ...calendar }, at(moment)).open

describe('weekly opening hours', () => {
  it('follow the company’s local time', () => {
    // Friday, 13 November 2026; Buenos Aires is three hours behind UTC.
    expect(isOpen({}, '2026-11-13T10:59:59Z')).toBe(false)
    expect(isOpen({}, '2026-11-13T11:00:00Z')).toBe(true)
    expect(isOpen({}, '2026-11-13T20:59:59Z')).toBe(true)
    expect(isOpen({}, '2026-11-13T21:00:00Z')).toBe(false)
    expect(isOpen({ zone: 'Asia/Tokyo' }, '2026-11-13T11:00:00Z')).toBe(false)
    // Saturday until noon, Sunday never.
    expect(isOpen({}, '2026-11-14T14:59:00Z')).toBe(true)
    expect(isOpen({}, '2026-11-14T15:00:00Z')).toBe(false)
    expect(isOpen({}, '2026-11-15T15:00:00Z')).toBe(false)
  })

  it('allow several ranges a day', () => {
    const week = [hours('friday', '08:00', '12:00'), hours('friday', '14:00', '18:00')]
    expect(isOpen({ week }, '2026-11-13T14:30:00Z')).toBe(true)
    expect(isOpen({ week }, '2026-11-13T15:00:00Z')).toBe(false)
    expect(isOpen({ week }, '2026-11-13T17:00:00Z')).toBe(true)
    expect(openStateAt({ week, holidays: [], zone }, at('2026-11-13T16:00:00Z'))).toEqual({
      open: false,
      closedSince: '2026-11-13 720',
    })
  })

  it('last until midnight when they end at 23:59', () => {
    const week = weekdays.map((day) => hours(day, '00:00', '23:59'))
    for (const moment of ['2026-11-13T02:59:59Z', '2026-11-13T03:00:00Z', '2026-11-14T02:59:30Z'])
      expect(isOpen({ week }, moment)).toBe(true)
  })

  it('do not apply when no hours were set, and keep the desk closed when every day is set as closed', () => {
    expect(isOpen({ week: [] }, '2026-11-15T05:00:00Z')).toBe(true)
    expect(isOpen({ week: [hours('monday', '', '')] }, '2026-11-15T05:00:00Z')).toBe(true)
    const never = weekdays.map((day) => hours(day, '00:00', '00:00'))
    expect(openStateAt({ week: never, holidays: [], zone }, at('2026-11-15T05:00:00Z'))).toEqual({
      open: false,
      closedSince: 'always',
    })
    expect(isOpen({ week: [hours('friday', '08:00', '08:00')] }, '2026-11-13T11:00:00Z')).toBe(false)
  })

  it('may extend past midnight, and belong to the day they start on', () => {
    const nights = [hours('friday', '22:00', '06:00'), hours('sunday', '18:00', '00:00')]
    const since = (moment: string, more: Partial<Calendar> = {}) =>
      openStateAt({ week: nights, holidays: [], zone, ...more }, at(moment))
    // Friday at 21:59 and at 22:00, Saturday at 05:59 and at 06:00.
    expect(since('2026-11-14T00:59:00Z').open).toBe(false)
    expect(since('2026-11-14T01:00:00Z').open).toBe(true)
    expect(since('2026-11-14T08:59:00Z').open).toBe(true)
    expect(since('2026-11-14T09:00:00Z')).toEqual({ open: false, closedSince: '2026-11-14 360' })
    // Friday's early morning is closed; a range that ends at midnight does not continue.
    expect(since('2026-11-13T05:00:00Z').open).toBe(false)
    expect(since('2026-11-16T02:59:00Z').open).toBe(true)
    expect(since('2026-11-16T03:00:00Z')).toEqual({ open: false, closedSince: '2026-11-15 1440' })
    // No night shift starts on a holiday, but the shift of the day before continues.
    const off = (day: string): Partial<Calendar> => ({ holidays: [{ day, name: '', yearly: false }] })
    expect(since('2026-11-14T05:00:00Z', off('2026-11-13')).open).toBe(false)
    expect(since('2026-11-14T05:00:00Z', off('2026-11-14')).open).toBe(true)
  })

  it('observe one-time and yearly holidays, by the company’s local date', () => {
    const once: Holiday = { day: '2026-11-13', name: 'Puente', yearly: false }
    const always: Holiday = { day: '2020-12-25', name: 'Navidad', yearly: true }
    const holidays = [once, always]
    expect(isOpen({ holidays }, '2026-11-13T15:00:00Z')).toBe(false)
    expect(isOpen({ holidays }, '2026-11-12T15:00:00Z')).toBe(true)
    // At this moment it is still Thursday in Buenos Aires.
    expect(isOpen({ holidays, week: [hours('thursday', '08:00', '23:59')] }, '2026-11-13T02:30:00Z')).toBe(true)
    expect(isOpen({ holidays }, '2026-12-25T15:00:00Z')).toBe(false)
    expect(isOpen({ holidays }, '2027-12-24T15:00:00Z')).toBe(true)
    // One closed period from Thursday evening until Saturday morning.
    const since = (moment: string) => openStateAt({ week: defaultHours, holidays, zone }, at(moment))
    expect(since('2026-11-13T15:00:00Z')).toEqual(since('2026-11-14T03:00:00Z'))
  })
})

describe('clocks that are set back', () => {
  it('keep the id of a closed period, although earlier local times occur again', () => {
    // New York, 1 November 2026: at 06:00 UTC the local time is one o'clock again.
    const week = [hours('saturday', '10:00', '11:00'), hours('sunday', '01:15', '01:30')]
    const since = (moment: string) => openStateAt({ week, holidays: [], zone: 'America/New_York' }, at(moment))
    const name = { open: false, closedSince: '2026-11-01 90' }
    expect(since('2026-11-01T05:29:00Z')).toEqual({ open: true })
    for (const moment of ['05:30', '05:59', '06:00', '06:14']) expect(since(`2026-11-01T${moment}:00Z`)).toEqual(name)
    expect(since('2026-11-01T06:15:00Z')).toEqual({ open: true })
    expect(since('2026-11-01T09:00:00Z')).toEqual(name)
  })

  it('do not change the id of a closed period that spans midnight', () => {
    // The Azores, 25 October 2026: at 01:00 UTC it is midnight again, as in Havana on 1 November at 05:00 UTC.
    const week = [hours('sunday', '00:15', '00:30'), hours('friday', '10:00', '11:00')]
    const since = (zone: string, moment: string) => openStateAt({ week, holidays: [], zone }, at(moment))
    for (const moment of ['2026-10-25T00:45:00Z', '2026-10-25T01:05:00Z'])
      expect(since('Atlantic/Azores', moment)).toEqual({ open: false, closedSince: '2026-10-25 30' })
    for (const moment of ['2026-11-01T04:45:00Z', '2026-11-01T05:05:00Z'])
      expect(since('America/Havana', moment)).toEqual({ open: false, closedSince: '2026-11-01 30' })
  })
})

const time = fc.integer({ min: 0, max: 95 }).map((q) => {
  const minute = q * 15
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
})
const week = fc.array(
  fc.tuple(fc.constantFrom(...weekdays), time, time).map(([day, from, until]) => hours(day, from, until)),
  { maxLength: 14 },
)
const holidays = fc.array(
  fc.record({
    day: fc.integer({ min: 0, max: 20 }).map((n) => new Date(Date.UTC(2026, 9, 20 + n)).toISOString().slice(0, 10)),
    name: fc.constant(''),
    yearly: fc.boolean(),
  }),
  { maxLength: 3 },
)
// Zones whose clocks go back (New York, Lisbon), forward (Asunción), by half an hour (Lord Howe), or never.
const zones = fc.constantFrom('America/New_York', 'Europe/Lisbon', 'America/Asuncion', 'Australia/Lord_Howe', 'UTC')
const calendars = fc.record({ week, holidays, zone: zones })
/** Moments around the end of October, when most clocks change; half of them are in a night with a change. */
const moments = fc
  .oneof(
    fc.integer({ min: 0, max: 20 * 24 * 60 }),
    fc.integer({ min: 0, max: 30 }).map((n) => (n % 2 ? 4 : 11) * 1440 + n * 60),
  )
  .map((n) => new Date(Date.UTC(2026, 9, 20) + n * 60_000))

describe('arbitrary opening hours', () => {
  it('are open exactly when the local time is in a range of a day that is not a holiday', () => {
    fc.assert(
      fc.property(calendars, moments, (calendar, now) => {
        const { day, minute } = wallClock(now, calendar.zone)
        const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
        /** Ranges of the day `back` days ago that may still be open. */
        const begun = (back: number) => {
          const then = new Date(Date.parse(`${day}T12:00:00Z`) - back * 86_400_000)
          const name = then.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase()
          const date = then.toISOString().slice(0, 10)
          const off = calendar.holidays.some((h) => (h.yearly ? h.day.slice(5) === date.slice(5) : h.day === date))
          return off ? [] : calendar.week.filter((h) => h.weekdayEn === name)
        }
        const isNight = (h: Hours) => h.endTime < h.startTime
        const within =
          begun(0).some((h) => h.startTime <= clock && (isNight(h) || clock < h.endTime)) ||
          begun(1).some((h) => isNight(h) && clock < h.endTime)
        expect(openStateAt(calendar, now).open).toBe(!hasHours(calendar.week) || within)
      }),
    )
  })

  it('give each closed period one id, different from the next period’s', () => {
    fc.assert(
      fc.property(calendars, moments, (calendar, from) => {
        let last: string | null = null
        const ended = new Set<string>()
        for (let n = 0; n < 2 * 24 * 4; n++) {
          const now = new Date(from.getTime() + n * 15 * 60_000)
          const opening = openStateAt(calendar, now)
          const name = opening.open ? null : opening.closedSince
          // While clocks go back, local times occur twice: the closed period may keep its id or change it once, but not
          // twice.
          if (name !== null && last !== null && name !== last) expect(name).toBe(last)
          if (name !== null && last === null && ended.has(name)) expect(repeats(now, calendar.zone)).toBe(true)
          if (name === null && last !== null) ended.add(last)
          last = name
        }
      }),
      { numRuns: 40 },
    )
  })
})

/** Whether clocks were set back within the last day. */
const repeats = (now: Date, zone: string) => {
  const shown = (moment: Date) => {
    const { day, minute } = wallClock(moment, zone)
    return Date.parse(`${day}T00:00:00Z`) + minute * 60_000 - moment.getTime()
  }
  return shown(new Date(now.getTime() - 24 * 3_600_000)) > shown(now)
}
