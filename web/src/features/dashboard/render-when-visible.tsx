import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Renders a placeholder until the content scrolls into view or is printed. */
export function RenderWhenVisible({ height, children }: { height: number; children: ReactNode }) {
  const placeholderRef = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !placeholderRef.current) return
    const look = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true), {
      // Load 200 px before the content is visible, so that it is ready when the user scrolls to it.
      rootMargin: '200px',
    })
    look.observe(placeholderRef.current)
    const print = () => setSeen(true)
    window.addEventListener('beforeprint', print)
    return () => {
      look.disconnect()
      window.removeEventListener('beforeprint', print)
    }
  }, [seen])
  return seen ? children : <div ref={placeholderRef} data-unseen style={{ height, flex: 'none' }} />
}
