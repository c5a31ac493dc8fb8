import { describe, expect, it } from 'vitest'
import { parseDay } from './parse-day.ts'

describe('parsing a typed date', () => {
  it('parses dates as people type them', () => {
    for (const typed of ['31/01/2027', '31/1/27', '31-01-2027', '31.1.2027', ' 31012027 ']) {
      expect(parseDay(typed)).toBe('2027-01-31')
    }
  })
  it('returns null for any text that is not a date', () => {
    for (const typed of ['', '31/02/2027', '2027-01-31', '31/01', 'mañana', '00/01/2027'])
      expect(parseDay(typed)).toBeNull()
  })
})
