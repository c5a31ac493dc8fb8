import type { Ticket } from '@recado/contract/tickets'
import type { SessionUser } from '@recado/contract/users'
import type { QueryClient } from '@tanstack/react-query'
import type { LoadedTickets } from './loaded-tickets.ts'
import { ticketListKey } from './ticket-cache.ts'
import { getTicketView, toTicketFilter } from './ticket-view.ts'

/** The ticket to open after this ticket, if the user enabled that: their next ticket below in the list, or else above. */
export function findNextTicket(client: QueryClient, me: SessionUser, ticket: Ticket): Ticket | undefined {
  const view = getTicketView(me.id)
  if (!view.opensNext) return undefined
  const rows = client.getQueryData<LoadedTickets>(ticketListKey(toTicketFilter(view, 'open', me)))?.rows ?? []
  return nextOwnTicket(rows, ticket, me.id)
}

export function nextOwnTicket(rows: Ticket[], ticket: Ticket, userId: number): Ticket | undefined {
  const at = rows.findIndex((row) => row.id === ticket.id)
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0)).toReversed()]
  return others.find((row) => row.userId === userId && row.id !== ticket.id)
}
