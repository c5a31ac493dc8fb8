import type { Message } from '@recado/contract/messages'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type TouchEvent, useRef } from 'react'
import { areShortcutsEnabled } from '../../../lib/shortcuts.ts'

type GestureHandlers = {
  findMessage: (id: string) => Message | undefined
  reply: ((message: Message) => void) | undefined
  menu: ((message: Message, at: HTMLElement) => void) | undefined
}

const longPressMs = 450
const closestBubble = (target: EventTarget) => (target as Element).closest<HTMLElement>('[data-message]')
/** Elements that handle a click themselves. */
const isControl = (target: EventTarget) => (target as Element).closest('button, a, input, audio, video') !== null

/**
 * Gestures on messages, with one listener for all: a double click replies, a long press opens the menu, the
 * arrow keys move between messages, R replies and Enter opens the menu.
 */
export function useMessageGestures({ findMessage, reply, menu }: GestureHandlers) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const heldLong = useRef(false)
  const messageAt = (target: EventTarget) => {
    const bubble = closestBubble(target)
    const message = bubble?.dataset.message && findMessage(bubble.dataset.message)
    return bubble && message ? { bubble, message } : null
  }
  const release = () => {
    if (press.current) clearTimeout(press.current.timer)
    press.current = null
  }
  return {
    onDoubleClick: ({ target }: MouseEvent) => {
      const at = messageAt(target)
      if (!at || at.message.isDeleted || !reply || isControl(target)) return
      getSelection()?.removeAllRanges()
      reply(at.message)
    },
    onPointerDown: ({ target, pointerType, clientX: x, clientY: y }: PointerEvent) => {
      const at = messageAt(target)
      if (pointerType !== 'touch' || !at || at.message.isDeleted || !menu) return
      release()
      heldLong.current = false
      const open = () => {
        heldLong.current = true
        menu(at.message, at.bubble)
      }
      press.current = { timer: setTimeout(open, longPressMs), x, y }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (press.current && Math.hypot(clientX - press.current.x, clientY - press.current.y) > 10) release()
    },
    onPointerUp: release,
    onPointerCancel: release,
    // Without this, the click that follows a lifted finger would land outside the menu that just opened, and close it.
    onTouchEnd: (event: TouchEvent) => {
      if (heldLong.current) event.preventDefault()
      heldLong.current = false
    },
    onContextMenu: (event: MouseEvent) => {
      if (press.current) event.preventDefault()
    },
    onKeyDown: (event: KeyboardEvent) => {
      const bubble = closestBubble(event.target)
      if (event.altKey || event.ctrlKey || event.metaKey) return
      if (event.key === 'ArrowUp' || event.key === 'ArrowDown') return moveFocus(event, bubble)
      const at = messageAt(event.target)
      if (!at || at.message.isDeleted || event.target !== at.bubble) return
      if (event.key === 'Enter' && menu) menu(at.message, at.bubble)
      else if (event.key === 'r' && reply && areShortcutsEnabled()) reply(at.message)
      else return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

/** Moves the focus from the thread to the newest message, or from a message to the next message. */
function moveFocus(event: KeyboardEvent, bubble: HTMLElement | null): void {
  if (event.target !== bubble && event.target !== event.currentTarget) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-message]')]
  const index = bubble ? all.indexOf(bubble) : all.length
  const next = all[event.key === 'ArrowUp' ? index - 1 : index + 1]
  if (!next) return
  event.preventDefault()
  next.focus()
}
