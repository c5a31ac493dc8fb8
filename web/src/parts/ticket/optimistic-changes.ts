import type { Ticket } from '@recado/contract/tickets'
import type { TicketListNews } from './loaded-tickets.ts'

/** `truth`: what the server said last of the ticket, without what is done to it here. */
type OptimisticChange = { part: Partial<Ticket>; truth: Ticket }
const pendingChanges = new Set<OptimisticChange>()

/** What one does with a ticket, for as long as the server has not answered. */
export function beginOptimisticChange(ticket: Ticket, part: Partial<Ticket>) {
  const guess: OptimisticChange = { part, truth: ticket }
  pendingChanges.add(guess)
  return { truth: () => guess.truth, end: () => void pendingChanges.delete(guess) }
}

/** The ticket as the server said it, and as it shows here. */
export function withOptimisticChanges(said: Ticket): Ticket {
  let shown = said
  for (const guess of pendingChanges) {
    if (guess.truth.id !== said.id) continue
    if (said.updatedAt >= guess.truth.updatedAt) guess.truth = said
    shown = { ...shown, ...guess.part }
  }
  return shown
}

/** What stands although a page does not know it yet; where it does, the page says the rest. */
export function pendingOptimisticNews(page: Ticket[]): TicketListNews[] {
  const rows = new Map(page.map((row) => [row.id, row]))
  const ids = new Set([...pendingChanges].map(({ truth }) => truth.id))
  return [...ids].flatMap((id) => {
    const row = rows.get(id)
    if (row) return { kind: 'put' as const, ticket: withOptimisticChanges(row) }
    const [first] = [...pendingChanges].filter(({ truth }) => truth.id === id)
    return first ? { kind: 'put' as const, ticket: withOptimisticChanges(first.truth) } : []
  })
}
