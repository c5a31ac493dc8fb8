import { assistApi } from '@recado/contract/ai/assist'
import { contactsApi } from '@recado/contract/contacts'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useRecordNews } from '../../../lib/live.ts'
import { updateCachedQuery } from '../../../lib/query-cache.ts'
import { useSession } from '../../../lib/session.tsx'

export type AssistState = { on: boolean; language: string | null }
const assistOff: AssistState = { on: false, language: null }
const assistKey = (ticketId: number) => ['assist', ticketId]

/**
 * Whether AI assistance is available here. Requested only if the plan includes it, and cached because it changes
 * rarely.
 */
export function useAssistState(ticketId: number, contactId: number): AssistState {
  const client = useQueryClient()
  const { plan } = useSession()
  const { data } = useQuery({
    queryKey: assistKey(ticketId),
    queryFn: ({ signal }) => callApi(assistApi.state, { params: { ticketId } }, { signal }),
    enabled: plan?.useOpenAi === true,
    staleTime: 60_000,
    retry: false,
  })
  useRecordNews(contactsApi.topic, (news) => {
    if (news.action === 'update' && news.row.id === contactId) setCachedLanguage(client, ticketId, news.row.language)
  })
  return data ?? assistOff
}

function setCachedLanguage(client: QueryClient, ticketId: number, language: string | null): void {
  updateCachedQuery<AssistState>(client, assistKey(ticketId), (before) => ({ ...before, language }))
}
