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

/** The selection, missing fields, and the server's response. */
export function useNewTicket({ contact: person, onClose, onCreated }: NewTicketOptions) {
  const words = useTexts(newTicketTexts)
  const { user } = useSession()
  const isAdmin = user !== null && canSeeAllTickets(user)
  const all = useQueues(isAdmin)
  const known = useLines().data
  const lines = known ?? []
  const queues = isAdmin ? (all.data ?? []) : (user?.queues ?? [])
  const only = !isAdmin && queues.length === 1 ? String(queues[0]?.id) : null
  const [chosen, setQueueId] = useState<string | null>(only)
  const [lineId, setLineId] = useState<string | null>(user?.whatsappId ? String(user.whatsappId) : null)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ holder: TicketHolder; personId: number; lineId: string | null } | null>(null)

  const missing = tried && !isAdmin && !chosen
  const queueProblem = all.isError
    ? words.queueFailed
    : missing && (queues.length === 0 ? words.noQueues : words.queueMissing)

  async function create(): Promise<void> {
    setTried(true)
    if (!person || (!isAdmin && !chosen) || busy) return
    setBusy(true)
    try {
      const body = {
        contactId: person.id,
        queueId: chosen ? Number(chosen) : null,
        whatsappId: lineId ? Number(lineId) : null,
        userId: user?.id ?? null,
        status: 'open' as const,
      }
      const ticket = await callApi(ticketsApi.create, { body })
      onClose()
      onCreated(ticket)
    } catch (error) {
      const holder = holderFromError(error)
      if (holder) setRefused({ holder, personId: person.id, lineId })
      else toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  // The refusal concerns that contact on that line; it does not apply to another selection.
  const held = refused && refused.personId === person?.id && refused.lineId === lineId ? refused.holder : null
  return {
    isAdmin,
    queues,
    queueId: chosen,
    setQueueId,
    queueProblem,
    lines,
    hasNoLine: known?.length === 0,
    lineId,
    setLineId,
    wasSubmitted: tried,
    busy,
    holder: held,
    create,
  }
}
