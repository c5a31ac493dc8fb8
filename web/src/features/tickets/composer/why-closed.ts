import type { Connection } from '@recado/contract/connections'
import { can, type Who } from '@recado/contract/rules'
import type { Ticket } from '@recado/contract/tickets'

export type Why = 'pending' | 'resolved' | 'nobody' | 'theirs' | 'lineDown' | 'lineGone'

/** Passing states keep the box: the server takes the message and sends it when the line is back. */
const down: Connection['status'][] = ['qrcode', 'PAIRING', 'DISCONNECTED']

/** Why this person cannot answer here now; the server has the same rules. `lines` is undefined until they are known. */
export function whyClosed(ticket: Ticket, me: Who & { id: number }, lines: Connection[] | undefined): Why | null {
  if (ticket.status === 'pending') return 'pending'
  if (ticket.status === 'closed') return 'resolved'
  const leads = can(me, 'tickets-manager:showall') || me.profile === 'supervisor'
  if (ticket.userId !== me.id && !leads) return ticket.userId === null ? 'nobody' : 'theirs'
  if (ticket.whatsappId === null) return 'lineGone'
  if (!lines) return null
  const line = lines.find(({ id }) => id === ticket.whatsappId)
  if (!line) return 'lineGone'
  return down.includes(line.status) ? 'lineDown' : null
}
