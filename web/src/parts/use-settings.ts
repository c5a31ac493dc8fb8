import { topics } from '@recado/contract/live'
import { type Setting, type SettingKey, settingKeys, settingsApi } from '@recado/contract/settings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { useLive, useResync } from '../lib/live.ts'
import { toast } from '../lib/toast.ts'

const key = ['settings']

/** The company's options, kept current; each is saved at once. */
export function useSettings({ enabled = true } = {}) {
  const client = useQueryClient()
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => call(settingsApi.list, {}, { signal }), enabled })
  const put = (setting: Setting) =>
    client.setQueryData<Setting[]>(key, (all) => [...(all ?? []).filter((one) => one.key !== setting.key), setting])
  useLive(topics.setting, ({ setting }) => put(setting))
  useResync(() => void (enabled && query.refetch()))

  const chosen = (name: SettingKey) =>
    query.data?.find((setting) => setting.key === name)?.value ?? settingKeys[name].default
  /** What was chosen shows before the server agrees; if it does not, the old choice comes back. */
  const save = async (name: SettingKey, value: string, told: string): Promise<boolean> => {
    const before = chosen(name)
    if (!('secret' in settingKeys[name])) put({ key: name, value })
    try {
      put(await call(settingsApi.update, { params: { key: name }, body: { value } }))
      toast.ok(told)
      return true
    } catch (error) {
      put({ key: name, value: before })
      toast.error(error)
      return false
    }
  }
  return { ...query, chosen, save }
}
export type Settings = ReturnType<typeof useSettings>
