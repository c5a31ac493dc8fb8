import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutConnectionAfter } from '../../../test/database-failures.ts'
import { type FlowDesk, type FlowDraft, type FlowTicket, openFlowDesk } from '../../../test/flow-desk.ts'
import { openLoopbackServer } from '../../../test/loopback-server.ts'
import { closeTestServers, startSecondProcess, type TestServer, testServer } from '../../../test/test-server.ts'
import type { RunningServer } from '../../server.ts'

let harness: TestServer
let desk: FlowDesk
let second: RunningServer
let outside: Awaited<ReturnType<typeof openLoopbackServer>>
beforeAll(async () => {
  outside = await openLoopbackServer(() => ({ body: { state: '1' } }))
  harness = await testServer({ privateTargets: true })
  desk = await openFlowDesk(harness)
  second = await startSecondProcess(harness)
})
afterAll(async () => {
  await closeTestServers()
  outside.close()
})

type Step = FlowDraft['steps'][number]
const stepKinds = ['say', 'ask', 'wait', 'call', 'branch'] as const
type StepKind = (typeof stepKinds)[number]

/** A flow of these steps, one after the other. A branch skips a step unless the last value is 1. */
function makeFlow(kinds: StepKind[]): FlowDraft {
  const idAt = (i: number) => (i < kinds.length ? `s${i}` : 'end')
  const makeStep = (kind: StepKind, i: number): Step => {
    const [id, next, skipped] = [`s${i}`, idAt(i + 1), idAt(i + 2)]
    switch (kind) {
      case 'say':
        return { kind, id, text: `${i}: {{v}}`, next }
      case 'ask':
        return {
          ...{
            kind,
            id,
            text: `¿${i}?`,
            answer: { kind: 'number' },
            variable: 'v',
            retries: 1,
            retryText: `¿${i}, otra vez?`,
          },
          ...{ silence: { minutes: 60, next }, next, otherwise: 'person' },
        }
      case 'wait':
        return { kind, id, until: { kind: 'time', minutes: 60 }, next }
      case 'call':
        return { kind, id, url: `${outside.url}/`, keep: [{ path: 'state', variable: 'v' }], next, otherwise: next }
      case 'branch':
        return {
          ...{ kind, id, next, otherwise: skipped },
          conditions: { match: 'all', of: [{ field: 'variable', name: 'v', is: 'equals', value: '1' }] },
        }
    }
  }
  return {
    ...{ kind: 'flow', triggers: [{ kind: 'snoozeOver' }], first: 'begin' },
    steps: [
      { kind: 'setVariable', id: 'begin', variable: 'v', value: '0', next: idAt(0) },
      ...kinds.map(makeStep),
      { kind: 'person', id: 'person', text: 'Le paso con una persona.' },
      { kind: 'end', id: 'end' },
    ],
  }
}

/** What the customer writes, or that the time of the wait is over. */
type Entry = '1' | '2' | 'hola' | { time: true }
const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.constantFrom('1' as const, '2' as const, 'hola' as const),
  fc.constant({ time: true as const }),
)
/** The connection is cut after this statement of those that concern flows; 0: it is not cut. */
const cutAt = fc.nat({ max: 45 })
const scenario = fc.record({
  kinds: fc.array(fc.constantFrom(...stepKinds), { minLength: 2, maxLength: 6 }),
  entries: fc.array(entry, { minLength: 1, maxLength: 4 }),
  cuts: fc.array(cutAt, { minLength: 5, maxLength: 5 }),
})

const workers = () => Promise.all([desk.settle(), second.switchboard.flows.idle()])

/** What is due by time is due now: waits, and calls whose result was lost. */
const endPauses = (ticketId: number, state: 'waiting' | 'calling') =>
  desk.db
    .updateTable('flowRuns')
    .set({ dueAt: harness.clock.now(), ...(state === 'waiting' && { waitsUntil: harness.clock.now() }) })
    .where('ticketId', '=', ticketId)
    .where('state', '=', state)
    .where('dueAt', 'is not', null)
    .execute()

/** Two processes work until nothing is left to do. */
async function workToTheEnd(ticketId: number): Promise<void> {
  const countWork = async () => {
    await workers()
    await endPauses(ticketId, 'calling')
    const runs = await desk.db.selectFrom('flowRuns').select('state').where('ticketId', '=', ticketId).execute()
    const events = await desk.db.selectFrom('flowEvents').select('id').where('ticketId', '=', ticketId).execute()
    return events.length + runs.filter(({ state }) => state === 'ready' || state === 'calling').length
  }
  await expect.poll(countWork, { timeout: 20_000, interval: 20 }).toBe(0)
}

let cutCount = 0
let saidCount = 0
/** Does all work that there is, with the connection cut after a statement. */
async function workWithCut(ticketId: number, nth: number): Promise<void> {
  let count = 0
  const isCut = (_: string, isMarked: boolean) => nth > 0 && isMarked && ++count === nth
  await cutConnectionAfter('"flow', isCut, workers)
  if (nth > 0 && count >= nth) cutCount++
  await workToTheEnd(ticketId)
}

/** Everything that the customer got from the flow. */
async function play({ id, customer }: FlowTicket, flowId: number, entries: Entry[], cuts: number[]): Promise<string[]> {
  const nthAt = (i: number) => cuts[i % (cuts.length || 1)] ?? 0
  await desk.announce(id, 'snoozeOver', { details: { flowId } })
  await workWithCut(id, nthAt(0))
  for (const [i, one] of entries.entries()) {
    const wid = typeof one === 'string' ? await customer.says(one) : null
    if (wid === null) await endPauses(id, 'waiting')
    await workWithCut(id, nthAt(i + 1))
    if (wid === null) continue
    await desk.waitForHandled(wid)
    await workToTheEnd(id)
  }
  return desk.listSaid(id)
}

it('says everything once and in order, wherever connections are lost and whichever process works', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ kinds, entries, cuts }) => {
      const flow = await desk.publish(makeFlow(kinds))
      const uncut = await play(await desk.newTicket(), flow.id, entries, [])
      const cut = await play(await desk.newTicket(), flow.id, entries, cuts)
      expect(cut).toEqual(uncut)
      saidCount += cut.length
      await desk.db.deleteFrom('flows').where('id', '=', flow.id).execute()
    }),
    { numRuns: 40, interruptAfterTimeLimit: 30_000, endOnFailure: true },
  )
  expect(cutCount).toBeGreaterThan(5)
  expect(saidCount).toBeGreaterThan(10)
}, 90_000)
