import type { ReactNode } from 'react'
import classes from './state.module.css'

type Props = { title: string; line?: ReactNode; icon?: ReactNode; children?: ReactNode; heading?: 'h1' | 'h2' }

/** An empty list: one sentence about its future content, and one action. */
export function EmptyState({ title, line, icon, children, heading: Heading = 'h2' }: Props) {
  return (
    <div className={classes.root}>
      {icon && <span className={classes.icon}>{icon}</span>}
      <Heading className={classes.title}>{title}</Heading>
      {line && <p className={classes.line}>{line}</p>}
      {children && <div className={classes.action}>{children}</div>}
    </div>
  )
}
