import type { Ticket } from '@recado/contract/tickets'
import { inOrder, type Order } from '../../../parts/ticket/filter.ts'

/** A row on the screen; `gone` when it has left the list but not yet the place under the pointer. */
export type Shown = { ticket: Ticket; gone: boolean }
/** `held` is what to hold still next time: the rows as they were when they were first drawn. */
export type Steady = { shown: Shown[]; held: Ticket[]; waiting: number }

export const flowing = (rows: Ticket[]): Steady => ({
  shown: rows.map((ticket) => ({ ticket, gone: false })),
  held: rows,
  waiting: 0,
})

/**
 * The rows as they are drawn while nothing may move: each in its place with today's content, what has left stays as a
 * shadow unless it may go, what belongs below the last row is added there, and the rest waits.
 */
export function holdStill(all: Ticket[], fresh: Ticket[], order: Order, mayGo: (id: number) => boolean): Steady {
  const last = all.at(-1)
  if (!last) return flowing(fresh)
  const now = new Map(fresh.map((ticket) => [ticket.id, ticket]))
  const held = all.filter(({ id }) => now.has(id) || !mayGo(id))
  const before = new Map(held.map((ticket) => [ticket.id, ticket]))
  const shown = held.map((ticket): Shown => ({ ticket: now.get(ticket.id) ?? ticket, gone: !now.has(ticket.id) }))
  const added: Ticket[] = []
  let waiting = 0
  for (const ticket of fresh) {
    const seen = before.get(ticket.id)
    if (seen) waiting += isRaised(seen, ticket, order) ? 1 : 0
    else if (inOrder(order)(ticket, last) > 0) added.push(ticket)
    else waiting++
  }
  for (const ticket of added) shown.push({ ticket, gone: false })
  return { shown, held: added.length > 0 ? [...held, ...added] : held, waiting }
}

/** Somebody wrote: in a list of the newest it would stand higher. */
const isRaised = (before: Ticket, now: Ticket, order: Order): boolean =>
  order === 'newest' && now.updatedAt > before.updatedAt && now.unreadMessages > before.unreadMessages
