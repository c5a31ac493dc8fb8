import type { Leads } from './menu.ts'

/** An option as it stands in the form, saved or not. `key` names it there. */
export type DraftOption = {
  key: string
  parentKey: string | null
  option: number
  title: string
  message: string
  leads: Leads
  forwardQueueId: number | null
}
export const findingKinds = ['dead-end', 'unreachable', 'no-hand-over', 'missing-queue', 'missing-title'] as const
/** What is wrong with a menu, and at which of its options; null: with the whole of it. */
export type Finding = { kind: (typeof findingKinds)[number]; key: string | null }

/** What a customer would run into: told before it is saved. `queueIds`: those that exist. */
export function checkMenu(options: DraftOption[], queueIds: number[]): Finding[] {
  const findings: Finding[] = []
  const childrenOf = (key: string | null) => options.filter((o) => o.parentKey === key)
  const reached = reach(options)
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
  // Whoever is not helped by any answer must be able to reach somebody.
  if (leaves.length && leaves.every((o) => o.leads === 'end')) findings.push({ kind: 'no-hand-over', key: null })
  return findings
}

/** Those that a customer can choose: from the top, each number once, never in a circle. */
function reach(options: DraftOption[]): Set<DraftOption> {
  const reached = new Set<DraftOption>()
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
