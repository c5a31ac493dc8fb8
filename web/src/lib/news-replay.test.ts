import { expect, it } from 'vitest'
import { createNewsReplay } from './news-replay.ts'

const add = (page: string[], one: string) => [...page, one]

it('applies events received during a request on top of its result, in order', async () => {
  const news = createNewsReplay<string>()
  news.record('before')
  const page = Promise.withResolvers<string[]>()
  const read = news.runAndApply(() => page.promise, add)
  news.record('one', 'two')
  news.record('three')
  page.resolve(['read'])
  expect(await read).toEqual(['read', 'one', 'two', 'three'])
})

it('gives each of several requests the events since its own start, in any order of completion', async () => {
  const news = createNewsReplay<string>()
  const [slow, quick] = [Promise.withResolvers<string[]>(), Promise.withResolvers<string[]>()]
  const first = news.runAndApply(() => slow.promise, add)
  news.record('early')
  const second = news.runAndApply(() => quick.promise, add)
  news.record('late')
  quick.resolve([])
  expect(await second).toEqual(['late'])
  news.record('later')
  slow.resolve([])
  expect(await first).toEqual(['early', 'late', 'later'])
})

it('drops the recorded events with the last request, also when that request failed', async () => {
  const news = createNewsReplay<string>()
  const page = Promise.withResolvers<string[]>()
  const read = news.runAndApply(() => page.promise, add)
  news.record('old')
  page.reject(new Error('offline'))
  await expect(read).rejects.toThrow('offline')
  news.record('nobody reads')
  expect(await news.runWithNews(async () => 'page')).toEqual({ page: 'page', news: [] })
})
