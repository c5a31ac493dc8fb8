import { useDebouncedCallback, useThrottledCallback } from '@mantine/hooks'
import { type CampaignReport, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useRecordNews, useResync } from '../../../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../../../lib/query-cache.ts'

/** The last receipts have arrived this long after the end of the campaign (spec, section 4). */
const lastAcksDelayMs = 5000
/** Counts come with the events; curve, texts and reasons are reloaded at most this often. */
const rereadMs = 2000

export function useCampaignReport(id: number) {
  const client = useQueryClient()
  const key = ['campaign-report', id]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(campaignsApi.report, { params: { id } }, { signal }),
    retry: false,
  })
  const read = useRefetchQuery(key)
  const soon = useThrottledCallback(read, rereadMs)
  const afterEnd = useDebouncedCallback(read, lastAcksDelayMs)
  useRecordNews(campaignsApi.topic, (news) => {
    if (news.action === 'delete' || news.row.id !== id) return
    updateCachedQuery<CampaignReport>(client, key, (old) => ({ ...old, campaign: news.row }))
    soon()
    if (news.row.status === 'FINALIZADA') afterEnd()
  })
  useResync(read)
  return query
}
