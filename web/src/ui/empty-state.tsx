import type { ReactNode } from 'react'
import classes from './state.module.css'

type Props = { title: string; line?: ReactNode; icon?: ReactNode; children?: ReactNode }

/** One sentence of what will be here, one action. */
export function EmptyState({ title, line, icon, children }: Props) {
  return (
    <div className={classes.root}>
      {icon && <span className={classes.icon}>{icon}</span>}
      <h2 className={classes.title}>{title}</h2>
      {line && <p className={classes.line}>{line}</p>}
      {children && <div className={classes.action}>{children}</div>}
    </div>
  )
}
