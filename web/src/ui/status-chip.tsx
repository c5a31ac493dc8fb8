import type { ReactNode } from 'react'
import classes from './status-chip.module.css'

type Props = { kind: 'ok' | 'warn' | 'danger' | 'off' | 'accent'; icon?: ReactNode; children: ReactNode }

/** A status: icon and text, never colour alone. */
export function StatusChip({ kind, icon, children }: Props) {
  return (
    <span className={classes.root} data-kind={kind}>
      {icon}
      {children}
    </span>
  )
}
