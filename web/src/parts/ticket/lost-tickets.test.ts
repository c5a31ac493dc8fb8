import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { detectLostTickets } from './lost-tickets.ts'
import { sampleTicket } from './sample-ticket.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('treats a delete followed by an update as a change, and a delete alone as a loss of visibility', () => {
  const lostIds: number[] = []
  const leaving = detectLostTickets((id) => lostIds.push(id))
  leaving.receive({ action: 'delete', ticketId: 7 })
  leaving.receive({ action: 'update', ticket: sampleTicket({ id: 7 }) as never })
  leaving.receive({ action: 'delete', ticketId: 8 })
  vi.runAllTimers()
  expect(lostIds).toEqual([8])
  leaving.receive({ action: 'delete', ticketId: 9 })
  leaving.end()
  vi.runAllTimers()
  expect(lostIds).toEqual([8])
})
