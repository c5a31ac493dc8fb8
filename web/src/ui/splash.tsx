import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'
import classes from './splash.module.css'

/** Shown while the app loads, after a short delay to avoid flashing. */
export function Splash() {
  return (
    <div className={classes.root} data-late>
      <Logo size={40} />
    </div>
  )
}

/** A single element in the middle of an empty window. */
export function CenteredScreen({ children }: { children: ReactNode }) {
  return <div className={classes.root}>{children}</div>
}
