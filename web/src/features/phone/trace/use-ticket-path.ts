import { type TicketEvent, ticketsApi } from '@recado/contract/tickets'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'

/** From the id in the journal: the address of the ticket's page, which has the uuid, and the number that users see. */
export function useTicketPath(id: number): { path: string; number: number | null } {
  const { data } = useQuery({
    queryKey: ['ticket-path', id],
    queryFn: async () => {
      const { uuid, number } = await callApi(ticketsApi.show, { params: { id } })
      return { path: `/tickets/${uuid}`, number }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data ?? { path: '/tickets', number: null }
}

/** The ticket of this customer's latest message. */
export function findLastTicketId(events: TicketEvent[] = []): number | undefined {
  const step = events.flatMap(({ steps }) => steps).findLast(({ step: name }) => name === 'ticket')
  return step ? Number(step.with.ticket) : undefined
}
