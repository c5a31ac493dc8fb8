import { openingAt } from '@recado/contract/hours/opening'
import { calendarFor, homeOf, type Rulebook } from '../rulebook.ts'
import type { Act, Turn } from './bot.ts'

/** The closed period a ticket's hours are in, by name; null while somebody is there. */
export function closedPeriod(book: Rulebook, queueId: number | null, now: Date): string | null {
  const calendar = calendarFor(book, queueId)
  if (!calendar) return null
  const opening = openingAt(calendar, now)
  return opening.open ? null : `${calendar.name} ${opening.closedSince}`
}

/**
 * Nobody is there: the customer is told once in each closed period, and no other bot speaks. The ticket waits where
 * people will find it: in its queue, else at home (see `homeOf`).
 */
export function hours(turn: Turn): Act | null {
  return closedDeed(turn, turn.ticket.queueId)
}

/** Also for the queue that was chosen just now. */
export function closedDeed({ book, line, ticket, state, now }: Turn, queueId: number | null): Act | null {
  const period = closedPeriod(book, queueId, now)
  if (period === null) return null
  const home = queueId ?? homeOf(line)
  // Where nobody said where to, the customer is still asked when somebody is there again (see menu.ts).
  const leaves = line.transferQueueId !== null && { leaves: true as const }
  const lands = home !== null && home !== ticket.queueId && { queueId: home, ...leaves }
  if (state.awayTold === period) return { bot: 'hours', why: 'told-already', say: [], ...lands }
  const queue = queueId === null ? undefined : book.queues.get(queueId)
  const own = book.setting('scheduleType') === 'queue' ? queue?.outOfHoursMessage : ''
  const text = own || line.outOfHoursMessage || book.wording.outOfHours
  return { bot: 'hours', why: 'closed-now', say: [text], again: true, marks: { awayTold: period }, ...lands }
}
