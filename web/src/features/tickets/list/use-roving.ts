import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Shown } from './steady.ts'

type Given = {
  shown: Shown[]
  scroller: RefObject<HTMLElement | null>
  virtual: Virtualizer<HTMLDivElement, Element>
  selected: number
}

const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

/** Arrows and J/K lead from row to row; Tab finds the list once. */
export function useRoving({ shown, scroller, virtual, selected }: Given) {
  const [focused, setFocused] = useState<number | null>(null)
  const wanted = useRef<number | null>(null)

  // The row may have to be drawn first: this looks after every drawing until it is there.
  useEffect(() => {
    if (wanted.current === null) return
    const opener = scroller.current?.querySelector<HTMLElement>(`[data-ticket="${wanted.current}"] [data-opener]`)
    if (!opener) return
    wanted.current = null
    opener.focus({ preventScroll: true })
  })

  const indexOf = (id: number | null) => (id === null ? -1 : shown.findIndex(({ ticket }) => ticket.id === id))
  function goTo(index: number): void {
    const row = shown[Math.max(0, Math.min(shown.length - 1, index))]
    if (!row) return
    virtual.scrollToIndex(shown.indexOf(row), { align: 'auto' })
    wanted.current = row.ticket.id
    setFocused(row.ticket.id)
  }
  const drawn = virtual.getVirtualItems()
  const isDrawn = (index: number) => drawn.some((item) => item.index === index)
  const [at, chosen] = [indexOf(focused), indexOf(selected)]
  return {
    /** The row that Tab reaches: the last one used, the open one, or the first on the screen. */
    active: isDrawn(at) ? at : isDrawn(chosen) ? chosen : (drawn[0]?.index ?? 0),
    /** From wherever the focus is: one further, or one back. */
    step: (by: number) => goTo(at >= 0 ? at + by : chosen >= 0 ? chosen + by : 0),
    onFocus: (target: EventTarget) => {
      const id = target instanceof Element && target.closest<HTMLElement>('[data-ticket]')?.dataset.ticket
      if (id) setFocused(Number(id))
    },
    onKeyDown: (event: KeyboardEvent): boolean => {
      if (event.ctrlKey || event.metaKey || event.altKey) return false
      const by = steps[event.key]
      if (by !== undefined) goTo(Math.max(at, 0) + by)
      else if (event.key === 'Home') goTo(0)
      else if (event.key === 'End') goTo(shown.length - 1)
      else return false
      return true
    },
  }
}
