import { defaultHours, type Hours } from '@recado/contract/hours/hours'
import { expect, test } from 'vitest'
import { texts } from './texts.ts'
import { weekWords } from './week-words.ts'

const all = (startTime: string, endTime: string): Hours[] =>
  defaultHours.map((hours) => ({ ...hours, startTime, endTime }))

test('a week in a few words', () => {
  expect(weekWords(defaultHours, texts.es)).toBe('Lun a vie 08:00–18:00 +1')
  expect(weekWords(all('07:00', '20:00'), texts.pt)).toBe('Todos os dias 07:00–20:00')
  expect(weekWords(all('00:00', '00:00'), texts.en)).toBe('Always closed')
  expect(weekWords([], texts.es)).toBe('')
  const monday = { ...(defaultHours[0] as Hours), endTime: '12:00' }
  expect(weekWords([monday, { ...monday, startTime: '14:00', endTime: '18:00' }], texts.es)).toBe(
    'Lun 08:00–12:00, 14:00–18:00',
  )
})
