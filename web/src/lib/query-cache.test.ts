import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InfiniteData, InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { replayUpdatesPersister, setCachedQuery, updateCachedQuery } from './query-cache.ts'

const key = ['letters']

/** A mounted query whose responses are controlled by the test. */
function mountQuery() {
  const client = new QueryClient({ defaultOptions: { queries: { persister: replayUpdatesPersister, retry: false } } })
  const asked: PromiseWithResolvers<string[]>[] = []
  const queryFn = () => {
    const one = Promise.withResolvers<string[]>()
    asked.push(one)
    return one.promise
  }
  const observer = new QueryObserver<string[]>(client, { queryKey: key, queryFn })
  observer.subscribe(() => undefined)
  const shown = () => client.getQueryData<string[]>(key)
  const again = () => client.invalidateQueries({ queryKey: key })
  return { client, pendingRequests: asked, observer, currentData: shown, refetch: again }
}
const add = (one: string) => (all: string[]) => [...all.filter((other) => other !== one), one]

it('applies a change on top of the first response when it arrives during the request', async () => {
  const { client, pendingRequests: asked, currentData: shown } = mountQuery()
  updateCachedQuery(client, key, add('b'))
  updateCachedQuery(client, key, add('c'))
  expect(shown()).toBeUndefined()
  asked[0]?.resolve(['a'])
  await vi.waitFor(() => expect(shown()).toEqual(['a', 'b', 'c']))
})

it('shows a change during a reload at once, and an older response does not undo it', async () => {
  const { client, pendingRequests: asked, currentData: shown, refetch: again } = mountQuery()
  asked[0]?.resolve(['a'])
  await vi.waitFor(() => expect(shown()).toEqual(['a']))
  const over = again()
  updateCachedQuery(client, key, add('b'))
  expect(shown()).toEqual(['a', 'b'])
  asked[1]?.resolve(['a'])
  await over
  expect(shown()).toEqual(['a', 'b'])
})

it('does not replace the complete response of a call with an older response', async () => {
  const { client, pendingRequests: asked, currentData: shown, refetch: again } = mountQuery()
  asked[0]?.resolve(['old'])
  await vi.waitFor(() => expect(shown()).toEqual(['old']))
  const over = again()
  setCachedQuery(client, key, ['saved'])
  asked[1]?.resolve(['old'])
  await over
  expect(shown()).toEqual(['saved'])
  // The next request is independent of the earlier one.
  const next = again()
  asked[2]?.resolve(['new'])
  await next
  expect(shown()).toEqual(['new'])
})

it('reloads once when invalidated during the first request', async () => {
  const { pendingRequests: asked, currentData: shown, refetch: again } = mountQuery()
  void again()
  void again()
  expect(asked).toHaveLength(1)
  asked[0]?.resolve(['before'])
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  expect(shown()).toEqual(['before'])
  asked[1]?.resolve(['after'])
  await vi.waitFor(() => expect(shown()).toEqual(['after']))
  await new Promise((resolve) => setTimeout(resolve))
  expect(asked).toHaveLength(2)
})

it('retries a failed request on demand without loading twice', async () => {
  const { pendingRequests: asked, observer, currentData: shown } = mountQuery()
  asked[0]?.reject(new Error('offline'))
  await vi.waitFor(() => expect(observer.getCurrentResult().isError).toBe(true))
  void observer.refetch()
  asked[1]?.resolve(['here'])
  await vi.waitFor(() => expect(shown()).toEqual(['here']))
  await new Promise((resolve) => setTimeout(resolve))
  expect(asked).toHaveLength(2)
})

it('works for lists with several pages too', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { persister: replayUpdatesPersister } } })
  const asked: PromiseWithResolvers<string[]>[] = []
  const observer = new InfiniteQueryObserver(client, {
    queryKey: key,
    queryFn: () => {
      const one = Promise.withResolvers<string[]>()
      asked.push(one)
      return one.promise
    },
    initialPageParam: 1,
    getNextPageParam: (_page: string[], all: string[][]) => (all.length < 2 ? all.length + 1 : undefined),
  })
  observer.subscribe(() => undefined)
  updateCachedQuery<InfiniteData<string[]>>(client, key, ({ pages, pageParams }) => ({
    pages: pages.map((page, at) => (at === 0 ? add('b')(page) : page)),
    pageParams,
  }))
  asked[0]?.resolve(['a'])
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages).toEqual([['a', 'b']]))
})

it('restricts cache writes to modules that handle running requests', () => {
  const root = join(import.meta.dirname, '..')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  )
  const past = files.filter((name) => {
    const text = readFileSync(join(root, name), 'utf8')
    return text.includes('.setQueryData') && !/from '.*\/news-replay\.ts'/.test(text)
  })
  expect(past).toEqual([join('lib', 'query-cache.ts')])
})
