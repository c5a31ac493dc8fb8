import { openStateAt } from '@recado/contract/hours/opening'
import { defaultQueueOf, findCalendar, type Rulebook } from '../rulebook.ts'
import type { ImmediateAction, Turn } from './bot.ts'

/** The closed period a ticket's hours are in, by name; null while somebody is there. */
export function findClosedPeriod(book: Rulebook, queueId: number | null, now: Date): string | null {
  const calendar = findCalendar(book, queueId)
  if (!calendar) return null
  const opening = openStateAt(calendar, now)
  return opening.open ? null : `${calendar.name} ${opening.closedSince}`
}

/**
 * Nobody is there: the customer is told once in each closed period, and no other bot speaks. The ticket waits where
 * people will find it: in its queue, else at home (see `homeOf`).
 */
export function hoursBot(turn: Turn): ImmediateAction | null {
  return closedAction(turn, turn.ticket.queueId)
}

/** Also for the queue that was chosen just now. */
export function closedAction({ book, line, ticket, state, now }: Turn, queueId: number | null): ImmediateAction | null {
  const period = findClosedPeriod(book, queueId, now)
  if (period === null) return null
  const home = queueId ?? defaultQueueOf(line)
  // Where nobody said where to, the customer is still asked when somebody is there again (see menu.ts).
  const leaves = line.transferQueueId !== null && { leaves: true as const }
  const lands = home !== null && home !== ticket.queueId && { queueId: home, ...leaves }
  if (state.awayTold === period) return { bot: 'hours', why: 'told-already', say: [], ...lands }
  const queue = queueId === null ? undefined : book.queues.get(queueId)
  const own = book.setting('scheduleType') === 'queue' ? queue?.outOfHoursMessage : ''
  const text = own || line.outOfHoursMessage || book.wording.outOfHours
  return { bot: 'hours', why: 'closed-now', say: [text], again: true, marks: { awayTold: period }, ...lands }
}
