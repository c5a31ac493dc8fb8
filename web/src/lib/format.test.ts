import { expect, test } from 'vitest'
import { formatDay, formatDayIn, formatDayTime, formatDayTimeIn, formatTime, setDisplayTimeZone } from './format.ts'

test('formats dates as in spec section 9', () => {
  const moment = new Date(2026, 10, 5, 9, 7)
  expect(formatDay(moment)).toBe('05/11/2026')
  expect(formatTime(moment)).toBe('09:07')
  expect(formatDayTime(moment)).toBe('05/11/2026 09:07')
})

test('formats missing and invalid values as empty', () => {
  for (const none of [null, undefined, '', 'soon']) expect(formatDay(none)).toBe('')
})

test('shows the last paid day in the company’s time zone, regardless of the user’s time zone', () => {
  const endOfDayInBogota = '2026-12-15T04:59:59.000Z'
  expect(formatDayIn(endOfDayInBogota, 'America/Bogota')).toBe('14/12/2026')
  expect(formatDayIn(endOfDayInBogota, 'Nowhere/Land')).toMatch(/^1[45]\/12\/2026$/)
  expect(formatDayTimeIn(endOfDayInBogota, 'America/Bogota')).toBe('14/12/2026 23:59')
  expect(formatDayTimeIn(endOfDayInBogota, 'Nowhere/Land')).toBe(formatDayTime(endOfDayInBogota))
})

test('uses the time zone that the user chose', () => {
  const moment = '2026-12-31T23:30:00.000Z'
  setDisplayTimeZone('Asia/Tokyo')
  expect([formatDay(moment), formatTime(moment), formatDayTime(moment)]).toEqual([
    '01/01/2027',
    '08:30',
    '01/01/2027 08:30',
  ])
  setDisplayTimeZone('America/Bogota')
  expect(formatDayTime('2026-12-31T05:00:00.000Z')).toBe('31/12/2026 00:00')
  setDisplayTimeZone('Nowhere/Land')
  const here = formatDayTime(moment)
  setDisplayTimeZone(null)
  expect(formatDayTime(moment)).toBe(here)
})
