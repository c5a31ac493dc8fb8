import type { ReactNode } from 'react'
import classes from './page.module.css'

/** A whole screen: the header stays in place, and the body (`PageBody`) scrolls. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>
}

export function PageBody({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>
}
