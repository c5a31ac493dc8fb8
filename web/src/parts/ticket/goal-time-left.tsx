import type { Ticket, TicketGoal } from '@recado/contract/tickets'
import { IconClock, IconClockExclamation } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { formatDayTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { goalTexts } from './goal-texts.ts'
import classes from './goal-time-left.module.css'

const minuteMs = 60_000

/** The time until a moment in one unit; negative after the moment. */
export function formatTimeUntil(dueAt: string, now: number): string {
  const ms = Date.parse(dueAt) - now
  const minutes = Math.max(1, Math.ceil(Math.abs(ms) / minuteMs))
  const said =
    minutes < 60
      ? `${minutes} min`
      : minutes < 48 * 60
        ? `${Math.floor(minutes / 60)} h`
        : `${Math.floor(minutes / 60 / 24)} d`
  return ms <= 0 ? `−${said}` : said
}

export const goalUrgency = ({ warnAt, dueAt }: TicketGoal, now: number): 'late' | 'soon' | undefined =>
  Date.parse(dueAt) <= now ? 'late' : Date.parse(warnAt) <= now ? 'soon' : undefined

/** The ticket's next goal and the time left. `now` is in milliseconds. */
export function GoalTimeLeft({ goals, now }: { goals: Ticket['goals']; now: number }) {
  const words = useTexts(goalTexts)
  const [goal] = goals
  if (!goal) return null
  const mood = goalUrgency(goal, now)
  const Icon = mood === 'late' ? IconClockExclamation : IconClock
  const said = words[mood === 'late' ? 'was' : 'until'][goal.kind](formatDayTime(goal.dueAt))
  return (
    <span className={classes.goal} data-goal={goal.kind} data-mood={mood} title={said}>
      <Icon size={13} stroke={2} aria-hidden="true" />
      <span className="rc-sr">{said}: </span>
      {formatTimeUntil(goal.dueAt, now)}
    </span>
  )
}

/** Like `GoalTimeLeft`, with its own clock. */
export function TickingGoalTimeLeft({ goals }: { goals: Ticket['goals'] }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs / 2)
    return () => clearInterval(timer)
  }, [])
  return <GoalTimeLeft goals={goals} now={now} />
}
