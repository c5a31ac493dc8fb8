import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { markSentAway, recordTicketNews, waitForLaneNews, wasSentAway } from './ticket-moves.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('remembers a ticket that the user moved for the full time after the last move, not after the first', () => {
  markSentAway(1)
  vi.advanceTimersByTime(3000)
  // The ticket is returned, the return undone, and the ticket returned again.
  markSentAway(1)
  vi.advanceTimersByTime(3000)
  expect(wasSentAway(1)).toBe(true)
  vi.advanceTimersByTime(2000)
  expect(wasSentAway(1)).toBe(false)
})

it('waits for the event of a move: older events do not count, and without a connection no event arrives', async () => {
  const word = waitForLaneNews(7, 3)
  let came: boolean | null = null
  void word.then((said) => {
    came = said
  })
  // Neither an earlier event of this ticket counts, nor an event of another ticket that was moved to that lane.
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
