import { type PointerEvent, type RefObject, useEffect, useState } from 'react'

/** Scrolled by less than this counts as at the top. */
const atTopWithinPx = 4

/** Whether rows must keep their places: the pointer or keyboard focus is on them, or the list is scrolled. */
export function useHoldRows(scroller: RefObject<HTMLElement | null>, key: string) {
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const [scrolled, setScrolled] = useState(false)
  const [released, setReleased] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top.
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 })
    setScrolled(false)
  }, [key, scroller])
  useEffect(() => {
    if (released) setReleased(false)
  }, [released])
  return {
    isHovered: hovered,
    isHolding: (hovered || focused || scrolled) && !released,
    /** Applies all pending moves at once. */
    release: () => {
      scroller.current?.scrollTo({ top: 0 })
      setScrolled(false)
      setReleased(true)
    },
    /** For the whole list: nothing may move on the pointer's way from a row to the pill. */
    pointerHandlers: {
      onPointerEnter: (event: PointerEvent) => setHovered(event.pointerType === 'mouse'),
      onPointerLeave: () => setHovered(false),
    },
    handlers: {
      onScroll: () => setScrolled((scroller.current?.scrollTop ?? 0) > atTopWithinPx),
      onFocus: (event: { target: EventTarget }) =>
        setFocused(event.target instanceof Element && event.target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  }
}
