import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { detectLostTickets } from './lost-tickets.ts'
import { sampleTicket } from './sample-ticket.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a delete that an update follows is a change; one that stays alone is a farewell', () => {
  const left: number[] = []
  const leaving = detectLostTickets((id) => left.push(id))
  leaving.hear({ action: 'delete', ticketId: 7 })
  leaving.hear({ action: 'update', ticket: sampleTicket({ id: 7 }) as never })
  leaving.hear({ action: 'delete', ticketId: 8 })
  vi.runAllTimers()
  expect(left).toEqual([8])
  leaving.hear({ action: 'delete', ticketId: 9 })
  leaving.end()
  vi.runAllTimers()
  expect(left).toEqual([8])
})
