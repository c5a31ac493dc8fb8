import { type QueueOption, queueOptionsApi } from '@recado/contract/queue-options'
import { ApiError, callApi } from '../../../lib/api.ts'
import type { MenuTree } from './menu-tree.ts'

/**
 * `knownIds`: stored options that this form has loaded; options added by others must not be deleted.
 * `createdIds`: ids of options that this form created, by key.
 */
export type KnownOptionIds = { knownIds: Set<number>; createdIds: Map<string, number> }

export const createKnownOptionIds = (options: QueueOption[]): KnownOptionIds => ({
  knownIds: new Set(options.map(({ id }) => id)),
  createdIds: new Map(),
})

/** The form's menu as a request. An option deleted by another user in the meantime is sent as new. */
export function toOptionLines(tree: MenuTree, ids: KnownOptionIds, stored?: Set<number>) {
  return tree.map(({ key, parentKey, id, title, message, leads, forwardQueueId, skillIds }) => {
    const known = ids.createdIds.get(key) ?? id
    return {
      key,
      parentKey,
      id: known !== null && stored && !stored.has(known) ? null : known,
      title: title.trim(),
      message: message.trim(),
      leads,
      forwardQueueId: leads === 'queue' ? forwardQueueId : null,
      skillIds: leads === 'end' ? [] : skillIds,
    }
  })
}

/** Stores the form's menu completely or not at all. */
export async function saveMenu(queueId: number, tree: MenuTree, ids: KnownOptionIds): Promise<void> {
  const send = (stored?: Set<number>) =>
    callApi(queueOptionsApi.replace, {
      params: { queueId },
      body: { options: toOptionLines(tree, ids, stored), seen: [...ids.knownIds] },
    })
  const { options } = await send().catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'ERR_QUEUE_OPTION_NOT_FOUND')) throw error
    const now = await callApi(queueOptionsApi.list, { query: { queueId } })
    return send(new Set(now.map(({ id }) => id)))
  })
  rememberSavedIds(tree, options, ids)
}

/** Records the ids of a save for the next save: positions in the tree are the same in the form and on the server. */
export function rememberSavedIds(tree: MenuTree, options: QueueOption[], ids: KnownOptionIds): void {
  const level = (parentKey: string | null, parentId: number | null): void => {
    const stored = options.filter((option) => option.parentId === parentId)
    for (const [i, { key }] of tree.filter((node) => node.parentKey === parentKey).entries()) {
      const id = stored[i]?.id
      if (id === undefined) continue
      ids.createdIds.set(key, id)
      ids.knownIds.add(id)
      level(key, id)
    }
  }
  level(null, null)
}
