import { expect, it } from 'vitest'
import { momentOf } from './moment.ts'

const noon = Date.parse('2026-11-15T12:00:00Z')
const at = (seconds: number, now: number) => momentOf(noon / 1000 + seconds, noon + now).getTime() - noon

it('what has just come is of this moment, but never of another second', () => {
  expect(at(0, 400)).toBe(400)
  expect(at(0, 1700)).toBe(999)
})

it('what is old, or of a clock ahead of ours, is as it was told', () => {
  expect(at(-60, 0)).toBe(-60_000)
  expect(at(5, 400)).toBe(5000)
})

it('what makes no sense is now', () => {
  for (const nonsense of [Number.NaN, 0, -1, 1e30]) expect(momentOf(nonsense, noon).getTime()).toBe(noon)
})
