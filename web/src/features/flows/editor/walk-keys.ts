import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { listWaysOut } from '@recado/contract/flows/flow-steps'
import { waysFrom } from './edit-graph.ts'

/** A step, or null for the start. */
export type Place = string | null
export type WalkKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'
export const isWalkKey = (key: string): key is WalkKey => /^Arrow(Up|Down|Left|Right)$/.test(key)

const targetsOf = (document: FlowDocument, place: Place): string[] => [
  ...new Set(waysFrom(document, place).flatMap(({ to }) => to ?? [])),
]

function placesBefore(document: FlowDocument, place: Place): Place[] {
  if (place === null) return []
  const before = document.steps.filter((step) => listWaysOut(step).some(({ to }) => to === place))
  return [...(document.first === place ? [null] : []), ...before.map(({ id }) => id)]
}

/**
 * Where an arrow key leads: down along an edge, up the edge by which the focus came, and sideways to the other ways of
 * the same step. Undefined: nowhere.
 */
export function walk(document: FlowDocument, from: Place, key: WalkKey, cameFrom?: Place): Place | undefined {
  if (key === 'ArrowDown') return targetsOf(document, from)[0]
  const before = placesBefore(document, from)
  const above = cameFrom !== undefined && before.includes(cameFrom) ? cameFrom : before[0]
  if (key === 'ArrowUp') return above
  if (above === undefined) return walkBetweenUnlinked(document, from, key)
  const siblings = targetsOf(document, above)
  return siblings[siblings.indexOf(from ?? '') + (key === 'ArrowLeft' ? -1 : 1)]
}

/** Steps that nothing leads to are reached sideways from the start. */
function walkBetweenUnlinked(document: FlowDocument, from: Place, key: WalkKey): Place | undefined {
  const unlinked: Place[] = [
    null,
    ...document.steps.map(({ id }) => id).filter((id) => placesBefore(document, id).length === 0),
  ]
  return unlinked[unlinked.indexOf(from) + (key === 'ArrowLeft' ? -1 : 1)]
}
