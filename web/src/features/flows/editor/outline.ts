import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type FlowStep, listWaysOut } from '@recado/contract/flows/flow-steps'
import { mainWayOf } from './edit-graph.ts'

export type StepRow = {
  kind: 'step'
  key: string
  step: FlowStep
  /** Such as 2.3.1. */
  number: string
  level: number
  /** The row that hides this one when it is collapsed. */
  parent: string | null
  /** How many ways have a row of their own. */
  branches: number
}
export type WayRow = {
  kind: 'way'
  key: string
  step: FlowStep
  way: string
  to: string | null
  level: number
  parent: string
  /** Whether its first step is the next row. */
  isOpened: boolean
}
/** The heading above the steps that nothing leads to. */
export type UnreachableRow = { kind: 'unreachable'; key: string; level: 1; parent: null }
export type OutlineRow = StepRow | WayRow | UnreachableRow

/** Steps in a line, each with what its side ways lead to. */
type Line = { step: FlowStep; sides: { way: string; to: string | null; line: Line }[] }[]

/**
 * A flow as a tree: each step once. The normal way is followed first, so that a step that a side way also leads to
 * stands in the main line.
 */
export function outlineOf(document: FlowDocument): OutlineRow[] {
  const byId = new Map(document.steps.map((step) => [step.id, step]))
  const placed = new Set<string>()
  const lineFrom = (first: string | null): Line => {
    const line: Line = []
    for (let id = first; id !== null && !placed.has(id); ) {
      const step = byId.get(id)
      if (!step) break
      placed.add(id)
      line.push({ step, sides: [] })
      const main = mainWayOf(step)
      id = listWaysOut(step).find(({ way }) => way === main)?.to ?? null
    }
    for (const item of line) {
      const main = mainWayOf(item.step)
      for (const { way, to } of listWaysOut(item.step))
        if (way !== main) item.sides.push({ way, to, line: lineFrom(to) })
    }
    return line
  }
  const reachable = lineFrom(document.first)
  const others = document.steps.flatMap(({ id }) => (placed.has(id) ? [] : lineFrom(id)))
  return [
    ...rowsOf(reachable, '', 1, 1, null).rows,
    ...(others.length ? [{ kind: 'unreachable', key: 'unreachable', level: 1, parent: null } as const] : []),
    ...rowsOf(others, '', reachable.length + 1, 1, null).rows,
  ]
}

function rowsOf(
  line: Line,
  prefix: string,
  from: number,
  level: number,
  parent: string | null,
): { rows: OutlineRow[]; next: number } {
  const rows: OutlineRow[] = []
  let n = from
  for (const { step, sides } of line) {
    const number = `${prefix}${n++}`
    const key = step.id
    rows.push({ kind: 'step', key, step, number, level, parent, branches: sides.length })
    let below = 1
    for (const { way, to, line: side } of sides) {
      const wayKey = `${key} ${way}`
      const isOpened = side.length > 0
      rows.push({ kind: 'way', key: wayKey, step, way, to, level: level + 1, parent: key, isOpened })
      const opened = rowsOf(side, `${number}.`, below, level + 1, key)
      rows.push(...opened.rows)
      below = opened.next
    }
  }
  return { rows, next: n }
}

/** The numbers of all steps, by id. */
export const numbersIn = (rows: readonly OutlineRow[]): Map<string, string> =>
  new Map(rows.flatMap((row) => (row.kind === 'step' ? [[row.step.id, row.number] as const] : [])))

/** The rows that are not inside a collapsed one. */
export function visibleRows(rows: readonly OutlineRow[], collapsed: ReadonlySet<string>): OutlineRow[] {
  const hidden = new Set<string>()
  return rows.filter(({ key, parent }) => {
    const isHidden = parent !== null && (hidden.has(parent) || collapsed.has(parent))
    if (isHidden) hidden.add(key)
    return !isHidden
  })
}
