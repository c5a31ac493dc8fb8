import { useThrottledCallback } from '@mantine/hooks'
import { topics } from '@recado/contract/live'
import { meetsConditions, withImpliedConditions } from '@recado/contract/views/ticket-conditions'
import { type TicketView, ticketViewsApi } from '@recado/contract/views/ticket-views'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import { ticketListsKey } from '../../../parts/ticket/ticket-cache.ts'
import { setViewRule, type TicketFilter } from '../../../parts/ticket/ticket-filter.ts'

setViewRule((ticket, conditions, me) =>
  meetsConditions(ticket, withImpliedConditions(conditions), { me: me.id, now: Date.now() }),
)

const viewsKey = ['ticket-views', 'list'] as const
const viewCountsKey = ['ticket-views', 'counts'] as const
/** How often the counts and the lists of views are read again while tickets change. */
const recountMs = 1000
const noViews: TicketView[] = []

/** The saved views of the user; events keep them current while the list of tickets is shown. */
export function useViews(): TicketView[] {
  const { data } = useQuery({
    queryKey: viewsKey,
    queryFn: async ({ signal }) => (await callApi(ticketViewsApi.list, {}, { signal })).views,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  return data ?? noViews
}

/** Counts by view; undefined while they are loading or being counted, null if they could not be read. */
export function useViewCounts(isEnabled: boolean): (viewId: number) => number | null | undefined {
  const { data, isError } = useQuery({
    queryKey: viewCountsKey,
    queryFn: async ({ signal }) => (await callApi(ticketViewsApi.counts, {}, { signal })).counts,
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  return (viewId) => (isError ? null : (data?.find((one) => one.viewId === viewId)?.count ?? undefined))
}

export function useViewNews(): void {
  const client = useQueryClient()
  const changedIds = useRef(new Set<number>())
  const recount = useThrottledCallback(() => {
    void client.invalidateQueries({ queryKey: viewCountsKey })
    const ids = changedIds.current
    changedIds.current = new Set()
    invalidateViewLists(client, (id) => ids.has(id))
  }, recountMs)
  const reread = () => {
    void client.invalidateQueries({ queryKey: viewsKey })
    void client.invalidateQueries({ queryKey: viewCountsKey })
    invalidateViewLists(client)
  }
  useLiveTopic(topics.ticketViews, reread)
  useLiveTopic(topics.ticketViewCounts, ({ viewIds }) => {
    for (const id of viewIds) changedIds.current.add(id)
    recount()
  })
  useResync(reread)
}

export function useRereadViews(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await client.invalidateQueries({ queryKey: ['ticket-views'] })
    invalidateViewLists(client)
  }
}

/** Reads lists of saved views again: the browser applies changes of tickets itself, but only the server knows which tickets entered with time. */
function invalidateViewLists(client: QueryClient, hasChanged: (viewId: number) => boolean = () => true): void {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => {
    const { view } = queryKey[2] as TicketFilter
    return view !== undefined && hasChanged(view.id)
  }
  void client.invalidateQueries({ queryKey: ticketListsKey, predicate })
}

/** The query of a saved view. */
export const toViewFilter = ({ id, conditions, order }: TicketView): TicketFilter => ({
  status: null,
  showAll: true,
  queueIds: null,
  order,
  search: '',
  tags: [],
  users: [],
  ads: [],
  snoozed: null,
  view: { id, conditions },
})
