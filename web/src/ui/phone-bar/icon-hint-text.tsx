import classes from './icon-hint-text.module.css'

/**
 * A short word below an icon that does not explain itself, where a phone has no room for the button's label. Screen
 * readers read the label.
 */
export const IconHintText = ({ children }: { children: string }) => (
  <span className={classes.hint} data-icon-hint aria-hidden="true">
    {children}
  </span>
)
