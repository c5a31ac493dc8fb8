import { ticketsApi } from '@recado/contract/tickets'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import type { LoadedTickets } from '../../../parts/ticket/loaded-tickets.ts'
import { readMoreTickets, readTicketList, ticketCountsKey, ticketListKey } from '../../../parts/ticket/ticket-cache.ts'
import type { TicketFilter, TicketViewer } from '../../../parts/ticket/ticket-filter.ts'
import { useLoadMore } from '../../../records/search-and-paging.ts'

const emptyList: LoadedTickets = { rows: [], hasMore: false }

/** The tickets of one list. News keeps it true (see use-ticket-news); it is read once and again after a gap. */
export function useTicketList(filter: TicketFilter, me: TicketViewer, enabled = true) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: ticketListKey(filter),
    queryFn: ({ signal }) => readTicketList(client, filter, me, signal),
    enabled,
    // What a search finds in old messages no news can tell.
    staleTime: filter.search ? 0 : Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: 1,
    // News leaves the rows it does not touch as they are; comparing ten thousand of them each time would cost.
    structuralSharing: false,
  })
  const loaded = query.data ?? emptyList
  const more = useLoadMore(JSON.stringify(filter), loaded.hasMore && !query.isFetching, () =>
    readMoreTickets(client, filter, me),
  )
  return {
    ...loaded,
    key: JSON.stringify(filter),
    reading: query.isPending && enabled,
    error: query.isError && query.data === undefined && !query.isFetching ? query.error : null,
    more,
    retry: () => void query.refetch(),
  }
}
export type TicketListState = ReturnType<typeof useTicketList>

/** Counting stops there, see the server. */
export const maxTicketCount = 1000

/**
 * How many are assigned and how many wait. A list that is here whole counts itself, at once; of a longer one the
 * server is asked, and again a moment after something came or went (see use-ticket-news).
 */
export function useTicketCounts(assigned: TicketListState, waiting: TicketListState, filter: TicketFilter) {
  const { showAll, queueIds } = filter
  const isWhole = (list: TicketListState) => !list.hasMore && !list.reading && list.error === null
  const query = useQuery({
    queryKey: ticketCountsKey(showAll, queueIds),
    queryFn: ({ signal }) =>
      callApi(ticketsApi.counts, { query: { showAll, ...(queueIds && { queueIds }) } }, { signal }),
    enabled: !isWhole(assigned) || !isWhole(waiting),
    refetchOnWindowFocus: false,
    staleTime: 0,
  })
  return {
    open: isWhole(assigned) ? assigned.rows.length : query.data?.open,
    pending: isWhole(waiting) ? waiting.rows.length : query.data?.pending,
  }
}
