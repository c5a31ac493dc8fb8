import { number } from '../lib/format.ts'
import classes from './count.module.css'

/** A small number. Neutral for totals, accent for what is unread, warn for trouble. */
export function Count({ value, kind = 'neutral' }: { value: number | string; kind?: 'neutral' | 'accent' | 'warn' }) {
  return (
    <span className={classes.root} data-kind={kind}>
      {typeof value === 'number' ? number(value) : value}
    </span>
  )
}
