import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Holiday } from '../src/hours/hours.ts'
import {
  dateOfWallTime,
  firstOccurrence,
  firstOccurrences,
  nextOccurrence,
  toWallTime,
} from '../src/schedules/occurrences.ts'
import { Repetition } from '../src/schedules/repetition-rule.ts'

const zones = ['America/Sao_Paulo', 'America/Santiago', 'Europe/Madrid']
const rule = (given: Partial<Repetition> & Pick<Repetition, 'unit'>): Repetition => Repetition.parse(given)

/** A precomputed calendar: each day of two years with its properties. */
type Day = {
  day: string
  weekday: number
  week: number
  month: number
  date: number
  nth: number
  isLastOfItsName: boolean
}
const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const calendar: Day[] = []
for (
  let at = new Date(Date.UTC(2026, 0, 1)), week = 0;
  at.getUTCFullYear() < 2029;
  at = new Date(at.getTime() + 86_400_000)
) {
  const weekday = names.indexOf(at.toUTCString().slice(0, 3))
  if (weekday === 0) week++
  const month = (at.getUTCFullYear() - 2026) * 12 + at.getUTCMonth()
  const nth = calendar.filter((d) => d.month === month && d.weekday === weekday).length + 1
  calendar.push({
    day: at.toISOString().slice(0, 10),
    weekday,
    week,
    month,
    date: at.getUTCDate(),
    nth,
    isLastOfItsName: true,
  })
}
for (const [i, one] of calendar.entries())
  one.isLastOfItsName = !calendar.slice(i + 1, i + 32).some((d) => d.month === one.month && d.weekday === one.weekday)

/** Reference implementation: checks every day of the calendar against the rule. */
function crossedOff(r: Repetition, first: string, holidays: Holiday[]): string[] {
  const from = calendar.findIndex((d) => d.day === first)
  const start = calendar[from] as Day
  const isOff = (day: string) =>
    holidays.some((h) => (h.yearly ? h.day.slice(5) : h.day) === (h.yearly ? day.slice(5) : day))
  const found = calendar.slice(from).filter((d, i, rest) => {
    if (r.until && d.day > r.until) return false
    if (r.skipOff && isOff(d.day)) return false
    if (r.unit === 'day') return i % r.every === 0
    if (r.unit === 'week')
      return (d.week - start.week) % r.every === 0 && (r.days.length ? r.days : [start.weekday]).includes(d.weekday)
    if ((d.month - start.month) % r.every !== 0) return false
    if (r.by === 'day') return d.date === start.date || (d.date < start.date && rest[i + 1]?.month !== d.month)
    return d.weekday === start.weekday && (start.nth === 5 ? d.isLastOfItsName : d.nth === start.nth)
  })
  return found.map((d) => d.day).slice(0, r.times ?? found.length)
}

const rules = fc.record({
  unit: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
  every: fc.integer({ min: 1, max: 4 }),
  days: fc.uniqueArray(fc.nat(6), { maxLength: 4 }),
  by: fc.constantFrom('day' as const, 'weekday' as const),
  until: fc.option(fc.nat(400).map((n) => (calendar[n + 300] as Day).day)),
  times: fc.option(fc.integer({ min: 1, max: 30 })),
  skipOff: fc.boolean(),
})
const holidays: Holiday[] = [
  { day: '2020-12-25', name: 'Navidad', yearly: true },
  { day: '2026-05-01', name: 'Trabajo', yearly: false },
  { day: '2027-01-31', name: 'Puente', yearly: false },
]

describe('recurrence rule', () => {
  it('matches a reference calendar over a year, at its local time in every zone', () => {
    fc.assert(
      fc.property(rules, fc.nat(364), fc.nat(23), fc.constantFrom(0, 15, 30, 59), (r, at, hour, minute) => {
        const first = (calendar[at] as Day).day
        const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
        const yearLater = (calendar[at + 365] as Day).day
        const wanted = crossedOff(r, first, holidays).filter((day) => day < yearLater)
        const got = firstOccurrences(r, `${first}T${time}`, holidays, 400).filter(
          (wall) => wall.slice(0, 10) < yearLater,
        )
        expect(got).toEqual(wanted.map((day) => `${day}T${time}`))
        for (const zone of zones) {
          const moments = got.map((wall) => dateOfWallTime(wall, zone))
          expect(moments.every((moment, i) => i === 0 || moment > (moments[i - 1] as Date))).toBe(true)
          for (const [i, wall] of got.entries()) {
            const shown = toWallTime(moments[i] as Date, zone)
            // The local time may differ only if a clock change skips it that night.
            if (shown !== wall) expect(isLeftOut(wall, zone)).toBe(true)
          }
        }
      }),
      { numRuns: 90 },
    )
  })

  it('computes the right moment in nights with clock changes', () => {
    expect(dateOfWallTime('2026-03-29T02:30', 'Europe/Madrid').toISOString()).toBe('2026-03-29T01:30:00.000Z')
    expect(dateOfWallTime('2026-10-25T02:30', 'Europe/Madrid').toISOString()).toBe('2026-10-25T00:30:00.000Z')
    expect(dateOfWallTime('2026-03-28T09:00', 'Europe/Madrid').toISOString()).toBe('2026-03-28T08:00:00.000Z')
    expect(dateOfWallTime('2026-03-30T09:00', 'Europe/Madrid').toISOString()).toBe('2026-03-30T07:00:00.000Z')
    // In Santiago midnight itself is skipped.
    expect(toWallTime(dateOfWallTime('2026-09-06T00:15', 'America/Santiago'), 'America/Santiago')).toBe(
      '2026-09-06T01:15',
    )
  })

  it('moves to the next matching day, stops after its last day, and stops when no day matches', () => {
    const tuesdays = rule({ unit: 'week', days: [1] })
    expect(firstOccurrence(tuesdays, '2026-11-19T09:30', [])).toBe('2026-11-24T09:30')
    expect(nextOccurrence(tuesdays, '2026-11-19T09:30', '2026-11-24T09:30', [])).toBe('2026-12-01T09:30')
    expect(nextOccurrence({ ...tuesdays, until: '2026-11-30' }, '2026-11-19T09:30', '2026-11-24T09:30', [])).toBeNull()
    const everyDayOff = Array.from({ length: 366 }, (_, i) => ({
      day: new Date(Date.UTC(2028, 0, 1 + i)).toISOString().slice(0, 10),
      name: '',
      yearly: true,
    }))
    expect(firstOccurrence(rule({ unit: 'day', skipOff: true }), '2026-11-19T09:30', everyDayOff)).toBeNull()
    // As entered in the form: 24/12 is skipped, so the sixth occurrence is a week later.
    const thursdays = rule({ unit: 'week', days: [3], times: 6, skipOff: true })
    const days = firstOccurrences(thursdays, '2026-11-19T09:30', [{ day: '2026-12-24', name: '', yearly: false }], 10)
    expect(days.map((wall) => wall.slice(5, 10))).toEqual(['11-19', '11-26', '12-03', '12-10', '12-17', '12-31'])
  })
})

/** Whether no moment of that day has this local time. */
function isLeftOut(wall: string, zone: string): boolean {
  const near = Date.parse(`${wall}:00Z`)
  for (let ms = near - 86_400_000; ms < near + 86_400_000; ms += 900_000)
    if (toWallTime(new Date(ms + (Number(wall.slice(14)) % 15) * 60_000), zone) === wall) return false
  return true
}
