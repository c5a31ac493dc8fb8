import { expect, test } from 'vitest'
import { formatMomentValue, parseMomentText } from './parse-moment.ts'

test('shows days and times as dd/MM/yyyy HH:mm, whatever the browser', () => {
  expect(formatMomentValue('2027-03-05', 'day')).toBe('05/03/2027')
  expect(formatMomentValue('2027-03-05T09:30', 'time')).toBe('05/03/2027 09:30')
  expect(formatMomentValue('', 'time')).toBe('')
})

test('reads a date and time as people type it, and waits while it is incomplete', () => {
  expect(parseMomentText('5/3/27', 'day')).toBe('2027-03-05')
  for (const text of ['5/3/27 9:30', '05/03/2027 0930', '05-03-2027, 09:30', '2027-03-05T09:30'])
    expect(parseMomentText(text, 'time')).toBe('2027-03-05T09:30')
  for (const text of ['31/02/2027', '5/3']) expect(parseMomentText(text, 'day')).toBeNull()
  for (const text of ['05/03/2027', '05/03/2027 9', '05/03/2027 25:00', '05/03/2027 10:75'])
    expect(parseMomentText(text, 'time')).toBeNull()
})
