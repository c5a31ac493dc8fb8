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
import type { Card } from '@recado/contract/board/board'
import type { ReactNode } from 'react'
import type { LaneId } from './board.ts'
import { CardFace } from './card.tsx'
import type { Carry } from './carry.ts'
import classes from './kanban.module.css'

const laneIn = ({ over }: Pick<DragOverEvent, 'over'>): LaneId | undefined => over?.data.current?.laneId
/** The lane under the pointer; between two, the nearer. */
const underPointer: CollisionDetection = (args) => {
  const within = pointerWithin(args)
  return within.length ? within : closestCenter(args)
}
/** What is said comes from `carry`, for the keyboard and the pointer alike. */
const none = (): undefined => undefined
const silent: Announcements = { onDragStart: none, onDragOver: none, onDragEnd: none, onDragCancel: none }

type Props = { carry: Carry; now: number; children: ReactNode }

/** Where cards are dragged: a mouse after a few pixels, so that a click stays one; a finger after a moment, so that it can scroll. */
export function DragBoard({ carry, now, children }: Props) {
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
  )
  const card = carry.held?.by === 'pointer' ? carry.held.card : null
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={underPointer}
      accessibility={{ announcements: silent, screenReaderInstructions: { draggable: '' } }}
      onDragStart={({ active }) => carry.take(active.data.current?.card as Card, 'pointer')}
      onDragOver={(event) => {
        const laneId = laneIn(event)
        if (laneId !== undefined) carry.over(laneId)
      }}
      onDragEnd={(event) => {
        const laneId = laneIn(event)
        if (laneId === undefined) carry.cancel()
        else carry.drop(laneId)
      }}
      onDragCancel={carry.cancel}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {card && (
          <div className={classes.card} data-lifted>
            <CardFace card={card} now={now} />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}
