import { expect, test } from 'vitest'
import { formatWait } from './use-today-and-minute.ts'

test('shows a wait in its largest unit, and no wait under a minute', () => {
  const minute = Math.floor(Date.parse('2026-11-15T12:00:00Z') / 60_000)
  const at = (since: string | null) => formatWait(since, minute)
  expect(at(null)).toBeNull()
  expect(at('2026-11-15T12:00:40Z')).toBeNull()
  expect(at('2026-11-15T11:18:40Z')).toBe('42 min')
  expect(at('2026-11-15T09:30:00Z')).toBe('2 h')
  expect(at('2026-11-12T12:00:00Z')).toBe('3 d')
})
