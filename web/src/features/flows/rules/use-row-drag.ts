import { type KeyboardEvent, type PointerEvent, useRef } from 'react'

type DropTarget = { row: HTMLElement; after: boolean }
type Options = { id: number; onDrop: (other: number, after: boolean) => void; onStep: (by: number) => void }

/** Moves a row by its grip: with the pointer, or with Alt and the arrow keys from anywhere in the row. */
export function useRowDrag({ id, onDrop, onStep }: Options) {
  const landing = useRef<DropTarget | null>(null)
  const mark = (next: DropTarget | null) => {
    if (landing.current) delete landing.current.row.dataset.drop
    landing.current = next
    if (next) next.row.dataset.drop = next.after ? 'after' : 'before'
  }
  const gripProps = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => event.currentTarget.setPointerCapture(event.pointerId),
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
      const row = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-rule]')
      const box = row?.getBoundingClientRect()
      mark(row && box ? { row, after: event.clientY > box.top + box.height / 2 } : null)
    },
    onPointerUp: () => {
      const at = landing.current
      mark(null)
      const other = Number(at?.row.dataset.rule)
      if (at && other !== id) onDrop(other, at.after)
    },
    onPointerCancel: () => mark(null),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onStep(event.key === 'ArrowUp' ? -1 : 1)
  }
  return { gripProps, rowProps: { onKeyDown } }
}
