import { expect, it } from 'vitest'
import { parseTime } from './parse-time.ts'

it('parses times as people type them', () => {
  const typed = ['8', '08', '830', '8:30', '0830', '23:59', '']
  expect(typed.map(parseTime)).toEqual(['08:00', '08:00', '08:30', '08:30', '08:30', '23:59', null])
  expect(['24', '2460', '12345', 'tarde'].map(parseTime)).toEqual([null, null, null, null])
})
