import { formatNumber } from '../lib/format.ts'
import classes from './count-badge.module.css'

type Props = {
  value: number | string
  kind?: 'neutral' | 'accent' | 'warn'
  /** Whether there are more items than `value`. */
  isLowerBound?: boolean
}

/** A small number. Neutral for totals, accent for unread, warn for problems. */
export function CountBadge({ value, kind = 'neutral', isLowerBound = false }: Props) {
  return (
    <span className={classes.root} data-kind={kind}>
      {typeof value === 'number' ? formatNumber(value) : value}
      {isLowerBound && '+'}
    </span>
  )
}
