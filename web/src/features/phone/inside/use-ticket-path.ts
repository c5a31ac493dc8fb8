import { type Happening, ticketsApi } from '@recado/contract/tickets'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'

/** A ticket's page is named by its uuid, what happened inside by its number. */
export function useTicketPath(id: number): string {
  const { data } = useQuery({
    queryKey: ['ticket-uuid', id],
    queryFn: async () => (await call(ticketsApi.show, { params: { id } })).uuid,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data ? `/tickets/${data}` : '/tickets'
}

/** The ticket this customer's words went to last. */
export function lastTicketOf(happenings: Happening[] = []): number | undefined {
  const step = happenings.flatMap(({ steps }) => steps).findLast(({ step: name }) => name === 'ticket')
  return step ? Number(step.with.ticket) : undefined
}
