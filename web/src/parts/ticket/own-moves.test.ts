import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sendAway, sentAway } from './own-moves.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('remembers what was sent away from the last time on, not from the first', () => {
  sendAway(1)
  vi.advanceTimersByTime(3000)
  // Returned, taken back, and returned again.
  sendAway(1)
  vi.advanceTimersByTime(3000)
  expect(sentAway(1)).toBe(true)
  vi.advanceTimersByTime(2000)
  expect(sentAway(1)).toBe(false)
})
