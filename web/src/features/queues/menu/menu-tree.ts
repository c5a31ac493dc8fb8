import type { MenuLeafAction, MenuOption } from '@recado/contract/menu/menu'
import type { DraftMenuOption } from '@recado/contract/menu/menu-check'
import type { QueueOption } from '@recado/contract/queue-options'

/** An option in the form. `key` stays the same when the option moves; `id` comes with the first save. */
export type MenuNode = {
  key: string
  id: number | null
  parentKey: string | null
  title: string
  message: string
  leads: MenuLeafAction
  forwardQueueId: number | null
  skillIds: number[]
}
/** A menu in display order: each node is followed by its children, siblings in order. */
export type MenuTree = MenuNode[]

let newNodeCount = 0
export const createMenuNode = (parentKey: string | null): MenuNode => ({
  key: `new-${++newNodeCount}`,
  id: null,
  parentKey,
  title: '',
  message: '',
  leads: 'person',
  forwardQueueId: null,
  skillIds: [],
})

export function buildMenuTree(options: QueueOption[]): MenuTree {
  const nodes = options.map(
    ({ id, parentId, title, message, leads, forwardQueueId, skillIds }): MenuNode => ({
      key: String(id),
      id,
      parentKey: parentId === null ? null : String(parentId),
      title,
      message,
      leads,
      forwardQueueId,
      skillIds,
    }),
  )
  const place = new Map(options.map(({ id, option }) => [String(id), option]))
  return sortDepthFirst(
    nodes.toSorted((a, b) => (place.get(a.key) ?? 0) - (place.get(b.key) ?? 0) || (a.id ?? 0) - (b.id ?? 0)),
  )
}

const sortDepthFirst = (nodes: MenuNode[], parentKey: string | null = null): MenuTree =>
  getChildren(nodes, parentKey).flatMap((node) => [node, ...sortDepthFirst(nodes, node.key)])

export const getChildren = (tree: MenuTree, parentKey: string | null): MenuNode[] =>
  tree.filter((node) => node.parentKey === parentKey)
export const findNode = (tree: MenuTree, key: string | null): MenuNode | undefined =>
  tree.find((node) => node.key === key)

/** A node and its descendants. */
export const getBranch = (tree: MenuTree, key: string): MenuNode[] => {
  const node = findNode(tree, key)
  return node ? [node, ...sortDepthFirst(tree, key)] : []
}
export const getDepth = (tree: MenuTree, key: string): number => getPath(tree, key).length - 1

/** The number that the customer types to choose the option. */
export const getOptionNumber = (tree: MenuTree, { key, parentKey }: MenuNode): number =>
  getChildren(tree, parentKey).findIndex((node) => node.key === key) + 1

/** The path from the top to the node. */
export function getPath(tree: MenuTree, key: string | null): MenuNode[] {
  const node = findNode(tree, key)
  return node ? [...getPath(tree, node.parentKey), node] : []
}

export const addOption = (tree: MenuTree, node: MenuNode): MenuTree => sortDepthFirst([...tree, node])
export const changeOption = (tree: MenuTree, key: string, part: Partial<MenuNode>): MenuTree =>
  tree.map((node) => (node.key === key ? { ...node, ...part } : node))
export function removeOption(tree: MenuTree, key: string): MenuTree {
  const gone = new Set(getBranch(tree, key))
  return tree.filter((node) => !gone.has(node))
}

/** Moves a node to an index among the children of `parentKey`. A node cannot move into itself. */
export function moveOption(tree: MenuTree, key: string, parentKey: string | null, index: number): MenuTree {
  const node = findNode(tree, key)
  if (!node || getBranch(tree, key).some((below) => below.key === parentKey)) return tree
  const others = tree.filter((other) => other !== node)
  const before = getChildren(others, parentKey)[index]
  const at = before ? others.indexOf(before) : others.length
  return sortDepthFirst(others.toSpliced(at, 0, { ...node, parentKey }))
}

export type MoveStep = 'up' | 'down' | 'in' | 'out'
/** One keyboard step: among siblings, into the sibling above, or out to the parent's level. */
export function moveOptionOneStep(tree: MenuTree, key: string, way: MoveStep): MenuTree {
  const node = findNode(tree, key)
  if (!node) return tree
  const siblings = getChildren(tree, node.parentKey)
  const at = siblings.indexOf(node)
  if (way === 'up') return at > 0 ? moveOption(tree, key, node.parentKey, at - 1) : tree
  if (way === 'down') return at < siblings.length - 1 ? moveOption(tree, key, node.parentKey, at + 1) : tree
  if (way === 'in') {
    const above = siblings[at - 1]
    return above ? moveOption(tree, key, above.key, getChildren(tree, above.key).length) : tree
  }
  const parent = findNode(tree, node.parentKey)
  return parent
    ? moveOption(tree, key, parent.parentKey, getChildren(tree, parent.parentKey).indexOf(parent) + 1)
    : tree
}

/**
 * The drop position of a dragged row: over a row, shifted sideways by a number of levels. It can be at most one
 * level below the row above it, and not higher than the row below it allows.
 */
export function findDropPosition(
  tree: MenuTree,
  key: string,
  overKey: string,
  sideways: number,
): { parentKey: string | null; index: number; depth: number } {
  const dragged = new Set(getBranch(tree, key).map((node) => node.key))
  const rows = tree.filter((node) => node.key === key || !dragged.has(node.key))
  const from = rows.findIndex((node) => node.key === key)
  const to = rows.findIndex((node) => node.key === overKey)
  const moved = rows.toSpliced(from, 1).toSpliced(to, 0, rows[from] as MenuNode)
  const [above, below] = [moved[to - 1], moved[to + 1]]
  const most = above ? getDepth(tree, above.key) + 1 : 0
  const least = below ? getDepth(tree, below.key) : 0
  const depth = Math.max(least, Math.min(most, getDepth(tree, key) + sideways))
  // The parent is the ancestor of the row above, at the level before this one.
  const parentKey = above && depth > 0 ? (getPath(tree, above.key)[depth - 1]?.key ?? null) : null
  const index = moved.slice(0, to).filter((node) => node.parentKey === parentKey).length
  return { parentKey, index, depth }
}

/** The options in the form that the menu check uses. */
export const toDraftOptions = (tree: MenuTree): DraftMenuOption[] =>
  tree.map((node) => ({ ...node, option: getOptionNumber(tree, node) }))

/** The options in the form that the phone preview uses. Unsaved options have no id, so their indexes are used. */
export function toMenuOptions(tree: MenuTree): MenuOption[] {
  const ids = new Map(tree.map(({ key }, i) => [key, i + 1]))
  return tree.map((node) => ({
    id: ids.get(node.key) ?? 0,
    parentId: node.parentKey === null ? null : (ids.get(node.parentKey) ?? null),
    option: getOptionNumber(tree, node),
    title: node.title,
    message: node.message,
    leads: node.leads,
    forwardQueueId: node.forwardQueueId,
  }))
}
