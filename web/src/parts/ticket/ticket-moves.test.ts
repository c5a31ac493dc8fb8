import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { markSentAway, recordTicketNews, waitForLaneNews, wasSentAway } from './ticket-moves.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('remembers what was sent away from the last time on, not from the first', () => {
  markSentAway(1)
  vi.advanceTimersByTime(3000)
  // Returned, taken back, and returned again.
  markSentAway(1)
  vi.advanceTimersByTime(3000)
  expect(wasSentAway(1)).toBe(true)
  vi.advanceTimersByTime(2000)
  expect(wasSentAway(1)).toBe(false)
})

it('waits for the server’s own word of a move: older news are not it, and out of touch it does not come', async () => {
  const word = waitForLaneNews(7, 3)
  let came: boolean | null = null
  void word.then((said) => {
    came = said
  })
  // Somebody wrote to the ticket before it was moved, and another ticket went there.
  recordTicketNews({ id: 7, laneId: 2 })
  recordTicketNews({ id: 8, laneId: 3 })
  recordTicketNews({ id: 7 })
  await Promise.resolve()
  expect(came).toBeNull()
  recordTicketNews({ id: 7, laneId: 3 })
  expect(await word).toBe(true)
  const silent = waitForLaneNews(7, null)
  vi.advanceTimersByTime(2000)
  expect(await silent).toBe(false)
})
