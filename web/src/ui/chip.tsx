import type { CSSProperties, ReactNode } from 'react'
import classes from './chip.module.css'

type Props = {
  children: ReactNode
  /** A colour somebody chose: its hue stays, the lightness is ours, so that it can always be read. */
  color?: string | null | undefined
  large?: boolean
  icon?: ReactNode
  title?: string
}

/** A tag, a queue, a small fact. Without a colour it is neutral. */
export function Chip({ children, color, large, icon, title }: Props) {
  return (
    <span
      className={color ? `${classes.root} rc-tint` : classes.root}
      data-neutral={!color || undefined}
      data-large={large || undefined}
      title={title}
      {...(color && { style: { '--c': color } as CSSProperties })}
    >
      {icon}
      <span className={classes.text}>{children}</span>
    </span>
  )
}
