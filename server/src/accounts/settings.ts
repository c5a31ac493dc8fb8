import { topics } from '@recado/contract/live'
import { accepts, isMasked, type Setting, type SettingKey, secretMask, settingKeys } from '@recado/contract/settings'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'

const keys = Object.keys(settingKeys) as SettingKey[]
export const isSecret = (key: SettingKey) => 'secret' in settingKeys[key]
const fallback = (key: SettingKey) => settingKeys[key].default

/** What people may see: chosen or default values, secrets as a mask. */
const shown = (key: SettingKey, stored: string | undefined): Setting => ({
  key,
  value: isSecret(key) ? (stored ? secretMask : '') : (stored ?? fallback(key)),
})

/** Settings of several companies at once, as lists of them need. */
export async function settingsOf(scope: Scope, companyIds: number[]): Promise<Map<number, Setting[]>> {
  const rows = companyIds.length
    ? await scope.db.selectFrom('settings').selectAll().where('companyId', 'in', companyIds).execute()
    : []
  const stored = new Map(rows.map((r) => [`${r.companyId}:${r.key}`, r.value]))
  return new Map(companyIds.map((id) => [id, keys.map((key) => shown(key, stored.get(`${id}:${key}`)))]))
}

export const settingValue = (settings: Setting[] | undefined, key: SettingKey): string =>
  settings?.find((s) => s.key === key)?.value ?? fallback(key)

/** The company's time zone: what "today" and "until" mean to it. */
export async function zoneOf(scope: Scope): Promise<string> {
  return settingValue((await settingsOf(scope, [scope.companyId])).get(scope.companyId), 'timezone')
}

export async function writeSetting(scope: Scope, key: SettingKey, value: string): Promise<Setting> {
  if (!accepts(key, value)) throw new AppError('ERR_VALIDATION', { value: 'Invalid' })
  if (isSecret(key) && isMasked(value))
    return { key, value: settingValue((await settingsOf(scope, [scope.companyId])).get(scope.companyId), key) }
  const stored = isSecret(key) && value ? scope.means.vault.seal(value) : value
  await scope.db
    .insertInto('settings')
    .values({ companyId: scope.companyId, key, value: stored })
    .onConflict((c) => c.columns(['companyId', 'key']).doUpdateSet({ value: stored }))
    .execute()
  const setting = shown(key, stored)
  scope.live(topics.setting, { action: 'update', setting })
  return setting
}
