import type { Setting, SettingKey } from '@recado/contract/settings'
import type { Language } from '@recado/contract/users'
import type { Moment } from '@recado/contract/words/variables'
import { settingsOf, settingValue } from '../accounts/settings.ts'
import type { Scope } from '../kernel/data/scope.ts'

/** Now, as the company's clocks and language have it. */
export async function momentOf(scope: Scope): Promise<Moment & { setting: (key: SettingKey) => string }> {
  const settings = await scope.ask(ownSettings, undefined)
  const setting = (key: SettingKey) => settingValue(settings, key)
  return { now: scope.now(), zone: setting('timezone'), language: setting('language') as Language, setting }
}

async function ownSettings(scope: Scope, all: undefined[]): Promise<Setting[][]> {
  const settings = (await settingsOf(scope, [scope.companyId])).get(scope.companyId) ?? []
  return all.map(() => settings)
}
