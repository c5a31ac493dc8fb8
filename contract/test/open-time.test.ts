import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addOpenTime, subtractOpenTime } from '../src/dashboard/open-time.ts'
import { type Hours, weekdays } from '../src/hours/hours.ts'
import { type Calendar, openRangesOf } from '../src/hours/opening.ts'
import { dateOfWallTime } from '../src/schedules/occurrences.ts'

const hoursOn = (days: number[], ...ranges: [string, string][]): Hours[] =>
  days.flatMap((n) =>
    ranges.map(([startTime, endTime]) => ({
      weekday: '',
      weekdayEn: weekdays[n] as Hours['weekdayEn'],
      startTime,
      endTime,
    })),
  )
const office: Calendar = {
  week: [...hoursOn([0, 1, 2, 3, 4], ['09:00', '13:00'], ['14:00', '18:00']), ...hoursOn([5], ['09:00', '12:00'])],
  holidays: [
    { day: '2026-11-20', name: '', yearly: false },
    { day: '2020-12-25', name: '', yearly: true },
  ],
  zone: 'America/Sao_Paulo',
}
const nights = (zone: string): Calendar => ({
  week: hoursOn([0, 1, 2, 3, 4, 5, 6], ['22:00', '06:00']),
  holidays: [],
  zone,
})
const always = (zone: string): Calendar => ({
  week: hoursOn([0, 1, 2, 3, 4, 5, 6], ['00:00', '23:59']),
  holidays: [],
  zone,
})

describe('adding opening time to a moment', () => {
  // São Paulo is three hours behind UTC. 2026-11-16 is a Monday.
  it.each<[what: string, calendar: Calendar | null, from: string, minutes: number, due: string | null]>([
    ['within the morning', office, '2026-11-16T12:30:00Z', 30, '2026-11-16T13:00:00.000Z'],
    ['to the last second of it', office, '2026-11-16T12:00:00Z', 240, '2026-11-16T16:00:00.000Z'],
    ['over noon', office, '2026-11-16T15:50:00Z', 30, '2026-11-16T17:20:00.000Z'],
    ['before it opens', office, '2026-11-16T05:00:00Z', 15, '2026-11-16T12:15:00.000Z'],
    ['over the night, to the second', office, '2026-11-16T20:59:30Z', 2, '2026-11-17T12:01:30.000Z'],
    ['over a holiday and the weekend', office, '2026-11-19T20:30:00Z', 240, '2026-11-23T12:30:00.000Z'],
    ['over Christmas, which comes every year', office, '2026-12-24T20:30:00Z', 60, '2026-12-26T12:30:00.000Z'],
    [
      'into the night that began the day before',
      nights('America/Sao_Paulo'),
      '2026-11-17T05:00:00Z',
      60,
      '2026-11-17T06:00:00.000Z',
    ],
    [
      'from a day until the next night',
      nights('America/Sao_Paulo'),
      '2026-11-17T15:00:00Z',
      60,
      '2026-11-18T02:00:00.000Z',
    ],
    // Santiago: on 2026-09-06 clocks jump from 00:00 to 01:00; on 2026-04-05 they go back from 00:00 to 23:00.
    [
      'a night that is an hour shorter',
      nights('America/Santiago'),
      '2026-09-06T02:00:00Z',
      8 * 60,
      '2026-09-07T02:00:00.000Z',
    ],
    [
      'a night that is an hour longer',
      nights('America/Santiago'),
      '2026-04-05T01:00:00Z',
      9 * 60,
      '2026-04-05T10:00:00.000Z',
    ],
    [
      'a day that is always open, over the change',
      always('America/Santiago'),
      '2026-09-05T12:00:00Z',
      24 * 60,
      '2026-09-06T12:00:00.000Z',
    ],
    ['nobody wrote hours down', { ...office, week: [] }, '2026-11-21T23:00:00Z', 60, '2026-11-22T00:00:00.000Z'],
    ['no hours count', null, '2026-11-21T23:00:00Z', 60, '2026-11-22T00:00:00.000Z'],
    ['never open', { ...office, week: hoursOn([0], ['00:00', '00:00']) }, '2026-11-16T12:00:00Z', 1, null],
  ])('%s', (_, calendar, from, minutes, due) => {
    expect(addOpenTime(calendar, new Date(from), minutes * 60_000)?.toISOString() ?? null).toBe(due)
  })
})

/** Reference implementation: walks every range of every day. `addOpenTime` must give the same result. */
function explained({ week, holidays, zone }: Calendar, from: Date, ms: number): Date | null {
  const day = (n: number) => new Date(from.getTime() + n * 86_400_000).toISOString().slice(0, 10)
  const wallAt = (on: string, minute: number) =>
    new Date(Date.parse(`${on}T00:00:00Z`) + minute * 60_000).toISOString().slice(0, 16)
  let left = ms
  let reached = from.getTime()
  for (let n = -2; n < 420; n++) {
    for (const { from: begin, until } of openRangesOf({ week, holidays })(day(n))) {
      const [begins, ends] = [begin, until].map((minute) => dateOfWallTime(wallAt(day(n), minute), zone).getTime())
      const since = Math.max(begins as number, reached)
      if ((ends as number) <= since) continue
      if ((ends as number) - since >= left) return new Date(since + left)
      left -= (ends as number) - since
      reached = ends as number
    }
  }
  return null
}

const zones = ['America/Sao_Paulo', 'Europe/Madrid', 'America/Santiago', 'Africa/Casablanca', 'Australia/Lord_Howe']
const time = fc
  .integer({ min: 0, max: 1439 })
  .map((m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`)

it('gives the same result as a walk through every range of every day, also across clock changes', () => {
  const weeks = fc.array(fc.record({ day: fc.nat(6), startTime: time, endTime: time }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      weeks,
      fc.date({ min: new Date('2026-01-01'), max: new Date('2027-06-01'), noInvalidDate: true }),
      fc.integer({ min: 1, max: 20_000 }),
      (zone, given, from, minutes) => {
        const week = given.flatMap(({ day, startTime, endTime }) => hoursOn([day], [startTime, endTime]))
        const calendar = { week, holidays: office.holidays, zone }
        const due = addOpenTime(calendar, from, minutes * 60_000)
        // The two search horizons differ by a day or two at the end of the four hundred days.
        if (due) expect(due).toEqual(explained(calendar, from, minutes * 60_000))
      },
    ),
    { seed: 29, numRuns: 40 },
  )
})

it('is undone by subtracting the same time', () => {
  const weeks = fc.array(fc.record({ day: fc.nat(6), startTime: time, endTime: time }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      weeks,
      fc.date({ min: new Date('2026-01-01'), max: new Date('2027-06-01'), noInvalidDate: true }),
      fc.integer({ min: 1, max: 20_000 }),
      (zone, given, until, minutes) => {
        const week = given.flatMap(({ day, startTime, endTime }) => hoursOn([day], [startTime, endTime]))
        const calendar = { week, holidays: office.holidays, zone }
        const since = subtractOpenTime(calendar, until, minutes * 60_000)
        if (!since) return
        const due = addOpenTime(calendar, since, minutes * 60_000)
        // A moment later the time would not have passed yet.
        const late = addOpenTime(calendar, new Date(since.getTime() + 1), minutes * 60_000)
        expect(due && due <= until).toBe(true)
        expect(late && late > until).toBe(true)
      },
    ),
    { seed: 31, numRuns: 40 },
  )
})

it('adds the longest goal over thirty-five one-minute ranges a week within milliseconds', () => {
  const ranges = Array.from({ length: 5 }, (_, n): [string, string] => [`0${n}:00`, `0${n}:01`])
  const calendar = { week: hoursOn([0, 1, 2, 3, 4, 5, 6], ...ranges), holidays: [], zone: 'Europe/Madrid' }
  const start = process.cpuUsage()
  for (let n = 0; n < 10; n++) addOpenTime(calendar, new Date('2026-11-16T12:00:00Z'), 129_600 * 60_000)
  const { user, system } = process.cpuUsage(start)
  // Querying the time zone for each range took more than a second.
  expect((user + system) / 1000 / 10).toBeLessThan(100)
})
