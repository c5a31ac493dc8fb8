import { type RefObject, useEffect } from 'react'

/** Keeps toasts above an element at the bottom of the screen, which must stay reachable (see theme/mantine.css). */
export function useBottomInset(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = ref
    if (!current) return
    const { style } = document.documentElement
    const watch = new ResizeObserver(() => style.setProperty('--rc-floor', `${current.offsetHeight}px`))
    watch.observe(current)
    return () => {
      watch.disconnect()
      style.removeProperty('--rc-floor')
    }
  }, [ref])
}
