import { expect, it } from 'vitest'
import { createNewsReplay } from './news-replay.ts'

const add = (page: string[], one: string) => [...page, one]

it('applies events received during a request on top of its result, in order', async () => {
  const news = createNewsReplay<string>()
  news.hear('before')
  const page = Promise.withResolvers<string[]>()
  const read = news.during(() => page.promise, add)
  news.hear('one', 'two')
  news.hear('three')
  page.resolve(['read'])
  expect(await read).toEqual(['read', 'one', 'two', 'three'])
})

it('gives each of several readers the events since its own request, whichever finishes first', async () => {
  const news = createNewsReplay<string>()
  const [slow, quick] = [Promise.withResolvers<string[]>(), Promise.withResolvers<string[]>()]
  const first = news.during(() => slow.promise, add)
  news.hear('early')
  const second = news.during(() => quick.promise, add)
  news.hear('late')
  quick.resolve([])
  expect(await second).toEqual(['late'])
  news.hear('later')
  slow.resolve([])
  expect(await first).toEqual(['early', 'late', 'later'])
})

it('drops its events with the last reader, also when that one failed', async () => {
  const news = createNewsReplay<string>()
  const page = Promise.withResolvers<string[]>()
  const read = news.during(() => page.promise, add)
  news.hear('old')
  page.reject(new Error('offline'))
  await expect(read).rejects.toThrow('offline')
  news.hear('nobody reads')
  expect(await news.since(async () => 'page')).toEqual({ page: 'page', news: [] })
})
