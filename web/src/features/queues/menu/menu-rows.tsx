import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  type DragMoveEvent,
  MeasuringStrategy,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import type { Queue } from '@recado/contract/queues'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import classes from './menu.module.css'
import { levelIndentPx, MenuRow } from './menu-row.tsx'
import { menuTexts } from './menu-texts.ts'
import { findDropPosition, getBranch, getDepth, type MenuTree, moveOption } from './menu-tree.ts'
import { useCarryOption } from './use-carry-option.ts'

type Props = {
  tree: MenuTree
  selected: string | null
  queues: Queue[]
  /** Whether the form was submitted with missing values. */
  hasProblem: boolean
  onSelect: (key: string) => void
  onAdd: (parentKey: string) => void
  onRemove: (key: string) => void
  onChange: (tree: MenuTree) => void
}

/** The tree as rows, which are dragged up, down and sideways, or moved by keyboard. */
export function MenuRows({ tree, selected, queues, hasProblem, onSelect, onAdd, onRemove, onChange }: Props) {
  const words = useTexts(menuTexts)
  const optionDrag = useCarryOption(tree, onChange)
  const drag = useDragOption(tree, onChange)
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const hidden = new Set(
    drag.key
      ? getBranch(tree, drag.key)
          .slice(1)
          .map((node) => node.key)
      : [],
  )
  const rows = tree.filter((node) => !hidden.has(node.key))
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      measuring={{ droppable: { strategy: MeasuringStrategy.Always } }}
      accessibility={silentAccessibility}
      onDragStart={({ active }) => drag.start(String(active.id))}
      onDragMove={drag.over}
      onDragEnd={drag.end}
      onDragCancel={drag.cancel}
    >
      <SortableContext items={rows.map((node) => node.key)} strategy={verticalListSortingStrategy}>
        <ul className={classes.rows} aria-label={words.menu}>
          {rows.map((node) => (
            <MenuRow
              key={node.key}
              {...{ node, tree, queues, optionDrag: optionDrag, onAdd, onRemove, onChange, onSelect }}
              depth={node.key === drag.key ? drag.depth : getDepth(tree, node.key)}
              selected={node.key === selected}
              invalid={hasProblem && node.title.trim() === ''}
            />
          ))}
        </ul>
      </SortableContext>
      <div id="menu-carry-help" className={classes.unseen}>
        {words.dragHelp}
      </div>
      <div className={classes.unseen} aria-live="assertive">
        {optionDrag.announcement}
      </div>
    </DndContext>
  )
}

/** dnd-kit makes no announcements for the pointer; keyboard moves have their own announcements. */
const silentAccessibility = {
  announcements: {
    onDragStart: noAnnouncement,
    onDragOver: noAnnouncement,
    onDragEnd: noAnnouncement,
    onDragCancel: noAnnouncement,
  },
  screenReaderInstructions: { draggable: '' },
}
function noAnnouncement(): undefined {}

function useDragOption(tree: MenuTree, onChange: (tree: MenuTree) => void) {
  const [drag, setDrag] = useState<{ key: string; depth: number } | null>(null)
  const landingOf = ({ active, over, delta }: Pick<DragMoveEvent, 'active' | 'over' | 'delta'>) =>
    over && findDropPosition(tree, String(active.id), String(over.id), Math.round(delta.x / levelIndentPx))
  return {
    key: drag?.key ?? null,
    depth: drag?.depth ?? 0,
    start: (key: string) => setDrag({ key, depth: getDepth(tree, key) }),
    over: (event: DragMoveEvent) => {
      const place = landingOf(event)
      if (place) setDrag((before) => before && { ...before, depth: place.depth })
    },
    end: (event: DragEndEvent) => {
      const place = landingOf(event)
      setDrag(null)
      if (place) onChange(moveOption(tree, String(event.active.id), place.parentKey, place.index))
    },
    cancel: () => setDrag(null),
  }
}
