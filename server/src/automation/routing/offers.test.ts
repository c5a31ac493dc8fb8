import { queuesApi } from '@recado/contract/queues'
import { routingApi } from '@recado/contract/routing/live'
import { offersApi } from '@recado/contract/routing/offers'
import { ticketsApi } from '@recado/contract/tickets'
import { type Availability, usersApi } from '@recado/contract/users'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import {
  closeTestServers,
  startSecondProcess,
  type TestServer,
  type TestUser,
  testServer,
  viaProcess,
} from '../../../test/test-server.ts'
import { minutes, seconds } from '../../kernel/clock.ts'
import { makeLog } from '../../kernel/log.ts'
import { openServer } from '../../server.ts'
import { allTimers } from '../timers/all.ts'
import { makeTimers, type Timers } from '../timers/timers.ts'
import { makeRouter, type Router } from './router.ts'

type Person = TestUser & { name: string }
type Place = { id: number; name: string; color: string }
let harness: TestServer
let desk: Desk
let routers: Router[]
let timers: Timers[]
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  // Two routers and two sets of timers compete for every ticket, as two processes do.
  const { deps, switchboard } = harness.server
  routers = [switchboard.router, makeRouter(deps, makeLog('silent'), true)]
  timers = [switchboard.timers, makeTimers(deps, makeLog('silent'), { offers: allTimers.offers })]
})
afterAll(async () => {
  await routers[1]?.close()
  await timers[1]?.close()
  await closeTestServers()
})

const settle = () => Promise.all(routers.map((router) => router.poll()))
async function runTimers(): Promise<void> {
  await Promise.all(timers.map((one) => one.poll()))
  await settle()
}
async function pass(ms: number): Promise<void> {
  harness.clock.advance(ms)
  await runTimers()
}

const offerSeconds = 20
async function createOfferingQueue(more: { capacity?: number; routing?: string } = {}): Promise<Place> {
  const { id, name, color } = await desk.createQueue()
  await setQueue({ id, name, color }, { routing: 'roundRobin', offerSeconds, ...more })
  return { id, name, color }
}
const setQueue = ({ id, name, color }: Place, more: Record<string, unknown>) =>
  desk.admin.call(queuesApi.update, { params: { id }, body: { name, color, ...more } as never })
async function createOnlineAgent(queue: Place): Promise<Person> {
  const agent = await desk.createUser('user', [queue])
  await agent.listen()
  return agent
}
async function addToQueue(queue: Place): Promise<number> {
  const { id } = await desk.newTicket()
  harness.clock.advance(seconds(1))
  await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  await settle()
  return id
}
const listOffers = async (agent: Person) => (await agent.call(offersApi.list)).offers
const offeredTo = async (agent: Person) => (await listOffers(agent)).map(({ ticket }) => ticket.id)
const accept = (agent: Person, ticketId: number) =>
  agent.request<{ userId: number; error?: string }>('POST', `/routing/offers/${ticketId}/accept`)
const decline = (agent: Person, ticketId: number) =>
  agent.request<{ error?: string }>('POST', `/routing/offers/${ticketId}/pass`)
const setAvailability = (agent: Person, availability: Availability) =>
  agent.call(usersApi.setAvailability, { params: { id: agent.id }, body: { availability, reason: '' } })
const listSteps = async (id: number) => (await desk.listEvents(id)).flatMap(({ steps }) => steps).toReversed()

describe('an offer', () => {
  it('waits for the agent, who accepts it, and nobody else is asked', async () => {
    const queue = await createOfferingQueue()
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    const id = await addToQueue(queue)
    expect(await desk.showTicket(id)).toMatchObject({ status: 'pending', userId: null })
    expect(await listOffers(ana)).toMatchObject([{ ticket: { id }, why: 'routed-in-turn', seconds: offerSeconds }])
    expect(await offeredTo(beto)).toEqual([])
    expect(await accept(beto, id)).toMatchObject({ status: 409, body: { error: 'ERR_OFFER_OVER' } })
    expect(await accept(ana, id)).toMatchObject({ status: 200, body: { userId: ana.id, status: 'open' } })
    expect(await offeredTo(ana)).toEqual([])
    // The reply to the first call may have been lost.
    expect((await accept(ana, id)).status).toBe(200)
    const accepted = (await listSteps(id)).find(({ step }) => step === 'accepted')
    expect(accepted).toMatchObject({ why: 'routed-in-turn', with: { user: ana.name, open: 1 } })
  })

  it('reaches only the sockets of its agent and of those who lead the queue', async () => {
    const queue = await createOfferingQueue()
    const ana = await desk.createUser('user', [queue])
    const [screen, other] = [
      await ana.listen(),
      await (await desk.createUser('user', [await desk.createQueue()])).listen(),
    ]
    const lead = await (await desk.createUser('supervisor', [queue])).listen()
    await addToQueue(queue)
    const hears = (socket: typeof screen) => socket.received.some(({ name }) => name.endsWith('-offers'))
    await expect.poll(() => hears(screen) && hears(lead)).toBe(true)
    await other.whenCaughtUp()
    expect(hears(other)).toBe(false)
  })

  it('goes to the next agent when it is declined, keeps its place, and says so in the history', async () => {
    const queue = await createOfferingQueue({ capacity: 1 })
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    const first = await addToQueue(queue)
    expect(await offeredTo(ana)).toEqual([first])
    expect((await decline(ana, first)).status).toBe(200)
    await settle()
    expect([await offeredTo(ana), await offeredTo(beto)]).toEqual([[], [first]])
    expect(await listSteps(first)).toContainEqual(
      expect.objectContaining({ step: 'offer-declined', with: { user: ana.name } }),
    )
    const second = await addToQueue(queue)
    expect([await offeredTo(ana), await offeredTo(beto)]).toEqual([[second], [first]])
    expect(await decline(ana, first)).toMatchObject({ body: { error: 'ERR_OFFER_OVER' } })
  })

  it('runs out to the next agent, whose name the first one learns, and refuses to be accepted afterwards', async () => {
    const queue = await createOfferingQueue()
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    const id = await addToQueue(queue)
    harness.clock.advance(seconds(offerSeconds))
    expect(await accept(ana, id)).toMatchObject({ status: 409, body: { error: 'ERR_OFFER_OVER' } })
    await runTimers()
    expect([await offeredTo(ana), await offeredTo(beto)]).toEqual([[], [id]])
    expect((await ana.call(offersApi.list, { query: { ended: id } as never })).ended).toEqual({ userName: beto.name })
    expect(await listSteps(id)).toContainEqual(expect.objectContaining({ step: 'offer-missed', why: 'time-came' }))
  })

  it('starts over after a pause when all have passed, and lets the next ticket be offered meanwhile', async () => {
    const queue = await createOfferingQueue({ capacity: 1 })
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    const first = await addToQueue(queue)
    await decline(ana, first)
    await settle()
    await decline(beto, first)
    await settle()
    expect([await offeredTo(ana), await offeredTo(beto)]).toEqual([[], []])
    const second = await addToQueue(queue)
    expect([...(await offeredTo(ana)), ...(await offeredTo(beto))]).toEqual([second])
    const [one, two] = (await offeredTo(ana)).length ? [ana, beto] : [beto, ana]
    expect((await accept(one, second)).status).toBe(200)
    await pass(minutes(1))
    expect(await offeredTo(two)).toEqual([first])
  })

  it('is made to an agent who comes during the pause', async () => {
    const queue = await createOfferingQueue()
    const ana = await createOnlineAgent(queue)
    const id = await addToQueue(queue)
    await decline(ana, id)
    await settle()
    const beto = await createOnlineAgent(queue)
    await expect.poll(() => settle().then(() => offeredTo(beto))).toEqual([id])
  })

  it('occupies a place, and an agent has two at most, of which the second begins when the first ends', async () => {
    const queue = await createOfferingQueue()
    const ana = await createOnlineAgent(queue)
    const [first, second, third] = [await addToQueue(queue), await addToQueue(queue), await addToQueue(queue)]
    expect(await offeredTo(ana)).toEqual([first, second])
    await pass(seconds(5))
    await accept(ana, first)
    await settle()
    const due = (await listOffers(ana)).map(({ dueAt }) => Date.parse(dueAt) - harness.clock.now().getTime())
    expect(await offeredTo(ana)).toEqual([second, third])
    // Before the first was accepted, the second one had 35 seconds left.
    expect(due[0]).toBeLessThanOrEqual(seconds(offerSeconds))
    expect(due[1]).toBeGreaterThan(seconds(offerSeconds))
    await setQueue(queue, { capacity: 3 })
    await accept(ana, second)
    await settle()
    const fourth = await addToQueue(queue)
    expect(await offeredTo(ana)).toEqual([third])
    expect((await desk.showTicket(fourth)).status).toBe('pending')
  })

  it('goes to somebody else at once, without a pass, when the agent takes a break', async () => {
    const queue = await createOfferingQueue()
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    const id = await addToQueue(queue)
    await setAvailability(ana, 'break')
    await settle()
    expect(await offeredTo(beto)).toEqual([id])
    await setAvailability(ana, 'available')
    await setAvailability(beto, 'away')
    await settle()
    expect(await offeredTo(ana)).toEqual([id])
  })

  it.each([
    ['accepted by hand, as older clients do', { status: 'open' }],
    ['closed', { status: 'closed', justClose: true }],
    ['moved', { queueId: null, status: 'pending' }],
  ])('ends when the ticket is %s', async (_, change: Record<string, unknown>) => {
    const queue = await createOfferingQueue({ capacity: 1 })
    const ana = await createOnlineAgent(queue)
    const id = await addToQueue(queue)
    expect(await offeredTo(ana)).toEqual([id])
    await desk.putTicket(desk.admin, id, change)
    expect(await offeredTo(ana)).toEqual([])
    expect(await accept(ana, id)).toMatchObject({ status: change.queueId === null ? 404 : 409 })
    const next = await addToQueue(queue)
    expect(await offeredTo(ana)).toEqual([next])
  })

  it('ends when the ticket is snoozed, and when the queue offers nothing any more', async () => {
    const queue = await createOfferingQueue()
    const ana = await createOnlineAgent(queue)
    const [first, second] = [await addToQueue(queue), await addToQueue(queue)]
    await desk.admin.call(ticketsApi.snooze, { params: { id: first }, body: { until: null } as never })
    expect(await offeredTo(ana)).toEqual([second])
    await setQueue(queue, { offerSeconds: 0 })
    await settle()
    expect(await offeredTo(ana)).toEqual([])
    expect((await desk.showTicket(second)).userId).toBe(ana.id)
  })

  it('is shown on the live page', async () => {
    const queue = await createOfferingQueue()
    const ana = await createOnlineAgent(queue)
    const id = await addToQueue(queue)
    const read = async () =>
      (await desk.admin.call(routingApi.live, { query: { queueIds: JSON.stringify([queue.id]) } as never })).waiting[0]
    expect(await read()).toMatchObject({ id, reason: 'offered', offer: { userName: ana.name } })
    await decline(ana, id)
    await settle()
    expect(await read()).toMatchObject({ id, reason: 'passed', offer: null })
  })

  it('has exactly one end when it is accepted and declined at the moment at which it runs out', async () => {
    const queue = await createOfferingQueue()
    const [ana] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    for (let n = 0; n < 6; n++) {
      const id = await addToQueue(queue)
      const holder = (await offeredTo(ana)).includes(id) ? ana : null
      if (!holder) continue
      const now = harness.clock.now().getTime()
      const [offer] = await listOffers(ana)
      // For half of the offers the time is over before the calls arrive.
      harness.clock.advance(Date.parse(offer?.dueAt ?? '') - now - (n % 2))
      const [accepted, declined] = await Promise.all([accept(ana, id), decline(ana, id), runTimers()])
      const steps = (await listSteps(id)).filter(({ step }) => /^(accepted|offer-)/.test(step))
      expect(steps).toHaveLength(1)
      const wins = [accepted.status === 200, declined.status === 200, steps[0]?.step === 'offer-missed']
      expect(wins.filter(Boolean)).toHaveLength(1)
      await desk.putTicket(desk.admin, id, { status: 'closed', justClose: true })
      await setAvailability(ana, 'available')
      await settle()
    }
  })
})

describe('an offer with two processes', () => {
  it('reaches the browser of the other process, and is accepted once by calls to both', async () => {
    const second = await startSecondProcess(harness)
    const queue = await createOfferingQueue()
    const ana = await desk.createUser('user', [queue])
    const anaThere = { ...ana, ...viaProcess(second, ana) }
    const screen = await anaThere.listen()
    const id = await addToQueue(queue)
    await expect.poll(() => screen.received.some(({ name }) => name.endsWith('-offers'))).toBe(true)
    const replies = await Promise.all([accept(ana, id), accept(anaThere, id), decline(anaThere, id)])
    expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect((await listSteps(id)).filter(({ step }) => /^(accepted|offer-)/.test(step))).toHaveLength(1)
  })

  it('goes on to the next agent after the process that made it has ended', async () => {
    const { config, databaseUrl, clock } = harness
    const second = await openServer(config, databaseUrl, makeLog('silent'), clock, { crontab: '' })
    const queue = await createOfferingQueue()
    const ana = await desk.createUser('user', [queue])
    await viaProcess(second, ana).listen()
    const id = await addToQueue(queue)
    expect(await offeredTo(ana)).toEqual([id])
    await second.close()
    const beto = await createOnlineAgent(queue)
    await pass(seconds(offerSeconds))
    expect(await offeredTo(beto)).toEqual([id])
  })
})

describe('missed offers', () => {
  it('put the agent on a break after two in a row, and tell them', async () => {
    const queue = await createOfferingQueue()
    const ana = await desk.createUser('user', [queue])
    const screen = await ana.listen()
    const [first, second] = [await addToQueue(queue), await addToQueue(queue)]
    expect(await offeredTo(ana)).toEqual([first, second])
    await pass(seconds(offerSeconds))
    expect(await offeredTo(ana)).toEqual([second])
    await pass(seconds(offerSeconds))
    await screen.whenCaughtUp()
    const told = screen.received.some(({ payload }) => JSON.stringify(payload).includes('"missedOffers"'))
    expect(told).toBe(true)
    const me = (await ana.call(usersApi.everyone)).find(({ id }) => id === ana.id)
    expect(me).toMatchObject({
      availability: 'break',
      availabilityCause: 'missedOffers',
      availabilityReason: 'Sin respuesta',
    })
    await setAvailability(ana, 'available')
    await pass(minutes(1))
    expect(await offeredTo(ana)).toHaveLength(2)
  })

  it('count only in a row, and not while the browser is closed', async () => {
    const queue = await createOfferingQueue({ capacity: 1 })
    const ana = await desk.createUser('user', [queue])
    const browser = await ana.listen()
    const isOnBreak = async () =>
      (await ana.call(usersApi.everyone)).find(({ id }) => id === ana.id)?.availability === 'break'
    const id = await addToQueue(queue)
    await pass(seconds(offerSeconds))
    await pass(minutes(1))
    await decline(ana, id)
    await pass(minutes(1))
    expect(await offeredTo(ana)).toEqual([id])
    await pass(seconds(offerSeconds))
    expect(await isOnBreak()).toBe(false)
    await pass(minutes(1))
    expect(await offeredTo(ana)).toEqual([id])
    browser.close()
    await expect.poll(() => isDisconnected(ana.id)).toBe(true)
    await pass(seconds(offerSeconds))
    expect(await isOnBreak()).toBe(false)
  })
})
const isDisconnected = async (id: number) =>
  (await desk.db.selectFrom('users').select('disconnectedAt').where('id', '=', id).executeTakeFirst())
    ?.disconnectedAt !== null

/** What happens during a generated day. `pick` selects one of the possible tickets or agents. */
type DayStep = { do: 'arrive' | 'accept' | 'decline' | 'wait' | 'resolve' | 'break' | 'back'; pick: number }
const dayArbitrary = fc.array(
  fc.record({
    do: fc.constantFrom<DayStep['do'][]>(
      ...(['arrive', 'arrive', 'arrive', 'accept', 'accept', 'decline', 'wait', 'resolve', 'break', 'back'] as const),
    ),
    pick: fc.nat(20),
  }),
  { minLength: 10, maxLength: 25 },
)
it('offers the oldest first, overloads nobody and leaves nobody waiting beside a free agent, on any day', async () => {
  await fc.assert(
    fc.asyncProperty(dayArbitrary, fc.constantFrom('roundRobin', 'fewestOpen'), async (day, routing) => {
      // Days are longer than a session.
      desk = await openDesk(harness)
      const queue = await createOfferingQueue({ capacity: 2, routing })
      const agents = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
      for (const step of day) {
        const before = await readDesk(queue)
        await live(step, queue, agents)
        await settle()
        checkPlaces(await readDesk(queue))
        // Several offers may run out at once, so that the order of what follows cannot be told from the result.
        if (step.do !== 'wait') checkOrder(before, await readDesk(queue))
      }
      // However the day ended: people who are there and accept get everything.
      for (let n = 0; n < 30 && (await readDesk(queue)).waiting.length; n++) await acceptAndResolve(queue, agents)
      expect((await readDesk(queue)).waiting).toEqual([])
    }),
    { numRuns: 4 },
  )
}, 120_000)

async function acceptAndResolve(queue: Place, agents: Person[]): Promise<void> {
  for (const agent of agents) await setAvailability(agent, 'available')
  await settle()
  if ((await readDesk(queue)).waiting.every(({ offeredTo }) => offeredTo === null)) await pass(minutes(1))
  for (const agent of agents)
    for (const id of await offeredTo(agent)) expect((await accept(agent, id)).status).toBe(200)
  for (const { id } of (await readDesk(queue)).held)
    await desk.putTicket(desk.admin, id, { status: 'closed', justClose: true })
}

async function live({ do: what, pick }: DayStep, queue: Place, agents: Person[]): Promise<void> {
  const { waiting, held } = await readDesk(queue)
  const offers = waiting.filter(({ offeredTo }) => offeredTo !== null)
  const offer = offers[pick % (offers.length || 1)]
  const holder = agents.find(({ id }) => id === offer?.offeredTo)
  const ticket = held[pick % (held.length || 1)]
  const agent = agents[pick % agents.length] as Person
  if (what === 'arrive') await addToQueue(queue)
  else if (what === 'accept' && offer && holder) await accept(holder, offer.id)
  else if (what === 'decline' && offer && holder) await decline(holder, offer.id)
  else if (what === 'wait') await pass(seconds(offerSeconds))
  else if (what === 'resolve' && ticket)
    await desk.putTicket(desk.admin, ticket.id, { status: 'closed', justClose: true })
  else if (what === 'break') await setAvailability(agent, 'break')
  else if (what === 'back') await setAvailability(agent, 'available')
}

type DeskState = {
  /** In the order in which they began to wait. */
  waiting: { id: number; offeredTo: number | null; passedUserIds: number[] }[]
  held: { id: number; userId: number }[]
  people: { id: number; isFree: boolean }[]
}
async function readDesk(queue: Place): Promise<DeskState> {
  const { platformPool } = harness.server.deps.database
  const { rows: tickets } = await platformPool.query(
    `select t.id, t.status, t."userId", o."userId" as "offeredTo", coalesce(o."passedUserIds", '{}') as "passedUserIds"
     from tickets t left join "ticketOffers" o on o."ticketId" = t.id
     where t."queueId" = $1 and t.status <> 'closed' order by t."routableSince", t.id`,
    [queue.id],
  )
  const { rows: people } = await platformPool.query(
    `select u.id, u.online and u.availability = 'available' as "isFree" from users u
     join "userQueues" m on m."userId" = u.id where m."queueId" = $1 order by u.id`,
    [queue.id],
  )
  const waiting = tickets.filter(({ status }) => status === 'pending')
  return { waiting, held: tickets.filter(({ status }) => status === 'open'), people }
}

/** Nobody has more than their capacity, and no free agent is left out of a waiting ticket that they have not passed. */
function checkPlaces({ waiting, held, people }: DeskState): void {
  const load = (id: number) =>
    held.filter(({ userId }) => userId === id).length + waiting.filter(({ offeredTo }) => offeredTo === id).length
  for (const { id } of people) expect(load(id)).toBeLessThanOrEqual(2)
  const free = people.filter(({ id, isFree }) => isFree && load(id) < 2).map(({ id }) => id)
  for (const { offeredTo, passedUserIds } of waiting) {
    if (offeredTo === null) expect(free.filter((id) => !passedUserIds.includes(id))).toEqual([])
    else expect(people.find(({ id }) => id === offeredTo)?.isFree).toBe(true)
  }
}
/** A ticket is offered only to an agent who has passed all older ones that nobody is asked about. */
function checkOrder(before: DeskState, { waiting }: DeskState): void {
  const isNew = ({ id, offeredTo }: DeskState['waiting'][number]) =>
    offeredTo !== null && before.waiting.find((ticket) => ticket.id === id)?.offeredTo !== offeredTo
  for (const [place, ticket] of waiting.entries())
    if (isNew(ticket))
      for (const older of waiting.slice(0, place))
        if (older.offeredTo === null) expect(older.passedUserIds).toContain(ticket.offeredTo)
}
