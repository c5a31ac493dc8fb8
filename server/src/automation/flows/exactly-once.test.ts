import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutConnectionAfter } from '../../../test/database-failures.ts'
import { type FlowDesk, type FlowDraft, openFlowDesk } from '../../../test/flow-desk.ts'
import { openLoopbackServer } from '../../../test/loopback-server.ts'
import { closeTestServers, startSecondProcess, type TestServer, testServer } from '../../../test/test-server.ts'
import { addMs, hours, seconds } from '../../kernel/clock.ts'

let harness: TestServer
let desk: FlowDesk
let outside: Awaited<ReturnType<typeof openLoopbackServer>>
beforeAll(async () => {
  outside = await openLoopbackServer(() => ({ body: { state: 'en camino' } }))
  harness = await testServer({ privateTargets: true })
  desk = await openFlowDesk(harness)
})
afterAll(async () => {
  await closeTestServers()
  outside.close()
})

const end = { kind: 'end' as const, id: 'end' }
const say = (id: string, text: string, next: string) => ({ kind: 'say' as const, id, text, next })
const makeFlow = (steps: FlowDraft['steps']): FlowDraft => ({
  ...{ kind: 'flow', triggers: [{ kind: 'snoozeOver' }], first: steps[0]?.id ?? null, steps },
})
const publishAlone = async (steps: FlowDraft['steps']) => {
  await desk.db.deleteFrom('flows').where('companyId', '=', desk.company.id).execute()
  return desk.publish(makeFlow(steps))
}
const twice = (tagId: number) => [
  ...[say('one', 'Uno', 'tag'), { kind: 'tags' as const, id: 'tag', add: [tagId], next: 'two' }],
  ...[say('two', 'Dos', 'end'), end],
]

/** Cuts the connection after the nth statement of those that start and continue the run, or after the nth commit. */
const cuts = [
  ...Array.from({ length: 12 }, (_, n) => ({ what: 'statement', nth: 1 + 4 * n })),
  ...[1, 2, 3].map((nth) => ({ what: 'commit', nth })),
]
it('says everything once, wherever the connection is lost', async () => {
  const flow = await publishAlone(twice(await desk.createTag()))
  const reached: boolean[] = []
  for (const { what, nth } of cuts) {
    const { id } = await desk.newTicket()
    let count = 0
    const isCut = (text: string, isMarked: boolean) =>
      isMarked && (what === 'statement' || text === 'commit') && ++count === nth
    await cutConnectionAfter('delete from "flowEvents"', isCut, async () => {
      await desk.announce(id, 'snoozeOver')
      await desk.settle()
      await desk.settle()
    })
    reached.push(count >= nth)
    await expect.poll(() => desk.settle().then(() => desk.listSaid(id)), { timeout: 10_000 }).toEqual(['Uno', 'Dos'])
    expect((await desk.listRuns(flow)).filter(({ ticketId }) => ticketId === id)).toMatchObject([{ state: 'ended' }])
  }
  expect(reached).not.toContain(false)
}, 120_000)

it('repeats a call with the same key if its result was lost', async () => {
  const call = {
    kind: 'call' as const,
    id: 'call',
    url: `${outside.url}/orders`,
    keep: [{ path: 'state', variable: 'state' }],
  }
  const flow = await publishAlone([{ ...call, next: 'say', otherwise: 'end' }, say('say', 'Va {{state}}', 'end'), end])
  const { id } = await desk.newTicket()
  let isCut = false
  // The call's result is stored by the transaction that counts it.
  await cutConnectionAfter(
    '"calls" =',
    (text) => {
      isCut = text.includes('"calls" =')
      return isCut
    },
    async () => {
      await desk.announce(id, 'snoozeOver')
      await desk.settle()
    },
  )
  expect(await desk.listRuns(flow)).toMatchObject([{ state: 'calling', calls: 0 }])
  await desk.withClockForward(seconds(61), desk.settle)
  expect(await desk.listSaid(id)).toEqual(['Va en camino'])
  const [run] = await desk.listRuns(flow)
  expect(run).toMatchObject({ state: 'ended', calls: 1 })
  const keys = outside.requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual([`flow-${run?.id}-call-0`, `flow-${run?.id}-call-0`])
})

/** Runs whose waits are over in an hour, in tickets of their own. */
async function addDueRuns(of: FlowDesk, count: number): Promise<void> {
  const wait = { kind: 'wait' as const, id: 'wait', until: { kind: 'time', minutes: 60 }, next: 'end' }
  const flow = await of.publish(makeFlow([wait, end]))
  const { versionId } = await of.db
    .selectFrom('flowVersions')
    .select('id as versionId')
    .where('flowId', '=', flow.id)
    .executeTakeFirstOrThrow()
  const companyId = of.company.id
  const people = Array.from({ length: count }, (_, n) => ({ companyId, name: `Cliente ${n}`, number: `55119${n}` }))
  const contacts = await of.db.insertInto('contacts').values(people).returning('id').execute()
  const tickets = await of.db
    .insertInto('tickets')
    .values(
      contacts.map(({ id }) => ({ companyId, contactId: id, whatsappId: of.line.id, status: 'pending' as const })),
    )
    .returning(['id', 'contactId'])
    .execute()
  const position = { stepId: 'wait', isWaiting: true, tries: 0, stepsSincePause: 0, variables: {}, ended: null }
  const inAnHour = addMs(harness.clock.now(), hours(1))
  const over = { state: 'waiting' as const, dueAt: inAnHour, waitsUntil: inAnHour }
  const base = { companyId, flowId: flow.id, versionId, position: JSON.stringify(position), startedById: null, ...over }
  await of.db
    .insertInto('flowRuns')
    .values(tickets.map(({ id, contactId }) => ({ ...base, ticketId: id, contactId, eventKey: `due:${id}` })))
    .execute()
}

it('lets another company wait for few runs of a company that has 500', async () => {
  const other = await openFlowDesk(harness)
  await addDueRuns(desk, 500)
  await addDueRuns(other, 1)
  await desk.withClockForward(hours(2), harness.server.switchboard.flows.idle)
  const ended = await desk.db
    .selectFrom('flowRuns')
    .select(['companyId', 'endedAt'])
    .where('eventKey', 'like', 'due:%')
    .where('state', '=', 'ended')
    .execute()
  expect(ended).toHaveLength(501)
  const lone = Date.parse(ended.find(({ companyId }) => companyId === other.company.id)?.endedAt ?? '')
  const dueSince = ended.filter(({ endedAt }) => Date.parse(endedAt ?? '') < lone)
  expect(dueSince.length).toBeLessThanOrEqual(100)
}, 60_000)

// The last test, because the second process goes on looking for work.
it('says everything once when two processes look for work at the same time', async () => {
  const flow = await publishAlone(twice(await desk.createTag()))
  const second = await startSecondProcess(harness)
  const tickets = await Promise.all(Array.from({ length: 20 }, () => desk.newTicket()))
  for (const { id } of tickets) await desk.announce(id, 'snoozeOver')
  const workers = [harness.server.switchboard.flows, second.switchboard.flows]
  const countEnded = async () => {
    await Promise.all(workers.map((worker) => worker.idle()))
    return (await desk.listRuns(flow)).filter(({ state }) => state === 'ended').length
  }
  await expect.poll(countEnded, { timeout: 20_000 }).toBe(20)
  for (const { id } of tickets) expect(await desk.listSaid(id)).toEqual(['Uno', 'Dos'])
  expect(await desk.listRuns(flow)).toHaveLength(20)
}, 60_000)
