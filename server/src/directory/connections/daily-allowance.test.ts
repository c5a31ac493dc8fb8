import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AllowanceInput, allowanceLimits, computeDailyAllowance, type PaceCounts } from './daily-allowance.ts'

const none: PaceCounts = { written: 0, delivered: 0, read: 0, answered: 0, refused: 0, stopped: 0 }
const people = (ageDays: number, counts: Partial<PaceCounts> = {}, wasLocked = false) =>
  computeDailyAllowance({ ageDays, counts: { ...none, ...counts }, wasLocked }).people

it('begins with ten people at any age, and grows only with deliveries and answers', () => {
  expect([0, 1, 30, 4000].map((age) => people(age))).toEqual([10, 10, 10, 10])
  const delivered = { written: 10, delivered: 10, read: 6 }
  expect(people(30, delivered)).toBe(12)
  expect(people(30, { ...delivered, answered: 4 })).toBe(20)
  expect(people(30, { written: 900, delivered: 900, read: 700, answered: 90 })).toBe(200)
})

it('bounds a young number by its age, whatever it earned', () => {
  const great = { written: 200, delivered: 200, read: 200, answered: 200 }
  expect([0, 1, 2, 7, 11, 12, 400].map((age) => people(age, great))).toEqual([10, 13, 16, 62, 179, 200, 200])
})

it('shrinks when people do not read, refuse or stop, and names the reason', () => {
  const read = { written: 40, delivered: 40, read: 30, answered: 5 }
  expect(people(30, read)).toBe(30)
  expect(people(30, { ...read, read: 0, answered: 0 })).toBe(10)
  expect(people(30, { ...read, refused: 1 })).toBe(26)
  expect(people(30, { ...read, stopped: 4 })).toBe(15)
  expect(people(30, { ...read, refused: 40 })).toBe(3)
  const counts = { ...none, ...read, refused: 1, stopped: 1 }
  expect(computeDailyAllowance({ ageDays: 0, counts, wasLocked: true })).toEqual({
    people: 5,
    reasons: ['locked', 'refused', 'stopped', 'young', 'earned'],
  })
})

const count = fc.nat({ max: 5000 })
const input: fc.Arbitrary<AllowanceInput> = fc.record({
  ageDays: fc.nat({ max: 5000 }),
  wasLocked: fc.boolean(),
  counts: fc.record({
    ...{ written: count, delivered: count, read: count, answered: count, refused: count, stopped: count },
  }),
})
const change = (of: AllowanceInput, name: keyof PaceCounts, by: number) =>
  computeDailyAllowance({ ...of, counts: { ...of.counts, [name]: of.counts[name] + by } }).people

it('never exceeds its maximum or falls below its minimum, and each count moves it in one direction only', () => {
  fc.assert(
    fc.property(input, fc.integer({ min: 1, max: 500 }), (of, by) => {
      const { people: now } = computeDailyAllowance(of)
      expect(now).toBeGreaterThanOrEqual(allowanceLimits.min)
      expect(now).toBeLessThanOrEqual(allowanceLimits.max)
      for (const good of ['answered', 'delivered', 'read'] as const)
        expect(change(of, good, by)).toBeGreaterThanOrEqual(now)
      for (const bad of ['refused', 'stopped'] as const) expect(change(of, bad, by)).toBeLessThanOrEqual(now)
      expect(computeDailyAllowance({ ...of, ageDays: of.ageDays + by }).people).toBeGreaterThanOrEqual(now)
      const unlocked = computeDailyAllowance({ ...of, wasLocked: false }).people
      const locked = computeDailyAllowance({ ...of, wasLocked: true }).people
      expect(locked).toBe(Math.max(allowanceLimits.min, Math.floor(unlocked / 2)))
    }),
  )
})
