import type { ReactNode } from 'react'
import classes from './page.module.css'

/** A whole screen: headers stay, the body (`<PageBody>`) scrolls. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>
}

export function PageBody({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>
}
