import { type PointerEvent, type RefObject, useEffect, useState } from 'react'

/** A list scrolled by less than this counts as at the top. */
const atTopWithinPx = 4

/** Whether rows must keep their places: the pointer or keyboard focus is on them, or the list is scrolled. */
export function useHoldRows(scrollRef: RefObject<HTMLElement | null>, key: string) {
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const [scrolled, setScrolled] = useState(false)
  const [released, setReleased] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top.
  useEffect(() => {
    scrollRef.current?.scrollTo({ top: 0 })
    setScrolled(false)
  }, [key, scrollRef])
  useEffect(() => {
    if (released) setReleased(false)
  }, [released])
  return {
    isHovered: hovered,
    isHolding: (hovered || focused || scrolled) && !released,
    /** Lets all rows move to their current places at once. */
    release: () => {
      scrollRef.current?.scrollTo({ top: 0 })
      setScrolled(false)
      // A row that is removed with the focus loses it without an event.
      setFocused(false)
      setReleased(true)
    },
    /** The handlers cover the whole list: nothing may move while the pointer goes from a row to the button for new rows. */
    pointerHandlers: {
      onPointerEnter: (event: PointerEvent) => setHovered(event.pointerType === 'mouse'),
      onPointerLeave: () => setHovered(false),
    },
    handlers: {
      onScroll: () => setScrolled((scrollRef.current?.scrollTop ?? 0) > atTopWithinPx),
      onFocus: (event: { target: EventTarget }) =>
        setFocused(event.target instanceof Element && event.target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  }
}
