import { type RefObject, useEffect } from 'react'

const properties = ['--rc-toast-top', '--rc-toast-bottom', '--rc-toast-right']

/** Shows toasts at the top of a conversation: at its end they would cover the newest message (see theme/mantine.css). */
export function useToastsAtTopOf(ref: RefObject<HTMLElement | null>, isActive = true): void {
  useEffect(() => {
    const { current } = ref
    if (!current || !isActive) return
    const { style } = document.documentElement
    const watch = new ResizeObserver(() => {
      const { top, right } = current.getBoundingClientRect()
      const values = [`${top + 12}px`, 'auto', `${innerWidth - right + 16}px`]
      for (const [i, name] of properties.entries()) style.setProperty(name, values[i] ?? '')
    })
    watch.observe(current)
    return () => {
      watch.disconnect()
      for (const name of properties) style.removeProperty(name)
    }
  }, [ref, isActive])
}
