import '@xyflow/react/dist/base.css'
import { ActionIcon } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { listWaysOut, type WayOut } from '@recado/contract/flows/flow-steps'
import { IconArrowsMaximize, IconHierarchy, IconMinus, IconPlus } from '@tabler/icons-react'
import {
  MarkerType,
  type NodeChange,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import { type DragEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { AddStepMenu } from './add-step-menu.tsx'
import classes from './canvas.module.css'
import { CanvasContext, type CanvasView } from './canvas-context.ts'
import { type CanvasNode, handleSize, handleX, OpenEndView, StartNodeView, StepNodeView } from './canvas-nodes.tsx'
import { wayNameOf } from './describe-node.ts'
import { findStep, isAnyStepMoved, type Spot, waysFrom } from './edit-graph.ts'
import {
  type CanvasLayout,
  type CanvasPlace,
  grid,
  layoutFlow,
  openEndId,
  openEndSize,
  snap,
  startId,
  startSize,
  stepSizeOf,
  stepWidth,
  wayId,
} from './layout.ts'
import { draggedItemType, Palette } from './palette.tsx'
import { isPaletteItem, type PaletteItem } from './palette-items.ts'
import { focusPlace, usePlaceKeys } from './use-place-keys.ts'
import { isWalkKey, type Place, walk } from './walk-keys.ts'
import { type WayEdge, WayEdgeView } from './way-edge.tsx'

const nodeTypes = { step: StepNodeView, start: StartNodeView, openEnd: OpenEndView }
const edgeTypes = { way: WayEdgeView }
const zoomLimits = { minZoom: 0.3, maxZoom: 1.5 }
/** At the opening a flow is not shown smaller than this; a longer one is cut at the foot. */
const smallestFirstZoom = 0.6

const toId = (place: Place): string => place ?? startId
const toPlace = (id: string): Place => (id === startId ? null : id)

export type CanvasProps = Omit<CanvasView, 'onKey' | 'adding' | 'setAdding' | 'addAt'> & { onOpenPanel: () => void }

/** The flow as a picture: steps, and the ways between them. */
export const FlowCanvas = (props: CanvasProps) => (
  <ReactFlowProvider>
    <Canvas {...props} />
  </ReactFlowProvider>
)

function Canvas({ onOpenPanel, ...shared }: CanvasProps) {
  const { editing, of, findings, version } = shared
  const hasNumbers = version !== null
  const stepSize = stepSizeOf(hasNumbers)
  const { document, selected } = editing
  const { words } = of
  const root = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<Place | undefined>(undefined)
  const [adding, setAdding] = useState<Spot | null>(null)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [dragged, setDragged] = useState<ReadonlyMap<string, CanvasPlace>>(new Map())
  const flow = useReactFlow<CanvasNode, WayEdge>()
  const nameOfWay = ({ stepId, way }: Spot) => {
    const step = findStep(document, stepId)
    return step ? wayNameOf(step, way, words) : ''
  }
  const shape = shapeOf(document, nameOfWay)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other texts do not change the layout
  const { places, routes } = useMemo(() => layoutFlow(document, nameOfWay, stepSize), [shape, hasNumbers])
  const nodes = useMemo(
    () =>
      nodesOf({
        document,
        placeOf: (id) => dragged.get(id) ?? places.get(id) ?? { x: 0, y: 0 },
        routes,
        selected: selected.map(toId),
        stepSize: stepSizeOf(hasNumbers),
      }),
    [document, places, routes, dragged, selected, hasNumbers],
  )
  const edges = useMemo(() => {
    const isError = (spot: Spot) =>
      findings.get(spot.stepId)?.some(({ way, level }) => way === spot.way && level === 'error') ?? false
    return edgesOf(document, (spot) => {
      const step = findStep(document, spot.stepId)
      const id = wayId(spot.stepId, spot.way)
      const isDragged = dragged.size > 0
      return {
        name: step ? wayNameOf(step, spot.way, words) : '',
        isError: isError(spot),
        route: isDragged ? null : (routes.get(id) ?? null),
      }
    })
  }, [document, findings, words, routes, dragged])

  const runPlaceKey = usePlaceKeys({ editing, of, onAddAfter: () => setMenuOpen(true), onOpen: onOpenPanel })
  const onKey = (event: KeyboardEvent, place: Place) => {
    if (runPlaceKey(event, place)) return
    if (!isWalkKey(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const target = walk(document, place, event.key, cameFrom.current)
    if (target === undefined) return
    if (event.key === 'ArrowDown') cameFrom.current = place
    if (event.key === 'ArrowUp') cameFrom.current = undefined
    if (!event.shiftKey) return editing.select(target, { focus: true })
    editing.setSelection([target, ...selected.filter((one) => one !== target)])
    focusPlace(root.current, target, showElement)
  }
  useShortcut('ArrowDown', null, { label: words.keys.walk })

  /** Moves the view only if the step is not in it. */
  const showElement = (element: HTMLElement) => {
    const view = root.current?.getBoundingClientRect()
    const box = element.getBoundingClientRect()
    if (!view) return
    const isInView =
      box.left >= view.left && box.right <= view.right && box.top >= view.top && box.bottom <= view.bottom
    if (isInView) return
    const at = flow.screenToFlowPosition({ x: box.left + box.width / 2, y: box.top + box.height / 2 })
    void flow.setCenter(at.x, at.y, { zoom: flow.getZoom() })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new request moves the focus
  useEffect(() => {
    if (editing.focusRequest) return focusPlace(root.current, editing.focusRequest.place, showElement)
  }, [editing.focusRequest])

  const onNodesChange = (changes: NodeChange<CanvasNode>[]) => {
    const moved = changes.flatMap((one) =>
      one.type === 'position' && one.position ? [[one.id, one.position] as const] : [],
    )
    if (moved.length > 0) setDragged((old) => new Map([...old, ...moved]))
    const picked = changes.filter((one) => one.type === 'select')
    if (picked.length === 0) return
    const ids = new Set(selected.map(toId))
    for (const { id, selected: isOn } of picked) isOn ? ids.add(id) : ids.delete(id)
    // A click beside all steps leaves the selection as it is: the panel always shows something.
    if (ids.size > 0) editing.setSelection([...ids].map(toPlace))
  }
  const addAt = (item: PaletteItem, spot: Spot) => {
    setAdding(null)
    editing.add(item, { spot }, of)
  }
  const addAfter = (item: PaletteItem) => {
    setMenuOpen(false)
    editing.add(item, { after: selected[0] ?? null }, of)
  }
  const onDrop = (event: DragEvent) => {
    const item = event.dataTransfer.getData(draggedItemType)
    if (!isPaletteItem(item)) return
    event.preventDefault()
    const plus = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-spot-way]') : null
    if (plus) return addAt(item, { stepId: plus.dataset.spotStep || null, way: plus.dataset.spotWay ?? '' })
    const { x, y } = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY })
    editing.add(item, { at: { x: snap(x - stepWidth / 2), y: snap(y - grid) } }, of)
  }
  const show = () => {
    const box = root.current?.getBoundingClientRect()
    if (box) void flow.setViewport(firstViewport(places, box, stepSize.height))
  }
  return (
    <CanvasContext value={{ ...shared, onKey, adding, setAdding, addAt }}>
      <Palette of={of} onAdd={addAfter} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be added with a click too */}
      <div
        ref={root}
        className={classes.canvas}
        onDragOver={(event) => event.dataTransfer.types.includes(draggedItemType) && event.preventDefault()}
        onDrop={onDrop}
      >
        <ReactFlow<CanvasNode, WayEdge>
          aria-label={words.stepsOfFlow}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          {...zoomLimits}
          onInit={show}
          onNodesChange={onNodesChange}
          onNodeDragStop={(_, __, stopped) => {
            setDragged(new Map())
            editing.moveTo(new Map(stopped.map(({ id, position: { x, y } }) => [id, { x: snap(x), y: snap(y) }])))
          }}
          onConnect={({ source, sourceHandle, target }) => {
            if (target !== startId) editing.connect({ stepId: toPlace(source), way: sourceHandle ?? '' }, target, of)
          }}
          snapToGrid
          snapGrid={[grid, grid]}
          panOnScroll
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          panActivationKeyCode={null}
          connectOnClick={false}
          proOptions={{ hideAttribution: true }}
        >
          <Panel position="bottom-left" className={classes.controls ?? ''}>
            <AddStepMenu isOpen={isMenuOpen} onToggle={setMenuOpen} of={of} onAdd={addAfter}>
              <ActionIcon size={30} aria-label={words.addAfter} onClick={() => setMenuOpen(!isMenuOpen)}>
                <IconPlus size={17} stroke={2} />
              </ActionIcon>
            </AddStepMenu>
            <span className={classes.separator} />
            <Zoom of={of} />
            <span className={classes.separator} />
            <ActionIcon
              size={30}
              aria-label={words.arrange}
              title={words.arrange}
              disabled={!isAnyStepMoved(document)}
              onClick={() => editing.arrange(of)}
            >
              <IconHierarchy size={17} stroke={1.75} />
            </ActionIcon>
            <ActionIcon
              size={30}
              aria-label={words.fit}
              title={words.fit}
              onClick={() => void flow.fitView({ maxZoom: 1, padding: 0.08 })}
            >
              <IconArrowsMaximize size={17} stroke={1.75} />
            </ActionIcon>
          </Panel>
        </ReactFlow>
      </div>
    </CanvasContext>
  )
}

function Zoom({ of: { words } }: Pick<CanvasProps, 'of'>) {
  const { zoomIn, zoomOut } = useReactFlow()
  const zoom = useStore(({ transform }) => transform[2])
  return (
    <>
      <ActionIcon size={30} aria-label={words.zoomOut} onClick={() => void zoomOut()}>
        <IconMinus size={16} stroke={2} />
      </ActionIcon>
      <output className={classes.zoom}>{words.zoom(Math.round(zoom * 100))}</output>
      <ActionIcon size={30} aria-label={words.zoomIn} onClick={() => void zoomIn()}>
        <IconPlus size={16} stroke={2} />
      </ActionIcon>
    </>
  )
}

/** Everything of a document that the layout depends on. */
const shapeOf = (document: FlowDocument, nameOf: (spot: Spot) => string): string =>
  JSON.stringify([
    document.first,
    document.steps.map((step) => [
      ...[step.id, step.at],
      ...listWaysOut(step).map(({ way, to }) => [way, to, nameOf({ stepId: step.id, way })]),
    ]),
  ])

/** The whole flow if it is readable then, otherwise its beginning. */
function firstViewport(
  places: ReadonlyMap<string, CanvasPlace>,
  box: { width: number; height: number },
  stepHeight: number,
) {
  const all = [...places.values()]
  const [left, right] = [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ x }) => x)) + stepWidth]
  const [top, bottom] = [Math.min(...all.map(({ y }) => y)), Math.max(...all.map(({ y }) => y)) + stepHeight]
  const fitting = Math.min(box.width / (right - left + 2 * grid), box.height / (bottom - top + 4 * grid))
  const zoom = Math.max(smallestFirstZoom, Math.min(1, fitting))
  const start = places.get(startId) ?? { x: 0, y: 0 }
  const isWide = (right - left) * zoom > box.width
  const middle = isWide ? start.x + startSize.width / 2 : (left + right) / 2
  return { x: box.width / 2 - middle * zoom, y: grid - top * zoom, zoom }
}

const handle = (id: string, type: 'source' | 'target', x: number, y: number) => ({
  ...{ id, type, position: type === 'source' ? Position.Bottom : Position.Top },
  ...{ x: x - handleSize / 2, y: y - handleSize / 2, width: handleSize, height: handleSize },
})

type NodesInput = {
  document: FlowDocument
  placeOf: (id: string) => CanvasPlace
  routes: CanvasLayout['routes']
  selected: string[]
  stepSize: { width: number; height: number }
}
function nodesOf({ document, placeOf, routes, selected, stepSize }: NodesInput): CanvasNode[] {
  // All sizes are known, so nothing is measured before it is shown.
  const common = (id: string, size: { width: number; height: number }) => ({
    ...{ id, position: placeOf(id), ...size, measured: size, selected: selected.includes(id) },
    domAttributes: { 'aria-roledescription': '' },
  })
  // Ways leave in the order in which they run, so that they do not cross.
  const directionOf = (stepId: string | null, { way, to }: WayOut) =>
    routes.get(wayId(stepId, way))?.label.x ??
    (to === null ? placeOf(openEndId(stepId, way)).x + openEndSize.width / 2 : placeOf(to).x + stepSize.width / 2)
  const sortedWays = (stepId: string | null): string[] =>
    waysFrom(document, stepId)
      .toSorted((a, b) => directionOf(stepId, a) - directionOf(stepId, b))
      .map(({ way }) => way)
  const sources = (ways: string[], { width, height }: { width: number; height: number }) =>
    ways.map((way, i) => handle(way, 'source', handleX(i, ways.length, width), height))
  const openEnds = [null, ...document.steps.map(({ id }) => id)].flatMap((stepId) =>
    waysFrom(document, stepId).flatMap(({ way, to }): CanvasNode[] =>
      to === null
        ? [
            {
              ...common(openEndId(stepId, way), openEndSize),
              ...{ type: 'openEnd', data: { spot: { stepId, way } }, draggable: false, selectable: false },
              handles: [handle('in', 'target', openEndSize.width / 2, 0)],
            },
          ]
        : [],
    ),
  )
  return [
    {
      ...common(startId, startSize),
      ...{ type: 'start', data: {}, draggable: false },
      handles: sources(sortedWays(null), startSize),
    },
    ...document.steps.map((step): CanvasNode => {
      const ways = sortedWays(step.id)
      return {
        ...common(step.id, stepSize),
        ...{ type: 'step', data: { step, ways } },
        handles: [handle('in', 'target', stepSize.width / 2, 0), ...sources(ways, stepSize)],
      }
    }),
    ...openEnds,
  ]
}

const edgesOf = (
  document: FlowDocument,
  describe: (spot: Spot) => Pick<NonNullable<WayEdge['data']>, 'name' | 'isError' | 'route'>,
): WayEdge[] =>
  [null, ...document.steps.map(({ id }) => id)].flatMap((stepId) => {
    const ways = waysFrom(document, stepId)
    return ways.map(({ way, to }): WayEdge => {
      const spot = { stepId, way }
      const parallel = to === null ? [] : ways.filter((one) => one.to === to)
      const shift = parallel.findIndex((one) => one.way === way) - (parallel.length - 1) / 2
      return {
        id: wayId(stepId, way),
        ...{ type: 'way', source: toId(stepId), sourceHandle: way, targetHandle: 'in', selectable: false },
        target: to ?? openEndId(stepId, way),
        data: { ...describe(spot), spot, isOpen: to === null, shift: parallel.length > 1 ? shift : 0 },
        markerEnd: { type: MarkerType.Arrow, color: 'var(--rc-ink-3)', width: 16, height: 16 },
        ...{ ariaRole: 'presentation', domAttributes: { 'aria-roledescription': '', 'aria-hidden': true } },
      }
    })
  })
