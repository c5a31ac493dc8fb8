import { Graph, layout } from '@dagrejs/dagre'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { waysFrom } from './edit-graph.ts'

export const grid = 20
export const stepSize = { width: 244, height: 108 }
export const startSize = { width: 244, height: 68 }
/** The dot at the end of a way that leads nowhere. */
export const openEndSize = { width: 24, height: 24 }
/** Leaves room for the name of the way. */
const openEndRoom = 130

export const startId = '@start'
export const openEndId = (stepId: string | null, way: string) => `@open ${stepId ?? startId} ${way}`

export type CanvasPlace = { x: number; y: number }
export const snap = (value: number): number => Math.round(value / grid) * grid

/**
 * The top left corners of everything on the canvas. Steps that were moved by hand stay where they are; the others stand
 * from top to bottom in the order of their ways.
 */
export function layoutFlow(document: FlowDocument): Map<string, CanvasPlace> {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'TB', nodesep: 2 * grid, ranksep: 5 * grid, marginx: grid, marginy: grid })
  graph.setDefaultEdgeLabel(() => ({}))
  graph.setNode(startId, { ...startSize })
  for (const { id } of document.steps) graph.setNode(id, { ...stepSize })
  const openEnds = new Map<string, string>()
  for (const from of [null, ...document.steps.map(({ id }) => id)])
    for (const { way, to } of waysFrom(document, from)) {
      const source = from ?? startId
      if (to !== null) {
        // Two ways to the same step are one edge here, and a step that leads to itself has no rank.
        if (to !== source) graph.setEdge(source, to)
        continue
      }
      const id = openEndId(from, way)
      openEnds.set(id, source)
      graph.setNode(id, { ...openEndSize, width: openEndRoom })
      graph.setEdge(source, id)
    }
  layout(graph)
  const automatic = new Map<string, CanvasPlace>()
  for (const id of graph.nodes()) {
    const { x = 0, y = 0, width, height } = graph.node(id) as { x?: number; y?: number; width: number; height: number }
    const shown = openEnds.has(id) ? openEndSize.width : width
    automatic.set(id, { x: x - shown / 2, y: y - height / 2 })
  }
  const moved = new Map(document.steps.flatMap(({ id, at }) => (at ? [[id, at] as const] : [])))
  const places = new Map(
    [...automatic].map(([id, { x, y }]) => [id, moved.get(id) ?? { x: snap(x), y: snap(y) }] as const),
  )
  // An open end follows its step, and stands exactly below it.
  for (const [id, source] of openEnds) {
    const [end, before, after] = [automatic.get(id), automatic.get(source), places.get(source)]
    if (end && before && after) places.set(id, { x: end.x + after.x - before.x, y: end.y + after.y - before.y })
  }
  return places
}
