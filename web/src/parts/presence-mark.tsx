import type { Availability } from '@recado/contract/users'
import classes from './presence-mark.module.css'

/** Presence as a shape: full is available, half is on a break, a ring is away or offline. Decorative, text is beside it. */
export const PresenceMark = ({ availability }: { availability: Availability | 'offline' }) => (
  <span className={classes.root} data-availability={availability} aria-hidden="true" />
)
