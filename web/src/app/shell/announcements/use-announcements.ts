import { type Announcement, announcementsApi } from '@recado/contract/announcements'
import type { RecordNews } from '@recado/contract/topic'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useRecordNews, useResync } from '../../../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../../../lib/query-cache.ts'
import { useSession } from '../../../lib/session.tsx'
import { readStoredText, writeStoredText } from '../../../lib/storage.ts'

export type AnnouncementFeed = {
  list: Announcement[]
  loading: boolean
  error: unknown
  retry: () => void
  loadMore: () => void
  hasUnseen: boolean
  markSeen: () => void
}

const key = ['announcements']
/** The storage key of the read state, one per user: users of a shared computer have separate read states. */
const seenKey = (userId: number) => `announcementsSeen-${userId}`
type Page = { records: Announcement[]; hasMore: boolean }

/** The active announcements, newest first, updated live. */
export function useAnnouncements(): AnnouncementFeed {
  const client = useQueryClient()
  const me = useSession().user?.id ?? 0
  const [seen, setSeen] = useState(() => Number(readStoredText(seenKey(me)) ?? 0))
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      callApi(announcementsApi.list, { query: { searchParam: '', pageNumber: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (page: Page, _, number) => (page.hasMore ? number + 1 : undefined),
  })

  useResync(useRefetchQuery(key))
  useRecordNews(announcementsApi.topic, (news) => {
    updateCachedQuery<InfiniteData<Page>>(client, key, (old) => ({ ...old, pages: withNews(old.pages, news) }))
  })

  // The super user's list also contains inactive announcements.
  const list = (query.data?.pages ?? []).flatMap((page) => page.records).filter((one) => one.status)
  const newest = Math.max(0, ...list.map((one) => one.id))
  return {
    list,
    loading: query.isPending,
    error: query.isError ? query.error : null,
    retry: () => void query.refetch(),
    loadMore: () => void (query.hasNextPage && !query.isFetching && query.fetchNextPage()),
    hasUnseen: newest > seen,
    markSeen: () => {
      setSeen(newest)
      writeStoredText(seenKey(me), String(newest))
    },
  }
}

function withNews(pages: Page[], news: RecordNews<Announcement>): Page[] {
  const id = news.action === 'delete' ? news.id : news.row.id
  const known = pages.some((page) => page.records.some((one) => one.id === id))
  return pages.map((page, index) => {
    if (news.action === 'delete') return { ...page, records: page.records.filter((one) => one.id !== id) }
    if (known) return { ...page, records: page.records.map((one) => (one.id === id ? news.row : one)) }
    return index === 0 ? { ...page, records: [news.row, ...page.records] } : page
  })
}
