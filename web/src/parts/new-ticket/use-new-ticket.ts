import type { Reply } from '@recado/contract/endpoint'
import { ticketsApi } from '@recado/contract/tickets'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { useLines } from '../line/use-lines.ts'
import { holderFromError, type TicketHolder } from '../ticket/ticket-holder.ts'
import { useQueues } from '../use-queues.ts'
import type { SelectedContact } from './contact-search.tsx'
import { newTicketTexts } from './texts.ts'

export type CreatedTicket = Reply<typeof ticketsApi.create>
type NewTicketOptions = {
  contact: SelectedContact | null
  onClose: () => void
  onCreated: (ticket: CreatedTicket) => void
}

/** The state of the dialog: the selection, missing fields, and the server's response. */
export function useNewTicket({ contact, onClose, onCreated }: NewTicketOptions) {
  const words = useTexts(newTicketTexts)
  const { user } = useSession()
  const isAdmin = user !== null && canSeeAllTickets(user)
  const allQueues = useQueues(isAdmin)
  const allLines = useLines().data
  const lines = allLines ?? []
  const queues = isAdmin ? (allQueues.data ?? []) : (user?.queues ?? [])
  const only = !isAdmin && queues.length === 1 ? String(queues[0]?.id) : null
  const [selectedQueueId, setQueueId] = useState<string | null>(only)
  const [lineId, setLineId] = useState<string | null>(user?.whatsappId ? String(user.whatsappId) : null)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<{ holder: TicketHolder; personId: number; lineId: string | null } | null>(null)

  const missing = wasSubmitted && !isAdmin && !selectedQueueId
  const queueProblem = allQueues.isError
    ? words.queueFailed
    : missing && (queues.length === 0 ? words.noQueues : words.queueMissing)

  async function create(): Promise<void> {
    setWasSubmitted(true)
    if (!contact || (!isAdmin && !selectedQueueId) || busy) return
    setBusy(true)
    try {
      const body = {
        contactId: contact.id,
        queueId: selectedQueueId ? Number(selectedQueueId) : null,
        whatsappId: lineId ? Number(lineId) : null,
        userId: user?.id ?? null,
        status: 'open' as const,
      }
      const ticket = await callApi(ticketsApi.create, { body })
      onClose()
      onCreated(ticket)
    } catch (error) {
      const holder = holderFromError(error)
      if (holder) setRefusal({ holder, personId: contact.id, lineId })
      else toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  // The refusal applies only to that contact on that line, not to another selection.
  const ticketHolder = refusal && refusal.personId === contact?.id && refusal.lineId === lineId ? refusal.holder : null
  return {
    isAdmin,
    queues,
    queueId: selectedQueueId,
    setQueueId,
    queueProblem,
    lines,
    hasNoLine: allLines?.length === 0,
    lineId,
    setLineId,
    wasSubmitted: wasSubmitted,
    busy,
    holder: ticketHolder,
    create,
  }
}
