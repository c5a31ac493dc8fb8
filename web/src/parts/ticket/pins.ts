import { topics } from '@recado/contract/live'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic } from '../../lib/live.ts'
import { createNewsReplay } from '../../lib/news-replay.ts'
import { toast } from '../../lib/toast.ts'
import { type LoadedTickets, replaceRows, type TicketListNews } from './loaded-tickets.ts'
import { subscribeToTicketNews } from './ticket-cache.ts'
import { compareTickets, matchesFilter, type TicketFilter, type TicketViewer } from './ticket-filter.ts'

/** The user's pinned tickets. Its key begins like those of the lists, so they are reloaded together. */
const pinsKey = ['tickets', 'pins'] as const
/** `goneIds`: pinned tickets that the user does not see at the moment. */
type Pins = { tickets: Ticket[]; goneIds: number[] }
const noPins: Pins = { tickets: [], goneIds: [] }

const newsReplay = createNewsReplay<TicketListNews>()

/** The pinned tickets, loaded once; events keep them current. */
export function usePinnedTickets(): Ticket[] {
  const query = useQuery<Pins>({
    queryKey: pinsKey,
    queryFn: ({ signal }) => newsReplay.runAndApply(() => readPins(signal), applyNewsToPins),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: 1,
  })
  const { tickets, goneIds } = query.data ?? noPins
  return useMemo(() => tickets.filter(({ id }) => !goneIds.includes(id)), [tickets, goneIds])
}
const readPins = async (signal: AbortSignal): Promise<Pins> => ({
  ...(await callApi(ticketsApi.pins, {}, { signal })),
  goneIds: [],
})

export function usePinnedIds(): ReadonlySet<number> {
  const pinned = usePinnedTickets()
  return useMemo(() => new Set(pinned.map(({ id }) => id)), [pinned])
}

/** Whether the ticket is pinned, for handlers outside of the render. */
export const isTicketPinned = (client: QueryClient, ticketId: number): boolean =>
  client.getQueryData<Pins>(pinsKey)?.tickets.some(({ id }) => id === ticketId) ?? false

/** Applies events to the pinned rows while the screen is mounted. */
export function usePinNews(): void {
  const client = useQueryClient()
  useLiveTopic(topics.pins, () => void client.invalidateQueries({ queryKey: pinsKey }))
  useEffect(
    () =>
      subscribeToTicketNews((news) => {
        newsReplay.record(...news)
        client.setQueryData<Pins>(pinsKey, (old) => old && news.reduce(applyNewsToPins, old))
      }),
    [client],
  )
}

function applyNewsToPins(pins: Pins, news: TicketListNews): Pins {
  // A ticket that moved is published as deleted first, and then with its new state to those who see it.
  const isPinned = (id: number) => pins.tickets.some((ticket) => ticket.id === id)
  if (news.kind === 'gone') return isPinned(news.id) ? { ...pins, goneIds: [...pins.goneIds, news.id] } : pins
  if (news.kind === 'put' && !isPinned(news.ticket.id)) return pins
  const { rows } = replaceRows({ rows: pins.tickets, hasMore: false }, news)
  const goneIds = news.kind === 'put' ? pins.goneIds.filter((id) => id !== news.ticket.id) : pins.goneIds
  return rows === pins.tickets && goneIds.length === pins.goneIds.length ? pins : { tickets: rows, goneIds }
}

/** The list with the pinned rows that belong to it first; both parts are in the list's order. */
export function withPinsFirst<L extends LoadedTickets>(
  list: L,
  pinned: Ticket[],
  filter: TicketFilter,
  me: TicketViewer,
): L {
  const first = pinned.filter((ticket) => matchesFilter(ticket, filter, me)).sort(compareTickets(filter.order))
  if (first.length === 0) return list
  const ids = new Set(first.map(({ id }) => id))
  return { ...list, rows: [...first, ...list.rows.filter(({ id }) => !ids.has(id))] }
}

/** Pins or unpins the ticket at once; a refusal reverts it. */
export async function setTicketPinned(client: QueryClient, ticket: Ticket, isPinned: boolean): Promise<void> {
  await client.cancelQueries({ queryKey: pinsKey })
  const before = client.getQueryData<Pins>(pinsKey)
  const { tickets, goneIds } = before ?? noPins
  const others = tickets.filter(({ id }) => id !== ticket.id)
  client.setQueryData<Pins>(pinsKey, { tickets: isPinned ? [ticket, ...others] : others, goneIds })
  try {
    await callApi(isPinned ? ticketsApi.pin : ticketsApi.unpin, { params: { id: ticket.id } })
  } catch (error) {
    client.setQueryData<Pins>(pinsKey, before)
    toast.error(error)
  }
}
