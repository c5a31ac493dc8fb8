import { topics } from '@recado/contract/live'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { ApiError } from '../../lib/api.ts'
import { useLiveTopic } from '../../lib/live.ts'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { readTicket, ticketKey } from '../../parts/ticket/ticket-cache.ts'
import { wasSentAway } from '../../parts/ticket/ticket-moves.ts'
import { kanbanTexts } from './texts.ts'

/**
 * Detects lost access: a change of owner is a delete, then an update for users who still see the ticket, so only a
 * delete without an update means no access.
 */
const updateFollowsWithinMs = 500

/** The ticket beside the board. If the user loses access, a message is shown and the pane closes. */
export function useTicketPane(uuid: string, onClose: () => void) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: ticketKey(uuid),
    queryFn: ({ signal }) => readTicket(uuid, signal),
    refetchOnWindowFocus: false,
  })
  const isRefused = query.error instanceof ApiError && query.error.status >= 400 && query.error.status < 500
  const leave = useEffectEvent(() => {
    toast.warn(currentTexts(kanbanTexts).left, undefined, { id: 'ticket-left' })
    onClose()
  })
  useEffect(() => {
    if (isRefused) leave()
  }, [isRefused])
  const ticket = query.data
  const farewell = useRef<ReturnType<typeof setTimeout>>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a farewell is to one ticket; another one stays.
  useEffect(() => () => clearTimeout(farewell.current), [uuid])
  useLiveTopic(topics.ticket, (payload) => {
    const id = 'ticket' in payload ? payload.ticket.id : payload.ticketId
    if (!ticket || id !== ticket.id) return
    clearTimeout(farewell.current)
    if (payload.action !== 'delete') return
    farewell.current = setTimeout(() => {
      client.removeQueries({ queryKey: ticketKey(ticket.uuid) })
      if (wasSentAway(id)) onClose()
      else leave()
    }, updateFollowsWithinMs)
  })
  return { ticket, error: isRefused ? null : query.error, retry: () => void query.refetch() }
}
