import { expect, it } from 'vitest'
import { compareRoutingLooks, type RoutedTicket } from './routing-watch.ts'

const waiting = (id: number, since: number, priority = 2): RoutedTicket => ({ id, userId: null, priority, since })
const held = (id: number, userId: number): RoutedTicket => ({ id, userId, priority: 2, since: null })

it('reports a ticket that is assigned while an older one of its priority waits', () => {
  const before = [waiting(1, 10), waiting(2, 20), waiting(3, 5, 3)]
  expect(compareRoutingLooks(before, [waiting(1, 10), held(2, 7), waiting(3, 5, 3)], 2)).toEqual([
    'ticket 2 was assigned while the older ticket 1 waited',
  ])
  expect(compareRoutingLooks(before, [held(1, 7), waiting(2, 20), waiting(3, 5, 3)], 2)).toEqual([])
})

it('does not report a ticket that began to wait again, or that came after the first look', () => {
  expect(compareRoutingLooks([waiting(1, 10), waiting(2, 20)], [waiting(1, 30), held(2, 7)], 2)).toEqual([])
  expect(compareRoutingLooks([waiting(2, 20)], [waiting(1, 10), held(2, 7)], 2)).toEqual([])
})

it('reports a user with more tickets than places', () => {
  expect(compareRoutingLooks([], [held(1, 7), held(2, 7), held(3, 8)], 1)).toEqual(['user 7 has 2 of 1 tickets'])
})
