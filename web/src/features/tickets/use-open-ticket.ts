import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { ApiError } from '../../lib/api.ts'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { knownTicket, oneKey, readOne } from '../../parts/ticket/lists.ts'
import { sentAway } from '../../parts/ticket/own-moves.ts'
import { actionTexts } from '../../parts/ticket/texts.ts'
import { useFarewells } from '../../parts/ticket/use-farewells.ts'

/** The ticket of the address. Who may not see it, or no longer, is told so and led back to the list. */
export function useOpenTicket(uuid: string | undefined) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: oneKey(uuid ?? ''),
    queryFn: ({ signal }) => readOne(uuid ?? '', signal),
    enabled: uuid !== undefined,
    placeholderData: () => (uuid === undefined ? undefined : knownTicket(client, uuid)),
    refetchOnWindowFocus: false,
  })
  const refused = query.error instanceof ApiError && query.error.status >= 400 && query.error.status < 500
  const leave = useEffectEvent((title: string, line: string) => {
    toast.warn(title, line, { id: 'ticket-left' })
    void navigate({ href: '/tickets', replace: true })
  })
  useEffect(() => {
    const words = textsNow(actionTexts)
    if (refused) leave(words.unauthorized, words.unauthorizedLine)
  }, [refused])

  const ticket = uuid === undefined ? undefined : query.data
  useFarewells((id) => {
    if (!ticket || id !== ticket.id) return
    const words = textsNow(actionTexts)
    client.removeQueries({ queryKey: oneKey(ticket.uuid) })
    if (!sentAway(id)) leave(words.left, words.leftLine(ticket.contact.name))
  })
  return { ticket, error: refused ? null : query.error, retry: () => void query.refetch() }
}
