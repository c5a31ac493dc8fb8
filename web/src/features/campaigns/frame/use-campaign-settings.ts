import { type CampaignSettings, campaignSettingsApi, usualSettings } from '@recado/contract/campaigns/settings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { useResync } from '../../../lib/live.ts'
import { put, useAgain } from '../../../lib/told.ts'

const key = ['campaign-settings']
type Stored = { key: string; value: string }[]

/** Each value is JSON in a text, as older clients read it. */
const settingsOf = (stored: Stored): CampaignSettings =>
  ({
    ...usualSettings,
    ...Object.fromEntries(stored.map((one) => [one.key, JSON.parse(one.value) as unknown])),
  }) as CampaignSettings

export function useCampaignSettings() {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => settingsOf(await call(campaignSettingsApi.list, {}, { signal })),
  })
  useResync(useAgain(key))
  const save = async (settings: Partial<CampaignSettings>) => {
    const saved = settingsOf(await call(campaignSettingsApi.save, { body: { settings } }))
    put(client, key, saved)
    return saved
  }
  return { ...query, save }
}
