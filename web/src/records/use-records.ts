import { useDebouncedCallback } from '@mantine/hooks'
import type { Endpoint, RecordFacts } from '@recado/contract/kit'
import type { RecordNews, RecordTopic } from '@recado/contract/topic'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ZodType } from 'zod'
import { call } from '../lib/api.ts'
import { useNews, useResync } from '../lib/live.ts'
import { replay } from '../lib/replay.ts'
import { useAgain } from '../lib/told.ts'
import { applyNews, type Loaded, mergePage, nothingLoaded, type Page, type Row, type Rules, rulesOf } from './merge.ts'
import { useDebouncedSearch, useMore } from './reading.ts'

type Asked = { searchParam: string; pageNumber: number }

/** Where the rows of a list come from and how their news is told. */
export type Source<R extends Row> = Rules<R> & {
  name: string
  page: (asked: Asked, signal?: AbortSignal) => Promise<Page<R>>
  topic: RecordTopic<R>
}

/** The endpoints of a record, as `crud` makes them. */
type Listed<K extends string, R> = {
  topic: RecordTopic<NoInfer<R>>
  record: RecordFacts & { plural: K }
  list: Endpoint & { reply: ZodType<{ [P in K]: R[] } & { count: number; hasMore: boolean }> }
}

/** `rules`: where the server picks or orders in another way than the record says. */
export function sourceOf<K extends string, R extends Row>(
  { list, record, topic }: Listed<K, R>,
  rules: Partial<Rules<NoInfer<R>>> = {},
): Source<R> {
  return {
    ...rulesOf<R>(record),
    ...rules,
    name: list.path,
    topic,
    page: async (asked, signal) => {
      const reply = await call<Endpoint>(list, { query: asked } as object, signal ? { signal } : {})
      const page = reply as Record<K, R[]> & { count: number; hasMore: boolean }
      return { rows: page[record.plural], count: page.count, hasMore: page.hasMore }
    },
  }
}

export type Records<R> = {
  rows: R[]
  count: number
  hasMore: boolean
  /** There are more than `count`: the server stopped counting there. */
  isLowerBound: boolean
  /** `first`: nothing to show yet. `again`: old rows are shown while new ones come. */
  reading: 'first' | 'again' | 'more' | false
  error: unknown
  moreFailed: boolean
  typed: string
  /** What the shown rows were searched by. */
  search: string
  setTyped: (text: string) => void
  clearSearch: () => void
  more: () => void
  retry: () => void
  /** News the caller already knows, such as the reply to a save. */
  apply: (news: RecordNews<R>) => void
}

/** After a gap at most so many pages are read again at once; the rest comes back by scrolling. */
const pagesAgain = 10
const recountAfter = 800

export function useRecords<R extends Row>(source: Source<R>): Records<R> {
  const [typed, setTyped] = useState('')
  const [search, clearNow] = useDebouncedSearch(typed)
  const { query, merge, apply, again } = useLoaded(source, search)
  const more = useMore(search, query.data?.hasMore === true && !query.isFetching, () => merge(query.data?.next ?? 1))
  useNews(source.topic, apply)
  useResync(again)

  const settled = useRef(search)
  if (!query.isPlaceholderData) settled.current = search
  const { rows, count, hasMore, isLowerBound = false } = query.data ?? nothingLoaded
  return {
    rows,
    count,
    hasMore,
    isLowerBound,
    reading: query.isPending ? 'first' : query.isFetching ? 'again' : more.busy && 'more',
    error: query.isError && !query.isFetching ? query.error : null,
    moreFailed: more.failed,
    typed,
    search: settled.current,
    setTyped,
    clearSearch: () => {
      setTyped('')
      clearNow()
    },
    more: more.run,
    retry: () => void query.refetch(),
    apply,
  }
}

/** The rows of one search in the cache, and the two ways they change: a page read, a piece of news. */
function useLoaded<R extends Row>(source: Source<R>, search: string) {
  const client = useQueryClient()
  const [told] = useState(() => replay<RecordNews<R>>())
  const applied = (loaded: Loaded<R>, news: RecordNews<R>) => applyNews(loaded, news, search, source).loaded
  const key = ['records', source.name, search]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      told.during(() => readAgain(source, search, client.getQueryData<Loaded<R>>(key), signal), applied),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    staleTime: 0,
    retry: false,
  })
  const change = (how: (loaded: Loaded<R>) => Loaded<R>) =>
    client.setQueryData<Loaded<R>>(key, (old) => old && how(old))
  const merge = async (number: number) => {
    const { page, news } = await told.since(() => source.page({ searchParam: search, pageNumber: number }))
    change((old) => news.reduce(applied, mergePage(old, page, number)))
  }
  const recount = useDebouncedCallback(() => merge(1).catch(() => undefined), recountAfter)
  const apply = (news: RecordNews<R>) => {
    told.hear(news)
    change((old) => {
      const result = applyNews(old, news, search, source)
      if (result.recount) recount()
      return result.loaded
    })
  }
  return { query, merge, apply, again: useAgain(key) }
}

async function readAgain<R extends Row>(
  source: Source<R>,
  search: string,
  before: Loaded<R> | undefined,
  signal: AbortSignal,
): Promise<Loaded<R>> {
  const pages = before ? Math.ceil(before.rows.length / Math.max(before.pageSize, 1)) : 1
  let loaded: Loaded<R> = nothingLoaded
  for (let number = 1; number <= Math.max(1, Math.min(pages, pagesAgain)) && loaded.hasMore; number++) {
    loaded = mergePage(loaded, await source.page({ searchParam: search, pageNumber: number }, signal), number)
  }
  return loaded
}
