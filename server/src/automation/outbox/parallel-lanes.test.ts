import { expect, it } from 'vitest'
import { runLanesInParallel } from './parallel-lanes.ts'

type One = { contactId: number; taskNumber: number }
const signal = new AbortController().signal

/** A queue of items; the test decides when the processing of each ends. */
function makeQueue(waiting: One[], most = 2) {
  const started: One[] = []
  const inProgress = new Map<One, PromiseWithResolvers<boolean>>()
  let bell = Promise.withResolvers<void>()
  const over = runLanesInParallel<One>({
    maxParallel: most,
    signal: signal,
    whenWoken: () => bell.promise,
    laneOf: ({ contactId }) => contactId,
    takeNext: async (busy) => {
      const at = waiting.findIndex(({ contactId }) => !busy.includes(contactId))
      return at < 0 ? undefined : waiting.splice(at, 1)[0]
    },
    process: (one) => {
      started.push(one)
      const going = Promise.withResolvers<boolean>()
      inProgress.set(one, going)
      return going.promise
    },
  })
  over.catch(() => {})
  return {
    over,
    names: () => started.map(({ contactId, taskNumber }) => `${contactId}.${taskNumber}`),
    end: (name: string, goesOn: boolean | Error = true) => {
      const one = started.find(({ contactId, taskNumber }) => `${contactId}.${taskNumber}` === name)
      const going = one && inProgress.get(one)
      if (goesOn instanceof Error) going?.reject(goesOn)
      else going?.resolve(goesOn)
    },
    add(one: One) {
      waiting.push(one)
      bell.resolve()
      bell = Promise.withResolvers()
    },
  }
}
const itemsOf = (contactId: number, ...ns: number[]): One[] => ns.map((n) => ({ contactId, taskNumber: n }))

it('runs lanes in parallel, each in order, up to the limit', async () => {
  const p = makeQueue([...itemsOf(1, 1, 2), ...itemsOf(2, 1), ...itemsOf(3, 1)])
  await expect.poll(p.names).toEqual(['1.1', '2.1'])
  p.end('1.1')
  await expect.poll(p.names).toEqual(['1.1', '2.1', '1.2'])
  p.end('2.1')
  await expect.poll(p.names).toEqual(['1.1', '2.1', '1.2', '3.1'])
  p.end('1.2')
  p.end('3.1')
  await p.over
})

it('starts new work while one lane hangs', async () => {
  const p = makeQueue(itemsOf(1, 1))
  await expect.poll(p.names).toEqual(['1.1'])
  p.add({ contactId: 2, taskNumber: 1 })
  await expect.poll(p.names).toEqual(['1.1', '2.1'])
  p.end('2.1')
  p.end('1.1')
  await p.over
})

it('stops on false or an error, after the items in progress have ended', async () => {
  const still = makeQueue([...itemsOf(1, 1, 2), ...itemsOf(2, 1), ...itemsOf(3, 1)])
  await expect.poll(still.names).toEqual(['1.1', '2.1'])
  still.end('1.1', false)
  still.end('2.1')
  await still.over
  expect(still.names()).toEqual(['1.1', '2.1'])

  const broken = makeQueue([...itemsOf(1, 1), ...itemsOf(2, 1), ...itemsOf(3, 1)])
  await expect.poll(broken.names).toEqual(['1.1', '2.1'])
  let isOver = false
  broken.over.catch(() => {
    isOver = true
  })
  broken.end('1.1', new Error('cut'))
  await new Promise((done) => setImmediate(done))
  expect(isOver).toBe(false)
  broken.end('2.1')
  await expect(broken.over).rejects.toThrow('cut')
  expect(broken.names()).toEqual(['1.1', '2.1'])
})
