import { type ReactNode, useEffect, useRef, useState } from 'react'

/** A placeholder until it scrolls into view or is printed. */
export function RenderWhenVisible({ height, children }: { height: number; children: ReactNode }) {
  const placeholderRef = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !placeholderRef.current) return
    const look = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true), {
      // A little earlier, so that it is loaded when it is scrolled to.
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
