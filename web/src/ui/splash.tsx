import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'
import classes from './splash.module.css'

/** While nothing is known yet. It waits a moment before it shows: nothing should flash. */
export function Splash() {
  return (
    <div className={classes.root} data-late>
      <Logo size={40} />
    </div>
  )
}

/** One thing in the middle of an otherwise empty window. */
export function CenteredScreen({ children }: { children: ReactNode }) {
  return <div className={classes.root}>{children}</div>
}
