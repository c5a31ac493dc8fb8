import { topics } from '@recado/contract/live'
import {
  isMaskedSecret,
  isValidSetting,
  type Setting,
  type SettingKey,
  secretMask,
  settingDefinitions,
} from '@recado/contract/settings'
import { sql } from 'kysely'
import { keepPrepared } from '../kernel/data/keep-prepared.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'

const allSettingKeys = Object.keys(settingDefinitions) as SettingKey[]
export const isSecretSetting = (key: SettingKey) => 'secret' in settingDefinitions[key]
const defaultValueOf = (key: SettingKey) => settingDefinitions[key].default

/** Settings as users see them: chosen or default values, secrets masked. */
const presentSetting = (key: SettingKey, storedValue: string | undefined): Setting => ({
  key,
  value: isSecretSetting(key) ? (storedValue ? secretMask : '') : (storedValue ?? defaultValueOf(key)),
})

/** Settings of several companies at once, for lists. */
export async function loadSettings(scope: Scope, companyIds: number[]): Promise<Map<number, Setting[]>> {
  const { rows } = await sql<{ companyId: number; key: string; value: string }>`${keepPrepared}
    select "companyId", key, value from settings where "companyId" = any(${companyIds}::int[])`.execute(scope.db)
  const storedValue = new Map(rows.map((r) => [`${r.companyId}:${r.key}`, r.value]))
  return new Map(
    companyIds.map((id) => [id, allSettingKeys.map((key) => presentSetting(key, storedValue.get(`${id}:${key}`)))]),
  )
}

export const readSettingValue = (settings: Setting[] | undefined, key: SettingKey): string =>
  settings?.find((s) => s.key === key)?.value ?? defaultValueOf(key)

/** The company's time zone, which defines "today" and "until". */
export async function loadCompanyTimeZone(scope: Scope): Promise<string> {
  return readSettingValue((await loadSettings(scope, [scope.companyId])).get(scope.companyId), 'timezone')
}

export async function writeSetting(scope: Scope, key: SettingKey, value: string): Promise<Setting> {
  if (!isValidSetting(key, value)) throw new AppError('ERR_VALIDATION', { value: 'Invalid' })
  if (isSecretSetting(key) && isMaskedSecret(value))
    return { key, value: readSettingValue((await loadSettings(scope, [scope.companyId])).get(scope.companyId), key) }
  const storedValue = isSecretSetting(key) && value ? scope.deps.vault.seal(value) : value
  await scope.db
    .insertInto('settings')
    .values({ companyId: scope.companyId, key, value: storedValue })
    .onConflict((c) => c.columns(['companyId', 'key']).doUpdateSet({ value: storedValue }))
    .execute()
  const setting = presentSetting(key, storedValue)
  scope.live(topics.setting, { action: 'update', setting })
  return setting
}
