import type { Ticket } from '@recado/contract/tickets'
import type { TicketListNews } from './loaded-tickets.ts'

/** `serverTicket`: the server's latest version of the ticket, without local changes. */
type OptimisticChange = { part: Partial<Ticket>; serverTicket: Ticket }
const pendingChanges = new Set<OptimisticChange>()

/** Starts a local change to a ticket, which lasts until the server has answered. */
export function beginOptimisticChange(ticket: Ticket, part: Partial<Ticket>) {
  const change: OptimisticChange = { part, serverTicket: ticket }
  pendingChanges.add(change)
  return { truth: () => change.serverTicket, end: () => void pendingChanges.delete(change) }
}

/** The server's ticket with local changes applied. */
export function withOptimisticChanges(serverTicket: Ticket): Ticket {
  let merged = serverTicket
  for (const change of pendingChanges) {
    if (change.serverTicket.id !== serverTicket.id) continue
    if (serverTicket.updatedAt >= change.serverTicket.updatedAt) change.serverTicket = serverTicket
    merged = { ...merged, ...change.part }
  }
  return merged
}

/** Local changes that a page does not contain yet; the other fields come from the page. */
export function pendingOptimisticNews(page: Ticket[]): TicketListNews[] {
  const rows = new Map(page.map((row) => [row.id, row]))
  const ids = new Set([...pendingChanges].map(({ serverTicket }) => serverTicket.id))
  return [...ids].flatMap((id) => {
    const row = rows.get(id)
    if (row) return { kind: 'put' as const, ticket: withOptimisticChanges(row) }
    const [first] = [...pendingChanges].filter(({ serverTicket }) => serverTicket.id === id)
    return first ? { kind: 'put' as const, ticket: withOptimisticChanges(first.serverTicket) } : []
  })
}
