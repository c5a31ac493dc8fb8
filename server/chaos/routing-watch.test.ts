import { expect, it } from 'vitest'
import { compareRoutingLooks, type RoutedTicket, type WatchedOffer } from './routing-watch.ts'

const waiting = (id: number, since: number, priority = 2): RoutedTicket => ({
  ...{ id, userId: null, priority, since, offer: null },
})
const held = (id: number, userId: number): RoutedTicket => ({ id, userId, priority: 2, since: null, offer: null })
const offered = (id: number, since: number, userId: number | null, more: Partial<WatchedOffer> = {}): RoutedTicket => ({
  ...waiting(id, since),
  offer: { userId, passedUserIds: [], dueAt: '2026-01-01T10:00:00Z', ...more },
})

it('reports a ticket that is assigned while an older one of its priority waits', () => {
  const before = [waiting(1, 10), waiting(2, 20), waiting(3, 5, 3)]
  expect(compareRoutingLooks(before, [waiting(1, 10), held(2, 7), waiting(3, 5, 3)], 2)).toEqual([
    'ticket 2 was assigned to user 7 while the older ticket 1 waited',
  ])
  expect(compareRoutingLooks(before, [held(1, 7), waiting(2, 20), waiting(3, 5, 3)], 2)).toEqual([])
})

it('does not report a ticket that began to wait again, or that came after the first look', () => {
  expect(compareRoutingLooks([waiting(1, 10), waiting(2, 20)], [waiting(1, 30), held(2, 7)], 2)).toEqual([])
  expect(compareRoutingLooks([waiting(2, 20)], [waiting(1, 10), held(2, 7)], 2)).toEqual([])
})

it('does not report a ticket that may have come after the choice', () => {
  const before = [waiting(1, 10), waiting(2, 20)]
  const isSettled = ({ id }: RoutedTicket) => id !== 1
  expect(compareRoutingLooks(before, [waiting(1, 10), held(2, 7)], 2, isSettled)).toEqual([])
})

it('reports a user with more tickets and offers than places', () => {
  expect(compareRoutingLooks([], [held(1, 7), held(2, 7), held(3, 8)], 1)).toEqual(['user 7 has 2 of 1 tickets'])
  expect(compareRoutingLooks([], [held(1, 7), offered(2, 10, 7)], 1)).toEqual(['user 7 has 2 of 1 tickets'])
})

it('reports an offer, also of a new ticket, while an older one waits that its user has not passed', () => {
  const fault = 'ticket 2 was offered to user 7 while the older ticket 1 waited'
  expect(compareRoutingLooks([waiting(1, 10)], [waiting(1, 10), offered(2, 20, 7)], 2)).toEqual([fault])
  const paused = (passedUserIds: number[]) => offered(1, 10, null, { passedUserIds })
  expect(compareRoutingLooks([paused([8])], [paused([8]), offered(2, 20, 7)], 2)).toEqual([fault])
  expect(compareRoutingLooks([paused([7])], [paused([7]), offered(2, 20, 7)], 2)).toEqual([])
})

it('does not report an offer that was made before, or while somebody was asked about the older ticket', () => {
  expect(compareRoutingLooks([waiting(1, 10), offered(2, 20, 7)], [waiting(1, 10), held(2, 7)], 2)).toEqual([])
  const asked = offered(1, 10, 8)
  expect(compareRoutingLooks([asked, waiting(2, 20)], [asked, offered(2, 20, 7)], 2)).toEqual([])
  const passed = offered(1, 10, null, { passedUserIds: [8] })
  expect(compareRoutingLooks([waiting(1, 10)], [passed, offered(2, 20, 7)], 2)).toEqual([])
})

it('reports a user who is asked again about a ticket that they passed', () => {
  const again = offered(1, 10, 7, { passedUserIds: [7] })
  expect(compareRoutingLooks([], [again], 2)).toEqual(['user 7 is asked again about ticket 1'])
})
