import { topics } from '@recado/contract/live'
import { type Setting, type SettingKey, settingDefinitions, settingsApi } from '@recado/contract/settings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../lib/api.ts'
import { useLiveTopic, useResync } from '../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../lib/query-cache.ts'
import { toast } from '../lib/toast.ts'
import { createPendingSettings } from './pending-settings.ts'

const settingsKey = ['settings']
const pendingSettings = createPendingSettings()
let lastSave: Promise<unknown> = Promise.resolve()

/** The company's settings, kept current; each change is saved at once. */
export function useSettings({ enabled = true } = {}) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => callApi(settingsApi.list, {}, { signal }),
    enabled,
  })
  const refetch = useRefetchQuery(settingsKey)
  const updateCache = (setting: Setting) =>
    updateCachedQuery<Setting[]>(client, settingsKey, (all) => [
      ...all.filter((one) => one.key !== setting.key),
      setting,
    ])
  useLiveTopic(topics.setting, ({ setting }) => void (pendingSettings.receive(setting) || updateCache(setting)))
  useResync(refetch)

  const getValue = (name: SettingKey) =>
    query.data?.find((setting) => setting.key === name)?.value ?? settingDefinitions[name].default
  /** Saves optimistically; a refused change reverts. */
  const save = async (name: SettingKey, value: string, savedText: string): Promise<boolean> => {
    const choice = pendingSettings.begin(name, value, { key: name, value: getValue(name) })
    if (!('secret' in settingDefinitions[name])) updateCache({ key: name, value })
    // Saves run one after another, so that the last choice is stored last.
    const saved = lastSave.then(() => callApi(settingsApi.update, { params: { key: name }, body: { value } }))
    lastSave = saved.catch(() => undefined)
    try {
      choice.end(updateCache, await saved)
      toast.ok(savedText)
      return true
    } catch (error) {
      choice.end(updateCache)
      refetch()
      toast.error(error)
      return false
    }
  }
  return { ...query, getValue: getValue, save }
}
export type Settings = ReturnType<typeof useSettings>
