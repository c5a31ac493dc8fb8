import type { MenuLeafAction } from './menu.ts'
import type { menuFindingKinds } from './menu-finding-kinds.ts'

/** An option in the form, saved or not. `key` identifies it in the form. */
export type DraftMenuOption = {
  key: string
  parentKey: string | null
  option: number
  title: string
  message: string
  leads: MenuLeafAction
  forwardQueueId: number | null
}
/** A problem in a menu and the option it concerns; null: the whole menu. */
export type MenuFinding = { kind: (typeof menuFindingKinds)[number]; key: string | null }

/** Finds problems a customer would run into, before the menu is saved. `queueIds`: existing queues. */
export function checkMenu(options: DraftMenuOption[], queueIds: number[]): MenuFinding[] {
  const findings: MenuFinding[] = []
  const childrenOf = (key: string | null) => options.filter((o) => o.parentKey === key)
  const reached = findReachableOptions(options)
  const leaves = [...reached].filter((o) => !childrenOf(o.key).some((child) => reached.has(child)))
  for (const option of options) {
    const { key } = option
    if (!reached.has(option)) findings.push({ kind: 'unreachable', key })
    if (!option.title.trim()) findings.push({ kind: 'missing-title', key })
    const leaf = leaves.includes(option)
    const lost = option.leads === 'queue' && !queueIds.includes(option.forwardQueueId ?? 0)
    if (leaf && lost) findings.push({ kind: 'missing-queue', key })
    if (leaf && option.leads === 'end' && !option.message.trim()) findings.push({ kind: 'dead-end', key })
  }
  // Customers must be able to reach a person if no option helps them.
  if (leaves.length && leaves.every((o) => o.leads === 'end')) findings.push({ kind: 'no-hand-over', key: null })
  return findings
}

/** Options that a customer can reach from the top; of options with the same number only the first, and no cycles. */
function findReachableOptions(options: DraftMenuOption[]): Set<DraftMenuOption> {
  const reached = new Set<DraftMenuOption>()
  const levels: (string | null)[] = [null]
  for (const parent of levels) {
    const taken = new Set<number>()
    for (const option of options) {
      const possible = option.parentKey === parent && option.option >= 1 && !taken.has(option.option)
      if (!possible || reached.has(option)) continue
      taken.add(option.option)
      reached.add(option)
      levels.push(option.key)
    }
  }
  return reached
}
