import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragOverEvent,
  DragOverlay,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import type { BoardCard, Lane } from '@recado/contract/board/board'
import { type ReactNode, useState } from 'react'
import { ColorDot } from '../../ui/color-dot.tsx'
import { CardContent } from './card-content.tsx'
import classes from './kanban.module.css'
import type { LaneId } from './kanban-board.ts'
import type { CarryCard } from './use-carry-card.ts'

const laneOfDragEvent = ({ over }: Pick<DragOverEvent, 'over'>): LaneId | undefined => over?.data.current?.laneId
/** The lane under the pointer; between two lanes, the nearer lane. */
const laneUnderPointer: CollisionDetection = (args) => {
  const within = pointerWithin(args)
  return within.length ? within : closestCenter(args)
}
/** dnd-kit makes no announcements, because `carry` announces moves by keyboard and by pointer. */
const noAnnouncement = (): undefined => undefined
const silentAnnouncements: Announcements = {
  onDragStart: noAnnouncement,
  onDragOver: noAnnouncement,
  onDragEnd: noAnnouncement,
  onDragCancel: noAnnouncement,
}

/** A lane being dragged, and the lane whose position it would take. */
export type CarriedLane = { lane: Lane; moveOver: LaneId }

/** Lanes are dragged by their headers. */
export function useCarryLane(put: (lane: Lane, to: LaneId) => void) {
  const [lifted, setLifted] = useState<CarriedLane | null>(null)
  return {
    draggedLane: lifted,
    pickUp: (lane: Lane) => setLifted({ lane, moveOver: lane.id }),
    over: (over: LaneId) => setLifted((now) => now && { ...now, moveOver: over }),
    drop: () => {
      if (lifted && lifted.moveOver !== lifted.lane.id) put(lifted.lane, lifted.moveOver)
      setLifted(null)
    },
    cancel: () => setLifted(null),
  }
}
export type CarryLane = ReturnType<typeof useCarryLane>

type Props = { cardDrag: CarryCard; laneDrag: CarryLane; now: number; children: ReactNode }

/**
 * Drag sensors. A mouse drag starts after a few pixels, so that clicks work; a touch drag after a delay, so that
 * touch can scroll.
 */
export function DragBoard({ cardDrag, laneDrag, now, children }: Props) {
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
  )
  const card = cardDrag.heldCard?.heldBy === 'pointer' ? cardDrag.heldCard.card : null
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={laneUnderPointer}
      accessibility={{ announcements: silentAnnouncements, screenReaderInstructions: { draggable: '' } }}
      onDragStart={({ active }) => {
        const { card, lane } = (active.data.current ?? {}) as { card?: BoardCard; lane?: Lane }
        if (lane) laneDrag.pickUp(lane)
        else if (card) cardDrag.pickUp(card, 'pointer')
      }}
      onDragOver={(event) => {
        const laneId = laneOfDragEvent(event)
        if (laneId === undefined) return
        if (laneDrag.draggedLane) laneDrag.over(laneId)
        else cardDrag.over(laneId)
      }}
      onDragEnd={(event) => {
        const laneId = laneOfDragEvent(event)
        if (laneDrag.draggedLane) laneDrag.drop()
        else if (laneId === undefined) cardDrag.cancel()
        else cardDrag.drop(laneId)
      }}
      onDragCancel={() => {
        laneDrag.cancel()
        cardDrag.cancel()
      }}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {laneDrag.draggedLane && (
          <div className={classes.flying}>
            <ColorDot color={laneDrag.draggedLane.lane.color} size={12} />
            <span className={classes.laneName}>{laneDrag.draggedLane.lane.name}</span>
          </div>
        )}
        {card && (
          <div className={classes.card} data-lifted>
            <CardContent card={card} now={now} />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}
