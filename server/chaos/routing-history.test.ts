import { expect, it } from 'vitest'
import { findHistoryFaults } from './routing-history.ts'

const event = (ticketId: number, kind: string, userId: number | null = 7) => ({ ticketId, kind, userId })

it('reports a ticket that is given to somebody while somebody has it', () => {
  expect(findHistoryFaults([event(1, 'accept'), event(2, 'accept'), event(1, 'accept', 8)], [])).toEqual([
    'ticket 1 was given to somebody twice',
  ])
  const reopened = [event(1, 'accept'), event(1, 'resolve'), event(1, 'reopen'), event(1, 'accept', 8)]
  expect(findHistoryFaults(reopened, [])).toEqual([])
})

it('reports a confirmed acceptance that is not in the history', () => {
  const accepted = [{ ticketId: 1, userId: 7 }]
  expect(findHistoryFaults([event(1, 'accept')], accepted)).toEqual([])
  expect(findHistoryFaults([event(1, 'accept', 8)], accepted)).toEqual([
    'user 7 accepted ticket 1, and its history does not say so',
  ])
})
