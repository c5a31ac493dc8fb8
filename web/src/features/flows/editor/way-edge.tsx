import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react'
import classes from './canvas.module.css'
import { PlusButton } from './canvas-nodes.tsx'
import type { Spot } from './edit-graph.ts'

export type WayEdge = Edge<{ spot: Spot; name: string; isOpen: boolean; isError: boolean; shift: number }, 'way'>

/** Between the names of ways that lead to the same step. */
const labelDistance = 23

/** A way between two steps, with its name and a button that adds a step on it. */
export function WayEdgeView(props: EdgeProps<WayEdge>) {
  const { id, data, markerEnd, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition } = props
  const [path, x, y] = getBezierPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition })
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
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y + data.shift * labelDistance}px)` }}
          >
            {data.name && <span className={classes.pill}>{data.name}</span>}
            {!data.isOpen && <PlusButton spot={data.spot} />}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  )
}
