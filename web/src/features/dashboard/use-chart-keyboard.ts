import { type CSSProperties, type KeyboardEvent, useState } from 'react'

/** Moves between the points of a chart with the arrow keys, Home and End. */
export function useChartKeyboard(count: number) {
  const [at, setAt] = useState(0)
  const reached = Math.min(at, count - 1)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const steps: Record<string, number> = { ArrowLeft: reached - 1, ArrowRight: reached + 1, Home: 0, End: count - 1 }
    const to = steps[event.key]
    if (to === undefined || to < 0 || to >= count) return
    event.preventDefault()
    setAt(to)
    event.currentTarget.querySelectorAll('button')[to]?.focus()
  }
  const point = (n: number) => ({
    tabIndex: n === reached ? 0 : -1,
    onFocus: () => setAt(n),
    // The relative position of the label shifts it towards the middle, so that it is never cut off.
    style: { '--at': count > 1 ? n / (count - 1) : 0.5 } as CSSProperties,
  })
  return { onKeyDown, point }
}
