import { type Connection, connectionsApi } from '@recado/contract/connections'
import { topics } from '@recado/contract/live'
import type { RecordNews } from '@recado/contract/topic'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic, useRecordNews, useResync } from '../../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../../lib/query-cache.ts'

const linesKey = ['lines']

/** Spec, section 2: every state except connected needs attention. */
export const needsAttention = (line: Connection): boolean => line.status !== 'CONNECTED'

/** All lines of the company, kept current by events. Menu, table, QR and test phone share one query. */
export function useLines(enabled = true): UseQueryResult<Connection[]> {
  const change = useApplyLineNews()
  useRecordNews(connectionsApi.topic, change)
  useLiveTopic(topics.lineSession, ({ session }) => change({ action: 'session', session }))
  const query = useQuery({
    queryKey: linesKey,
    queryFn: ({ signal }) => callApi(connectionsApi.list, {}, { signal }),
    enabled,
  })
  useResync(useRefetchQuery(linesKey))
  return query
}

type LineNews = RecordNews<Connection> | { action: 'session'; session: Pick<Connection, 'id'> & Partial<Connection> }

/** Applies an event to the list. It is also used for data the caller already has, such as the response to a save. */
export function useApplyLineNews(): (news: LineNews) => void {
  const client = useQueryClient()
  return (news) => updateCachedQuery<Connection[]>(client, linesKey, (lines) => applyLineNews(lines, news))
}

export function applyLineNews(lines: Connection[], news: LineNews): Connection[] {
  if (news.action === 'delete') return lines.filter((line) => line.id !== news.id)
  const id = news.action === 'session' ? news.session.id : news.row.id
  const known = lines.find((line) => line.id === id)
  if (!known) return news.action === 'session' ? lines : [...lines, news.row].sort((a, b) => a.id - b.id)
  const next = news.action === 'session' ? { ...known, ...news.session } : news.row
  // The response to a save may arrive after an event about a later change.
  if (next.updatedAt < known.updatedAt) return lines
  return lines.map((line) => (line === known ? next : line))
}
