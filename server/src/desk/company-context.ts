import type { Setting, SettingKey } from '@recado/contract/settings'
import type { RenderMoment } from '@recado/contract/text/variables'
import type { Language } from '@recado/contract/users'
import { loadSettings, readSettingValue } from '../accounts/settings.ts'
import type { Scope } from '../kernel/data/scope.ts'

/** The company's settings, language and current time in its zone. */
export async function loadCompanyContext(
  scope: Scope,
): Promise<RenderMoment & { setting: (key: SettingKey) => string }> {
  const settings = await scope.load(loadOwnSettings, undefined)
  const setting = (key: SettingKey) => readSettingValue(settings, key)
  return { now: scope.now(), zone: setting('timezone'), language: setting('language') as Language, setting }
}

async function loadOwnSettings(scope: Scope, all: undefined[]): Promise<Setting[][]> {
  const settings = (await loadSettings(scope, [scope.companyId])).get(scope.companyId) ?? []
  return all.map(() => settings)
}
