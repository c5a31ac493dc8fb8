import type { Ticket } from '@recado/contract/tickets'
import type { News } from './loaded.ts'

/** `truth`: what the server said last of the ticket, without what is done to it here. */
type Guess = { part: Partial<Ticket>; truth: Ticket }
const all = new Set<Guess>()

/** What one does with a ticket, for as long as the server has not answered. */
export function begin(ticket: Ticket, part: Partial<Ticket>) {
  const guess: Guess = { part, truth: ticket }
  all.add(guess)
  return { truth: () => guess.truth, end: () => void all.delete(guess) }
}

/** The ticket as the server said it, and as it shows here. */
export function withGuesses(said: Ticket): Ticket {
  let shown = said
  for (const guess of all) {
    if (guess.truth.id !== said.id) continue
    if (said.updatedAt >= guess.truth.updatedAt) guess.truth = said
    shown = { ...shown, ...guess.part }
  }
  return shown
}

/** What stands although a page does not know it yet; where it does, the page says the rest. */
export function standing(page: Ticket[]): News[] {
  const rows = new Map(page.map((row) => [row.id, row]))
  const ids = new Set([...all].map(({ truth }) => truth.id))
  return [...ids].flatMap((id) => {
    const row = rows.get(id)
    if (row) return { kind: 'put' as const, ticket: withGuesses(row) }
    const [first] = [...all].filter(({ truth }) => truth.id === id)
    return first ? { kind: 'put' as const, ticket: withGuesses(first.truth) } : []
  })
}
