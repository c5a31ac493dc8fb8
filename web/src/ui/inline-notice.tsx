import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './inline-notice.module.css'

/** A permanent message on the page, where a toast would disappear. */
export function InlineNotice({ kind, children }: { kind: 'danger' | 'warn' | 'info'; children: ReactNode }) {
  const Icon = kind === 'info' ? IconInfoCircle : IconAlertCircle
  return (
    <div className={classes.root} data-kind={kind} role={kind === 'danger' ? 'alert' : 'status'}>
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      <div>{children}</div>
    </div>
  )
}
