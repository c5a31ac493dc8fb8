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

/** Nobody reads faster. */
const minRereadMs = 1000
/** Who is not told looks so often. Who is told looks, too, when nothing happens: a day ends, a promise runs out. */
const pollMs = { told: 5 * 60_000, alone: 30_000 }
/** What is read for this page, all of it. */
export const dashboardKey = 'dashboard'

/** Who has the dashboard is told of every change; the others look by themselves. */
export const useReportPollMs = (): number => (useCan()('dashboard:view') ? pollMs.told : pollMs.alone)

/** The view of an address. It follows the desk by itself, once a second at most. */
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
  // Who comes and goes.
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
