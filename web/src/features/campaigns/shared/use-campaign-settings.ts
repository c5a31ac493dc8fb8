import {
  type CampaignSettings,
  campaignSettingsApi,
  defaultCampaignSettings,
} from '@recado/contract/campaigns/settings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useResync } from '../../../lib/live.ts'
import { setCachedQuery, useRefetchQuery } from '../../../lib/query-cache.ts'

const campaignSettingsKey = ['campaign-settings']
type StoredSettings = { key: string; value: string }[]

/** Each stored value is JSON in a string, the format that older clients read. */
const parseSettings = (stored: StoredSettings): CampaignSettings =>
  ({
    ...defaultCampaignSettings,
    ...Object.fromEntries(stored.map((one) => [one.key, JSON.parse(one.value) as unknown])),
  }) as CampaignSettings

export function useCampaignSettings() {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: campaignSettingsKey,
    queryFn: async ({ signal }) => parseSettings(await callApi(campaignSettingsApi.list, {}, { signal })),
  })
  useResync(useRefetchQuery(campaignSettingsKey))
  const save = async (settings: Partial<CampaignSettings>) => {
    const saved = parseSettings(await callApi(campaignSettingsApi.save, { body: { settings } }))
    setCachedQuery(client, campaignSettingsKey, saved)
    return saved
  }
  return { ...query, save }
}
