import { createElement, type ReactNode } from 'react'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { actionTexts } from './texts.ts'
import type { Holder } from './ticket-holder.ts'
import classes from './told.module.css'

export const toastAction = (label: string, onClick: () => void): ReactNode =>
  createElement('button', { type: 'button', className: classes.action, onClick }, label)

/** Who was faster, or who has the ticket that is in the way. */
export function tellHolder(holder: Holder, sameTicket: boolean, go?: (path: string) => void): void {
  const words = textsNow(actionTexts)
  const queue = holder.queue?.name
  const shared = { id: `held-${holder.ticketId}`, lasts: 6000 }
  if (sameTicket) {
    toast.warn(holder.user ? words.taken(holder.user.name) : words.takenSomebody, queue && words.inQueue(queue), shared)
    return
  }
  const who = holder.user ? words.heldBy(holder.user.name) : words.waits
  const action = go && holder.mayOpen && toastAction(words.open, () => go(`/tickets/${holder.uuid}`))
  toast.warn(words.otherOpen, queue ? words.heldIn(who, queue) : who, { ...shared, ...(action && { action }) })
}
