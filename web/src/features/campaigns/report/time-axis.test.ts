import { expect, test } from 'vitest'
import { createTimeAxis } from './time-axis.ts'

const hour = 3_600_000
const days = [0, 1, 2].map((n) => ({ from: (n * 24 + 9) * hour, until: (n * 24 + 19) * hour }))

test('draws nights narrow and days wide, and keeps the order of time', () => {
  const axis = createTimeAxis(days, { from: 9 * hour, until: 67 * hour }, 620)
  expect(axis.gaps).toHaveLength(2)
  expect(axis.gaps.map(({ width }) => width)).toEqual([10, 10])
  expect(axis.open.map(({ width }) => Math.round(width))).toEqual([200, 200, 200])
  expect(axis.xOf(9 * hour)).toBe(0)
  expect(axis.xOf(14 * hour)).toBeCloseTo(100)
  expect(axis.xOf(33 * hour)).toBeCloseTo(210)
  expect(axis.xOf(67 * hour)).toBeCloseTo(620)
  const all = Array.from({ length: 59 }, (_, n) => axis.xOf((9 + n) * hour))
  expect(all).toEqual([...all].sort((a, b) => a - b))
  expect(axis.momentAt(axis.xOf(36 * hour))).toBeCloseTo(36 * hour, -3)
})

test('also draws plans that start at night and plans without any open period', () => {
  const begun = createTimeAxis(days.slice(0, 1), { from: 2 * hour, until: 12 * hour }, 310)
  expect(begun.xOf(9 * hour)).toBe(10)
  expect(begun.xOf(12 * hour)).toBeCloseTo(310)
  const never = createTimeAxis([], { from: 0, until: 10 * hour }, 300)
  expect(never.gaps).toEqual([])
  expect(never.xOf(5 * hour)).toBeCloseTo(150)
})
