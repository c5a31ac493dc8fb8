import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canReturnToComposer,
  entriesReadyToSend,
  type OutboxAction,
  type OutboxEntry,
  type OutboxPhase,
  reduceOutbox,
} from './outbox-queue.ts'
import { sampleEntry } from './sample-entry.ts'

const queueAfter = (...actions: OutboxAction[]) => actions.reduce(reduceOutbox, [] as OutboxEntry[])
const add = (...entries: OutboxEntry[]): OutboxAction => ({ do: 'add', entries })
const ids = (queue: OutboxEntry[]) => queue.map(({ clientId }) => clientId)

describe('send queue', () => {
  it('sends one message of a ticket at a time, and other tickets in parallel', () => {
    const queue = queueAfter(add(sampleEntry('a'), sampleEntry('b'), sampleEntry('c', 2)))
    expect(ids(entriesReadyToSend(queue))).toEqual(['a', 'c'])
    expect(ids(entriesReadyToSend(reduceOutbox(queue, { do: 'fly', clientId: 'a' })))).toEqual(['c'])
  })

  it('keeps the position of a message that the network lost, and lets other messages pass a refused message', () => {
    const flying = queueAfter(add(sampleEntry('a'), sampleEntry('b')), { do: 'fly', clientId: 'a' })
    expect(ids(entriesReadyToSend(reduceOutbox(flying, { do: 'wait', clientId: 'a', error: 'gone' })))).toEqual(['a'])
    expect(ids(entriesReadyToSend(reduceOutbox(flying, { do: 'fail', clientId: 'a', error: 'no' })))).toEqual(['b'])
  })

  it('puts a retried message behind later messages', () => {
    const queue = queueAfter(
      add(sampleEntry('a'), sampleEntry('b')),
      { do: 'fly', clientId: 'a' },
      { do: 'fail', clientId: 'a', error: 'no' },
      { do: 'retry', clientId: 'a', at: 'later' },
    )
    expect(ids(queue)).toEqual(['b', 'a'])
    expect(queue[1]).toMatchObject({ phase: 'waiting', error: null, createdAt: 'later' })
  })

  it('returns text to the composer only when the customer cannot get it twice', () => {
    const phases: [OutboxPhase, boolean][] = [
      ['failed', true],
      ['flying', false],
      ['stored', false],
      ['waiting', true],
    ]
    for (const [phase, ours] of phases) expect(canReturnToComposer(sampleEntry('a', 1, { phase }))).toBe(ours)
    const [lost] = queueAfter(
      add(sampleEntry('a')),
      { do: 'fly', clientId: 'a' },
      { do: 'wait', clientId: 'a', error: 'gone' },
    )
    expect(lost && canReturnToComposer(lost)).toBe(false)
  })

  it('shows progress only during an upload', () => {
    const file = { name: 'a.png', type: 'image/png', size: 9, preview: null }
    const flying = queueAfter(add(sampleEntry('a', 1, { file })), { do: 'fly', clientId: 'a' })
    expect(flying[0]?.progress).toBe(0)
    const half = reduceOutbox(flying, { do: 'progress', clientId: 'a', share: 0.5 })
    expect(half[0]?.progress).toBe(0.5)
    expect(reduceOutbox(half, { do: 'wait', clientId: 'a', error: 0 })[0]?.progress).toBeNull()
  })
})

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const anyDeed: fc.Arbitrary<OutboxAction> = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    entries: fc.array(
      name.map((id) => sampleEntry(id, id < 'c' ? 1 : 2)),
      { maxLength: 3 },
    ),
  }),
  fc.record({ do: fc.constantFrom('fly' as const, 'stored' as const, 'drop' as const), clientId: name }),
  fc.record({ do: fc.constantFrom('wait' as const, 'fail' as const), clientId: name, error: fc.constant('why') }),
  fc.record({ do: fc.constant('retry' as const), clientId: name, at: fc.constant('later') }),
  fc.record({ do: fc.constant('progress' as const), clientId: name, share: fc.double({ min: 0, max: 1 }) }),
)

it('never duplicates or alters a message, and loses a message only when the user discards it', () => {
  fc.assert(
    fc.property(fc.array(anyDeed, { maxLength: 40 }), (actions) => {
      let queue: OutboxEntry[] = []
      for (const action of actions) {
        const before = queue
        queue = reduceOutbox(queue, action)
        expect(new Set(ids(queue)).size).toBe(queue.length)
        for (const { clientId, text, body } of queue)
          expect([text, body]).toEqual([`text of ${clientId}`, `text of ${clientId}`])
        const lost = ids(before).filter((id) => !ids(queue).includes(id))
        expect(lost).toEqual(action.do === 'drop' && lost.length > 0 ? [action.clientId] : [])
        const leaving = entriesReadyToSend(queue).map(({ ticketId }) => ticketId)
        expect(new Set(leaving).size).toBe(leaving.length)
      }
    }),
  )
})
