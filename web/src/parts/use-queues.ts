import { type Queue, queuesApi } from '@recado/contract/queues'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../lib/api.ts'
import { useRecordNews, useResync } from '../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../lib/query-cache.ts'
import { refetchOnOpen } from './select-option-queries.ts'

const queuesKey = ['queues', 'all']

/** All queues of the company, in the order of the customer's menu. */
export function useQueues(enabled = true): UseQueryResult<Queue[]> {
  const client = useQueryClient()
  // Only the server knows the menu position of a new queue.
  useRecordNews(queuesApi.topic, (news) => {
    if (news.action === 'delete') {
      updateCachedQuery<Queue[]>(client, queuesKey, (queues) => queues.filter((queue) => queue.id !== news.id))
    } else void client.invalidateQueries({ queryKey: queuesKey })
  })
  useResync(useRefetchQuery(queuesKey))
  return useQuery({
    queryKey: queuesKey,
    queryFn: ({ signal }) => callApi(queuesApi.list, {}, { signal }),
    enabled,
    ...refetchOnOpen,
  })
}
