import type { Ticket } from '@recado/contract/tickets'
import type { TicketListNews } from './loaded-tickets.ts'

/** `truth`: the server's latest version of the ticket, without local changes. */
type OptimisticChange = { part: Partial<Ticket>; serverTicket: Ticket }
const pendingChanges = new Set<OptimisticChange>()

/** A local change to a ticket until the server has answered. */
export function beginOptimisticChange(ticket: Ticket, part: Partial<Ticket>) {
  const guess: OptimisticChange = { part, serverTicket: ticket }
  pendingChanges.add(guess)
  return { truth: () => guess.serverTicket, end: () => void pendingChanges.delete(guess) }
}

/** The server's ticket with local changes applied. */
export function withOptimisticChanges(said: Ticket): Ticket {
  let shown = said
  for (const guess of pendingChanges) {
    if (guess.serverTicket.id !== said.id) continue
    if (said.updatedAt >= guess.serverTicket.updatedAt) guess.serverTicket = said
    shown = { ...shown, ...guess.part }
  }
  return shown
}

/** Local changes that a page does not contain yet; the other fields come from the page. */
export function pendingOptimisticNews(page: Ticket[]): TicketListNews[] {
  const rows = new Map(page.map((row) => [row.id, row]))
  const ids = new Set([...pendingChanges].map(({ serverTicket: truth }) => truth.id))
  return [...ids].flatMap((id) => {
    const row = rows.get(id)
    if (row) return { kind: 'put' as const, ticket: withOptimisticChanges(row) }
    const [first] = [...pendingChanges].filter(({ serverTicket: truth }) => truth.id === id)
    return first ? { kind: 'put' as const, ticket: withOptimisticChanges(first.serverTicket) } : []
  })
}
