import { Skeleton } from '@mantine/core'
import { type Prompt, promptsApi } from '@recado/contract/ai/prompts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useRecordNews } from '../../../lib/live.ts'
import { setCachedQuery as putCache } from '../../../lib/query-cache.ts'
import { useTexts } from '../../../lib/texts.ts'
import { BackTitle } from '../../../parts/back-title.tsx'
import { useQueues } from '../../../parts/use-queues.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { texts } from '../texts.ts'
import { PromptEditor } from './prompt-editor.tsx'

/** A new or existing prompt: its settings on the left, a conversation with the draft on the right. */
export function PromptPage() {
  const words = useTexts(texts)
  const { promptId } = useParams({ strict: false })
  const id = Number(promptId) || null
  const { query, updateCache: put } = usePrompt(id)
  const queues = useQueues()
  const defaults = useQuery({ queryKey: ['prompt-defaults'], queryFn: () => callApi(promptsApi.defaults) })
  const failed = [query, queues, defaults].find((one) => one.isError)
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if ((id !== null && !query.data) || !queues.data || !defaults.data)
    return (
      <Page>
        <PageHeader title={<BackTitle to="/prompts">{words.words.title}</BackTitle>} />
        <Skeleton height={300} mx={24} mt={8} width="40%" />
      </Page>
    )
  return (
    <PromptEditor key={promptId} row={query.data ?? null} queues={queues.data} defaults={defaults.data} onSaved={put} />
  )
}

/** Each opening of the page has its own query: cached data of an earlier opening may be outdated. */
let openingCount = 0

function usePrompt(id: number | null) {
  const client = useQueryClient()
  const [opening] = useState(() => ++openingCount)
  const key = ['prompt', id, opening]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(promptsApi.show, { params: { id: id as number } }, { signal }),
    enabled: id !== null,
    // The form must not change while it is being edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  /** The usage of the prompt is updated live while the page is open; edited fields keep their values. */
  useRecordNews(promptsApi.topic, (news) => {
    if (news.action === 'delete' || news.row.id !== id) return
    putCache(client, key, news.row)
  })
  const put = (saved: Prompt) => void (saved.id === id && putCache(client, key, saved))
  return { query, updateCache: put }
}
