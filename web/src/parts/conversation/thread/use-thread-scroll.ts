import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** A distance from the end below this counts as at the end. */
const atEndWithinPx = 40
/** Spec 9: older messages load within this many pixels of the top. */
const loadOlderWithinPx = 50

export type ThreadScroll = {
  scrollRef: RefObject<HTMLDivElement | null>
  rowsRef: RefObject<HTMLDivElement | null>
  /** Whether the thread is not at the end; in that case a button announces new messages. */
  isScrolledUp: boolean
  onScroll: () => void
  scrollToEnd: () => void
  /** Scrolls a message to the middle; returns false when the message is not rendered. */
  scrollToMessage: (id: string) => boolean
  /** Scrolls to the "new" divider, unless it is already visible with the thread at its end. */
  scrollToDivider: () => void
}

/**
 * A thread at the end stays at the end. At any other position the first visible row keeps its place when rows above or
 * below it change. The browser's scroll anchoring is off: not every browser has it, and the two would conflict.
 */
export function useThreadScroll(content: unknown, onTop: () => void): ThreadScroll {
  const box = useRef<HTMLDivElement>(null)
  const rows = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const anchor = useRef<{ row: Element; top: number } | null>(null)
  const [away, setAway] = useState(false)
  const reachTop = useEffectEvent(onTop)

  const keepPosition = () => {
    const element = box.current
    if (!element) return
    if (atEnd.current) element.scrollTop = element.scrollHeight
    else if (anchor.current?.row.isConnected) {
      const moved = topWithin(anchor.current.row, element) - anchor.current.top
      if (Math.abs(moved) >= 1) element.scrollTop += moved
    }
  }
  const updatePosition = () => {
    const element = box.current
    if (!element || element.clientHeight === 0) return
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < atEndWithinPx
    setAway(!atEnd.current)
    const row = rows.current && firstVisible(rows.current, element)
    anchor.current = row ? { row, top: topWithin(row, element) } : null
    if (element.scrollTop < loadOlderWithinPx) reachTop()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever other rows are drawn
  useLayoutEffect(keepPosition, [content])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page too short to scroll asks for the next by itself
  useEffect(() => {
    const element = box.current
    if (element && element.scrollHeight <= element.clientHeight && element.clientHeight > 0) reachTop()
  }, [content])
  const holdNow = useEffectEvent(keepPosition)
  useEffect(() => {
    const watch = new ResizeObserver(() => holdNow())
    for (const one of [box.current, rows.current]) if (one) watch.observe(one)
    return () => watch.disconnect()
  }, [])

  return {
    scrollRef: box,
    rowsRef: rows,
    isScrolledUp: away,
    onScroll: updatePosition,
    scrollToEnd: () => {
      atEnd.current = true
      keepPosition()
      updatePosition()
    },
    scrollToMessage: (id) => {
      const row = rows.current?.querySelector(`[data-message="${CSS.escape(id)}"]`)
      if (!row) return false
      atEnd.current = false
      row.scrollIntoView({ block: 'center' })
      updatePosition()
      return true
    },
    scrollToDivider: () => {
      const mark = rows.current?.querySelector('[data-mark]')
      const element = box.current
      if (!mark || !element || topWithin(mark, element) >= 0) return
      atEnd.current = false
      element.scrollTop += topWithin(mark, element) - 24
      updatePosition()
    },
  }
}

const topWithin = (row: Element, box: Element) => row.getBoundingClientRect().top - box.getBoundingClientRect().top

/** Finds the first visible row by binary search. Only messages are anchors: dividers move when older messages load. */
function firstVisible(rows: Element, box: Element): Element | null {
  const top = box.getBoundingClientRect().top
  let [low, high] = [0, rows.children.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows.children[middle] as Element).getBoundingClientRect().bottom > top) high = middle
    else low = middle + 1
  }
  let row = rows.children[low] ?? null
  while (row && !row.hasAttribute('data-row')) row = row.nextElementSibling
  return row
}
