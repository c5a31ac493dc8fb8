import { useThrottledCallback } from '@mantine/hooks'
import { type DashboardView, dashboardApi } from '@recado/contract/dashboard/dashboard'
import { topics } from '@recado/contract/live'
import { usersApi } from '@recado/contract/users'
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useLive, useNews, useResync } from '../../lib/live.ts'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts } from './texts.ts'
import type { Address } from './use-address.ts'

/** Nobody reads faster. */
const everyMs = 1000
const lookMs = 30_000
/** What is read for this page, all of it. */
export const figuresKey = 'dashboard'

/** The view of an address. It follows the desk by itself, once a second at most. */
export function useFigures(address: Address): UseQueryResult<DashboardView> {
  const client = useQueryClient()
  // Who has the dashboard is told of every change; the others look by themselves.
  const isTold = useCan()('dashboard:view')
  const query = useQuery({
    queryKey: [figuresKey, address],
    queryFn: ({ signal }) => call(dashboardApi.view, { query: address }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    ...(!isTold && { refetchInterval: lookMs }),
  })
  const read = () => void client.invalidateQueries({ queryKey: [figuresKey] })
  const again = useThrottledCallback(read, everyMs)
  useLive(topics.figures, again)
  // Who comes and goes.
  useNews(usersApi.topic, again)
  useResync(read)
  const { error } = query
  useEffect(() => {
    if (!error) return
    const words = textsNow(texts)
    toast.error(error, words.failed.users)
    toast.warn(words.failed.days, undefined, { id: 'dashboard-days' })
  }, [error])
  return query
}
