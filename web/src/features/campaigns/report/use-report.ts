import { useDebouncedCallback, useThrottledCallback } from '@mantine/hooks'
import { type CampaignReport, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { useNews, useResync } from '../../../lib/live.ts'
import { tell, useAgain } from '../../../lib/told.ts'

/** So long after the end the last ticks are in (spec, section 4). */
const reloadAfter = 5000
/** The numbers come with the news; curve, texts and reasons are read again no oftener than this. */
const again = 2000

export function useReport(id: number) {
  const client = useQueryClient()
  const key = ['campaign-report', id]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(campaignsApi.report, { params: { id } }, { signal }),
    retry: false,
  })
  const read = useAgain(key)
  const soon = useThrottledCallback(read, again)
  const afterEnd = useDebouncedCallback(read, reloadAfter)
  useNews(campaignsApi.topic, (news) => {
    if (news.action === 'delete' || news.row.id !== id) return
    tell<CampaignReport>(client, key, (old) => ({ ...old, campaign: news.row }))
    soon()
    if (news.row.status === 'FINALIZADA') afterEnd()
  })
  useResync(read)
  return query
}
