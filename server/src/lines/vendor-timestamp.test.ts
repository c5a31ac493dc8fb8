import fc from 'fast-check'
import { expect, it } from 'vitest'
import { vendorTimestampToDate } from './vendor-timestamp.ts'

const noon = Date.parse('2026-11-15T12:00:00Z')
const at = (seconds: number, now: number) => vendorTimestampToDate(noon / 1000 + seconds, noon + now).getTime() - noon

it('adds the current milliseconds to the time of a message that just arrived, and never changes its second', () => {
  expect(at(0, 400)).toBe(400)
  expect(at(0, 1700)).toBe(999)
})

it('keeps the time of a vendor clock that is ahead of ours', () => {
  expect(at(5, 400)).toBe(5000)
})

it('orders two messages of the same second by arrival, however late each arrived', () => {
  const late = fc.integer({ min: -5000, max: 600_000 })
  fc.assert(
    fc.property(late, fc.nat(600_000), (first, more) => {
      expect(at(0, first + more)).toBeGreaterThanOrEqual(at(0, first))
      expect(at(0, first + more)).toBeLessThan(1000)
    }),
  )
})

it('replaces an invalid time with the current time', () => {
  for (const nonsense of [Number.NaN, 0, -1, 1e30]) expect(vendorTimestampToDate(nonsense, noon).getTime()).toBe(noon)
})
