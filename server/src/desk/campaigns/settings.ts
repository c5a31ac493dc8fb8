import { CampaignSettings, campaignSettingsApi, defaultCampaignSettings } from '@recado/contract/campaigns/settings'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { route } from '../../kernel/http/routes.ts'

/** The company's campaign settings, with defaults for settings that were not changed. */
export async function loadCampaignSettings(scope: Scope): Promise<CampaignSettings> {
  const rows = await scope.db
    .selectFrom('campaignSettings')
    .select(['key', 'value'])
    .where('companyId', '=', scope.companyId)
    .execute()
  return { ...defaultCampaignSettings, ...(Object.fromEntries(rows.map(({ key, value }) => [key, value])) as object) }
}

const presentSettings = (settings: CampaignSettings) =>
  Object.entries(settings).map(([key, value]) => ({ key, value: JSON.stringify(value) }))

async function saveSettings(scope: Scope, changes: Partial<CampaignSettings>) {
  const given = Object.entries(changes).filter(([key, value]) => value !== undefined && key in CampaignSettings.shape)
  if (given.length)
    await sql`
      insert into "campaignSettings" ("companyId", key, value)
      select ${scope.companyId}, s.key, s.value::jsonb
      from unnest(${given.map(([key]) => key)}::text[], ${given.map(([, value]) => JSON.stringify(value))}::text[]) s (key, value)
      on conflict ("companyId", key) do update set value = excluded.value`.execute(scope.db)
  return presentSettings(await loadCampaignSettings(scope))
}

export const campaignSettingRoutes = [
  route(campaignSettingsApi.list, async (scope) => presentSettings(await loadCampaignSettings(scope))),
  route(campaignSettingsApi.save, (scope, { body }) => saveSettings(scope, body.settings)),
]
