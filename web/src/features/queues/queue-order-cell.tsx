import type { Queue } from '@recado/contract/queues'
import { IconGripVertical } from '@tabler/icons-react'
import { type FocusEvent, type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { MutedText } from '../../records/cells.tsx'
import classes from './reorder-ids.module.css'
import { texts } from './texts.ts'
import type { ReorderQueues } from './use-reorder-queues.ts'

type DropTarget = { row: HTMLElement; after: boolean }

/** The position in the customer's menu, and the drag handle of the row; arrow keys move it too. */
export function QueueOrderCell({ queue, reorder }: { queue: Queue; reorder: ReorderQueues | null }) {
  const words = useTexts(texts)
  const landing = useRef<DropTarget | null>(null)
  const grip = useKeepFocus()
  const mark = (next: DropTarget | null) => {
    if (landing.current) delete landing.current.row.dataset.drop
    landing.current = next
    if (next) next.row.dataset.drop = next.after ? 'after' : 'before'
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const row = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('tr[data-row]')
    const box = row?.getBoundingClientRect()
    mark(row && box ? { row, after: event.clientY > box.top + box.height / 2 } : null)
  }
  const onPointerUp = () => {
    const at = landing.current
    mark(null)
    const other = Number(at?.row.dataset.row)
    if (at && other !== queue.id) reorder?.drop(queue, other, at.after)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    grip.keepFocus()
    reorder?.step(queue, event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <span className={classes.cell}>
      {queue.orderQueue ?? <MutedText>–</MutedText>}
      {reorder && (
        <button
          ref={grip.ref}
          type="button"
          className={classes.grip}
          aria-label={words.moveQueue(queue.name)}
          title={words.moveHelp}
          onKeyDown={onKeyDown}
          onBlur={grip.onBlur}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={() => mark(null)}
        >
          <IconGripVertical size={16} stroke={1.75} aria-hidden="true" />
        </button>
      )}
    </span>
  )
}

/** Restores the focus of a row that loses it by moving, so that the user can continue moving the row. */
function useKeepFocus() {
  const ref = useRef<HTMLButtonElement>(null)
  const shouldFocus = useRef(false)
  useEffect(() => {
    if (shouldFocus.current && document.activeElement !== ref.current) ref.current?.focus()
  })
  return {
    ref,
    keepFocus: () => {
      shouldFocus.current = true
    },
    // If there is a related target, the user moved the focus elsewhere. A moved row loses the focus without a related
    // target.
    onBlur: (event: FocusEvent) => {
      if (event.relatedTarget) shouldFocus.current = false
    },
  }
}
