import { expect, test } from 'vitest'
import { sampleTicket } from '../../../parts/ticket/sample-ticket.ts'
import { holdRowsStill } from './steady-rows.ts'

const at = (minute: number) => `2026-11-15T10:${String(minute).padStart(2, '0')}:00.000Z`
const ticket = (id: number, minute: number, unreadMessages = 0) =>
  sampleTicket({ id, updatedAt: at(minute), unreadMessages })
const ids = (rows: { ticket: { id: number } }[]) => rows.map((row) => row.ticket.id)
const mayNotDisappear = () => false

test('keeps rows in place with current content while new rows wait', () => {
  const held = [ticket(3, 30), ticket(2, 20), ticket(1, 10)]
  const fresh = [ticket(4, 45), ticket(1, 40, 2), ticket(3, 30), ticket(2, 20)]
  const steady = holdRowsStill(held, fresh, 'newest', mayNotDisappear)
  expect(ids(steady.visibleRows)).toEqual([3, 2, 1])
  expect(steady.visibleRows[2]?.ticket.unreadMessages).toBe(2)
  expect(steady.waitingCount).toBe(2)
})

test('keeps a removed row as a placeholder unless it may disappear, and then does not bring it back', () => {
  const held = [ticket(3, 30), ticket(2, 20), ticket(1, 10)]
  const fresh = [ticket(1, 10)]
  const steady = holdRowsStill(held, fresh, 'newest', (id) => id === 3)
  expect(steady.visibleRows.map(({ ticket: { id }, gone: isGone }) => [id, isGone])).toEqual([
    [2, true],
    [1, false],
  ])
  expect(ids(holdRowsStill(steady.heldTickets, fresh, 'newest', mayNotDisappear).visibleRows)).toEqual([2, 1])
})

test('appends further pages at the end, and their rows keep their positions', () => {
  const held = [ticket(3, 30), ticket(2, 20)]
  const more = holdRowsStill(held, [ticket(3, 30), ticket(2, 20), ticket(1, 10)], 'newest', mayNotDisappear)
  expect(ids(more.visibleRows)).toEqual([3, 2, 1])
  expect(more.waitingCount).toBe(0)
  const raised = holdRowsStill(
    more.heldTickets,
    [ticket(1, 50, 1), ticket(3, 30), ticket(2, 20)],
    'newest',
    mayNotDisappear,
  )
  expect(ids(raised.visibleRows)).toEqual([3, 2, 1])
  expect(raised.waitingCount).toBe(1)
})

test('appends new rows directly when the list shows the oldest first', () => {
  const held = [ticket(1, 10), ticket(2, 20)]
  const steady = holdRowsStill(held, [ticket(1, 10), ticket(2, 20), ticket(3, 30, 1)], 'oldest', mayNotDisappear)
  expect(ids(steady.visibleRows)).toEqual([1, 2, 3])
  expect(steady.waitingCount).toBe(0)
})
