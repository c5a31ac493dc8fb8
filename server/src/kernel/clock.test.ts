import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths, days, endOfDay, hours, makeMonotonicClock, minutes, toCalendarDay } from './clock.ts'

const zones = [
  'UTC',
  'America/Sao_Paulo', // Until 2019 clocks in this zone changed at midnight.
  'America/Santiago', // Clocks in this zone still change at midnight: 24:00 becomes 23:00.
  'America/Asuncion',
  'America/Havana',
  'America/New_York',
  'America/St_Johns',
  'America/Scoresbysund',
  'Atlantic/Azores',
  'Europe/Madrid',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Tehran',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe', // Summer time in this zone is only half an hour.
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]
const zone = fc.constantFrom(...zones)
/** Days of 1990 to 2090. */
const day = fc.integer({ min: 7305, max: 43_829 }).map((n) => addDays('1970-01-01', n))

describe('the end of a day', () => {
  it('is the last second of that day by the local time of its zone', () => {
    fc.assert(
      fc.property(day, zone, (d, z) => {
        // Samoa had no 30 December 2011: the country moved across the date line.
        fc.pre(!(z === 'Pacific/Apia' && d === '2011-12-30'))
        const end = endOfDay(d, z)
        expect(toCalendarDay(end, z)).toBe(d)
        expect(toCalendarDay(new Date(end.getTime() + 1000), z) > d).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('is correct in every night with a clock change, in every zone', () => {
    const wrong: string[] = []
    for (const z of zones) {
      for (let n = 0; n < 366; n++) {
        const d = addDays('2026-01-01', n)
        const end = endOfDay(d, z)
        if (toCalendarDay(end, z) !== d || toCalendarDay(new Date(end.getTime() + 1000), z) <= d)
          wrong.push(`${z} ${d}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it.each([
    ['2026-04-04', 'America/Santiago', '2026-04-05T03:59:59.000Z'], // 23:59:59 occurs twice: the later one counts
    ['2026-09-05', 'America/Santiago', '2026-09-06T03:59:59.000Z'],
    ['2018-11-03', 'America/Sao_Paulo', '2018-11-04T02:59:59.000Z'],
    ['2018-02-17', 'America/Sao_Paulo', '2018-02-18T02:59:59.000Z'],
    ['2026-03-28', 'America/Scoresbysund', '2026-03-29T00:59:59.000Z'], // at 23:00 the clocks jump to midnight
    ['2026-07-01', 'America/Sao_Paulo', '2026-07-02T02:59:59.000Z'],
    ['2026-07-01', 'Pacific/Kiritimati', '2026-07-01T09:59:59.000Z'],
    ['2026-07-01', 'UTC', '2026-07-01T23:59:59.000Z'],
  ])('is correct for %s in %s: %s', (d, z, moment) => {
    expect(endOfDay(d, z).toISOString()).toBe(moment)
  })

  it('is later for every following day', () => {
    fc.assert(
      fc.property(day, zone, (d, z) => {
        fc.pre(z !== 'Pacific/Apia' || !d.startsWith('2011-12'))
        const step = endOfDay(addDays(d, 1), z).getTime() - endOfDay(d, z).getTime()
        expect(Math.abs(step - days(1))).toBeLessThanOrEqual(hours(1))
      }),
    )
  })
})

describe('the day of a moment', () => {
  it('ends after that moment and began before it', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
        zone,
        (moment, z) => {
          const d = toCalendarDay(moment, z)
          fc.pre(!(z === 'Pacific/Apia' && (d === '2011-12-29' || d === '2011-12-31')))
          expect(endOfDay(d, z).getTime() + 999).toBeGreaterThanOrEqual(moment.getTime())
          expect(endOfDay(addDays(d, -1), z).getTime()).toBeLessThan(moment.getTime())
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('is the day that the local wall clock shows', () => {
    expect([
      toCalendarDay(new Date('2026-01-01T02:59:59Z'), 'America/Sao_Paulo'),
      toCalendarDay(new Date('2026-01-01T03:00:00Z'), 'America/Sao_Paulo'),
    ]).toEqual(['2025-12-31', '2026-01-01'])
    expect([
      toCalendarDay(new Date('2026-01-01T09:59:59Z'), 'Pacific/Kiritimati'),
      toCalendarDay(new Date('2026-01-01T10:00:00Z'), 'Pacific/Kiritimati'),
    ]).toEqual(['2026-01-01', '2026-01-02'])
  })
})

describe('adding months', () => {
  it('keeps the day of the month, or takes the last day of a shorter month', () => {
    fc.assert(
      fc.property(day, fc.constantFrom(1, 2, 3, 6, 12), (d, n) => {
        const [year, month, date] = d.split('-').map(Number) as [number, number, number]
        const [toYear, toMonth, toDate] = addMonths(d, n).split('-').map(Number) as [number, number, number]
        expect(toYear * 12 + toMonth).toBe(year * 12 + month + n)
        const lastOfMonth = new Date(Date.UTC(toYear, toMonth, 0)).getUTCDate()
        expect(toDate).toBe(Math.min(date, lastOfMonth))
      }),
    )
  })

  it('handles leap years', () => {
    expect([
      addMonths('2028-01-31', 1),
      addMonths('2027-01-31', 1),
      addMonths('2024-02-29', 12),
      addMonths('2026-12-31', 2),
    ]).toEqual(['2028-02-29', '2027-02-28', '2025-02-28', '2027-02-28'])
  })
})

describe('a clock that is set back', () => {
  it('repeats the last time until the system clock has passed it again', () => {
    let told = 1_000_000
    const clock = makeMonotonicClock(() => told)
    const reads = [0, 5, -20_000, 19_000, 1000, 1].map((by) => {
      told += by
      return clock.now().getTime()
    })
    expect(reads).toEqual([1_000_000, 1_000_005, 1_000_005, 1_000_005, 1_000_005, 1_000_006])
  })

  it('is followed at once if the step back is large', () => {
    let told = hours(5)
    const clock = makeMonotonicClock(() => told)
    clock.now()
    told -= hours(1)
    expect(clock.now().getTime()).toBe(hours(4))
    told += minutes(1)
    expect(clock.now().getTime()).toBe(hours(4) + minutes(1))
  })
})
