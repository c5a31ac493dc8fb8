import type { Message } from '@recado/contract/messages'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type TouchEvent, useRef } from 'react'
import { isShortcutPressed } from '../../../lib/shortcut-keys.ts'

type GestureHandlers = {
  findMessage: (id: string) => Message | undefined
  reply: ((message: Message) => void) | undefined
  menu: ((message: Message, at: HTMLElement) => void) | undefined
}

const longPressMs = 450
/** A finger that moves this far to the right quotes the message. */
const swipeQuotesPx = 56
/** A finger that moves less than this far still counts as a press. */
const pressTolerancePx = 10
/** The keys that quote the focused message; in the composer, the newest message and then older ones. */
export const quoteKeys = 'mod+ArrowUp'
const closestBubble = (target: EventTarget) => (target as Element).closest<HTMLElement>('[data-message]')

/**
 * Gestures on messages, with one listener for all: a swipe to the right quotes, a long press opens the menu, the arrow
 * keys move between messages, Ctrl and arrow up quote, and Enter opens the menu. A double click only selects a word.
 */
export function useMessageGestures({ findMessage, reply, menu }: GestureHandlers) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const swipe = useRef<{ message: Message; bubble: HTMLElement; x: number; y: number; px: number } | null>(null)
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
  const endSwipe = (quotes: boolean) => {
    const ended = swipe.current
    swipe.current = null
    if (!ended) return
    ended.bubble.style.translate = ''
    if (quotes && ended.px >= swipeQuotesPx) reply?.(ended.message)
  }
  return {
    onPointerDown: ({ target, pointerType, clientX: x, clientY: y }: PointerEvent) => {
      const at = messageAt(target)
      if (pointerType !== 'touch' || !at || at.message.isDeleted) return
      release()
      if (reply) swipe.current = { ...at, x, y, px: 0 }
      if (!menu) return
      heldLong.current = false
      const open = () => {
        heldLong.current = true
        menu(at.message, at.bubble)
      }
      press.current = { timer: setTimeout(open, longPressMs), x, y }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (press.current && Math.hypot(clientX - press.current.x, clientY - press.current.y) > pressTolerancePx)
        release()
      const moved = swipe.current
      if (!moved) return
      const [right, down] = [clientX - moved.x, Math.abs(clientY - moved.y)]
      if (down > pressTolerancePx && down > right) return endSwipe(false)
      moved.px = Math.max(0, Math.min(right, swipeQuotesPx + pressTolerancePx))
      moved.bubble.style.translate = moved.px > pressTolerancePx ? `${moved.px}px` : ''
    },
    onPointerUp: () => {
      release()
      endSwipe(!heldLong.current)
    },
    onPointerCancel: () => {
      release()
      endSwipe(false)
    },
    // The default is prevented: otherwise the click that follows a lifted finger would land outside the menu that just
    // opened, and close it.
    onTouchEnd: (event: TouchEvent) => {
      if (heldLong.current) event.preventDefault()
      heldLong.current = false
    },
    onContextMenu: (event: MouseEvent) => {
      if (press.current) event.preventDefault()
    },
    onKeyDown: (event: KeyboardEvent) => {
      const bubble = closestBubble(event.target)
      const quoted = reply && isShortcutPressed(quoteKeys, event) && messageAt(event.target)
      if (quoted && !quoted.message.isDeleted) {
        event.preventDefault()
        reply(quoted.message)
      }
      if (event.altKey || event.ctrlKey || event.metaKey) return
      if (event.key === 'ArrowUp' || event.key === 'ArrowDown') return moveFocus(event, bubble)
      const at = messageAt(event.target)
      if (!at || at.message.isDeleted || event.target !== at.bubble) return
      if (event.key !== 'Enter' || !menu) return
      menu(at.message, at.bubble)
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
