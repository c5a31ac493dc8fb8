import { ticketsApi } from '@recado/contract/tickets'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import type { LoadedTickets } from '../../../parts/ticket/loaded-tickets.ts'
import { readMoreTickets, readTicketList, ticketCountsKey, ticketListKey } from '../../../parts/ticket/ticket-cache.ts'
import type { TicketFilter, TicketViewer } from '../../../parts/ticket/ticket-filter.ts'
import { useLoadMore } from '../../../records/search-and-paging.ts'

const emptyList: LoadedTickets = { rows: [], hasMore: false }

/** The tickets of one list. It is loaded once and after a connection gap; events keep it current (see use-ticket-news). */
export function useTicketList(filter: TicketFilter, me: TicketViewer, enabled = true) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: ticketListKey(filter),
    queryFn: ({ signal }) => readTicketList(client, filter, me, signal),
    enabled,
    // Events do not cover search hits in old messages.
    staleTime: filter.search ? 0 : Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: 1,
    // Events keep unchanged rows identical; comparing ten thousand rows each time would be slow.
    structuralSharing: false,
  })
  const loaded = query.data ?? emptyList
  const more = useLoadMore(JSON.stringify(filter), loaded.hasMore && !query.isFetching, () =>
    readMoreTickets(client, filter, me),
  )
  return {
    ...loaded,
    key: JSON.stringify(filter),
    isLoading: query.isPending && enabled,
    error: query.isError && query.data === undefined && !query.isFetching ? query.error : null,
    nextPage: more,
    retry: () => void query.refetch(),
  }
}
export type TicketListState = ReturnType<typeof useTicketList>

/** The server counts up to this number. */
export const maxTicketCount = 1000

/**
 * The counts of assigned and pending tickets. A completely loaded list is counted locally. For a longer list the server
 * is asked, and asked again a moment after a change (see use-ticket-news).
 */
export function useTicketCounts(
  { assigned, waiting, snoozed }: Record<'assigned' | 'waiting' | 'snoozed', TicketListState>,
  filter: TicketFilter,
) {
  const { showAll, queueIds } = filter
  const isWhole = (list: TicketListState) => !list.hasMore && !list.isLoading && list.error === null
  const query = useQuery({
    queryKey: ticketCountsKey(showAll, queueIds),
    queryFn: ({ signal }) =>
      callApi(ticketsApi.counts, { query: { showAll, ...(queueIds && { queueIds }) } }, { signal }),
    enabled: ![assigned, waiting, snoozed].every(isWhole),
    refetchOnWindowFocus: false,
    staleTime: 0,
  })
  return {
    open: isWhole(assigned) ? assigned.rows.length : query.data?.open,
    pending: isWhole(waiting) ? waiting.rows.length : query.data?.pending,
    snoozed: isWhole(snoozed) ? snoozed.rows.length : query.data?.snoozed,
  }
}
