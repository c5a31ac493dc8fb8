import { Logo } from './logo.tsx'
import classes from './splash.module.css'

/** While nothing is known yet. It waits a moment before it shows: nothing should flash. */
export function Splash() {
  return (
    <div className={classes.root}>
      <Logo size={40} />
    </div>
  )
}
