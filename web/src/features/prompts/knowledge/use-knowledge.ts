import { type Knowledge, knowledgeApi } from '@recado/contract/ai/knowledge'
import type { RecordNews } from '@recado/contract/topic'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useRecordNews, useResync } from '../../../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../../../lib/query-cache.ts'

/** The knowledge sources of a prompt by name, with live progress and usage. */
export function useKnowledge(promptId: number) {
  const client = useQueryClient()
  const key = ['knowledge', promptId]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(knowledgeApi.list, { params: { promptId } }, { signal }),
    retry: false,
  })
  const apply = (news: RecordNews<Knowledge>) =>
    updateCachedQuery<Knowledge[]>(client, key, (old) => applyKnowledgeNews(old, news, promptId))
  useRecordNews(knowledgeApi.topic, apply)
  useResync(useRefetchQuery(key))
  return { query, apply }
}

function applyKnowledgeNews(all: Knowledge[], news: RecordNews<Knowledge>, promptId: number): Knowledge[] {
  if (news.action === 'delete') return all.filter(({ id }) => id !== news.id)
  if (news.row.promptId !== promptId) return all
  return [...all.filter(({ id }) => id !== news.row.id), news.row].sort((a, b) => a.name.localeCompare(b.name))
}
