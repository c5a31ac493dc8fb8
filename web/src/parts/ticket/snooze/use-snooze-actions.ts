import type { EndpointInput } from '@recado/contract/endpoint'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { SessionUser } from '@recado/contract/users'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { callApi } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { findNextTicket } from '../next-ticket.ts'
import { leaveTicket } from '../ticket-actions.ts'
import { publishTicketNews, updateOptimistically } from '../ticket-cache.ts'
import { toastTicketDone } from '../toasts.ts'
import { formatReturn } from './format-return.ts'
import { snoozeTexts } from './texts.ts'

type SnoozeBody = NonNullable<EndpointInput<typeof ticketsApi.snooze>['body']>

/** Snoozes a ticket or brings it back. They load with their dialog, because few screens need them. */
export function useSnoozeActions() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const me = useSession().user as SessionUser
  const words = useTexts(snoozeTexts)

  async function unsnooze(ticket: Ticket): Promise<void> {
    try {
      const after = await callApi(ticketsApi.unsnooze, { params: { id: ticket.id } })
      publishTicketNews(client, me, [{ kind: 'put', ticket: after }])
    } catch (error) {
      toast.error(error)
    }
  }
  /** Puts the ticket aside, and lets the user undo it. */
  async function snooze(ticket: Ticket, how: SnoozeBody): Promise<void> {
    leaveTicket({ navigateTo: (href) => void navigate({ href }) }, ticket, findNextTicket(client, me, ticket))
    const guess = { since: new Date().toISOString(), until: null, wakesOnMessage: true, note: '', ...how }
    const guessed = updateOptimistically(client, me, ticket, { snooze: guess, returned: null })
    try {
      guessed.confirm(await callApi(ticketsApi.snooze, { params: { id: ticket.id }, body: how }))
      const line = how.until ? words.doneUntil(formatReturn(how.until)) : words.doneUntilMessage
      toastTicketDone(ticket, words.done, line, { label: words.undo, run: () => void unsnooze(ticket) })
    } catch (error) {
      guessed.revert()
      toast.error(error)
    }
  }
  return { snooze, unsnooze }
}
