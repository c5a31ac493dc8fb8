import classes from './dashboard.module.css'

type Props = { of: string; what: string; children: string; onShow: () => void }

/** A number of a table, which opens the tickets behind it. `of` and `what` say it to who cannot see where it stands. */
export const NumberButton = ({ of, what, children, onShow }: Props) => (
  <button type="button" className={classes.figure} aria-label={`${of}, ${what}: ${children}`} onClick={onShow}>
    {children}
  </button>
)
