import type { Ticket } from '@recado/contract/tickets'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyTicketListNews,
  type LoadedTickets,
  mergeTicketPage,
  nextTicketPageNumber,
  type TicketListNews,
  ticketPageSize,
} from './loaded-tickets.ts'
import { sampleTicket, sampleTicketFilter, sampleViewer } from './sample-ticket.ts'
import { compareTickets, matchesFilter, type TicketFilter, type TicketViewer } from './ticket-filter.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 15, 10, minute)).toISOString()

/** A small model server: its responses, and its events when a ticket changes. */
class Server {
  readonly tickets = new Map<number, Ticket>()
  private minute = 0
  constructor(count: number) {
    for (let id = 1; id <= count; id++) this.tickets.set(id, sampleTicket({ id, updatedAt: at(this.minute++) }))
  }
  list(filter: TicketFilter, me: TicketViewer): Ticket[] {
    return [...this.tickets.values()].filter((t) => matchesFilter(t, filter, me)).sort(compareTickets(filter.order))
  }
  page(filter: TicketFilter, me: TicketViewer, number: number) {
    const all = this.list(filter, me)
    return {
      tickets: all.slice((number - 1) * ticketPageSize, number * ticketPageSize),
      hasMore: all.length > number * ticketPageSize,
    }
  }
  change(id: number, how: Partial<Ticket>): TicketListNews[] {
    const before = this.tickets.get(id) ?? sampleTicket({ id })
    const after = { ...before, ...how, updatedAt: at(this.minute++) }
    this.tickets.set(id, after)
    const moved = before.status !== after.status || before.userId !== after.userId || before.queueId !== after.queueId
    return [...(moved ? [{ kind: 'gone' as const, id }] : []), { kind: 'put', ticket: after }]
  }
  remove(id: number): TicketListNews[] {
    this.tickets.delete(id)
    return [{ kind: 'gone', id }]
  }
}

const applyAll = (loaded: LoadedTickets, news: TicketListNews[], filter: TicketFilter, me: TicketViewer) =>
  news.reduce((list, one) => applyTicketListNews(list, one, filter, me), loaded)

const anyFilter = fc
  .record({
    status: fc.constantFrom('open', 'pending', 'closed', null),
    showAll: fc.boolean(),
    queueIds: fc.constantFrom(null, [7], [7, 8]),
    order: fc.constantFrom('newest', 'oldest'),
  })
  .map((given) => sampleTicketFilter(given as Partial<TicketFilter>))
const anyMe = fc
  .record({
    profile: fc.constantFrom('admin', 'supervisor', 'user'),
    allTicket: fc.constantFrom('enabled', 'desabled'),
  })
  .map((given) => {
    const queues = [7, 8].map((id) => ({ id, name: `Queue ${id}`, color: '#123456', UserQueue: { queueId: id } }))
    return sampleViewer({ ...(given as Partial<TicketViewer>), queues })
  })
const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      id: fc.integer({ min: 1, max: 130 }),
      how: fc.record(
        {
          status: fc.constantFrom('open', 'pending', 'closed'),
          userId: fc.constantFrom(null, 1, 2),
          queueId: fc.constantFrom(null, 7, 8, 9),
          unreadMessages: fc.nat(9),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), id: fc.integer({ min: 1, max: 130 }) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'more' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('slow' as const), id: fc.integer({ min: 1, max: 130 }) }) },
)

test('gives the same list from events as from a reload after any sequence of changes', () => {
  fc.assert(
    fc.property(anyFilter, anyMe, fc.array(anyStep, { maxLength: 60 }), (filter, me, steps) => {
      const server = new Server(100)
      let loaded = mergeTicketPage({ rows: [], hasMore: true }, server.page(filter, me, 1), filter)
      for (const step of steps) {
        if (step.do === 'change')
          loaded = applyAll(loaded, server.change(step.id, step.how as Partial<Ticket>), filter, me)
        else if (step.do === 'remove') loaded = applyAll(loaded, server.remove(step.id), filter, me)
        else if (loaded.hasMore) {
          // The page was requested while a change happened, so its event is applied twice.
          const page = server.page(filter, me, nextTicketPageNumber(loaded))
          const news = step.do === 'slow' ? server.change(step.id, { status: 'open', userId: 2 }) : []
          loaded = applyAll(loaded, news, filter, me)
          loaded = applyAll(mergeTicketPage(loaded, page, filter), news, filter, me)
        }
      }
      const all = server.list(filter, me)
      expect(loaded.rows).toEqual(all.slice(0, loaded.rows.length))
      if (!loaded.hasMore) expect(loaded.rows.length).toBe(all.length)
    }),
    { numRuns: 300 },
  )
})

test('accepts events of different tickets in any order', () => {
  const filter = sampleTicketFilter({ status: 'open' })
  const me = sampleViewer()
  const moves = fc.array(
    fc.record({ id: fc.integer({ min: 1, max: 12 }), status: fc.constantFrom('open', 'closed') }),
    {
      maxLength: 30,
    },
  )
  fc.assert(
    fc.property(moves, fc.array(fc.nat(), { minLength: 30, maxLength: 30 }), (given, dice) => {
      const server = new Server(12)
      const lanes = new Map<number, TicketListNews[]>()
      for (const { id, status } of given)
        lanes.set(id, [...(lanes.get(id) ?? []), ...server.change(id, { status: status as 'open', userId: 1 })])
      let loaded: LoadedTickets = { rows: [], hasMore: false }
      for (let turn = 0; lanes.size > 0; turn++) {
        const ids = [...lanes.keys()]
        const id = ids[(dice[turn % dice.length] ?? 0) % ids.length] as number
        const lane = lanes.get(id) as TicketListNews[]
        loaded = applyAll(loaded, lane.splice(0, 1), filter, me)
        if (lane.length === 0) lanes.delete(id)
      }
      expect(loaded.rows).toEqual(server.list(filter, me))
    }),
  )
})

test('does not let a late response undo later changes', () => {
  const newer = sampleTicket({ id: 1, updatedAt: at(9), lastMessage: 'Newer' })
  const loaded: LoadedTickets = { rows: [newer], hasMore: false }
  const older = sampleTicket({ id: 1, updatedAt: at(3), lastMessage: 'Older' })
  expect(applyTicketListNews(loaded, { kind: 'put', ticket: older }, sampleTicketFilter(), sampleViewer())).toBe(loaded)
})

test('changes only the row of the ticket that was read or received a receipt', () => {
  const last = { id: 'm1', fromMe: true, ack: 2, mediaType: null }
  const rows = [sampleTicket({ id: 2, unreadMessages: 3, last }), sampleTicket({ id: 1, unreadMessages: 1 })]
  const loaded: LoadedTickets = { rows, hasMore: false }
  const read = applyTicketListNews(loaded, { kind: 'read', id: 2 }, sampleTicketFilter(), sampleViewer())
  expect(read.rows.map((row) => row.unreadMessages)).toEqual([0, 1])
  expect(read.rows[1]).toBe(rows[1])
  const acked = applyTicketListNews(
    loaded,
    { kind: 'ack', message: { id: 'm1', ticketId: 2, ack: 4 } },
    sampleTicketFilter(),
    sampleViewer(),
  )
  expect(acked.rows[0]?.last?.ack).toBe(4)
  expect(
    applyTicketListNews(
      loaded,
      { kind: 'ack', message: { id: 'm0', ticketId: 2, ack: 4 } },
      sampleTicketFilter(),
      sampleViewer(),
    ),
  ).toBe(loaded)
})

test('adds only tickets that match the search text', () => {
  const filter = sampleTicketFilter({ status: null, search: 'lucía' })
  const none: LoadedTickets = { rows: [], hasMore: false }
  const ticket = sampleTicket({ id: 1, lastMessage: 'Soy Lucía' })
  expect(applyTicketListNews(none, { kind: 'put', ticket }, filter, sampleViewer()).rows).toHaveLength(1)
  expect(applyTicketListNews(none, { kind: 'put', ticket: sampleTicket({ id: 2 }) }, filter, sampleViewer())).toBe(none)
})
