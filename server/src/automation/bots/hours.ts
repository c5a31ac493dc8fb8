import { openingAt } from '@recado/contract/opening'
import { calendarFor, type Rulebook } from '../rulebook.ts'
import type { Deed, Turn } from './bot.ts'

/** The closed period a ticket's hours are in, by name; null while somebody is there. */
export function closedPeriod(book: Rulebook, queueId: number | null, now: Date): string | null {
  const calendar = calendarFor(book, queueId)
  if (!calendar) return null
  const opening = openingAt(calendar, now)
  return opening.open ? null : `${calendar.name} ${opening.closedSince}`
}

/**
 * Nobody is there: the customer is told once in each closed period, and no other bot speaks. The ticket waits where
 * people will find it: in its queue, or in the one that the line has for such cases.
 */
export function hours(turn: Turn): Deed | null {
  return closedDeed(turn, turn.ticket.queueId)
}

/** Also for the queue that was chosen just now. */
export function closedDeed({ book, line, ticket, state, now }: Turn, queueId: number | null): Deed | null {
  const period = closedPeriod(book, queueId, now)
  if (period === null) return null
  const home = queueId ?? line.transferQueueId
  const lands = home !== null && home !== ticket.queueId && { queueId: home, leaves: true as const }
  if (state.awayTold === period) return { bot: 'hours', why: 'told-already', say: [], ...lands }
  const queue = queueId === null ? undefined : book.queues.get(queueId)
  const own = book.setting('scheduleType') === 'queue' ? queue?.outOfHoursMessage : ''
  const text = own || line.outOfHoursMessage || book.wording.outOfHours
  return { bot: 'hours', why: 'closed-now', say: [text], marks: { awayTold: period }, ...lands }
}
