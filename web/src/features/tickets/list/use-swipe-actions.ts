import { type PointerEvent, type RefObject, useRef, useState } from 'react'

/** A horizontal movement beyond this starts a swipe. */
const swipeStartPx = 10
/** Released beyond this, the actions stay open. */
const swipeStayPx = 56

type SwipeDrag = { id: number; body: HTMLElement; x: number; y: number; width: number; isMoving: boolean }

/** A swipe to the left reveals the actions of a row, for one row at a time; a long press checks it. */
export function useSwipeActions(scrollRef: RefObject<HTMLElement | null>, onLongPress: (ticketId: number) => void) {
  const [swiped, setSwiped] = useState<number | null>(null)
  const drag = useRef<SwipeDrag | null>(null)

  function endSwipe(open: boolean): void {
    const { current } = drag
    drag.current = null
    if (!current) return
    delete current.body.dataset.dragged
    current.body.style.transform = ''
    if (current.isMoving) setSwiped(open ? current.id : null)
  }

  return {
    swipedId: swiped,
    close: () => setSwiped(null),
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.pointerType !== 'touch') return
        const row = findRow(event.target)
        if (row?.id !== swiped && !isAction(event.target)) setSwiped(null)
        const width = row?.item.querySelectorAll('[data-kind]').length ?? 0
        if (row) drag.current = { ...row, x: event.clientX, y: event.clientY, width: width * 76, isMoving: false }
      },
      onPointerMove: (event: PointerEvent) => {
        const { current } = drag
        if (!current) return
        const [dx, dy] = [event.clientX - current.x, event.clientY - current.y]
        if (!current.isMoving) {
          if (Math.abs(dy) > swipeStartPx) drag.current = null
          if (Math.abs(dx) <= swipeStartPx || Math.abs(dy) > swipeStartPx) return
          current.isMoving = true
          current.body.dataset.dragged = 'true'
          scrollRef.current?.style.setProperty('--swiped', `${current.width}px`)
        }
        const from = swiped === current.id ? -current.width : 0
        current.body.style.transform = `translateX(${Math.max(-current.width, Math.min(0, from + dx))}px)`
      },
      onPointerUp: (event: PointerEvent) => {
        const { current } = drag
        if (current) endSwipe(event.clientX - current.x < (swiped === current.id ? swipeStayPx : -swipeStayPx))
      },
      onPointerCancel: () => endSwipe(false),
      onContextMenu: (event: { target: EventTarget; preventDefault: () => void; nativeEvent: MouseEvent }) => {
        const row = findRow(event.target)
        if (!row || (event.nativeEvent as globalThis.PointerEvent).pointerType !== 'touch') return
        event.preventDefault()
        onLongPress(row.id)
      },
    },
  }
}

function findRow(target: EventTarget): { id: number; item: HTMLElement; body: HTMLElement } | null {
  const item = target instanceof Element ? target.closest<HTMLElement>('[data-ticket]') : null
  const body = item?.querySelector<HTMLElement>('[data-body]')
  return item && body ? { id: Number(item.dataset.ticket), item, body } : null
}

const isAction = (target: EventTarget) => target instanceof Element && target.closest('button') !== null
