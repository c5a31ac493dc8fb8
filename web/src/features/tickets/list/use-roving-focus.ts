import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { isSingleKey } from '../../../lib/shortcut-keys.ts'
import { areShortcutsEnabled } from '../../../lib/shortcuts.ts'
import type { ShownRow } from './steady-rows.ts'

type RovingFocusOptions = {
  visibleRows: ShownRow[]
  scrollRef: RefObject<HTMLElement | null>
  virtual: Virtualizer<HTMLDivElement, Element>
  selected: number
}

const stepByKey: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

/** Arrows and J/K move from row to row; the list is one tab stop. */
export function useRovingFocus({ visibleRows, scrollRef, virtual, selected }: RovingFocusOptions) {
  const [focused, setFocused] = useState<number | null>(null)
  const requestedId = useRef<number | null>(null)

  // The row may have to be rendered first, so this checks after every render until the row exists.
  useEffect(() => {
    if (requestedId.current === null) return
    const opener = scrollRef.current?.querySelector<HTMLElement>(`[data-ticket="${requestedId.current}"] [data-opener]`)
    if (!opener) return
    requestedId.current = null
    opener.focus({ preventScroll: true })
  })

  const indexOf = (id: number | null) => (id === null ? -1 : visibleRows.findIndex(({ ticket }) => ticket.id === id))
  function goTo(index: number): void {
    const row = visibleRows[Math.max(0, Math.min(visibleRows.length - 1, index))]
    if (!row) return
    virtual.scrollToIndex(visibleRows.indexOf(row), { align: 'auto' })
    requestedId.current = row.ticket.id
    setFocused(row.ticket.id)
  }
  const at = indexOf(focused)
  const selectedIndex = indexOf(selected)
  const last = useRef(-1)
  const inside = useRef(false)
  if (at >= 0) last.current = at
  useEffect(() => {
    if (focused === null || at >= 0 || !inside.current) return
    // The focused row has left the list: the row that took its place gets the focus.
    inside.current = false
    if (document.activeElement === document.body) goTo(last.current)
  })
  const drawn = virtual.getVirtualItems()
  const isDrawn = (index: number) => drawn.some((item) => item.index === index)
  return {
    /** The row in the tab order: the last used row, the open ticket's row, or the first row on the screen. */
    active: isDrawn(at) ? at : isDrawn(selectedIndex) ? selectedIndex : (drawn[0]?.index ?? 0),
    /** Moves one row forward or back from the focused row, the open ticket or the start. */
    step: (by: number) => goTo(at >= 0 ? at + by : selectedIndex >= 0 ? selectedIndex + by : 0),
    onFocus: (target: EventTarget) => {
      const id = target instanceof Element && target.closest<HTMLElement>('[data-ticket]')?.dataset.ticket
      if (id) setFocused(Number(id))
      inside.current = true
    },
    /**
     * Distinguishes two ways to lose the focus: a row that has left the list loses it by its removal; if the row is
     * still in the list, the user has moved on.
     */
    onBlur: (target: EventTarget) => {
      const id = target instanceof Element && target.closest<HTMLElement>('[data-ticket]')?.dataset.ticket
      if (id && indexOf(Number(id)) >= 0) inside.current = false
    },
    onKeyDown: (event: KeyboardEvent): boolean => {
      if (event.ctrlKey || event.metaKey || event.altKey) return false
      if (isSingleKey(event.key) && !areShortcutsEnabled()) return false
      const by = stepByKey[event.key]
      if (by !== undefined) goTo(Math.max(at, 0) + by)
      else if (event.key === 'Home') goTo(0)
      else if (event.key === 'End') goTo(visibleRows.length - 1)
      else return false
      return true
    },
  }
}
