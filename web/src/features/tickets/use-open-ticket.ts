import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { ApiError } from '../../lib/api.ts'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { ticketActionTexts } from '../../parts/ticket/texts.ts'
import { findCachedTicket, readTicket, ticketKey } from '../../parts/ticket/ticket-cache.ts'
import { wasSentAway } from '../../parts/ticket/ticket-moves.ts'
import { useLostTickets } from '../../parts/ticket/use-lost-tickets.ts'

/** The ticket of the URL. If the user has no access, or loses access, a message is shown and the list opens. */
export function useOpenTicket(uuid: string | undefined) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ticketKey(uuid ?? ''),
    queryFn: ({ signal }) => readTicket(uuid ?? '', signal),
    enabled: uuid !== undefined,
    placeholderData: () => (uuid === undefined ? undefined : findCachedTicket(client, uuid)),
    refetchOnWindowFocus: false,
  })
  const isRefused = query.error instanceof ApiError && query.error.status >= 400 && query.error.status < 500
  const leave = useEffectEvent((title: string, line: string) => {
    toast.warn(title, line, { id: 'ticket-left' })
    void navigate({ href: '/tickets', replace: true })
  })
  useEffect(() => {
    const words = currentTexts(ticketActionTexts)
    if (isRefused) leave(words.unauthorized, words.unauthorizedLine)
  }, [isRefused])

  const ticket = uuid === undefined ? undefined : query.data
  useLostTickets((id) => {
    if (!ticket || id !== ticket.id) return
    const words = currentTexts(ticketActionTexts)
    client.removeQueries({ queryKey: ticketKey(ticket.uuid) })
    if (!wasSentAway(id)) leave(words.left, words.leftLine(ticket.contact.name))
  })
  return { ticket, error: isRefused ? null : query.error, retry: () => void query.refetch() }
}
