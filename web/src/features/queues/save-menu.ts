import { type QueueOption, queueOptionsApi } from '@recado/contract/queue-options'
import { call } from '../../lib/api.ts'
import { type Node, numberOf, type Tree } from './menu-tree.ts'

type Write = Pick<QueueOption, 'option' | 'title' | 'message' | 'leads' | 'forwardQueueId'>
/** `known`: what this form has seen; what somebody else added since is not its to delete. `made`: what it saved itself, by key. */
export type Ids = { known: Set<number>; made: Map<string, number> }

export const idsOf = (options: QueueOption[]): Ids => ({ known: new Set(options.map(({ id }) => id)), made: new Map() })

const writeOf = (tree: Tree, node: Node): Write => ({
  option: numberOf(tree, node),
  title: node.title.trim(),
  message: node.message.trim(),
  leads: node.leads,
  forwardQueueId: node.leads === 'queue' ? node.forwardQueueId : null,
})

const isSame = (stored: QueueOption, write: Write, parentId: number | null): boolean =>
  stored.parentId === parentId && Object.entries(write).every(([name, value]) => stored[name as keyof Write] === value)

/** Stored options that are in the form no longer, without those that go with their parent. */
export function goneFrom(stored: QueueOption[], kept: Set<number>, known: Set<number>): number[] {
  const gone = (id: number) => known.has(id) && !kept.has(id)
  return stored.filter(({ id, parentId }) => gone(id) && (parentId === null || !gone(parentId))).map(({ id }) => id)
}

/**
 * Makes the stored menu the one in the form. Parents before their children, so that a branch can change places with
 * another; what is gone goes last, so that nothing that moved out of it goes with it. It starts from what is stored at
 * this moment: a second try after a failure does only what is left to do.
 */
export async function saveMenu(queueId: number, tree: Tree, ids: Ids): Promise<void> {
  const stored = await call(queueOptionsApi.list, { query: { queueId } })
  const byId = new Map(stored.map((option) => [option.id, option]))
  const idOf = (node: Node) => ids.made.get(node.key) ?? node.id
  const at = new Map<string, number>()
  for (const node of tree) {
    const parentId = node.parentKey === null ? null : (at.get(node.parentKey) ?? null)
    const write = writeOf(tree, node)
    const before = byId.get(idOf(node) ?? 0)
    if (!before) {
      const made = await call(queueOptionsApi.create, { body: { queueId, parentId, ...write } })
      ids.made.set(node.key, made.id)
      ids.known.add(made.id)
      at.set(node.key, made.id)
      continue
    }
    at.set(node.key, before.id)
    if (!isSame(before, write, parentId))
      await call(queueOptionsApi.update, { params: { id: before.id }, body: { queueId, parentId, ...write } })
  }
  const now = await call(queueOptionsApi.list, { query: { queueId } })
  for (const id of goneFrom(now, new Set(at.values()), ids.known))
    await call(queueOptionsApi.remove, { params: { id } })
}
