import { contactsApi } from '@recado/contract/contacts'
import { assistApi } from '@recado/contract/machines/assist'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { useNews } from '../../../lib/live.ts'
import { useSession } from '../../../lib/session.tsx'
import { tell } from '../../../lib/told.ts'

export type AssistState = { on: boolean; language: string | null }
const off: AssistState = { on: false, language: null }
const keyOf = (ticketId: number) => ['assist', ticketId]

/** Whether a machine helps here. Asked only where the plan has it, and kept for a while: admins change it seldom. */
export function useAssistState(ticketId: number, contactId: number): AssistState {
  const client = useQueryClient()
  const { plan } = useSession()
  const { data } = useQuery({
    queryKey: keyOf(ticketId),
    queryFn: ({ signal }) => call(assistApi.state, { params: { ticketId } }, { signal }),
    enabled: plan?.useOpenAi === true,
    staleTime: 60_000,
    retry: false,
  })
  useNews(contactsApi.topic, (news) => {
    if (news.action === 'update' && news.row.id === contactId) noteLanguage(client, ticketId, news.row.language)
  })
  return data ?? off
}

function noteLanguage(client: QueryClient, ticketId: number, language: string | null): void {
  tell<AssistState>(client, keyOf(ticketId), (before) => ({ ...before, language }))
}
