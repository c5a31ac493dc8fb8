import { defaultHours, type Hours } from '@recado/contract/hours/hours'
import { expect, test } from 'vitest'
import {
  findInvalidDay,
  findRangeProblems,
  flattenDays,
  groupEqualDays,
  groupHoursByDay,
  isOvernight,
  suggestNextRange,
} from './week-hours.ts'

const hours = (weekdayEn: Hours['weekdayEn'], startTime: string, endTime: string): Hours => ({
  weekday: weekdayEn,
  weekdayEn,
  startTime,
  endTime,
})

test('converts any list to seven days and back', () => {
  const week = [hours('monday', '08:00', '12:00'), hours('monday', '14:00', '18:00'), hours('sunday', '00:00', '00:00')]
  const days = groupHoursByDay(week)
  expect(days).toHaveLength(7)
  expect(days[0]?.ranges).toEqual([
    { from: '08:00', to: '12:00' },
    { from: '14:00', to: '18:00' },
  ])
  expect(days[6]?.ranges).toEqual([])
  const back = flattenDays(days, ['Lunes'])
  expect(back.slice(0, 2).map((one) => [one.weekday, one.startTime, one.endTime])).toEqual([
    ['Lunes', '08:00', '12:00'],
    ['Lunes', '14:00', '18:00'],
  ])
  expect(back).toHaveLength(8)
  expect(groupHoursByDay(back)).toEqual(days)
})

test('requires a range to have a duration and not to overlap others', () => {
  expect(findRangeProblems([{ from: '08:00', to: '08:00' }])).toEqual(['empty'])
  expect(
    findRangeProblems([
      { from: '08:00', to: '12:00' },
      { from: '12:00', to: '14:00' },
      { from: '11:00', to: '13:00' },
    ]),
  ).toEqual([null, null, 'overlaps'])
  expect(findInvalidDay(defaultHours)).toBeUndefined()
  expect(findInvalidDay([hours('friday', '18:00', '18:00')])).toBe('friday')
})

test('allows a range to last until the next morning', () => {
  const night = { from: '22:00', to: '06:00' }
  expect(findInvalidDay([hours('friday', '22:00', '06:00')])).toBeUndefined()
  expect(findRangeProblems([{ from: '08:00', to: '12:00' }, night, { from: '23:00', to: '23:30' }])).toEqual([
    null,
    null,
    'overlaps',
  ])
  expect(findRangeProblems([night, { from: '20:00', to: '01:00' }])).toEqual([null, 'overlaps'])
  expect([night, { from: '18:00', to: '00:00' }, { from: '08:00', to: '18:00' }].map(isOvernight)).toEqual([
    true,
    false,
    false,
  ])
})

test('adds a further range after the last range, within the day', () => {
  expect(suggestNextRange([])).toEqual({ from: '08:00', to: '18:00' })
  expect(suggestNextRange([{ from: '08:00', to: '12:00' }])).toEqual({ from: '13:00', to: '17:00' })
  expect(suggestNextRange([{ from: '08:00', to: '21:30' }])).toEqual({ from: '22:00', to: '23:59' })
})

test('joins consecutive days with equal hours', () => {
  expect(groupEqualDays(defaultHours)).toEqual([
    { first: 0, last: 4, ranges: [{ from: '08:00', to: '18:00' }] },
    { first: 5, last: 5, ranges: [{ from: '08:00', to: '12:00' }] },
  ])
})
