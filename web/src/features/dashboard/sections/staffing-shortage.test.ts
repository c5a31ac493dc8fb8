import { expect, test } from 'vitest'
import {
  countMissingAgents,
  findWorstShortage,
  groupEqualQuarters,
  hoursToDraw,
  isNobodyNeeded,
} from './staffing-shortage.ts'

const hour = (n: number, online: number, needed: number) => ({ hour: n, online, needed, load: needed, open: true })

test('finds the time with the most missing agents, for the longest duration', () => {
  const hours = [hour(9, 3, 4), hour(10, 4, 6), hour(11, 3.6, 6), hour(12, 4, 5), hour(16, 2, 4)]
  expect(hours.map(countMissingAgents)).toEqual([1, 2, 2, 1, 2])
  expect(findWorstShortage(hours)).toEqual({ missing: 2, from: 10, until: 12 })
  expect(findWorstShortage([hour(9, 3, 3), hour(10, 4, 2)])).toBeNull()
})

test('draws the working day and any activity outside working hours', () => {
  const day = Array.from({ length: 24 }, (_, n) => hour(n, n === 21 ? 1 : 0, 0))
  const drawn = hoursToDraw(day).map((one) => one.hour)
  expect([drawn[0], drawn.at(-1)]).toEqual([8, 21])
})

test('joins consecutive equal values into one bar', () => {
  expect(groupEqualQuarters([0, 1, 1, 2, 0, 1])).toEqual([
    { from: 15, until: 45, n: 1 },
    { from: 45, until: 60, n: 2 },
    { from: 75, until: 90, n: 1 },
  ])
  expect(groupEqualQuarters([0, 0])).toEqual([])
})

test('reports neither a shortage nor enough staff for a day without demand', () => {
  expect(isNobodyNeeded([hour(9, 3, 0), hour(10, 0, 0)])).toBe(true)
  expect(isNobodyNeeded([hour(9, 3, 0), hour(10, 0, 1)])).toBe(false)
})
