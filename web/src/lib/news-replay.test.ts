import { expect, it } from 'vitest'
import { createNewsReplay } from './news-replay.ts'

const add = (page: string[], one: string) => [...page, one]

it('what was heard while a page was on its way is applied on top of it, in its order', async () => {
  const news = createNewsReplay<string>()
  news.hear('before')
  const page = Promise.withResolvers<string[]>()
  const read = news.during(() => page.promise, add)
  news.hear('one', 'two')
  news.hear('three')
  page.resolve(['read'])
  expect(await read).toEqual(['read', 'one', 'two', 'three'])
})

it('each of several readers gets what was heard since it asked, whichever is done first', async () => {
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

it('is forgotten with the last reader, also with one that failed', async () => {
  const news = createNewsReplay<string>()
  const page = Promise.withResolvers<string[]>()
  const read = news.during(() => page.promise, add)
  news.hear('old')
  page.reject(new Error('offline'))
  await expect(read).rejects.toThrow('offline')
  news.hear('nobody reads')
  expect(await news.since(async () => 'page')).toEqual({ page: 'page', news: [] })
})
