import { useThrottledCallback } from '@mantine/hooks'
import { type DashboardView, dashboardApi } from '@recado/contract/dashboard/dashboard'
import { topics } from '@recado/contract/live'
import { usersApi } from '@recado/contract/users'
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useLiveTopic, useRecordNews, useResync } from '../../lib/live.ts'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts } from './texts.ts'
import type { DashboardQuery } from './use-dashboard-query.ts'

/** Minimum time between refreshes: no user reads faster. */
const minRereadMs = 1000
/** Polling is frequent without live events and rare with them: a day or a goal can end without an event. */
const pollMs = { told: 5 * 60_000, alone: 30_000 }
/** Query key prefix of all data on this page. */
export const dashboardKey = 'dashboard'

/** Users with the dashboard permission get change events; other users poll. */
export const useReportPollMs = (): number => (useCan()('dashboard:view') ? pollMs.told : pollMs.alone)

/** The data of a view, refreshed automatically at most once a second. */
export function useDashboardReports(address: DashboardQuery): UseQueryResult<DashboardView> {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: [dashboardKey, address],
    queryFn: ({ signal }) => callApi(dashboardApi.view, { query: address }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    refetchInterval: useReportPollMs(),
  })
  const read = () => void client.invalidateQueries({ queryKey: [dashboardKey] })
  const again = useThrottledCallback(read, minRereadMs)
  useLiveTopic(topics.figures, again)
  // User events contain the presence of agents.
  useRecordNews(usersApi.topic, again)
  useResync(read)
  const { error } = query
  useEffect(() => {
    if (!error) return
    const words = currentTexts(texts)
    toast.error(error, words.failed.users)
    toast.warn(words.failed.days, undefined, { id: 'dashboard-days' })
  }, [error])
  return query
}
