import type { CSSProperties } from 'react'

/** A dot in exactly the chosen colour, with a ring so that white and black stay visible. */
export function ColorDot({ color, size = 11 }: { color: string | null | undefined; size?: number }) {
  const style = { '--c': color ?? 'var(--rc-ink-3)', width: size, height: size, borderRadius: size / 3, flex: 'none' }
  return (
    <span
      aria-hidden="true"
      className="rc-dot"
      style={{ ...style, display: 'inline-block', verticalAlign: -2 } as CSSProperties}
    />
  )
}
