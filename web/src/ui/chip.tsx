import type { CSSProperties, ReactNode } from 'react'
import classes from './chip.module.css'

type Props = {
  children: ReactNode
  /** A colour chosen by a user: its hue is kept, and its lightness is set for readability. */
  color?: string | null | undefined
  isLarge?: boolean
  icon?: ReactNode
  title?: string
}

/** A label for a tag, a queue or a small fact. Without a colour it is neutral. */
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
