import type { Leads, MenuOption } from '@recado/contract/menu/menu'
import type { DraftOption } from '@recado/contract/menu/menu-check'
import type { QueueOption } from '@recado/contract/queue-options'

/** An option in the form. `key` outlives its place; `id` comes with the first save. */
export type Node = {
  key: string
  id: number | null
  parentKey: string | null
  title: string
  message: string
  leads: Leads
  forwardQueueId: number | null
}
/** As the screen draws it: each followed by what is below it, siblings in their order. */
export type Tree = Node[]

let made = 0
export const newNode = (parentKey: string | null): Node => ({
  key: `new-${++made}`,
  id: null,
  parentKey,
  title: '',
  message: '',
  leads: 'person',
  forwardQueueId: null,
})

export function treeOf(options: QueueOption[]): Tree {
  const nodes = options.map(
    ({ id, parentId, title, message, leads, forwardQueueId }): Node => ({
      key: String(id),
      id,
      parentKey: parentId === null ? null : String(parentId),
      title,
      message,
      leads,
      forwardQueueId,
    }),
  )
  const place = new Map(options.map(({ id, option }) => [String(id), option]))
  return ordered(
    nodes.toSorted((a, b) => (place.get(a.key) ?? 0) - (place.get(b.key) ?? 0) || (a.id ?? 0) - (b.id ?? 0)),
  )
}

const ordered = (nodes: Node[], parentKey: string | null = null): Tree =>
  childrenOf(nodes, parentKey).flatMap((node) => [node, ...ordered(nodes, node.key)])

export const childrenOf = (tree: Tree, parentKey: string | null): Node[] =>
  tree.filter((node) => node.parentKey === parentKey)
export const find = (tree: Tree, key: string | null): Node | undefined => tree.find((node) => node.key === key)

/** A node and everything below it. */
export const branchOf = (tree: Tree, key: string): Node[] => {
  const node = find(tree, key)
  return node ? [node, ...ordered(tree, key)] : []
}
export const depthOf = (tree: Tree, key: string): number => pathOf(tree, key).length - 1

/** What the customer types for it. */
export const numberOf = (tree: Tree, { key, parentKey }: Node): number =>
  childrenOf(tree, parentKey).findIndex((node) => node.key === key) + 1

/** From the top down to it. */
export function pathOf(tree: Tree, key: string | null): Node[] {
  const node = find(tree, key)
  return node ? [...pathOf(tree, node.parentKey), node] : []
}

export const add = (tree: Tree, node: Node): Tree => ordered([...tree, node])
export const change = (tree: Tree, key: string, part: Partial<Node>): Tree =>
  tree.map((node) => (node.key === key ? { ...node, ...part } : node))
export function remove(tree: Tree, key: string): Tree {
  const gone = new Set(branchOf(tree, key))
  return tree.filter((node) => !gone.has(node))
}

/** To that place among the children of `parentKey`. Into itself nothing goes. */
export function move(tree: Tree, key: string, parentKey: string | null, index: number): Tree {
  const node = find(tree, key)
  if (!node || branchOf(tree, key).some((below) => below.key === parentKey)) return tree
  const others = tree.filter((other) => other !== node)
  const before = childrenOf(others, parentKey)[index]
  const at = before ? others.indexOf(before) : others.length
  return ordered(others.toSpliced(at, 0, { ...node, parentKey }))
}

export type Nudge = 'up' | 'down' | 'in' | 'out'
/** One step with the keyboard: among its siblings, into the one above it, out to the level of its parent. */
export function nudge(tree: Tree, key: string, way: Nudge): Tree {
  const node = find(tree, key)
  if (!node) return tree
  const siblings = childrenOf(tree, node.parentKey)
  const at = siblings.indexOf(node)
  if (way === 'up') return at > 0 ? move(tree, key, node.parentKey, at - 1) : tree
  if (way === 'down') return at < siblings.length - 1 ? move(tree, key, node.parentKey, at + 1) : tree
  if (way === 'in') {
    const above = siblings[at - 1]
    return above ? move(tree, key, above.key, childrenOf(tree, above.key).length) : tree
  }
  const parent = find(tree, node.parentKey)
  return parent ? move(tree, key, parent.parentKey, childrenOf(tree, parent.parentKey).indexOf(parent) + 1) : tree
}

/**
 * Where a dragged row would land: over that row, moved sideways by so many levels. It may go no deeper than below the
 * row above it, and no higher than the row below it allows.
 */
export function landing(
  tree: Tree,
  key: string,
  overKey: string,
  sideways: number,
): { parentKey: string | null; index: number; depth: number } {
  const dragged = new Set(branchOf(tree, key).map((node) => node.key))
  const rows = tree.filter((node) => node.key === key || !dragged.has(node.key))
  const from = rows.findIndex((node) => node.key === key)
  const to = rows.findIndex((node) => node.key === overKey)
  const moved = rows.toSpliced(from, 1).toSpliced(to, 0, rows[from] as Node)
  const [above, below] = [moved[to - 1], moved[to + 1]]
  const most = above ? depthOf(tree, above.key) + 1 : 0
  const least = below ? depthOf(tree, below.key) : 0
  const depth = Math.max(least, Math.min(most, depthOf(tree, key) + sideways))
  // Going up from the row above until the level fits: its parent is ours.
  const parentKey = above && depth > 0 ? (pathOf(tree, above.key)[depth - 1]?.key ?? null) : null
  const index = moved.slice(0, to).filter((node) => node.parentKey === parentKey).length
  return { parentKey, index, depth }
}

/** For the check that tells of dead ends. */
export const draftOf = (tree: Tree): DraftOption[] => tree.map((node) => ({ ...node, option: numberOf(tree, node) }))

/** For the phone that plays it. What is not saved yet has no id: places serve as well. */
export function menuOptionsOf(tree: Tree): MenuOption[] {
  const ids = new Map(tree.map(({ key }, i) => [key, i + 1]))
  return tree.map((node) => ({
    id: ids.get(node.key) ?? 0,
    parentId: node.parentKey === null ? null : (ids.get(node.parentKey) ?? null),
    option: numberOf(tree, node),
    title: node.title,
    message: node.message,
    leads: node.leads,
    forwardQueueId: node.forwardQueueId,
  }))
}
