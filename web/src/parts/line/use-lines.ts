import { type Connection, connectionsApi } from '@recado/contract/connections'
import { topics } from '@recado/contract/live'
import type { RecordNews } from '@recado/contract/topic'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useLive, useNews, useResync } from '../../lib/live.ts'
import { tell, useAgain } from '../../lib/told.ts'

const key = ['lines']

/** Spec, section 2: any state but connected deserves a look. */
export const needsAttention = (line: Connection): boolean => line.status !== 'CONNECTED'

/** Every line of the company, kept true by what the server tells. Menu, table, QR and test phone share one reading. */
export function useLines(enabled = true): UseQueryResult<Connection[]> {
  const change = useLineNews()
  useNews(connectionsApi.topic, change)
  useLive(topics.lineSession, ({ session }) => change({ action: 'session', session }))
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(connectionsApi.list, {}, { signal }),
    enabled,
  })
  useResync(useAgain(key))
  return query
}

type News = RecordNews<Connection> | { action: 'session'; session: Pick<Connection, 'id'> & Partial<Connection> }

/** Puts news into the list; also for what the caller already knows, such as the reply to a save. */
export function useLineNews(): (news: News) => void {
  const client = useQueryClient()
  return (news) => tell<Connection[]>(client, key, (lines) => placed(lines, news))
}

export function placed(lines: Connection[], news: News): Connection[] {
  if (news.action === 'delete') return lines.filter((line) => line.id !== news.id)
  const id = news.action === 'session' ? news.session.id : news.row.id
  const known = lines.find((line) => line.id === id)
  if (!known) return news.action === 'session' ? lines : [...lines, news.row].sort((a, b) => a.id - b.id)
  const next = news.action === 'session' ? { ...known, ...news.session } : news.row
  // The reply to a save can be overtaken by word of what followed from it.
  if (next.updatedAt < known.updatedAt) return lines
  return lines.map((line) => (line === known ? next : line))
}
