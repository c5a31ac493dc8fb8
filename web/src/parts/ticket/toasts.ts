import type { Ticket } from '@recado/contract/tickets'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { ticketActionTexts } from './texts.ts'
import type { TicketHolder } from './ticket-holder.ts'

const toastId = (ticketId: number) => `ticket-${ticketId}`
/** What each of these toasts says its ticket is. */
const shownStatuses = new Map<number, Ticket['status']>()

/** What was done with a ticket, for as long as it is so; one at a time for each. */
export function toastTicketDone(
  ticket: Ticket,
  title: string,
  line: string,
  undo?: { label: string; run: () => void },
): void {
  shownStatuses.set(ticket.id, ticket.status)
  toast.ok(title, line, { id: toastId(ticket.id), ...(undo && { action: undo, lasts: 8000 }) })
}

/** `now`: what it has become; null when it left this person's sight. What a toast says of it may be true no longer. */
export function hideOutdatedToast(ticketId: number, now: Ticket['status'] | null): void {
  if (shownStatuses.has(ticketId) && shownStatuses.get(ticketId) !== now) {
    shownStatuses.delete(ticketId)
    toast.hide(toastId(ticketId))
  }
}

/** Who was faster, or who has the ticket that is in the way. */
export function toastTicketHolder(holder: TicketHolder, sameTicket: boolean, go?: (path: string) => void): void {
  const words = currentTexts(ticketActionTexts)
  const queue = holder.queue?.name
  const shared = { id: `held-${holder.ticketId}`, lasts: 6000 }
  if (sameTicket) {
    toast.warn(holder.user ? words.taken(holder.user.name) : words.takenSomebody, queue && words.inQueue(queue), shared)
    return
  }
  const who = holder.user ? words.heldBy(holder.user.name) : words.waits
  const action = go &&
    holder.mayOpen && {
      label: words.open,
      run: () => go(`/tickets/${holder.uuid}`),
    }
  toast.warn(words.otherOpen, queue ? words.heldIn(who, queue) : who, { ...shared, ...(action && { action }) })
}
