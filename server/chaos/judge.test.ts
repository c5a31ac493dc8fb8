import { describe, expect, it } from 'vitest'
import { type ChaosEvidence, countOutOfOrder, judgeEvidence, type StoredMessage } from './judge.ts'

const row = (id: number, more: Partial<StoredMessage>): StoredMessage => ({
  ...{ id: String(id), wid: `w${id}`, chat: 'ana', fromMe: false, body: '', state: 'received', error: null },
  ...{ mediaState: 'none', clientId: null, later: false, at: `2026-01-01T00:00:0${id}Z` },
  ...more,
})
const sentByUs = { fromMe: true, state: 'sent' }
/** Ana writes three times and gets two replies; the server confirmed a reply to its sender by its client id. */
const flawlessEvidence = (): ChaosEvidence => ({
  sent: [1, 2, 3].map((n) => ({ chat: 'ana', id: `w${n}`, second: 100, turn: n })),
  received: [
    { chat: 'ana', id: 'w4', text: 'uno' },
    { chat: 'ana', id: 'w5', text: 'dos' },
  ],
  rows: [
    row(1, {}),
    row(2, {}),
    row(3, {}),
    row(4, { ...sentByUs, clientId: 'c4' }),
    row(5, { ...sentByUs, body: 'dos' }),
  ],
  requests: [
    { kind: 'send', wasConfirmed: true, clientId: 'c4' },
    { kind: 'schedule', wasConfirmed: true, chat: 'ana', text: 'dos' },
    { kind: 'schedule', wasConfirmed: false, chat: 'ana', text: 'nobody was told of it' },
  ],
  tickets: [{ ticketId: 1, allowed: ['open 3'], actual: 'open 3', history: [] }],
  screens: [{ agent: 'agent', list: 'open', shown: ['a', 'b'], reread: ['a', 'b'] }],
  retried: [],
  unfinished: [],
  failedSchedules: [],
})
const noFailures = { lost: 0, doubled: 0, disordered: 0, astray: 0 }
const judgeSpoilt = (spoil: (evidence: ChaosEvidence) => void) => {
  const evidence = flawlessEvidence()
  spoil(evidence)
  return judgeEvidence(evidence)
}

describe('the judge of a chaos run', () => {
  it('finds no failure if phones, database and screens agree', () => {
    expect(judgeEvidence(flawlessEvidence())).toEqual({ ...noFailures, in: 3, out: 2, faults: [] })
  })

  it('finds lost messages, incoming and outgoing', () => {
    expect(judgeSpoilt((e) => e.rows.splice(1, 1))).toMatchObject({ ...noFailures, lost: 1 })
    expect(judgeSpoilt((e) => e.received.splice(0, 1))).toMatchObject({ ...noFailures, lost: 1 })
    expect(judgeSpoilt((e) => e.requests.push({ kind: 'send', wasConfirmed: true, clientId: 'gone' }))).toMatchObject({
      lost: 1,
    })
    expect(
      judgeSpoilt((e) => e.requests.push({ kind: 'campaign', wasConfirmed: true, chat: 'eva', text: 'hola' })),
    ).toMatchObject({
      lost: 1,
    })
  })

  it('finds a confirmed schedule that failed, unless its author lost access to the ticket', () => {
    const failWith = (error: string) =>
      judgeSpoilt((e) => {
        e.requests.push({ kind: 'schedule', wasConfirmed: true, chat: 'eva', text: 'hola' })
        e.failedSchedules.push({ text: 'hola', error })
      })
    expect(failWith('no-access')).toMatchObject({ ...noFailures, faults: [] })
    expect(failWith('line-gone')).toMatchObject({
      ...{ ...noFailures, lost: 1 },
      faults: ['schedule "hola" for eva was promised and is not there: line-gone'],
    })
  })

  it('finds duplicates', () => {
    expect(judgeSpoilt((e) => e.rows.push(row(3, {})))).toMatchObject({ doubled: 1, lost: 0 })
    expect(judgeSpoilt((e) => e.received.push({ chat: 'ana', id: 'w5', text: '' }))).toMatchObject({
      doubled: 1,
      lost: 0,
    })
    // Two messages with different ids and the same text are found, although only one message was requested.
    const twice = judgeSpoilt((e) => {
      e.received.push({ chat: 'ana', id: 'w6', text: 'dos' })
      e.rows.push(row(6, { ...sentByUs, body: 'dos' }))
    })
    expect(twice).toMatchObject({ ...noFailures, doubled: 1 })
  })

  it("finds messages out of order, by the sender's clock and then by arrival", () => {
    expect(judgeSpoilt((e) => e.rows.unshift(...e.rows.splice(2, 1)))).toMatchObject({ ...noFailures, disordered: 1 })
    expect(judgeSpoilt((e) => e.received.reverse())).toMatchObject({ ...noFailures, disordered: 1 })
    const earlier = judgeSpoilt((e) => {
      e.sent[2] = { chat: 'ana', id: 'w3', second: 99, turn: 3 }
      e.rows.unshift(...e.rows.splice(2, 1))
    })
    expect(earlier).toMatchObject(noFailures)
    // Other messages may be sent before low-priority messages.
    const passed = judgeSpoilt((e) => {
      e.received.reverse()
      Object.assign(e.rows[3] as StoredMessage, { later: true })
    })
    expect(passed).toMatchObject(noFailures)
    // A retried message is expected at the position of its retry.
    const again = judgeSpoilt((e) => {
      e.received.reverse()
      e.retried.push('w4')
    })
    expect(again).toMatchObject(noFailures)
  })

  it('finds wrong screens, confirmed actions without effect, and unfinished work', () => {
    expect(judgeSpoilt((e) => e.screens[0]?.shown.pop())).toMatchObject({ ...noFailures, astray: 1 })
    expect(judgeSpoilt((e) => e.screens[0]?.shown.reverse())).toMatchObject({ ...noFailures, astray: 1 })
    expect(
      judgeSpoilt((e) => e.tickets.push({ ticketId: 2, allowed: ['closed'], actual: 'open 3', history: [] })),
    ).toMatchObject({
      astray: 1,
    })
    expect(judgeSpoilt((e) => e.unfinished.push('1 journal'))).toMatchObject({ ...noFailures, astray: 1 })
    const refused = judgeSpoilt((e) => Object.assign(e.rows[3] as StoredMessage, { state: 'failed', error: 'unsure' }))
    expect(refused).toMatchObject({ ...noFailures, astray: 1 })
    expect(judgeSpoilt((e) => Object.assign(e.rows[0] as StoredMessage, { mediaState: 'failed' }))).toMatchObject({
      astray: 1,
    })
  })

  it('counts how many messages are out of order', () => {
    expect(countOutOfOrder([0, 1, 2, 3])).toBe(0)
    expect(countOutOfOrder([3, 0, 1, 2])).toBe(1)
    expect(countOutOfOrder([1, 0, 3, 2])).toBe(2)
    expect(countOutOfOrder([3, 2, 1, 0])).toBe(3)
  })
})
