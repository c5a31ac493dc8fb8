import type { CSSProperties, ReactNode } from 'react'
import classes from './chip.module.css'

type Props = {
  children: ReactNode
  /** A user's colour: its hue is kept, the lightness is set for readability. */
  color?: string | null | undefined
  isLarge?: boolean
  icon?: ReactNode
  title?: string
}

/** A tag, a queue, a small fact. Neutral without a colour. */
export function Chip({ children, color, isLarge, icon, title }: Props) {
  return (
    <span
      className={color ? `${classes.root} rc-tint` : classes.root}
      data-neutral={!color || undefined}
      data-large={isLarge || undefined}
      title={title}
      {...(color && { style: { '--c': color } as CSSProperties })}
    >
      {icon}
      <span className={classes.text}>{children}</span>
    </span>
  )
}
