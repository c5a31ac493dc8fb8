import type { Message } from '@recado/contract/messages'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBrowserOutbox, type OutboxDeps } from './outbox.ts'
import type { OutboxEntry } from './outbox-queue.ts'
import { sampleEntry, sampleStoredMessage } from './sample-entry.ts'

const offline = new Error('offline')
const refusalError = new Error('refused')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A fake server that identifies messages by clientId, and a network with a given fate for each try. */
function createTestOutbox(fates: ('well' | 'lost' | 'unanswered' | 'refused')[] = []) {
  const stored: OutboxEntry[] = []
  const storedEntries = new Map<string, OutboxEntry>()
  let open = true
  const deps: OutboxDeps = {
    async send(entry) {
      await Promise.resolve()
      const fate = fates.shift() ?? 'well'
      if (fate === 'lost') throw offline
      if (fate === 'refused') throw refusalError
      if (!stored.some(({ clientId }) => clientId === entry.clientId)) stored.push(entry)
      if (fate === 'unanswered') throw offline
      return sampleStoredMessage(entry)
    },
    isTransient: (error) => error === offline,
    canSend: () => open,
    storeEntry: (entry) => void storedEntries.set(entry.clientId, entry),
    removeEntry: ({ clientId }) => void storedEntries.delete(clientId),
  }
  const ids = (entries: OutboxEntry[]) => entries.map(({ clientId }) => clientId)
  return {
    outbox: createBrowserOutbox(deps),
    /** Simulates a reload of the page: only stored entries are left. */
    reload() {
      const next = createBrowserOutbox(deps)
      next.restore([...storedEntries.values()])
      return next
    },
    stored: () => ids(stored),
    storedEntries: () => [...storedEntries.keys()],
    setBlocked: (is: boolean) => {
      open = !is
    },
  }
}
/** Runs all timers: for longer than twenty-five failures in a row with the longest pause. */
const runAllTimers = () => vi.advanceTimersByTimeAsync(30 * 31_000)

describe('outbox', () => {
  it('sends messages in order and leaves no entry behind', async () => {
    const w = createTestOutbox()
    const ends = w.outbox.add([sampleEntry('a'), sampleEntry('b'), sampleEntry('c', 2)])
    expect(w.outbox.entries()).toHaveLength(3)
    await runAllTimers()
    expect((await Promise.all(ends)).map((message) => message?.clientId)).toEqual(['a', 'b', 'c'])
    expect(w.stored().filter((id) => id !== 'c')).toEqual(['a', 'b'])
    expect([w.outbox.entries(), w.storedEntries()]).toEqual([[], []])
  })

  it('waits while the network is down and then sends automatically, in order', async () => {
    const w = createTestOutbox(['lost', 'lost', 'unanswered', 'lost'])
    w.outbox.add([sampleEntry('a'), sampleEntry('b')])
    await vi.advanceTimersByTimeAsync(10)
    expect(w.outbox.entries()[0]).toMatchObject({ phase: 'waiting', error: offline })
    expect(w.storedEntries()).toEqual(['a', 'b'])
    await runAllTimers()
    expect(w.stored()).toEqual(['a', 'b'])
    expect(w.outbox.entries()).toEqual([])
  })

  it('retries at once when the network is reported as back', async () => {
    const w = createTestOutbox(['lost', 'lost', 'lost', 'lost', 'lost'])
    w.outbox.add([sampleEntry('a')])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(w.stored()).toEqual([])
    w.outbox.retryNow()
    await vi.advanceTimersByTimeAsync(1)
    expect(w.stored()).toEqual(['a'])
  })

  it('keeps a refused message with its reason, and sends the other messages', async () => {
    const w = createTestOutbox(['refused'])
    const [first, second] = w.outbox.add([sampleEntry('a'), sampleEntry('b')])
    await runAllTimers()
    expect(await first).toBeNull()
    expect((await second)?.clientId).toBe('b')
    expect(w.outbox.entries()).toMatchObject([{ clientId: 'a', phase: 'failed', error: refusalError }])
    w.outbox.retry('a')
    await runAllTimers()
    expect(w.stored()).toEqual(['b', 'a'])
  })

  it('marks a message as stored when a live event confirms it', async () => {
    const w = createTestOutbox(['unanswered'])
    const heard: Message[] = []
    w.outbox.onStored((message) => void heard.push(message))
    w.outbox.add([sampleEntry('a')])
    await vi.advanceTimersByTimeAsync(10)
    w.outbox.confirmStored(sampleStoredMessage(sampleEntry('a')))
    await runAllTimers()
    expect(heard.map(({ clientId }) => clientId)).toEqual(['a'])
    expect([w.stored(), w.outbox.entries(), w.storedEntries()]).toEqual([['a'], [], []])
  })

  it('stops a cancelled upload without treating it as a failure', async () => {
    let signal: AbortSignal | undefined
    const outbox = createBrowserOutbox({
      send: (_, handed) =>
        new Promise((_, reject) => {
          signal = handed.signal
          signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
        }),
      isTransient: () => false,
      canSend: () => true,
      storeEntry: () => undefined,
      removeEntry: () => undefined,
    })
    const [end] = outbox.add([sampleEntry('a')])
    expect(outbox.remove('a')?.clientId).toBe('a')
    expect(signal?.aborted).toBe(true)
    expect(await end).toBeNull()
    expect(outbox.entries()).toEqual([])
  })

  it('sends nothing while another user is logged in', async () => {
    const w = createTestOutbox()
    w.setBlocked(true)
    w.outbox.add([sampleEntry('a')])
    await runAllTimers()
    expect(w.stored()).toEqual([])
    w.outbox.clear()
    w.setBlocked(false)
    w.reload()
    await runAllTimers()
    expect(w.stored()).toEqual(['a'])
  })
})

/** Checks that the messages within each ticket are in the order in which they were written. */
function expectOrder(stored: string[], tickets: Map<string, number>) {
  for (const ticket of [0, 1]) {
    const numbers = stored.filter((id) => tickets.get(id) === ticket).map((id) => Number(id.slice(1)))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  }
}

type Step = { do: 'write' | 'time' | 'wake' | 'reload' | 'retry' | 'discard'; n: number }
const anyStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('write', 'write', 'time', 'wake', 'reload', 'retry', 'discard'),
  n: fc.nat(20),
})
const anyFate = fc.constantFrom('well' as const, 'lost' as const, 'unanswered' as const, 'refused' as const)

it('loses nothing and sends nothing twice with any network failures, reloads and actions of the agent', async () => {
  const runSteps = async (steps: Step[], fates: ('well' | 'lost' | 'unanswered' | 'refused')[]) => {
    const w = createTestOutbox([...fates])
    let { outbox } = w
    const written: string[] = []
    const discarded = new Set<string>()
    const tickets = new Map<string, number>()
    for (const step of steps) {
      const target = outbox.entries()[step.n % Math.max(1, outbox.entries().length)]?.clientId ?? ''
      if (step.do === 'write') {
        written.push(`m${written.length}`)
        tickets.set(`m${written.length - 1}`, step.n % 2)
        outbox.add([sampleEntry(`m${written.length - 1}`, step.n % 2)])
      } else if (step.do === 'time') await vi.advanceTimersByTimeAsync(step.n * 500)
      else if (step.do === 'wake') outbox.retryNow()
      else if (step.do === 'retry') outbox.retry(target)
      else if (step.do === 'discard' && outbox.remove(target)) discarded.add(target)
      else if (step.do === 'reload') {
        outbox.clear()
        outbox = w.reload()
      }
      const here = outbox.entries().map(({ clientId }) => clientId)
      const gone = written.filter((id) => !here.includes(id) && !w.stored().includes(id) && !discarded.has(id))
      expect(gone).toEqual([])
    }
    await runAllTimers()
    const failed = outbox.entries().map(({ clientId, phase }) => [clientId, phase])
    expect(new Set(w.stored()).size).toBe(w.stored().length)
    for (const id of written)
      expect(w.stored().includes(id) || discarded.has(id) || failed.some(([one]) => one === id)).toBe(true)
    expect(failed.every(([, phase]) => phase === 'failed')).toBe(true)
    if (!fates.includes('refused')) expectOrder(w.stored(), tickets)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), fc.array(anyFate, { maxLength: 25 }), runSteps),
    {
      numRuns: 200,
    },
  )
})
