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
/** Who is not told looks so often. Who is told looks, too, when nothing happens: a day ends, a promise runs out. */
const lookMs = { told: 5 * 60_000, alone: 30_000 }
/** What is read for this page, all of it. */
export const figuresKey = 'dashboard'

/** Who has the dashboard is told of every change; the others look by themselves. */
export const useLooking = (): number => (useCan()('dashboard:view') ? lookMs.told : lookMs.alone)

/** The view of an address. It follows the desk by itself, once a second at most. */
export function useFigures(address: Address): UseQueryResult<DashboardView> {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: [figuresKey, address],
    queryFn: ({ signal }) => call(dashboardApi.view, { query: address }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    refetchInterval: useLooking(),
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
