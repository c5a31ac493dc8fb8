import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react'
import classes from './canvas.module.css'
import { PlusButton } from './canvas-nodes.tsx'
import type { Spot } from './edit-graph.ts'
import type { CanvasPlace, Route } from './layout.ts'

export type WayEdge = Edge<
  { spot: Spot; name: string; isOpen: boolean; isError: boolean; shift: number; route: Route | null },
  'way'
>

/** Between the names of ways that lead to the same step. */
const labelDistance = 23

/** A way between two steps, with its name and a button that adds a step on it. */
export function WayEdgeView(props: EdgeProps<WayEdge>) {
  const { id, data, markerEnd, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition } = props
  const ends = { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition }
  const [bezier, middleX, middleY] = getBezierPath(ends)
  const route = data?.route
  const path = route ? pathThrough([{ x: sourceX, y: sourceY }, ...route.points, { x: targetX, y: targetY }]) : bezier
  const [x, y] = route ? [route.label.x, route.label.y] : [middleX, middleY + (data?.shift ?? 0) * labelDistance]
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        className={classes.edge ?? ''}
        data-error={data?.isError || undefined}
        {...(markerEnd && !data?.isOpen && { markerEnd })}
      />
      {data && (data.name || !data.isOpen) && (
        <EdgeLabelRenderer>
          <div
            className={`${classes.label} nodrag nopan`}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            {data.name && <span className={classes.pill}>{data.name}</span>}
            {!data.isOpen && <PlusButton spot={data.spot} />}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  )
}

/** A line through points, which leaves and reaches each of them vertically. */
function pathThrough([first, ...others]: CanvasPlace[]): string {
  if (!first) return ''
  let before = first
  const parts = others.map((point) => {
    const middle = (before.y + point.y) / 2
    const part = `C ${before.x} ${middle} ${point.x} ${middle} ${point.x} ${point.y}`
    before = point
    return part
  })
  return [`M ${first.x} ${first.y}`, ...parts].join(' ')
}
