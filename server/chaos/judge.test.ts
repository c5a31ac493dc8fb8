import { describe, expect, it } from 'vitest'
import { type ChaosEvidence, countOutOfOrder, judgeEvidence, type StoredMessage } from './judge.ts'

const row = (id: number, more: Partial<StoredMessage>): StoredMessage => ({
  ...{ id: String(id), wid: `w${id}`, chat: 'ana', fromMe: false, body: '', state: 'received', error: null },
  ...{ mediaState: 'none', clientId: null, later: false, at: `2026-01-01T00:00:0${id}Z` },
  ...more,
})
const ours = { fromMe: true, state: 'sent' }
/** Ana writes three times and gets two replies; the server confirmed a reply to its sender by its client id. */
const good = (): ChaosEvidence => ({
  sent: [1, 2, 3].map((n) => ({ chat: 'ana', id: `w${n}`, second: 100, turn: n })),
  received: [
    { chat: 'ana', id: 'w4', text: 'uno' },
    { chat: 'ana', id: 'w5', text: 'dos' },
  ],
  rows: [row(1, {}), row(2, {}), row(3, {}), row(4, { ...ours, clientId: 'c4' }), row(5, { ...ours, body: 'dos' })],
  requests: [
    { what: 'send', told: true, clientId: 'c4' },
    { what: 'schedule', told: true, chat: 'ana', text: 'dos' },
    { what: 'schedule', told: false, chat: 'ana', text: 'nobody was told of it' },
  ],
  tickets: [{ ticketId: 1, allowed: ['open 3'], actual: 'open 3' }],
  screens: [{ agent: 'agent', list: 'open', shown: ['a', 'b'], reread: ['a', 'b'] }],
  retried: [],
  unfinished: [],
  failedSchedules: [],
})
const nothing = { lost: 0, doubled: 0, disordered: 0, astray: 0 }
const judged = (spoil: (evidence: ChaosEvidence) => void) => {
  const evidence = good()
  spoil(evidence)
  return judgeEvidence(evidence)
}

describe('the judge of a chaos run', () => {
  it('finds no failure if phones, database and screens agree', () => {
    expect(judgeEvidence(good())).toEqual({ ...nothing, in: 3, out: 2, faults: [] })
  })

  it('finds lost messages, incoming and outgoing', () => {
    expect(judged((e) => e.rows.splice(1, 1))).toMatchObject({ ...nothing, lost: 1 })
    expect(judged((e) => e.received.splice(0, 1))).toMatchObject({ ...nothing, lost: 1 })
    expect(judged((e) => e.requests.push({ what: 'send', told: true, clientId: 'gone' }))).toMatchObject({ lost: 1 })
    expect(judged((e) => e.requests.push({ what: 'campaign', told: true, chat: 'eva', text: 'hola' }))).toMatchObject({
      lost: 1,
    })
  })

  it('finds a confirmed schedule that failed, unless its author lost access to the ticket', () => {
    const failWith = (error: string) =>
      judged((e) => {
        e.requests.push({ what: 'schedule', told: true, chat: 'eva', text: 'hola' })
        e.failedSchedules.push({ text: 'hola', error })
      })
    expect(failWith('no-access')).toMatchObject({ ...nothing, faults: [] })
    expect(failWith('line-gone')).toMatchObject({
      ...{ ...nothing, lost: 1 },
      faults: ['schedule "hola" for eva was promised and is not there: line-gone'],
    })
  })

  it('finds duplicates', () => {
    expect(judged((e) => e.rows.push(row(3, {})))).toMatchObject({ doubled: 1, lost: 0 })
    expect(judged((e) => e.received.push({ chat: 'ana', id: 'w5', text: '' }))).toMatchObject({ doubled: 1, lost: 0 })
    // Two messages with different ids and the same text are found, although only one message was requested.
    const twice = judged((e) => {
      e.received.push({ chat: 'ana', id: 'w6', text: 'dos' })
      e.rows.push(row(6, { ...ours, body: 'dos' }))
    })
    expect(twice).toMatchObject({ ...nothing, doubled: 1 })
  })

  it("finds messages out of order, by the sender's clock and then by arrival", () => {
    expect(judged((e) => e.rows.unshift(...e.rows.splice(2, 1)))).toMatchObject({ ...nothing, disordered: 1 })
    expect(judged((e) => e.received.reverse())).toMatchObject({ ...nothing, disordered: 1 })
    const earlier = judged((e) => {
      e.sent[2] = { chat: 'ana', id: 'w3', second: 99, turn: 3 }
      e.rows.unshift(...e.rows.splice(2, 1))
    })
    expect(earlier).toMatchObject(nothing)
    // Other messages may be sent before low-priority messages.
    const passed = judged((e) => {
      e.received.reverse()
      Object.assign(e.rows[3] as StoredMessage, { later: true })
    })
    expect(passed).toMatchObject(nothing)
    // A retried message is expected at the position of its retry.
    const again = judged((e) => {
      e.received.reverse()
      e.retried.push('w4')
    })
    expect(again).toMatchObject(nothing)
  })

  it('finds wrong screens, confirmed actions without effect, and unfinished work', () => {
    expect(judged((e) => e.screens[0]?.shown.pop())).toMatchObject({ ...nothing, astray: 1 })
    expect(judged((e) => e.screens[0]?.shown.reverse())).toMatchObject({ ...nothing, astray: 1 })
    expect(judged((e) => e.tickets.push({ ticketId: 2, allowed: ['closed'], actual: 'open 3' }))).toMatchObject({
      astray: 1,
    })
    expect(judged((e) => e.unfinished.push('1 journal'))).toMatchObject({ ...nothing, astray: 1 })
    const refused = judged((e) => Object.assign(e.rows[3] as StoredMessage, { state: 'failed', error: 'unsure' }))
    expect(refused).toMatchObject({ ...nothing, astray: 1 })
    expect(judged((e) => Object.assign(e.rows[0] as StoredMessage, { mediaState: 'failed' }))).toMatchObject({
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
