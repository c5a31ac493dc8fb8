import { topics } from '@recado/contract/live'
import { subscriptionApi } from '@recado/contract/money/subscription'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic, useResync } from '../../lib/live.ts'
import './money-error-texts.ts'

/**
 * The subscription, reloaded on payments and changes. `everyMs`: the polling interval on pages where an event must not
 * be missed.
 */
export function useSubscription(everyMs: number | false = false) {
  const client = useQueryClient()
  const again = () => void client.invalidateQueries({ queryKey: ['money'] })
  useLiveTopic(topics.payment, again)
  useLiveTopic(topics.ownCompany, again)
  useResync(again)
  return useQuery({
    queryKey: ['money', 'subscription'],
    queryFn: () => callApi(subscriptionApi.show),
    refetchInterval: everyMs,
  })
}
