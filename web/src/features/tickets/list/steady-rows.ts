import type { Ticket } from '@recado/contract/tickets'
import { compareTickets, type TicketOrder } from '../../../parts/ticket/ticket-filter.ts'

/** A row on the screen. `gone`: the ticket has left the list, but its row keeps its place under the pointer. */
export type ShownRow = { ticket: Ticket; gone: boolean }
/** `heldTickets`: the rows to keep in place at the next render, as they were when first rendered. */
export type SteadyRows = { visibleRows: ShownRow[]; heldTickets: Ticket[]; waitingCount: number }

export const toMovingRows = (rows: Ticket[]): SteadyRows => ({
  visibleRows: rows.map((ticket) => ({ ticket, gone: false })),
  heldTickets: rows,
  waitingCount: 0,
})

/**
 * The rows while nothing may move: each stays in its place with current content. Removed rows stay as placeholders
 * unless they may disappear, rows that belong below the last row are appended, and all other new rows wait.
 */
export function holdRowsStill(
  heldRows: Ticket[],
  currentRows: Ticket[],
  order: TicketOrder,
  canLeave: (id: number) => boolean,
): SteadyRows {
  const last = heldRows.at(-1)
  if (!last) return toMovingRows(currentRows)
  const now = new Map(currentRows.map((ticket) => [ticket.id, ticket]))
  const held = heldRows.filter(({ id }) => now.has(id) || !canLeave(id))
  const before = new Map(held.map((ticket) => [ticket.id, ticket]))
  const shown = held.map((ticket): ShownRow => ({ ticket: now.get(ticket.id) ?? ticket, gone: !now.has(ticket.id) }))
  const added: Ticket[] = []
  let waiting = 0
  for (const ticket of currentRows) {
    const seen = before.get(ticket.id)
    if (seen) waiting += wouldMoveUp(seen, ticket, order) ? 1 : 0
    else if (compareTickets(order)(ticket, last) > 0) added.push(ticket)
    else waiting++
  }
  for (const ticket of added) shown.push({ ticket, gone: false })
  return { visibleRows: shown, heldTickets: added.length > 0 ? [...held, ...added] : held, waitingCount: waiting }
}

/** Whether a new message would move the row up in a newest-first list. */
const wouldMoveUp = (before: Ticket, now: Ticket, order: TicketOrder): boolean =>
  order === 'newest' && now.updatedAt > before.updatedAt && now.unreadMessages > before.unreadMessages
