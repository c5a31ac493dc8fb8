import type { Icon } from '@tabler/icons-react'
import classes from '../rules/editor/editor.module.css'

/** The kind of a step as a picture; in colour if it writes to the customer. */
export const StepTile = ({ icon: Picture, speaks }: { icon: Icon; speaks: boolean }) => (
  <span className={classes.tile} data-speaks={speaks || undefined} aria-hidden="true">
    <Picture size={17} stroke={1.75} />
  </span>
)
