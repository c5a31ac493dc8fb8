import { defaultHours, type Hours } from '@recado/contract/hours/hours'
import { expect, test } from 'vitest'
import { formatWeekHours } from './format-week-hours.ts'
import { texts } from './texts.ts'

const sameHoursDaily = (startTime: string, endTime: string): Hours[] =>
  defaultHours.map((hours) => ({ ...hours, startTime, endTime }))

test('summarizes a week in a few words', () => {
  expect(formatWeekHours(defaultHours, texts.es)).toBe('Lun a vie 08:00–18:00 +1')
  expect(formatWeekHours(sameHoursDaily('07:00', '20:00'), texts.pt)).toBe('Todos os dias 07:00–20:00')
  expect(formatWeekHours(sameHoursDaily('00:00', '00:00'), texts.en)).toBe('Always closed')
  expect(formatWeekHours([], texts.es)).toBe('')
  const monday = { ...(defaultHours[0] as Hours), endTime: '12:00' }
  expect(formatWeekHours([monday, { ...monday, startTime: '14:00', endTime: '18:00' }], texts.es)).toBe(
    'Lun 08:00–12:00, 14:00–18:00',
  )
})
