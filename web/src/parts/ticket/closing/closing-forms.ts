import type { Reply } from '@recado/contract/endpoint'
import { queuesApi } from '@recado/contract/queues'
import type { Ticket } from '@recado/contract/tickets'
import type { ClosingForm, ClosingInput } from '@recado/contract/tickets/closing'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useRecordNews, useResync } from '../../../lib/live.ts'
import { useRefetchQuery } from '../../../lib/query-cache.ts'

/** What the agent answered, and whether the customer gets no message. */
export type ClosingAnswer = ClosingInput & { justClose: boolean }
/** For many tickets: which messages their customers get. */
export type ClosingAnswerOfMany = ClosingAnswer & { farewell?: boolean; rating?: boolean }

const formsQuery = queryOptions({
  queryKey: ['queues', 'closing-forms'],
  queryFn: ({ signal }) => callApi(queuesApi.closingForms, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Keeps the closing forms of all queues current, so that resolving a ticket asks at once. */
export function useClosingForms(): Reply<typeof queuesApi.closingForms> {
  const client = useQueryClient()
  useRecordNews(queuesApi.topic, () => void client.invalidateQueries({ queryKey: formsQuery.queryKey }))
  useResync(useRefetchQuery(formsQuery.queryKey))
  return useQuery(formsQuery).data ?? []
}

/** What the ticket's queue asks when it is closed; null: nothing. */
export async function findClosingForm(client: QueryClient, { queueId }: Ticket): Promise<ClosingForm | null> {
  if (queueId === null) return null
  const forms = await client.ensureQueryData(formsQuery)
  return forms.find((form) => form.queueId === queueId) ?? null
}

/**
 * One form for tickets of several queues: reasons and fields of the same name are one. The server gives each ticket those
 * of its own queue. Nothing is required, because it depends on the ticket.
 */
export function mergeClosingForms(forms: ClosingForm[]): ClosingForm {
  const [only] = forms
  if (only && forms.length === 1) return only
  const distinct = <T extends { name: string }>(all: T[]): T[] => [
    ...new Map(all.toReversed().map((one) => [one.name.toLowerCase(), one])).values(),
  ]
  return {
    reasonRequired: forms.length > 0 && forms.every(({ reasonRequired }) => reasonRequired),
    reasons: distinct(forms.flatMap(({ reasons }) => reasons)).toReversed(),
    fields: distinct(forms.flatMap(({ fields }) => fields))
      .toReversed()
      .map((field) => ({ ...field, required: false })),
  }
}
