import { Graph, layout } from '@dagrejs/dagre'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type Spot, waysFrom } from './edit-graph.ts'

export const grid = 20
export const stepWidth = 244
/** Numbers stand at the foot of a step as soon as the flow was published. */
export const stepSizeOf = (hasNumbers: boolean) => ({ width: stepWidth, height: hasNumbers ? 108 : 84 })
export const startSize = { width: 244, height: 68 }
/** The dot at the end of a way that leads nowhere. */
export const openEndSize = { width: 24, height: 24 }
/** Leaves room for the name of the way. */
const openEndRoom = 130

export const startId = '@start'
export const openEndId = (stepId: string | null, way: string) => `@open ${stepId ?? startId} ${way}`

export type CanvasPlace = { x: number; y: number }
export const snap = (value: number): number => Math.round(value / grid) * grid

export const wayId = (stepId: string | null, way: string) => `${stepId ?? startId} ${way}`

/** How a way runs between steps that nobody moved: around the steps between them. */
export type Route = { points: CanvasPlace[]; label: CanvasPlace }
export type CanvasLayout = { places: Map<string, CanvasPlace>; routes: Map<string, Route> }

const labelHeight = 22
/** About as wide as the name of a way and its button are drawn. */
const labelWidth = (name: string) => 40 + Math.min(name.length, 22) * 6.5

type Box = { x?: number; y?: number; width: number; height: number }
type Line = { points?: CanvasPlace[]; x?: number; y?: number }

/**
 * The top left corners of everything on the canvas. Steps that were moved by hand stay where they are; the others stand
 * from top to bottom in the order of their ways.
 */
export function layoutFlow(
  document: FlowDocument,
  nameOf: (spot: Spot) => string = () => '',
  stepSize = stepSizeOf(true),
): CanvasLayout {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 2 * grid, ranksep: 4 * grid, marginx: grid, marginy: grid })
  graph.setNode(startId, { ...startSize })
  for (const { id } of document.steps) graph.setNode(id, { ...stepSize })
  const openEnds = new Map<string, string>()
  const edges: { source: string; target: string; id: string }[] = []
  for (const from of [null, ...document.steps.map(({ id }) => id)])
    for (const { way, to } of waysFrom(document, from)) {
      const source = from ?? startId
      const target = to ?? openEndId(from, way)
      // A step that leads to itself has no rank.
      if (target === source) continue
      if (to === null) {
        openEnds.set(target, source)
        graph.setNode(target, { ...openEndSize, width: openEndRoom })
      }
      const id = wayId(from, way)
      edges.push({ source, target, id })
      const label = { width: labelWidth(nameOf({ stepId: from, way })), height: labelHeight, labelpos: 'c' }
      graph.setEdge(source, target, label, id)
    }
  layout(graph)
  const automatic = new Map<string, CanvasPlace>()
  for (const id of graph.nodes()) {
    const { x = 0, y = 0, width, height } = graph.node(id) as Box
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
  const routes = new Map<string, Route>()
  for (const { source, target, id } of edges) {
    const { points = [], x, y } = graph.edge(source, target, id) as Line
    const isAutomatic = !moved.has(source) && !moved.has(target)
    const isDown = (automatic.get(source)?.y ?? 0) < (automatic.get(target)?.y ?? 0)
    if (!isAutomatic || !isDown || x === undefined || y === undefined) continue
    // Steps were moved to the grid: a line that is almost straight above one of them is made straight.
    const centres = [source, target].map(
      (end) => (places.get(end)?.x ?? 0) + (openEnds.has(end) ? openEndSize : stepSize).width / 2,
    )
    const align = (point: CanvasPlace) => ({
      x: centres.find((centre) => Math.abs(centre - point.x) < grid) ?? point.x,
      y: point.y,
    })
    routes.set(id, { points: points.slice(1, -1).map(align), label: align({ x, y }) })
  }
  return { places, routes }
}
