import type { Connection } from '@recado/contract/connections'
import type { Who } from '@recado/contract/rules'
import { leads } from '@recado/contract/sight'
import type { Ticket } from '@recado/contract/tickets'

export type Why = 'pending' | 'resolved' | 'nobody' | 'theirs' | 'lineDown' | 'lineGone' | 'windowOver' | 'neverWrote'

/** Passing states keep the box: the server takes the message and sends it when the line is back. */
const down: Connection['status'][] = ['qrcode', 'PAIRING', 'DISCONNECTED']

/**
 * Why this person cannot answer here now; the server has the same rules. `lines` is undefined until they are known,
 * `left` is what is left of the customer's 24 hours, null without such a limit.
 */
export function whyClosed(
  ticket: Ticket,
  me: Who & { id: number },
  lines: Connection[] | undefined,
  left: number | null,
): Why | null {
  if (ticket.status === 'pending') return 'pending'
  if (ticket.status === 'closed') return 'resolved'
  if (ticket.userId !== me.id && !leads(me)) return ticket.userId === null ? 'nobody' : 'theirs'
  if (ticket.whatsappId === null) return 'lineGone'
  const silent = left !== null && left <= 0 ? silence(ticket) : null
  if (!lines) return silent
  const line = lines.find(({ id }) => id === ticket.whatsappId)
  if (!line) return 'lineGone'
  return down.includes(line.status) ? 'lineDown' : silent
}

/** Their last word was too long ago, or there never was one: then the server counts from the beginning of time. */
const silence = ({ windowEndsAt }: Ticket): Why =>
  windowEndsAt && Date.parse(windowEndsAt) > 0 ? 'windowOver' : 'neverWrote'
