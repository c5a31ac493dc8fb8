import { formatNumber } from '../../../lib/format.ts'
import classes from './rules.module.css'

const height = 24
const barWidth = 2.1
const step = 3.07

/** A bar for each of the last days, with the sum behind them. */
export function DayBars({ days, label }: { days: number[]; label: string }) {
  const most = Math.max(1, ...days)
  const sum = days.reduce((total, n) => total + n, 0)
  return (
    <span className={classes.bars}>
      <svg width={92} height={height} role="img" aria-label={label}>
        {days.map((n, i) => {
          const tall = n === 0 ? 1.5 : Math.max(3, (n / most) * height)
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its day
              key={i}
              data-empty={n === 0 || undefined}
              x={i * step}
              y={height - tall}
              width={barWidth}
              height={tall}
              rx={1}
            />
          )
        })}
      </svg>
      <b aria-hidden="true">{formatNumber(sum)}</b>
    </span>
  )
}
