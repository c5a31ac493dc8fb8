import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks'
import type { Endpoint } from '@recado/contract/kit'
import { type RecordNews, type RecordTopic, unpack } from '@recado/contract/live'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ZodType } from 'zod'
import { call } from '../lib/api.ts'
import { useLive, useResync } from '../lib/live.ts'
import { applyNews, type Loaded, mergePage, nothingLoaded, type Page, type Row, type Rules } from './merge.ts'

type Asked = { searchParam: string; pageNumber: number }

/** Where the rows of a list come from and how their news is told. */
export type Source<R extends Row> = Rules<R> & {
  name: string
  page: (asked: Asked, signal?: AbortSignal) => Promise<Page<R>>
  topic: RecordTopic<R>
}

type ListOf<K extends string, R> = Endpoint & {
  reply: ZodType<{ [P in K]: R[] } & { count: number; hasMore: boolean }>
}

export function sourceOf<K extends string, R extends Row>(
  list: ListOf<K, R>,
  plural: K,
  topic: RecordTopic<NoInfer<R>>,
  rules: Rules<NoInfer<R>>,
): Source<R> {
  return {
    ...rules,
    name: list.path,
    topic,
    page: async (asked, signal) => {
      const reply = await call<Endpoint>(list, { query: asked } as object, signal ? { signal } : {})
      const page = reply as Record<K, R[]> & { count: number; hasMore: boolean }
      return { rows: page[plural], count: page.count, hasMore: page.hasMore }
    },
  }
}

export type Records<R> = {
  rows: R[]
  count: number
  hasMore: boolean
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

/** Spec, section 9. */
const searchAfter = 500
/** After a gap at most so many pages are read again at once; the rest comes back by scrolling. */
const pagesAgain = 10
const recountAfter = 800

export function useRecords<R extends Row>(source: Source<R>): Records<R> {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [search, setSearchNow] = useDebouncedSearch(typed)
  const journal = useJournal<R>()
  const key = ['records', source.name, search]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      journal.during(
        () => readAgain(source, search, client.getQueryData<Loaded<R>>(key), signal),
        (loaded, news) => applyNews(loaded, news, search, source).loaded,
      ),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    staleTime: 0,
    retry: false,
  })

  const merge = async (number: number) => {
    const page = await source.page({ searchParam: search, pageNumber: number })
    client.setQueryData<Loaded<R>>(key, (old) => old && mergePage(old, page, number))
  }
  const more = useMore(search, query.data?.hasMore === true && !query.isFetching, () => merge(query.data?.next ?? 1))
  const recount = useDebouncedCallback(() => merge(1).catch(() => undefined), recountAfter)

  const apply = (news: RecordNews<R>) => {
    journal.note(news)
    client.setQueryData<Loaded<R>>(key, (old) => {
      if (!old) return old
      const result = applyNews(old, news, search, source)
      if (result.recount) recount()
      return result.loaded
    })
  }
  useLive(source.topic, (payload) => apply(unpack(source.topic, payload as Record<string, unknown>)))
  useResync(() => void query.refetch())

  const settled = useRef(search)
  if (!query.isPlaceholderData) settled.current = search
  const { rows, count, hasMore } = query.data ?? nothingLoaded
  return {
    rows,
    count,
    hasMore,
    reading: query.isPending ? 'first' : query.isFetching ? 'again' : more.busy && 'more',
    error: query.isError && !query.isFetching ? query.error : null,
    moreFailed: more.failed,
    typed,
    search: settled.current,
    setTyped,
    clearSearch: () => {
      setTyped('')
      setSearchNow()
    },
    more: more.run,
    retry: () => void query.refetch(),
    apply,
  }
}

/** The search waits for the typing to stop; clearing it by the button does not. */
function useDebouncedSearch(typed: string): [string, () => void] {
  const [waited] = useDebouncedValue(typed.trim().toLowerCase(), searchAfter)
  const [cleared, setCleared] = useState<string | null>(null)
  if (cleared !== null && cleared !== waited) setCleared(null)
  return [cleared === null ? waited : '', () => setCleared(waited)]
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

/** News that arrives while a page is on its way may be newer than that page: it is applied again on top. */
function useJournal<R>() {
  const state = useRef({ reading: 0, news: [] as RecordNews<R>[] })
  return {
    note(news: RecordNews<R>) {
      if (state.current.reading > 0) state.current.news.push(news)
    },
    async during<T>(read: () => Promise<T>, replay: (loaded: T, news: RecordNews<R>) => T): Promise<T> {
      const { current } = state
      current.reading++
      const from = current.news.length
      try {
        const loaded = await read()
        return current.news.slice(from).reduce(replay, loaded)
      } finally {
        if (--current.reading === 0) current.news = []
      }
    },
  }
}

function useMore(search: string, possible: boolean, read: () => Promise<void>) {
  const [state, setState] = useState({ search, step: 'idle' as 'idle' | 'busy' | 'failed' })
  const step = state.search === search ? state.step : 'idle'
  const run = () => {
    if (!possible || step === 'busy') return
    setState({ search, step: 'busy' })
    read().then(
      () => setState({ search, step: 'idle' }),
      () => setState({ search, step: 'failed' }),
    )
  }
  return { busy: step === 'busy', failed: step === 'failed', run }
}
