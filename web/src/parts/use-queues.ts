import { type Queue, queuesApi } from '@recado/contract/queues'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { useNews, useResync } from '../lib/live.ts'
import { tell, useAgain } from '../lib/told.ts'
import { anew } from './use-choices.ts'

const key = ['queues', 'all']

/** Every queue of the company, in the order of the customer's menu. */
export function useQueues(enabled = true): UseQueryResult<Queue[]> {
  const client = useQueryClient()
  // A new one has its place in the menu, which only the server knows.
  useNews(queuesApi.topic, (news) => {
    if (news.action === 'delete') {
      tell<Queue[]>(client, key, (queues) => queues.filter((queue) => queue.id !== news.id))
    } else void client.invalidateQueries({ queryKey: key })
  })
  useResync(useAgain(key))
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(queuesApi.list, {}, { signal }), enabled, ...anew })
}
