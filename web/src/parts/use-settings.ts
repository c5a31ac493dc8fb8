import { topics } from '@recado/contract/live'
import { type Setting, type SettingKey, settingKeys, settingsApi } from '@recado/contract/settings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { useLive, useResync } from '../lib/live.ts'
import { toast } from '../lib/toast.ts'
import { tell, useAgain } from '../lib/told.ts'
import { choices } from './setting-choices.ts'

const key = ['settings']
const under = choices()
let said: Promise<unknown> = Promise.resolve()

/** The company's options, kept current; each is saved at once. */
export function useSettings({ enabled = true } = {}) {
  const client = useQueryClient()
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => call(settingsApi.list, {}, { signal }), enabled })
  const again = useAgain(key)
  const put = (setting: Setting) =>
    tell<Setting[]>(client, key, (all) => [...all.filter((one) => one.key !== setting.key), setting])
  useLive(topics.setting, ({ setting }) => void (under.hear(setting) || put(setting)))
  useResync(again)

  const chosen = (name: SettingKey) =>
    query.data?.find((setting) => setting.key === name)?.value ?? settingKeys[name].default
  /** What was chosen shows before the server agrees; if it does not, the old choice comes back. */
  const save = async (name: SettingKey, value: string, told: string): Promise<boolean> => {
    const choice = under.begin(name, value, { key: name, value: chosen(name) })
    if (!('secret' in settingKeys[name])) put({ key: name, value })
    // One after the other: what is chosen last is stored last.
    const saved = said.then(() => call(settingsApi.update, { params: { key: name }, body: { value } }))
    said = saved.catch(() => undefined)
    try {
      choice.end(put, await saved)
      toast.ok(told)
      return true
    } catch (error) {
      choice.end(put)
      again()
      toast.error(error)
      return false
    }
  }
  return { ...query, chosen, save }
}
export type Settings = ReturnType<typeof useSettings>
