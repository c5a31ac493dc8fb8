import { expect, it } from 'vitest'
import { makeLoadBatch } from './load-batch.ts'

type House = { calls: string[] }
const named = (name: string) => async (server: House, all: number[]) => {
  server.calls.push(`${name} ${all.length}`)
  return all.map((n) => n * 10)
}

async function runBatch(
  works: ((ask: ReturnType<ReturnType<typeof makeLoadBatch<House>>['member']>['load']) => Promise<number>)[],
) {
  const server: House = { calls: [] }
  const batch = makeLoadBatch(server, works.length)
  const results = await Promise.allSettled(
    works.map(async (work) => {
      const { load: ask, done } = batch.member()
      try {
        return await work(ask)
      } catch (error) {
        batch.fail(error)
        throw error
      } finally {
        done()
      }
    }),
  )
  return { asked: server.calls, results: results.map((r) => (r.status === 'fulfilled' ? r.value : String(r.reason))) }
}

it('runs equal queries once, and gives each caller its own result', async () => {
  const first = named('first')
  const { asked, results } = await runBatch([1, 2, 3].map((n) => (ask) => ask(first, n)))
  expect(asked).toEqual(['first 3'])
  expect(results).toEqual([10, 20, 30])
})

it('delays the shared query of operations with fewer steps until the others reach it, as learned from earlier batches', async () => {
  const [begin, aside, further, meet] = [named('begin'), named('aside'), named('further'), named('meet')]
  const works = [1, 2, 3].map((n) => async (ask: Parameters<Parameters<typeof runBatch>[0][number]>[0]) => {
    await ask(begin, n)
    if (n === 1) await ask(aside, n)
    if (n === 1) await ask(further, n)
    return ask(meet, n)
  })
  await runBatch(works)
  expect((await runBatch(works)).asked).toEqual(['begin 3', 'aside 1', 'further 1', 'meet 3'])
})

it('fails every operation of a batch when one of them fails, and leaves none waiting', async () => {
  const begin = named('begin')
  const broken = async (): Promise<number[]> => {
    throw new Error('no')
  }
  const { results } = await runBatch([
    (ask) => ask(begin, 1).then(() => ask(broken, 1)),
    (ask) => ask(begin, 2).then(() => ask(begin, 2)),
    async () => 3,
  ])
  expect(results).toEqual(['Error: no', 'Error: no', 3])
  const other = await runBatch([() => Promise.reject(new Error('mine')), (ask) => ask(begin, 2)])
  expect(other.results).toEqual(['Error: mine', 'Error: mine'])
})
