import type { TicketPriority } from '@recado/contract/ticket-statuses'
import classes from './priority-mark.module.css'

/** The number of filled bars. Urgent is a square instead, because it must be seen first. */
const filledBars: Record<Exclude<TicketPriority, 'urgent'>, number> = { high: 3, normal: 2, low: 1 }
const bars = [
  { x: 2.5, y: 9, height: 4 },
  { x: 6.5, y: 6, height: 7 },
  { x: 10.5, y: 3, height: 10 },
]

/** The priority as a shape, which does not depend on its colour. It is decorative: the name stands beside it. */
export function PriorityMark({ priority, size }: { priority: TicketPriority; size: number }) {
  return (
    <svg aria-hidden="true" className={classes.mark} width={size} height={size} viewBox="0 0 16 16">
      {priority === 'urgent' ? (
        <>
          <rect x={1} y={1} width={14} height={14} rx={4} className={classes.urgent} />
          <path d="M8 4.2v4.4M8 11.4v.2" stroke="#fff" strokeWidth={1.9} strokeLinecap="round" />
        </>
      ) : (
        bars.map((bar, i) => (
          <rect
            key={bar.x}
            {...bar}
            width={3}
            rx={1}
            className={i < filledBars[priority] ? classes.filled : classes.empty}
          />
        ))
      )}
    </svg>
  )
}
