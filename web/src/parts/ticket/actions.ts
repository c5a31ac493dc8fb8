import type { Given } from '@recado/contract/kit'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { SessionUser } from '@recado/contract/users'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { everyTicketKey, guess, know, tellTickets } from './lists.ts'
import { nextAfter } from './next.ts'
import { sendAway } from './own-moves.ts'
import { actionTexts } from './texts.ts'
import { holderIn } from './ticket-holder.ts'
import { tellDone, tellHolder } from './told.ts'
import { lookAt } from './view.ts'

export type Target = {
  queueId: number | null
  whatsappId?: number | null
  userId?: number | null
  note?: string
  /** Whom the note names. */
  mentions?: number[]
}
export type TicketActions = {
  /** Waiting becomes mine, and is opened. Null when somebody was faster; they have been told who. */
  accept(ticket: Ticket): Promise<Ticket | null>
  /** `justClose`: without any message to the customer. */
  resolve(ticket: Ticket, how?: { justClose?: boolean }): Promise<Ticket | null>
  reopen(ticket: Ticket): Promise<Ticket | null>
  /** Back to the queue, nobody's. */
  giveBack(ticket: Ticket): Promise<Ticket | null>
  /** Among the unread again, until it is opened. */
  markUnread(ticket: Ticket): Promise<void>
  /** For the dialog, which shows what goes wrong itself: throws. */
  transfer(ticket: Ticket, to: Target): Promise<Ticket>
  /** Asks first. */
  remove(ticket: Ticket): Promise<boolean>
}

type Hands = { client: QueryClient; me: SessionUser; go: (path: string) => void }
type Body = NonNullable<Given<typeof ticketsApi.update>['body']>

/** What can be done with a ticket, wherever it is shown: each shows at once, tells, and takes itself back on failure. */
export function useTicketActions(): TicketActions {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { user } = useSession()
  return useMemo(
    () => actionsOf({ client, me: user as SessionUser, go: (path) => void navigate({ href: path }) }),
    [client, navigate, user],
  )
}

function actionsOf(hands: Hands): TicketActions {
  const { me, go } = hands
  const mine = { userId: me.id, user: { id: me.id, name: me.name } }
  const noBots = { chatbot: false, useIntegration: false, promptId: null, integrationId: null }

  return {
    async accept(ticket) {
      const after = await attempt(ticket, () =>
        change(hands, ticket, { status: 'open', ...mine, ...noBots }, { status: 'open', userId: me.id }),
      )
      if (after) show(hands, after)
      return after
    },
    async resolve(ticket, { justClose = false } = {}) {
      const queue = ticket.queueId === null ? {} : { queueId: ticket.queueId }
      const body = { status: 'closed', userId: me.id, ...queue, justClose } as const
      leave(hands, ticket, nextAfter(hands.client, me, ticket))
      const after = await attempt(ticket, () =>
        change(hands, ticket, { status: 'closed', ...mine, ...noBots, unreadMessages: 0 }, body),
      )
      const words = textsNow(actionTexts)
      const again = () => void actionsOf(hands).reopen(after as Ticket)
      if (after) tellDone(after, words.resolved, ticket.contact.name, { label: words.reopen, run: again })
      return after
    },
    async reopen(ticket) {
      const queue = ticket.queueId === null ? {} : { queueId: ticket.queueId }
      const body = { status: 'open', userId: me.id, ...queue } as const
      const after = await attempt(ticket, () => change(hands, ticket, { status: 'open', ...mine }, body), go)
      if (after) show(hands, after)
      return after
    },
    async giveBack(ticket) {
      leave(hands, ticket)
      const nobodys = { status: 'pending', userId: null, user: null } as const
      const after = await attempt(ticket, () => change(hands, ticket, nobodys, { status: 'pending', userId: null }))
      const words = textsNow(actionTexts)
      const undo = { label: words.undo, run: () => void takeBack(hands, after as Ticket, ticket) }
      if (after) tellDone(after, words.returned, ticket.contact.name, undo)
      return after
    },
    async transfer(ticket, { queueId, whatsappId, userId, note, mentions }) {
      const whose = userId ? { userId } : ({ status: 'pending', userId: null } as const)
      // No guess: whether it stays in sight depends on queues only the server knows.
      const body = { queueId, ...(whatsappId && { whatsappId }), ...whose, ...(note && { note, mentions }) }
      sendAway(ticket.id)
      const next = nextAfter(hands.client, me, ticket)
      const after = await change(hands, ticket, {}, body)
      leave(hands, ticket, next)
      const words = textsNow(actionTexts)
      tellDone(after, words.transferred, words.to(after.user?.name ?? after.queue?.name ?? ''))
      return after
    },
    markUnread: (ticket) => markUnread(hands, ticket),
    remove: (ticket) => remove(hands, ticket),
  }
}

/** It is left first: whoever looks at it has read it. */
async function markUnread(hands: Hands, ticket: Ticket): Promise<void> {
  leave(hands, ticket)
  try {
    const after = await call(ticketsApi.unread, { params: { id: ticket.id } })
    tellTickets(hands.client, hands.me, [{ kind: 'put', ticket: after }])
    toast.ok(textsNow(actionTexts).unread, ticket.contact.name)
  } catch (error) {
    toast.error(error)
  }
}

/** As if it had not been returned: whoever had it has it, and the customer hears nothing of it. */
async function takeBack(hands: Hands, ticket: Ticket, before: Ticket): Promise<void> {
  const { userId, user } = before
  const body = { status: 'open', userId, undo: true } as const
  const after = await attempt(ticket, () => change(hands, ticket, { status: 'open', userId, user }, body))
  if (after) show(hands, after)
}

/** Guesses, asks, and puts the answer in place of the guess. What goes wrong is taken back and thrown. */
async function change({ client, me }: Hands, ticket: Ticket, part: Partial<Ticket>, body: Body): Promise<Ticket> {
  sendAway(ticket.id)
  const guessed = guess(client, me, ticket, part)
  try {
    const after = await call(ticketsApi.update, { params: { id: ticket.id }, body })
    guessed.answered(after)
    return after
  } catch (error) {
    guessed.refused()
    void client.invalidateQueries({ queryKey: everyTicketKey })
    throw error
  }
}

/** `go`: where the refusal names another ticket, as on reopening, it can be opened from there. */
async function attempt(
  ticket: Ticket,
  work: () => Promise<Ticket>,
  go?: (path: string) => void,
): Promise<Ticket | null> {
  try {
    return await work()
  } catch (error) {
    const holder = holderIn(error)
    if (holder) tellHolder(holder, holder.ticketId === ticket.id, go)
    else toast.error(error)
    return null
  }
}

/** Accepted and reopened tickets are looked at where they now are. */
function show({ client, me, go }: Hands, ticket: Ticket): void {
  know(client, ticket)
  lookAt(me.id, { tab: 'open', sub: 'open', search: '' })
  // Beside the board it is open already.
  if (location.pathname !== '/kanban') go(`/tickets/${ticket.uuid}`)
}

const isOpenHere = (ticket: Ticket) => location.pathname === `/tickets/${ticket.uuid}`

/** Every other change clears the selection (spec, section 4), or leads on. */
function leave({ go }: Hands, ticket: Ticket, next?: Ticket): void {
  sendAway(ticket.id)
  if (isOpenHere(ticket)) go(next ? `/tickets/${next.uuid}` : '/tickets')
}

async function remove(hands: Hands, ticket: Ticket): Promise<boolean> {
  const words = textsNow(actionTexts)
  const title = words.removeAsk(ticket.contact.name, ticket.number)
  if (!(await openConfirm({ title, consequence: words.removeConsequence, verb: words.remove }))) return false
  try {
    sendAway(ticket.id)
    await call(ticketsApi.remove, { params: { id: ticket.id } })
    leave(hands, ticket)
    tellTickets(hands.client, hands.me, [{ kind: 'gone', id: ticket.id }])
    toast.ok(words.removed, ticket.contact.name)
    return true
  } catch (error) {
    toast.error(error)
    return false
  }
}
