import { openStateAt } from '@recado/contract/hours/opening'
import type { ImmediateAction, Turn } from '../bot-actions/bot.ts'
import { defaultQueueOf, findCalendar, type Rulebook } from '../rulebook.ts'

/** The key of the current closed period, or null while the company is open. */
export function findClosedPeriod(rulebook: Rulebook, queueId: number | null, now: Date): string | null {
  const calendar = findCalendar(rulebook, queueId)
  if (!calendar) return null
  const opening = openStateAt(calendar, now)
  return opening.open ? null : `${calendar.name} ${opening.closedSince}`
}

/**
 * While the company is closed, the customer gets the closed text once per closed period, and no other bot answers. The
 * ticket waits where agents will find it: in its queue, or else in the line's default queue.
 */
export function hoursBot(turn: Turn): ImmediateAction | null {
  return closedAction(turn, turn.ticket.queueId)
}

/** The action for a closed queue that the customer has just chosen. */
export function closedAction(
  { rulebook, line, ticket, state, now }: Turn,
  queueId: number | null,
): ImmediateAction | null {
  const period = findClosedPeriod(rulebook, queueId, now)
  if (period === null) return null
  const targetQueueId = queueId ?? defaultQueueOf(line)
  // If the line has no default queue, the customer gets the menu when the company opens again (see menu.ts).
  const handOver = line.transferQueueId !== null && { handsOver: true as const }
  const queueChange = targetQueueId !== null &&
    targetQueueId !== ticket.queueId && { queueId: targetQueueId, ...handOver }
  if (state.awayTold === period) return { bot: 'hours', why: 'told-already', messages: [], ...queueChange }
  const queue = queueId === null ? undefined : rulebook.queues.get(queueId)
  const own = rulebook.setting('scheduleType') === 'queue' ? queue?.outOfHoursMessage : ''
  const text = own || line.outOfHoursMessage || rulebook.botTexts.outOfHours
  return {
    bot: 'hours',
    why: 'closed-now',
    messages: [text],
    allowRepeat: true,
    stateChange: { awayTold: period },
    ...queueChange,
  }
}
