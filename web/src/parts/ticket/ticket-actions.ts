import type { EndpointInput } from '@recado/contract/endpoint'
import type { TicketPriority } from '@recado/contract/ticket-statuses'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { SessionUser } from '@recado/contract/users'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { type ClosingAnswer, findClosingForm } from './closing/closing-forms.ts'
import { findNextTicket } from './next-ticket.ts'
import { setTicketPinned } from './pins.ts'
import { ticketActionTexts } from './texts.ts'
import { allTicketsKey, cacheTicket, publishTicketNews, ticketEventsKey, updateOptimistically } from './ticket-cache.ts'
import { askInResolveDialog } from './ticket-dialog-state.ts'
import { holderFromError } from './ticket-holder.ts'
import { markSentAway } from './ticket-moves.ts'
import { changeTicketView } from './ticket-view.ts'
import { toastTicketDone, toastTicketHolder } from './toasts.ts'

export type TransferTarget = {
  /** Absent: the ticket stays in its queue. */
  queueId?: number
  whatsappId?: number | null
  userId?: number | null
  note?: string
  /** The users mentioned in the note. */
  mentions?: number[]
}
export type TicketActions = {
  /** Assigns a pending ticket to the user and opens it. If another agent was faster, shows that and returns null. */
  accept(ticket: Ticket): Promise<Ticket | null>
  /** Opens a ticket that the user has just accepted elsewhere, and lets them undo it. */
  showAccepted(ticket: Ticket): void
  /**
   * Asks what the ticket's queue asks, and resolves it; null: it stays open. `justClose`: without a message to the
   * customer. `answer`: it was asked before.
   */
  resolve(ticket: Ticket, how?: { justClose?: boolean; answer?: ClosingAnswer }): Promise<Ticket | null>
  /** What the ticket's queue asks when it is closed; null: the agent does not close it. */
  askClosing(ticket: Ticket, how?: { justClose?: boolean }): Promise<ClosingAnswer | null>
  reopen(ticket: Ticket): Promise<Ticket | null>
  /** Returns the ticket to its queue, unassigned. */
  returnToQueue(ticket: Ticket): Promise<Ticket | null>
  /** Marks the ticket as unread until it is opened. */
  markUnread(ticket: Ticket): Promise<void>
  setPriority(ticket: Ticket, priority: TicketPriority): Promise<Ticket | null>
  setPinned(ticket: Ticket, isPinned: boolean): Promise<void>
  /** Throws errors, because the dialog shows them itself. */
  transfer(ticket: Ticket, to: TransferTarget): Promise<Ticket>
  /** Asks for confirmation before the ticket is deleted. */
  remove(ticket: Ticket): Promise<boolean>
}

type ActionDeps = { client: QueryClient; me: SessionUser; navigateTo: (path: string) => void }
type TicketUpdateBody = NonNullable<EndpointInput<typeof ticketsApi.update>['body']>

/** Actions on a ticket on any screen: each is optimistic, shows a toast, and reverts on failure. */
export function useTicketActions(): TicketActions {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { user } = useSession()
  return useMemo(
    () => createTicketActions({ client, me: user as SessionUser, navigateTo: (path) => void navigate({ href: path }) }),
    [client, navigate, user],
  )
}

function createTicketActions(deps: ActionDeps): TicketActions {
  const { me, navigateTo: go } = deps
  const ownedByMe = { userId: me.id, user: { id: me.id, name: me.name } }
  const noBots = { chatbot: false, useIntegration: false, promptId: null, integrationId: null }

  return {
    async accept(ticket) {
      const after = await tryAction(ticket, () =>
        updateTicket(deps, ticket, { status: 'open', ...ownedByMe, ...noBots }, { status: 'open', userId: me.id }),
      )
      if (!after) return after
      openTicket(deps, after)
      offerUndo(deps, after, currentTexts(ticketActionTexts).accepted, ticket.contact.name)
      return after
    },
    showAccepted(ticket) {
      publishTicketNews(deps.client, me, [{ kind: 'put', ticket }])
      openTicket(deps, ticket)
      offerUndo(deps, ticket, currentTexts(ticketActionTexts).accepted, ticket.contact.name)
    },
    askClosing: (ticket, { justClose = false } = {}) => askClosing(deps, ticket, justClose),
    async resolve(ticket, { justClose = false, answer: given } = {}) {
      const answer = given ?? (await askClosing(deps, ticket, justClose))
      if (!answer) return null
      const queue = ticket.queueId === null ? {} : { queueId: ticket.queueId }
      const body = { status: 'closed', userId: me.id, ...queue, ...answer } as const
      leaveTicket(deps, ticket, findNextTicket(deps.client, me, ticket))
      const after = await tryAction(ticket, () =>
        updateTicket(deps, ticket, { status: 'closed', ...ownedByMe, ...noBots, unreadMessages: 0 }, body),
      )
      if (after) offerUndo(deps, after, currentTexts(ticketActionTexts).resolved, ticket.contact.name)
      return after
    },
    async reopen(ticket) {
      const queue = ticket.queueId === null ? {} : { queueId: ticket.queueId }
      const body = { status: 'open', userId: me.id, ...queue } as const
      const after = await tryAction(
        ticket,
        () => updateTicket(deps, ticket, { status: 'open', ...ownedByMe }, body),
        go,
      )
      if (after) openTicket(deps, after)
      return after
    },
    async returnToQueue(ticket) {
      leaveTicket(deps, ticket)
      const nobodys = { status: 'pending', userId: null, user: null } as const
      const after = await tryAction(ticket, () =>
        updateTicket(deps, ticket, nobodys, { status: 'pending', userId: null }),
      )
      if (after) offerUndo(deps, after, currentTexts(ticketActionTexts).returned, ticket.contact.name)
      return after
    },
    async transfer(ticket, { queueId, whatsappId, userId, note, mentions }) {
      const whose = userId ? { userId } : ({ status: 'pending', userId: null } as const)
      // A transfer is not optimistic: whether the ticket stays visible depends on queues that only the server knows.
      const body = {
        ...(queueId && { queueId }),
        ...(whatsappId && { whatsappId }),
        ...whose,
        ...(note && { note, mentions }),
      }
      markSentAway(ticket.id)
      const next = findNextTicket(deps.client, me, ticket)
      const after = await updateTicket(deps, ticket, {}, body)
      leaveTicket(deps, ticket, next)
      const words = currentTexts(ticketActionTexts)
      const place = after.user ? words.nowWith(after.user.name) : after.queue ? words.nowIn(after.queue.name) : ''
      offerUndo(deps, after, words.transferred, place)
      return after
    },
    setPriority: (ticket, priority) => tryAction(ticket, () => changeInPlace(deps, ticket, { priority }, { priority })),
    setPinned: (ticket, isPinned) => setTicketPinned(deps.client, ticket, isPinned),
    markUnread: (ticket) => markUnread(deps, ticket),
    remove: (ticket) => removeTicket(deps, ticket),
  }
}

/** Asks in a dialog, if the ticket's queue asks anything. Where the forms cannot be loaded, the server decides. */
async function askClosing({ client }: ActionDeps, ticket: Ticket, justClose: boolean): Promise<ClosingAnswer | null> {
  const form = await findClosingForm(client, ticket).catch(() => null)
  return form ? askInResolveDialog(ticket, form, justClose) : { justClose }
}

/** Marks a ticket as unread. It is closed on the screen first, because an open ticket is marked as read. */
async function markUnread(deps: ActionDeps, ticket: Ticket): Promise<void> {
  leaveTicket(deps, ticket)
  try {
    const after = await callApi(ticketsApi.unread, { params: { id: ticket.id } })
    publishTicketNews(deps.client, deps.me, [{ kind: 'put', ticket: after }])
    toast.ok(currentTexts(ticketActionTexts).unread, ticket.contact.name)
  } catch (error) {
    toast.error(error)
  }
}

/** Shows that an action is done, and lets the user undo it as long as the server can. */
function offerUndo(deps: ActionDeps, ticket: Ticket, title: string, line: string): void {
  const run = () => void undoAction(deps, ticket)
  toastTicketDone(ticket, title, line, { label: currentTexts(ticketActionTexts).undo, run })
}

/** Undoes the last action. Messages to the customer that it caused are withdrawn. */
async function undoAction(deps: ActionDeps, ticket: Ticket): Promise<void> {
  const after = await tryAction(ticket, () => callApi(ticketsApi.undo, { params: { id: ticket.id } }), deps.navigateTo)
  if (!after) return
  publishTicketNews(deps.client, deps.me, [{ kind: 'put', ticket: after }])
  cacheTicket(deps.client, after)
  if (after.status === 'open') openTicket(deps, after)
  toastTicketDone(after, currentTexts(ticketActionTexts).undone, after.contact.name)
}

/**
 * Shows a change, calls the server, and replaces the change with the response. A failure reverts the change and is
 * thrown.
 */
async function updateTicket(
  deps: ActionDeps,
  ticket: Ticket,
  part: Partial<Ticket>,
  body: TicketUpdateBody,
): Promise<Ticket> {
  markSentAway(ticket.id)
  return changeInPlace(deps, ticket, part, body)
}

/** Like `updateTicket`, for a change after which the ticket stays where it is. */
async function changeInPlace(
  { client, me }: ActionDeps,
  ticket: Ticket,
  part: Partial<Ticket>,
  body: TicketUpdateBody,
): Promise<Ticket> {
  const guessed = updateOptimistically(client, me, ticket, part)
  try {
    const after = await callApi(ticketsApi.update, { params: { id: ticket.id }, body })
    guessed.confirm(after)
    // The thread may have loaded the ticket's events for the guessed change, before the server had made it.
    const wasGuessed = Object.keys(part).length > 0
    if (wasGuessed) void client.invalidateQueries({ queryKey: ticketEventsKey(ticket.id) })
    return after
  } catch (error) {
    guessed.revert()
    void client.invalidateQueries({ queryKey: allTicketsKey })
    throw error
  }
}

/** `go`: if the refusal names another ticket, as on reopening, the user can open that ticket from the message. */
async function tryAction(
  ticket: Ticket,
  work: () => Promise<Ticket>,
  go?: (path: string) => void,
): Promise<Ticket | null> {
  try {
    return await work()
  } catch (error) {
    const holder = holderFromError(error)
    if (holder) toastTicketHolder(holder, holder.ticketId === ticket.id, go)
    else toast.error(error)
    return null
  }
}

/** Opens an accepted or reopened ticket and switches the list to its tab. */
function openTicket({ client, me, navigateTo: go }: ActionDeps, ticket: Ticket): void {
  cacheTicket(client, ticket)
  changeTicketView(me.id, { tab: 'open', sub: 'open', search: '' })
  // On the board the ticket is already open beside it.
  if (location.pathname !== '/kanban') go(`/tickets/${ticket.uuid}`)
}

const isOpenHere = (ticket: Ticket) => location.pathname === `/tickets/${ticket.uuid}`

/** Leaves a ticket after any other change: clears the selection (spec, section 4), or opens the next ticket. */
export function leaveTicket({ navigateTo: go }: Pick<ActionDeps, 'navigateTo'>, ticket: Ticket, next?: Ticket): void {
  markSentAway(ticket.id)
  if (isOpenHere(ticket)) go(next ? `/tickets/${next.uuid}` : '/tickets')
}

async function removeTicket(deps: ActionDeps, ticket: Ticket): Promise<boolean> {
  const words = currentTexts(ticketActionTexts)
  const title = words.removeAsk(ticket.contact.name, ticket.number)
  if (!(await openConfirm({ title, consequence: words.removeConsequence, verb: words.remove }))) return false
  try {
    markSentAway(ticket.id)
    await callApi(ticketsApi.remove, { params: { id: ticket.id } })
    leaveTicket(deps, ticket)
    publishTicketNews(deps.client, deps.me, [{ kind: 'gone', id: ticket.id }])
    toast.ok(words.removed, ticket.contact.name)
    return true
  } catch (error) {
    toast.error(error)
    return false
  }
}
