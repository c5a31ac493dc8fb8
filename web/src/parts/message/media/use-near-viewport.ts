import { type RefObject, useEffect, useRef, useState } from 'react'

/** True once the element is near the viewport. */
export function useNearViewport<E extends Element>(): [RefObject<E | null>, boolean] {
  const element = useRef<E>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (near || !element.current) return
    const watch = new IntersectionObserver(([seen]) => seen?.isIntersecting && setNear(true), { rootMargin: '400px' })
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [near])
  return [element, near]
}
