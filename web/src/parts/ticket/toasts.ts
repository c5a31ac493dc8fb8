import type { Ticket } from '@recado/contract/tickets'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { ticketActionTexts } from './texts.ts'
import type { TicketHolder } from './ticket-holder.ts'

const toastId = (ticketId: number) => `ticket-${ticketId}`
/** The ticket status that each visible toast reports, by ticket. */
const shownStatuses = new Map<number, Ticket['status']>()

/** How long an undo is offered: the server can undo for six seconds, and the call takes some time to arrive. */
const undoOfferMs = 5500

/** Shows a toast about a ticket action while it is still true; one toast at a time per ticket. */
export function toastTicketDone(
  ticket: Ticket,
  title: string,
  line: string,
  undo?: { label: string; run: () => void },
): void {
  shownStatuses.set(ticket.id, ticket.status)
  toast.ok(title, line, { id: toastId(ticket.id), ...(undo && { action: undo, lasts: undoOfferMs }) })
}

/** Closes a toast that is no longer true. `now`: the new status; null when the ticket is no longer visible. */
export function hideOutdatedToast(ticketId: number, now: Ticket['status'] | null): void {
  if (shownStatuses.has(ticketId) && shownStatuses.get(ticketId) !== now) {
    shownStatuses.delete(ticketId)
    toast.hide(toastId(ticketId))
  }
}

/** Shows who was faster, or who has the conflicting ticket. */
export function toastTicketHolder(
  holder: TicketHolder,
  sameTicket: boolean,
  navigateTo?: (path: string) => void,
): void {
  const words = currentTexts(ticketActionTexts)
  const queue = holder.queue?.name
  const shared = { id: `held-${holder.ticketId}`, lasts: 6000 }
  if (sameTicket) {
    toast.warn(holder.user ? words.taken(holder.user.name) : words.takenSomebody, queue && words.inQueue(queue), shared)
    return
  }
  const who = holder.user ? words.heldBy(holder.user.name) : words.waits
  const action = navigateTo &&
    holder.mayOpen && {
      label: words.open,
      run: () => navigateTo(`/tickets/${holder.uuid}`),
    }
  toast.warn(words.otherOpen, queue ? words.heldIn(who, queue) : who, { ...shared, ...(action && { action }) })
}
