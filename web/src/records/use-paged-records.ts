import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useResync } from '../lib/live.ts'
import { useRefetchQuery } from '../lib/query-cache.ts'
import type { RecordRow, RowPage } from './merge-rows.ts'
import { useDebouncedSearch } from './search-and-paging.ts'
import type { RecordList } from './use-records.ts'

type PageQuery = { searchParam: string; pageNumber: number }

/** A paged list without events per row, which is reloaded after changes. `name` identifies the list. */
export function usePagedRecords<R extends RecordRow>(
  name: readonly unknown[],
  read: (asked: PageQuery, signal: AbortSignal) => Promise<RowPage<R>>,
): RecordList<R> {
  const [typed, setTyped] = useState('')
  const [search, clearNow] = useDebouncedSearch(typed)
  const key = [...name, search]
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read({ searchParam: search, pageNumber: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.hasMore ? all.length + 1 : undefined),
    placeholderData: (before) => before,
    retry: false,
  })
  const refetch = useRefetchQuery(key)
  useResync(refetch)
  // The rows of the previous search are shown while new rows load.
  const settledSearch = useRef(search)
  if (!query.isPlaceholderData) settledSearch.current = search
  const pages = query.data?.pages ?? []
  // A row that moved to the next page between two requests is in both pages.
  const rows = [...new Map(pages.flatMap((page) => page.rows).map((row) => [row.id, row])).values()]
  return {
    rows,
    count: pages.at(-1)?.count ?? 0,
    isLowerBound: pages.at(-1)?.isLowerBound === true,
    hasMore: query.hasNextPage,
    loadState: query.isPending ? 'first' : query.isFetchingNextPage ? 'more' : query.isFetching && 'again',
    error: query.isError && !query.isFetching && !rows.length ? query.error : null,
    hasMoreFailed: query.isFetchNextPageError,
    typed,
    search: settledSearch.current,
    setTyped,
    clearSearch: () => {
      setTyped('')
      clearNow()
    },
    loadMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
    },
    retry: () => void query.refetch(),
    apply: refetch,
  }
}
