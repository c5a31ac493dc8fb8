import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** Closer than this to the end one is at the end. */
const atEndWithinPx = 40
/** Spec 9: older messages come within this many pixels of the top. */
const loadOlderWithinPx = 50

export type ThreadScroll = {
  box: RefObject<HTMLDivElement | null>
  rows: RefObject<HTMLDivElement | null>
  /** Not at the end: what comes is told by the pill. */
  away: boolean
  onScroll: () => void
  toEnd: () => void
  /** Brings a message into the middle; false when it is not drawn. */
  toMessage: (id: string) => boolean
  /** Brings the line "new" into sight, if the end does not show it anyway. */
  toMark: () => void
}

/**
 * Stays at the end while one is there; anywhere else the row one reads stays where it is, whatever comes, goes or grows
 * above or below it. The browser's own anchoring is off: not every browser has it, and two of them would fight.
 */
export function useThreadScroll(drawn: unknown, onTop: () => void): ThreadScroll {
  const box = useRef<HTMLDivElement>(null)
  const rows = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const anchor = useRef<{ row: Element; top: number } | null>(null)
  const [away, setAway] = useState(false)
  const reachTop = useEffectEvent(onTop)

  const hold = () => {
    const element = box.current
    if (!element) return
    if (atEnd.current) element.scrollTop = element.scrollHeight
    else if (anchor.current?.row.isConnected) {
      const moved = topWithin(anchor.current.row, element) - anchor.current.top
      if (Math.abs(moved) >= 1) element.scrollTop += moved
    }
  }
  const look = () => {
    const element = box.current
    if (!element || element.clientHeight === 0) return
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < atEndWithinPx
    setAway(!atEnd.current)
    const row = rows.current && firstVisible(rows.current, element)
    anchor.current = row ? { row, top: topWithin(row, element) } : null
    if (element.scrollTop < loadOlderWithinPx) reachTop()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever other rows are drawn
  useLayoutEffect(hold, [drawn])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page too short to scroll asks for the next by itself
  useEffect(() => {
    const element = box.current
    if (element && element.scrollHeight <= element.clientHeight && element.clientHeight > 0) reachTop()
  }, [drawn])
  const holdNow = useEffectEvent(hold)
  useEffect(() => {
    const watch = new ResizeObserver(() => holdNow())
    for (const one of [box.current, rows.current]) if (one) watch.observe(one)
    return () => watch.disconnect()
  }, [])

  return {
    box,
    rows,
    away,
    onScroll: look,
    toEnd: () => {
      atEnd.current = true
      hold()
      look()
    },
    toMessage: (id) => {
      const row = rows.current?.querySelector(`[data-message="${CSS.escape(id)}"]`)
      if (!row) return false
      atEnd.current = false
      row.scrollIntoView({ block: 'center' })
      look()
      return true
    },
    toMark: () => {
      const mark = rows.current?.querySelector('[data-mark]')
      const element = box.current
      if (!mark || !element || topWithin(mark, element) >= 0) return
      atEnd.current = false
      element.scrollTop += topWithin(mark, element) - 24
      look()
    },
  }
}

const topWithin = (row: Element, box: Element) => row.getBoundingClientRect().top - box.getBoundingClientRect().top

/** Rows stand in order: halving finds the first that is seen. Only messages hold: marks move when older ones come. */
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
