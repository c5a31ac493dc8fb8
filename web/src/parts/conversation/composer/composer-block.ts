import type { Connection } from '@recado/contract/connections'
import type { UserAccess } from '@recado/contract/rules'
import type { Ticket } from '@recado/contract/tickets'
import { canLeadQueues } from '@recado/contract/visibility'

export type ComposerBlock =
  | 'pending'
  | 'resolved'
  | 'nobody'
  | 'theirs'
  | 'lineDown'
  | 'lineGone'
  | 'windowOver'
  | 'neverWrote'

/** In other, transient states the composer stays open: the server accepts the message and sends it later. */
const downStatuses: Connection['status'][] = ['qrcode', 'PAIRING', 'DISCONNECTED']

/**
 * Why this user cannot answer now; the server has the same rules. `lines` is undefined until loaded, `left` is
 * the rest of the customer's 24 hours, null without such a limit.
 */
export function getComposerBlock(
  ticket: Ticket,
  me: UserAccess & { id: number },
  lines: Connection[] | undefined,
  left: number | null,
): ComposerBlock | null {
  if (ticket.status === 'pending') return 'pending'
  if (ticket.status === 'closed') return 'resolved'
  if (ticket.userId !== me.id && !canLeadQueues(me)) return ticket.userId === null ? 'nobody' : 'theirs'
  if (ticket.whatsappId === null) return 'lineGone'
  const silent = left !== null && left <= 0 ? windowBlock(ticket) : null
  if (!lines) return silent
  const line = lines.find(({ id }) => id === ticket.whatsappId)
  if (!line) return 'lineGone'
  return downStatuses.includes(line.status) ? 'lineDown' : silent
}

/** The customer's last message is too old. Without any message the server counts from the epoch. */
const windowBlock = ({ windowEndsAt }: Ticket): ComposerBlock =>
  windowEndsAt && Date.parse(windowEndsAt) > 0 ? 'windowOver' : 'neverWrote'
