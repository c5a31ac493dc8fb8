import { useDebouncedCallback } from '@mantine/hooks'
import type { Endpoint, RecordDefinition } from '@recado/contract/endpoint'
import type { RecordNews, RecordTopic } from '@recado/contract/topic'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ZodType } from 'zod'
import { callApi } from '../lib/api.ts'
import { useRecordNews, useResync } from '../lib/live.ts'
import { createNewsReplay } from '../lib/news-replay.ts'
import { useRefetchQuery } from '../lib/query-cache.ts'
import {
  applyRecordNews,
  type ListRules,
  type LoadedRows,
  listRulesOf,
  mergePage,
  noRowsLoaded,
  type RecordRow,
  type RowPage,
} from './merge-rows.ts'
import { useDebouncedSearch, useLoadMore } from './search-and-paging.ts'

type PageQuery = { searchParam: string; pageNumber: number }

/** The source of a list's rows and of their events. */
export type RecordSource<R extends RecordRow> = ListRules<R> & {
  name: string
  page: (asked: PageQuery, signal?: AbortSignal) => Promise<RowPage<R>>
  topic: RecordTopic<R>
}

/** The endpoints of a record, as created by `crud`. */
type ListableRecord<K extends string, R> = {
  topic: RecordTopic<NoInfer<R>>
  record: RecordDefinition & { plural: K }
  list: Endpoint & { reply: ZodType<{ [P in K]: R[] } & { count: number; hasMore: boolean }> }
}

/** `rules`: overrides for a filter or order on the server that differs from the record's. */
export function recordSourceOf<K extends string, R extends RecordRow>(
  { list, record, topic }: ListableRecord<K, R>,
  rules: Partial<ListRules<NoInfer<R>>> = {},
): RecordSource<R> {
  return {
    ...listRulesOf<R>(record),
    ...rules,
    name: list.path,
    topic,
    page: async (asked, signal) => {
      const reply = await callApi<Endpoint>(list, { query: asked } as object, signal ? { signal } : {})
      const page = reply as Record<K, R[]> & { count: number; hasMore: boolean }
      return { rows: page[record.plural], count: page.count, hasMore: page.hasMore }
    },
  }
}

export type RecordList<R> = {
  rows: R[]
  count: number
  hasMore: boolean
  /** Whether there are more rows than `count`, because the server stopped counting there. */
  isLowerBound: boolean
  /** `first`: there are no rows to show yet. `again`: old rows are shown while new rows load. */
  loadState: 'first' | 'again' | 'more' | false
  error: unknown
  hasMoreFailed: boolean
  typed: string
  /** The search text of the shown rows. */
  search: string
  setTyped: (text: string) => void
  clearSearch: () => void
  loadMore: () => void
  retry: () => void
  /** Applies a change that the caller already has, such as the response to a save. */
  apply: (news: RecordNews<R>) => void
}

/** Maximum pages reloaded at once after a connection gap; further pages load again by scrolling. */
const maxPagesReread = 10
const recountDelayMs = 800

export function useRecords<R extends RecordRow>(source: RecordSource<R>): RecordList<R> {
  const [typed, setTyped] = useState('')
  const [search, clearNow] = useDebouncedSearch(typed)
  const { query, merge, apply, refetch: again } = useLoadedRows(source, search)
  const more = useLoadMore(search, query.data?.hasMore === true && !query.isFetching, () =>
    merge(query.data?.next ?? 1),
  )
  useRecordNews(source.topic, apply)
  useResync(again)

  const settledSearch = useRef(search)
  if (!query.isPlaceholderData) settledSearch.current = search
  const { rows, count, hasMore, isLowerBound = false } = query.data ?? noRowsLoaded
  return {
    rows,
    count,
    hasMore,
    isLowerBound,
    loadState: query.isPending ? 'first' : query.isFetching ? 'again' : more.busy && 'more',
    error: query.isError && !query.isFetching ? query.error : null,
    hasMoreFailed: more.failed,
    typed,
    search: settledSearch.current,
    setTyped,
    clearSearch: () => {
      setTyped('')
      clearNow()
    },
    loadMore: more.run,
    retry: () => void query.refetch(),
    apply,
  }
}

/** The cached rows of a search, and the two ways to change them: a loaded page, or an event. */
function useLoadedRows<R extends RecordRow>(source: RecordSource<R>, search: string) {
  const client = useQueryClient()
  const [newsReplay] = useState(() => createNewsReplay<RecordNews<R>>())
  const applied = (loaded: LoadedRows<R>, news: RecordNews<R>) => applyRecordNews(loaded, news, search, source).loaded
  const key = ['records', source.name, search]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      newsReplay.runAndApply(
        () => rereadPages(source, search, client.getQueryData<LoadedRows<R>>(key), signal),
        applied,
      ),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    staleTime: 0,
    retry: false,
  })
  const change = (how: (loaded: LoadedRows<R>) => LoadedRows<R>) =>
    client.setQueryData<LoadedRows<R>>(key, (old) => old && how(old))
  const merge = async (number: number) => {
    const { page, news } = await newsReplay.runWithNews(() => source.page({ searchParam: search, pageNumber: number }))
    change((old) => news.reduce(applied, mergePage(old, page, number)))
  }
  const recount = useDebouncedCallback(() => merge(1).catch(() => undefined), recountDelayMs)
  const apply = (news: RecordNews<R>) => {
    newsReplay.record(news)
    change((old) => {
      const result = applyRecordNews(old, news, search, source)
      if (result.recount) recount()
      return result.loaded
    })
  }
  return { query, merge, apply, refetch: useRefetchQuery(key) }
}

async function rereadPages<R extends RecordRow>(
  source: RecordSource<R>,
  search: string,
  before: LoadedRows<R> | undefined,
  signal: AbortSignal,
): Promise<LoadedRows<R>> {
  const pages = before ? Math.ceil(before.rows.length / Math.max(before.pageSize, 1)) : 1
  let loaded: LoadedRows<R> = noRowsLoaded
  for (let number = 1; number <= Math.max(1, Math.min(pages, maxPagesReread)) && loaded.hasMore; number++) {
    loaded = mergePage(loaded, await source.page({ searchParam: search, pageNumber: number }, signal), number)
  }
  return loaded
}
