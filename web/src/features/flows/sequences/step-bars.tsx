import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './sequences.module.css'
import { sequencesTexts } from './texts.ts'

const height = 28
const barWidth = 15
const step = 18

/** How many came to each step, the first one at full height. */
export function StepBars({ numbers }: { numbers: number[] }) {
  const words = useTexts(sequencesTexts)
  const most = Math.max(1, ...numbers)
  return (
    <svg
      className={classes.bars}
      viewBox={`0 0 ${numbers.length * step} ${height}`}
      width={numbers.length * step}
      height={height}
      role="img"
      aria-label={words.reachedOf(numbers.map((n) => formatNumber(n)).join(', '))}
    >
      {numbers.map((n, i) => {
        const tall = n === 0 ? 2 : Math.max(3, (n / most) * height)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its step
            key={i}
            data-empty={n === 0 || undefined}
            x={i * step}
            y={height - tall}
            width={barWidth}
            height={tall}
            rx={2}
          />
        )
      })}
    </svg>
  )
}
