import type { Ticket } from '@recado/contract/tickets'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LoadedTickets } from './loaded-tickets.ts'
import { sampleTicket, sampleTicketFilter, sampleViewer } from './sample-ticket.ts'
import { publishTicketNews, readTicketList, ticketListKey, updateOptimistically } from './ticket-cache.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 15, 10, minute)).toISOString()
const [pending, open] = [
  sampleTicketFilter({ status: 'pending', showAll: true }),
  sampleTicketFilter({ status: 'open', showAll: true }),
]
const me = sampleViewer({})
const ticketBefore = sampleTicket({ id: 1, status: 'pending', updatedAt: at(1) })
const openByMe = { status: 'open', userId: me.id } as const

let client: QueryClient
/** The last message of the tickets in each list. */
const cachedMessages = () =>
  [pending, open].map((filter) =>
    client.getQueryData<LoadedTickets>(ticketListKey(filter))?.rows.map((row) => row.lastMessage),
  )
const publish = (ticket: Ticket) => publishTicketNews(client, me, [{ kind: 'put', ticket }])

beforeEach(() => {
  client = new QueryClient()
  client.setQueryData<LoadedTickets>(ticketListKey(pending), { rows: [ticketBefore], hasMore: false })
  client.setQueryData<LoadedTickets>(ticketListKey(open), { rows: [], hasMore: false })
})
afterEach(() => vi.unstubAllGlobals())

test('keeps a ticket accepted when an older event about it arrives', () => {
  const guessed = updateOptimistically(client, me, ticketBefore, openByMe)
  expect(cachedMessages()).toEqual([[], ['Hola']])
  publish({ ...ticketBefore, lastMessage: 'one more', updatedAt: at(2) })
  expect(cachedMessages()).toEqual([[], ['one more']])
  guessed.confirm({ ...ticketBefore, ...openByMe, lastMessage: 'one more', updatedAt: at(3) })
  expect(cachedMessages()).toEqual([[], ['one more']])
})

test('shows the server’s latest version after a refusal', () => {
  const guessed = updateOptimistically(client, me, ticketBefore, openByMe)
  publish({ ...ticketBefore, lastMessage: 'one more', updatedAt: at(2) })
  guessed.revert()
  expect(cachedMessages()).toEqual([['one more'], []])
})

test('uses the state of a later event that arrives before the response', () => {
  const guessed = updateOptimistically(client, me, ticketBefore, openByMe)
  publish({ ...ticketBefore, lastMessage: 'given back', updatedAt: at(4) })
  guessed.confirm({ ...ticketBefore, ...openByMe, updatedAt: at(3) })
  expect(cachedMessages()).toEqual([['given back'], []])
})

test('keeps a local change when a page loaded meanwhile does not contain it yet', async () => {
  const tickets: Ticket[] = [ticketBefore]
  vi.stubGlobal('fetch', async () => Response.json({ tickets, hasMore: false, count: 1 }))
  const guessed = updateOptimistically(client, me, ticketBefore, openByMe)
  const { signal } = new AbortController()
  expect((await readTicketList(client, pending, me, signal)).rows).toEqual([])
  tickets.length = 0
  expect((await readTicketList(client, open, me, signal)).rows.map(({ id }) => id)).toEqual([1])
  guessed.revert()
  expect((await readTicketList(client, open, me, signal)).rows).toEqual([])
})
