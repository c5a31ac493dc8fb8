import { type PointerEvent, type RefObject, useEffect, useState } from 'react'

/** Scrolled by less than this, one is still at the top. */
const atTopWithinPx = 4

/** Whether the rows must keep their places: the pointer or the focus of the keyboard is on them, or they are scrolled. */
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
    hovered,
    holding: (hovered || focused || scrolled) && !released,
    /** Everything takes its new place, once. */
    release: () => {
      scroller.current?.scrollTo({ top: 0 })
      setScrolled(false)
      setReleased(true)
    },
    /** For all of it: on the way from a row to the pill nothing may move, least of all the pill. */
    pointer: {
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
