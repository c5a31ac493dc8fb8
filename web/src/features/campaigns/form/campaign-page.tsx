import { Skeleton } from '@mantine/core'
import { type CampaignDetail, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useRecordNews, useResync } from '../../../lib/live.ts'
import { setCachedQuery as putCache, updateCachedQuery, useRefetchQuery } from '../../../lib/query-cache.ts'
import { useTexts } from '../../../lib/texts.ts'
import { BackTitle } from '../../../parts/back-title.tsx'
import { useLines } from '../../../parts/line/use-lines.ts'
import { useSettings } from '../../../parts/use-settings.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useCampaignSettings } from '../shared/use-campaign-settings.ts'
import { CampaignEditor } from './campaign-editor.tsx'
import { texts } from './texts.ts'

/** A new or existing campaign: its fields on the left, the preview in the middle, the plan on the right. */
export function CampaignPage() {
  const words = useTexts(texts)
  const { campaignId } = useParams({ strict: false })
  const { copy } = useSearch({ strict: false }) as { copy?: unknown }
  const id = Number(campaignId) || null
  const from = id ?? (Number(copy) || null)
  const { query: detail, updateCache: put } = useCampaignDetail(from)
  const settings = useSettings()
  const campaign = useCampaignSettings()
  const lines = useLines()
  const failed = [detail, settings, campaign, lines].find((one) => one.isError)
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  const isThere = from === null || detail.data
  if (!isThere || settings.isPending || !campaign.data || !lines.data)
    return (
      <Page>
        <PageHeader title={<BackTitle to="/campaigns">{words.title}</BackTitle>} />
        <Skeleton height={300} mx={24} mt={8} width="40%" />
      </Page>
    )
  const row = detail.data ?? null
  return (
    <CampaignEditor
      // When the campaign starts or ends while it is open, the form is reset.
      key={`${campaignId} ${from} ${row?.status} ${row?.editable}`}
      row={id === null ? null : row}
      start={row}
      zone={settings.getValue('timezone')}
      lines={lines.data}
      settings={campaign.data}
      onSaved={put}
    />
  )
}

/**
 * Counts the openings of the page. Each opening has its own query, because cached data of an earlier opening may be
 * outdated.
 */
let openingCount = 0

function useCampaignDetail(id: number | null) {
  const client = useQueryClient()
  const [opening] = useState(() => ++openingCount)
  const key = ['campaign', id, opening]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      callApi(campaignsApi.show, { params: { id: id as number }, query: { lean: true } }, { signal }),
    enabled: id !== null,
    // The loaded campaign never becomes stale, because the form must not change while it is being edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const again = useRefetchQuery(key)
  useRecordNews(campaignsApi.topic, (news) => {
    if (news.action === 'delete' || news.row.id !== id) return
    const { counts, held, status } = news.row
    if (status !== query.data?.status) again()
    else updateCachedQuery<CampaignDetail>(client, key, (before) => ({ ...before, counts, held }))
  })
  useResync(again)
  const put = (saved: CampaignDetail) => void (saved.id === id && putCache(client, key, saved))
  return { query, updateCache: put }
}
