import classes from './dashboard.module.css'

type Props = { rowName: string; columnName: string; children: string; onShow: () => void }

/** A figure in a table that opens its tickets. `of` and `what` describe its position to screen readers. */
export const NumberButton = ({ rowName, columnName, children, onShow }: Props) => (
  <button
    type="button"
    className={classes.figure}
    aria-label={`${rowName}, ${columnName}: ${children}`}
    onClick={onShow}
  >
    {children}
  </button>
)
