import { queuesApi } from '@recado/contract/queues'
import { routingApi } from '@recado/contract/routing/live'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { minutes } from '../../kernel/clock.ts'
import { type AttendedTicket, findPresence, joinPresence, replayTickets } from './replay.ts'

const day = { from: 0, to: minutes(600) }
/** A ticket that arrives at a minute and stays open for some minutes. */
const attended = (arrives: number, lasts: number, userId = 1, weight = 1): AttendedTicket => ({
  queuedAt: minutes(arrives),
  startedAt: minutes(arrives),
  finishedAt: minutes(arrives + lasts),
  userId,
  weight,
})
const person = (id: number, capacity: number | null = null) => ({ id, capacity, presence: [day] })

describe('a replay', () => {
  it('serves the oldest first within the capacity, and one person more shortens the wait', async () => {
    const tickets = [attended(0, 30), attended(1, 30), attended(2, 30)]
    const rules = { routing: 'fewestOpen' as const, capacity: 1 }
    expect(await replayTickets(tickets, [person(1)], rules)).toEqual([0, minutes(29), minutes(58)])
    expect(await replayTickets(tickets, [person(1), person(2)], rules)).toEqual([0, 0, minutes(28)])
    expect(await replayTickets(tickets, [person(1, 3)], rules)).toEqual([0, 0, 0])
  })

  it('counts places, and keeps the agent who has most of them free for the oldest ticket', async () => {
    const rules = { routing: 'fewestOpen' as const, capacity: 2 }
    const tickets = [attended(0, 30), attended(1, 30, 1, 2), attended(2, 10)]
    expect(await replayTickets(tickets, [person(1)], rules)).toEqual([0, minutes(29), minutes(58)])
  })

  it('lets tickets wait until a person is there', async () => {
    const late = { id: 1, capacity: null, presence: [{ from: minutes(60), to: minutes(70) }] }
    const rules = { routing: 'roundRobin' as const, capacity: null }
    expect(await replayTickets([attended(0, 5), attended(80, 5)], [late], rules)).toEqual([minutes(60), null])
  })

  it('judges presence by actions that are less than two hours apart', () => {
    const presence = findPresence([attended(0, 60), attended(100, 10), attended(300, 5)]).get(1)
    expect(presence).toEqual([
      { from: 0, to: minutes(110) },
      { from: minutes(300), to: minutes(305) },
    ])
    expect(joinPresence([presence ?? [], [{ from: minutes(90), to: minutes(200) }]])).toEqual([
      { from: 0, to: minutes(200) },
      { from: minutes(300), to: minutes(305) },
    ])
  })

  it('never overtakes an older ticket, whatever arrives', async () => {
    const days = fc.array(fc.record({ arrives: fc.nat(500), lasts: fc.integer({ min: 1, max: 90 }) }), {
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(
        days,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (all, n, capacity) => {
          const tickets = all.map((one) => attended(one.arrives, one.lasts)).sort((a, b) => a.queuedAt - b.queuedAt)
          const people = Array.from({ length: n }, (_, at) => person(at + 1))
          const waits = await replayTickets(tickets, people, { routing: 'roundRobin', capacity })
          const starts = tickets.map(({ queuedAt }, at) => queuedAt + (waits[at] ?? Number.POSITIVE_INFINITY))
          expect(starts).toEqual(starts.toSorted((a, b) => a - b))
          // At no moment are more tickets open than there are places.
          for (const start of starts.filter(Number.isFinite)) {
            const open = starts.filter(
              (at, i) => at <= start && start < at + (tickets[i]?.finishedAt ?? 0) - (tickets[i]?.startedAt ?? 0),
            )
            expect(open.length).toBeLessThanOrEqual(n * capacity)
          }
        },
      ),
    )
  })
})

describe('GET /routing/what-if', () => {
  let harness: TestServer
  let desk: Desk
  beforeAll(async () => {
    harness = await testServer()
    desk = await openDesk(harness)
  })
  afterAll(closeTestServers)

  it('replays the attended tickets of the queue for those who lead in it', async () => {
    const [queue, other] = [await desk.createQueue(), await desk.createQueue()]
    const agent = await desk.createUser('user', [queue])
    const start = harness.clock.now().getTime() - minutes(24 * 60)
    const { id: ticketId } = await desk.newTicket()
    const at = (minute: number) => new Date(start + minutes(minute))
    await desk.db
      .insertInto('ticketTracking')
      .values(
        [0, 1, 2].map((n) => ({
          ...{
            companyId: desk.company.id,
            ticketId,
            queueId: queue.id,
            userId: agent.id,
            endedBy: 'returned' as const,
          },
          ...{ queuedAt: at(n), startedAt: at(n + 10), finishedAt: at(n + 40) },
        })),
      )
      .execute()
    const ask = (query: object, by = desk.admin) => by.call(routingApi.whatIf, { query: query as never })
    const byHand = await ask({ queueId: queue.id, people: 1, routing: 'fewestOpen', capacity: 1 })
    expect(byHand).toMatchObject({ ticketCount: 3, peopleCount: 1, before: null, actual: { medianSeconds: 600 } })
    // Both people come at minute 10, when the first ticket was taken; the third waits until a place is free.
    expect(byHand.after).toMatchObject({ medianSeconds: 540 + 60, p90Seconds: (40 - 2) * 60 })
    await desk.admin.call(queuesApi.update, {
      params: { id: queue.id },
      body: { name: queue.name, color: queue.color, routing: 'roundRobin', capacity: 1 } as never,
    })
    const { before, after } = await ask({ queueId: queue.id, people: 3 })
    expect(after?.p90Seconds).toBeLessThan(before?.p90Seconds ?? 0)
    const supervisor = await desk.createUser('supervisor', [other])
    expect(await ask({ queueId: other.id }, supervisor)).toMatchObject({ ticketCount: 0, from: null, after: null })
    expect(await supervisor.request('GET', `/routing/what-if?queueId=${queue.id}`)).toMatchObject({
      body: { error: 'ERR_QUEUE_NOT_FOUND' },
    })
  })
})
