import { promptsApi } from '@recado/contract/ai/prompts'
import { queuesApi, type RoutingMode } from '@recado/contract/queues'
import { type Availability, usersApi } from '@recado/contract/users'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { seconds } from '../../kernel/clock.ts'
import { makeLog } from '../../kernel/log.ts'
import { chooseAgent, findObstacle, type RoutableAgent } from './choose-agent.ts'
import { makeRouter, type Router } from './router.ts'

type Person = TestUser & { name: string }
type Place = { id: number; name: string; color: string }
let harness: TestServer
let desk: Desk
let routers: Router[]
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  // Two routers compete for every ticket, as two processes do.
  const second = makeRouter(harness.server.deps, makeLog('silent'), true)
  routers = [harness.server.switchboard.router, second]
})
afterAll(async () => {
  await routers[1]?.close()
  await closeTestServers()
})

const settle = () => Promise.all(routers.map((router) => router.poll()))
async function createRoutedQueue(routing: RoutingMode, capacity: number | null = null): Promise<Place> {
  const { id, name, color } = await desk.createQueue()
  await setRouting({ id, name, color }, { routing, capacity })
  return { id, name, color }
}
const setRouting = ({ id, name, color }: Place, more: { routing: RoutingMode; capacity?: number | null }) =>
  desk.admin.call(queuesApi.update, { params: { id }, body: { name, color, ...more } as never })
/** An agent with an open browser. */
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
const setAvailability = (by: TestUser, id: number, availability: Availability, reason = '') =>
  by.request<{ availability: string }>('PUT', `/users/${id}/availability`, { availability, reason })
async function changeAvailability(agent: Person, availability: Availability): Promise<void> {
  expect((await setAvailability(agent, agent.id, availability)).status).toBe(200)
  await settle()
}
async function resolve(by: TestUser, id: number): Promise<void> {
  await desk.putTicket(by, id, { status: 'closed', justClose: true })
  await settle()
}
const holderOf = async (id: number) => (await desk.showTicket(id)).userId
const listHolders = (ids: number[]) => Promise.all(ids.map(holderOf))
const reasonOf = async (id: number) => (await desk.listEvents(id)).find(({ kind }) => kind === 'accept')?.steps[0]

describe('a routed queue', () => {
  it('leaves its tickets to the agents until routing is chosen, and then assigns what waits', async () => {
    const queue = await desk.createQueue()
    const agent = await createOnlineAgent(queue)
    const ticket = await addToQueue(queue)
    expect(await holderOf(ticket)).toBeNull()
    await setRouting(queue, { routing: 'fewestOpen' })
    await settle()
    expect(await desk.showTicket(ticket)).toMatchObject({ status: 'open', userId: agent.id })
    expect(await reasonOf(ticket)).toMatchObject({ why: 'routed-fewest-open', with: { user: agent.name, open: 1 } })
  })

  it('assigns in turn', async () => {
    const queue = await createRoutedQueue('roundRobin')
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    const tickets = [await addToQueue(queue), await addToQueue(queue), await addToQueue(queue)]
    expect(await listHolders(tickets)).toEqual([ana.id, beto.id, ana.id])
  })

  it('prefers the agent with the fewest open tickets', async () => {
    const queue = await createRoutedQueue('fewestOpen')
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    const tickets = [await addToQueue(queue), await addToQueue(queue)]
    await resolve(beto, tickets[1] as number)
    expect(await holderOf(await addToQueue(queue))).toBe(beto.id)
    expect(await holderOf(tickets[0] as number)).toBe(ana.id)
  })

  it('keeps every agent within their capacity, and assigns the oldest ticket when a place is free', async () => {
    const queue = await createRoutedQueue('fewestOpen', 1)
    const ana = await createOnlineAgent(queue)
    const [first, second, third] = [await addToQueue(queue), await addToQueue(queue), await addToQueue(queue)]
    expect(await listHolders([first, second, third])).toEqual([ana.id, null, null])
    await resolve(ana, first)
    expect(await listHolders([second, third])).toEqual([ana.id, null])
    // The agent's own capacity replaces that of the queue.
    await desk.admin.call(usersApi.update, {
      params: { id: ana.id },
      body: { name: ana.name, email: `${ana.id}@desk.example`, capacity: 2 } as never,
    })
    await settle()
    expect(await holderOf(third)).toBe(ana.id)
  })

  it('serves a higher priority first', async () => {
    const queue = await createRoutedQueue('fewestOpen', 1)
    const ana = await createOnlineAgent(queue)
    const [first, second, third] = [await addToQueue(queue), await addToQueue(queue), await addToQueue(queue)]
    await desk.putTicket(desk.admin, third, { priority: 'urgent' })
    await resolve(ana, first)
    expect(await listHolders([second, third])).toEqual([null, ana.id])
  })

  it('skips agents on a break, away or offline, says so in the history, and drains when one returns', async () => {
    const queue = await createRoutedQueue('roundRobin')
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    await desk.createUser('user', [queue])
    await changeAvailability(ana, 'break')
    const first = await addToQueue(queue)
    expect(await holderOf(first)).toBe(beto.id)
    expect(await reasonOf(first)).toMatchObject({ why: 'routed-in-turn', with: { break: ana.name } })
    await changeAvailability(beto, 'away')
    const [second, third] = [await addToQueue(queue), await addToQueue(queue)]
    expect(await listHolders([second, third])).toEqual([null, null])
    await changeAvailability(ana, 'available')
    expect(await listHolders([second, third])).toEqual([ana.id, ana.id])
  })

  it('assigns a returning customer to the agent who attended them last, if that agent is free', async () => {
    const queue = await createRoutedQueue('roundRobin')
    const [ana] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    const { customer, id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
    await settle()
    expect(await holderOf(id)).toBe(ana.id)
    await resolve(ana, id)
    const { ticketId } = await desk.waitForMessage(await customer.says('otra cosa'))
    await desk.putTicket(desk.admin, ticketId, { queueId: queue.id, status: 'pending', userId: null })
    await settle()
    expect(await holderOf(ticketId)).toBe(ana.id)
    expect(await reasonOf(ticketId)).toMatchObject({ why: 'routed-to-last-agent' })
  })

  it('waits while a bot attends the ticket', async () => {
    const queue = await createRoutedQueue('fewestOpen')
    const agent = await createOnlineAgent(queue)
    const { id } = await desk.newTicket()
    await desk.db.updateTable('tickets').set({ chatbot: true, queueId: queue.id }).where('id', '=', id).execute()
    await settle()
    expect(await holderOf(id)).toBeNull()
    await desk.db.updateTable('tickets').set({ chatbot: false }).where('id', '=', id).execute()
    await settle()
    expect(await holderOf(id)).toBe(agent.id)
  })

  it('assigns a ticket that no bot attends, also if the queue has an AI', async () => {
    const queue = await desk.createQueue()
    const { create } = promptsApi
    const prompt = await desk.admin.call(create, { body: { ...create.example, queueId: queue.id } as never })
    await desk.admin.call(queuesApi.update, {
      params: { id: queue.id },
      body: { ...queue, promptId: prompt.id, routing: 'fewestOpen' } as never,
    })
    const agent = await createOnlineAgent(queue)
    const { id } = await desk.newTicket()
    await desk.db.updateTable('tickets').set({ botLeft: false, queueId: queue.id }).where('id', '=', id).execute()
    await settle()
    expect(await holderOf(id)).toBe(agent.id)
  })

  it('notifies the agent', async () => {
    const queue = await createRoutedQueue('fewestOpen')
    const agent = await createOnlineAgent(queue)
    const ticketId = await addToQueue(queue)
    const { body } = await agent.request<{ kind: string; ticketId: number }[]>('GET', '/notices')
    expect(JSON.stringify(body)).toContain(`"ticketId":${ticketId}`)
  })
})

describe('availability', () => {
  it('is set by users for themselves and by supervisors for others, and reaches every browser', async () => {
    const queue = await desk.createQueue()
    const [ana, beto] = [await desk.createUser('user', [queue]), await desk.createUser('user', [queue])]
    const supervisor = await desk.createUser('supervisor', [queue])
    const screen = await beto.listen()
    expect((await setAvailability(ana, ana.id, 'break', 'Almuerzo')).body).toMatchObject({
      availability: 'break',
      availabilityReason: 'Almuerzo',
    })
    await screen.whenCaughtUp()
    expect(JSON.stringify(screen.received)).toContain('"availabilityReason":"Almuerzo"')
    expect(await setAvailability(beto, ana.id, 'available')).toMatchObject({ body: { error: 'ERR_NO_PERMISSION' } })
    expect((await setAvailability(supervisor, ana.id, 'away')).body).toMatchObject({ availability: 'away' })
  })
})

const agentArbitrary = (id: number): fc.Arbitrary<RoutableAgent> =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(`agent ${id}`),
    online: fc.boolean(),
    availability: fc.constantFrom('available', 'break', 'away'),
    capacity: fc.option(fc.integer({ min: 1, max: 4 })),
    open: fc.integer({ min: 0, max: 5 }),
    routedAt: fc.option(fc.integer({ min: 0, max: 9 }).map((n) => `2026-01-0${n + 1}T00:00:00Z`.replace('010', '10'))),
  })
const rulesArbitrary = fc.record({
  routing: fc.constantFrom<RoutingMode[]>('roundRobin', 'fewestOpen'),
  capacity: fc.option(fc.integer({ min: 1, max: 4 })),
  lastAgentFirst: fc.boolean(),
})

it('chooses a free agent if there is one, and never one with more open tickets than another if these count', () => {
  const agents = fc.tuple(...[1, 2, 3, 4].map(agentArbitrary))
  fc.assert(
    fc.property(agents, rulesArbitrary, fc.option(fc.integer({ min: 1, max: 4 })), (all, rules, lastAgentId) => {
      const free = all.filter((agent) => findObstacle(agent, rules) === null)
      const choice = chooseAgent(all, rules, lastAgentId)
      expect(choice === null).toBe(free.length === 0)
      const chosen = free.find(({ id }) => id === choice?.userId)
      if (!choice || !chosen) return
      if (rules.lastAgentFirst && free.some(({ id }) => id === lastAgentId)) expect(chosen.id).toBe(lastAgentId)
      else if (rules.routing === 'fewestOpen') expect(chosen.open).toBe(Math.min(...free.map(({ open }) => open)))
    }),
  )
})

/** What happens during a generated day. `pick` selects one of the possible tickets or agents. */
type DayStep = { do: 'arrive' | 'resolve' | 'return' | 'break' | 'back'; pick: number }
const dayArbitrary = fc.array(
  fc.record({
    do: fc.constantFrom<DayStep['do'][]>('arrive', 'arrive', 'arrive', 'resolve', 'resolve', 'return', 'break', 'back'),
    pick: fc.nat(20),
  }),
  { minLength: 10, maxLength: 25 },
)
it('serves the oldest first, overloads nobody and leaves nobody waiting beside a free agent, on any day', async () => {
  await fc.assert(
    fc.asyncProperty(dayArbitrary, fc.constantFrom<RoutingMode[]>('roundRobin', 'fewestOpen'), async (day, routing) => {
      const capacity = 2
      const queue = await createRoutedQueue(routing, capacity)
      const agents = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
      /** Tickets in the order in which they began to wait; a returned ticket waits again. */
      const arrivals: number[] = []
      for (const step of day) await live(step, queue, agents, arrivals)
      const { rows } = await readDay(queue.id)
      expect(rows.map(({ ticketId }) => ticketId)).toEqual(arrivals.slice(0, rows.length))
    }),
    { numRuns: 4 },
  )
}, 120_000)

async function live({ do: what, pick }: DayStep, queue: Place, agents: Person[], arrivals: number[]): Promise<void> {
  const rows = await desk.db
    .selectFrom('tickets')
    .select(['id', 'userId', 'status'])
    .where('queueId', '=', queue.id)
    .where('status', '!=', 'closed')
    .orderBy('id')
    .execute()
  const held = rows.filter(({ userId }) => userId !== null)
  const ticket = held[pick % (held.length || 1)]
  const agent = agents[pick % agents.length] as Person
  if (what === 'arrive') {
    const { id } = await desk.newTicket()
    harness.clock.advance(seconds(1))
    arrivals.push(id)
    await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  } else if (what === 'resolve' && ticket)
    await desk.putTicket(desk.admin, ticket.id, { status: 'closed', justClose: true })
  else if (what === 'return' && ticket) {
    harness.clock.advance(seconds(1))
    arrivals.push(ticket.id)
    await desk.putTicket(desk.admin, ticket.id, { status: 'pending', userId: null })
  } else if (what === 'break') await setAvailability(agent, agent.id, 'break')
  else if (what === 'back') await setAvailability(agent, agent.id, 'available')
  await settle()
  await checkInvariants(queue)
}

async function checkInvariants(queue: Place): Promise<void> {
  const { rows: people } = await harness.server.deps.database.platformPool.query<{ open: number; free: boolean }>(
    `select (select count(*)::int from tickets t where t."userId" = u.id and t.status = 'open') as open,
       u.online and u.availability = 'available' as free
     from users u join "userQueues" m on m."userId" = u.id where m."queueId" = $1`,
    [queue.id],
  )
  const { rows: waiting } = await harness.server.deps.database.platformPool.query(
    `select id from tickets where "queueId" = $1 and status = 'pending'`,
    [queue.id],
  )
  for (const { open } of people) expect(open).toBeLessThanOrEqual(2)
  if (waiting.length) expect(people.some(({ free, open }) => free && open < 2)).toBe(false)
}

/** The assignments of the queue's tickets, in their order. */
const readDay = (queueId: number) =>
  harness.server.deps.database.platformPool.query<{ ticketId: number }>(
    `select e."ticketId" from "ticketEvents" e join tickets t on t."companyId" = e."companyId" and t.id = e."ticketId"
     where t."queueId" = $1 and e.kind = 'accept' order by e.id`,
    [queueId],
  )
