import { promptsApi } from '@recado/contract/ai/prompts'
import { queuesApi, type RoutingMode } from '@recado/contract/queues'
import { skillsApi } from '@recado/contract/routing/skills'
import { tagsApi } from '@recado/contract/tags'
import { type Availability, usersApi } from '@recado/contract/users'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { minutes, seconds } from '../../kernel/clock.ts'
import { makeLog } from '../../kernel/log.ts'
import {
  chooseAgent,
  chooseTicket,
  findObstacle,
  findServedNeeds,
  type RoutableAgent,
  type TicketNeeds,
} from './choose-agent.ts'
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

  it('does not assign a snoozed ticket, which waits again from its return on', async () => {
    const queue = await createRoutedQueue('fewestOpen', 1)
    const ana = await createOnlineAgent(queue)
    const [held, snoozed, other] = [await addToQueue(queue), await addToQueue(queue), await addToQueue(queue)]
    await desk.admin.request('PUT', `/tickets/${snoozed}/snooze`, { until: null })
    await resolve(ana, held)
    expect(await listHolders([snoozed, other])).toEqual([null, ana.id])
    const younger = await addToQueue(queue)
    harness.clock.advance(seconds(1))
    await desk.admin.request('DELETE', `/tickets/${snoozed}/snooze`)
    await settle()
    await resolve(ana, other)
    expect(await listHolders([snoozed, younger])).toEqual([null, ana.id])
    // A return makes the router look at the queue.
    await desk.admin.request('PUT', `/tickets/${snoozed}/snooze`, { until: null })
    await resolve(ana, younger)
    expect(await holderOf(snoozed)).toBeNull()
    await desk.admin.request('DELETE', `/tickets/${snoozed}/snooze`)
    await settle()
    expect(await holderOf(snoozed)).toBe(ana.id)
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

describe('an agent who leaves', () => {
  const setReturn = (queue: Place, returnAfterMinutes: number | null) =>
    desk.admin.call(queuesApi.update, { params: { id: queue.id }, body: { ...queue, returnAfterMinutes } as never })
  const runTimers = () => harness.server.switchboard.timers.poll().then(settle)

  it('keeps the tickets unless the queue takes back, after its minutes, those that wait for an answer', async () => {
    const queue = await createRoutedQueue('roundRobin')
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    const [waits, other, answered] = [await addToQueue(queue), await addToQueue(queue), await addToQueue(queue)]
    expect(await listHolders([waits, other, answered])).toEqual([ana.id, beto.id, ana.id])
    await desk.send(ana, answered, 'Ya está')
    await changeAvailability(ana, 'away')
    harness.clock.advance(minutes(5))
    await runTimers()
    expect(await holderOf(waits)).toBe(ana.id)
    await setReturn(queue, 6)
    await runTimers()
    expect(await holderOf(waits)).toBe(ana.id)
    harness.clock.advance(minutes(1))
    await runTimers()
    expect(await listHolders([waits, other, answered])).toEqual([beto.id, beto.id, ana.id])
    const steps = (await desk.listEvents(waits)).flatMap((event) => event.steps)
    expect(steps).toContainEqual(expect.objectContaining({ step: 'returned', why: 'agent-is-away' }))
  })

  it('keeps the tickets on a break, and loses them at once when offline if the queue says so', async () => {
    const queue = await createRoutedQueue('roundRobin')
    const agent = await desk.createUser('user', [queue])
    const browser = await agent.listen()
    const ticket = await addToQueue(queue)
    await setReturn(queue, 0)
    await changeAvailability(agent, 'break')
    await runTimers()
    expect(await holderOf(ticket)).toBe(agent.id)
    browser.close()
    await expect.poll(() => isDisconnected(agent.id)).toBe(true)
    await runTimers()
    expect(await holderOf(ticket)).toBe(agent.id)
    harness.clock.advance(minutes(1))
    await runTimers()
    await runTimers()
    expect(await desk.showTicket(ticket)).toMatchObject({ status: 'pending', userId: null })
  })

  it('gets the ticket back when the customer writes again after it was closed, if the agent is free', async () => {
    const queue = await createRoutedQueue('roundRobin')
    await desk.setSetting('autoReopenTimeout', '60')
    const [ana] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    const { customer, id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
    await settle()
    expect(await holderOf(id)).toBe(ana.id)
    await resolve(ana, id)
    const { ticketId } = await desk.waitForMessage(await customer.says('otra cosa'))
    await desk.setSetting('autoReopenTimeout', '0')
    expect(ticketId).toBe(id)
    await settle()
    expect(await holderOf(id)).toBe(ana.id)
  })
})

const isDisconnected = async (id: number) =>
  (await desk.db.selectFrom('users').select('disconnectedAt').where('id', '=', id).executeTakeFirst())
    ?.disconnectedAt !== null

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
    onShift: fc.boolean(),
    places: fc.integer({ min: 0, max: 5 }),
    skillIds: fc.subarray([1, 2]),
    routedAt: fc.option(fc.integer({ min: 0, max: 9 }).map((n) => `2026-01-0${n + 1}T00:00:00Z`.replace('010', '10'))),
  })
const rulesArbitrary = fc.record({
  routing: fc.constantFrom<RoutingMode[]>('roundRobin', 'fewestOpen'),
  capacity: fc.option(fc.integer({ min: 1, max: 4 })),
  lastAgentFirst: fc.boolean(),
  ownerFirst: fc.boolean(),
})
const skill = (id: number) => ({ id, name: `skill ${id}` })
const someone = fc.option(fc.integer({ min: 1, max: 4 }))
const needsArbitrary = fc.record({
  weight: fc.integer({ min: 1, max: 3 }),
  skills: fc.subarray([skill(1), skill(2)]),
  takesAnybody: fc.boolean(),
})
const agentsArbitrary = fc.tuple(...[1, 2, 3, 4].map(agentArbitrary))
const excludedArbitrary = fc.subarray([1, 2, 3, 4]).map((ids) => new Set(ids))

it('chooses a free agent if there is one: the owner, else the last agent, else never one with more places taken', () => {
  const known = fc.record({ ownerId: someone, lastAgentId: someone })
  fc.assert(
    fc.property(
      agentsArbitrary,
      rulesArbitrary,
      needsArbitrary,
      known,
      excludedArbitrary,
      (all, rules, needs, who, excluded) => {
        const freeFor = (by: TicketNeeds) => all.filter((agent) => findObstacle(agent, rules, by, excluded) === null)
        const skilled = freeFor(needs)
        const free = skilled.length || !needs.takesAnybody ? skilled : freeFor({ ...needs, skills: [] })
        const choice = chooseAgent(all, rules, { ...needs, ...who }, excluded)
        expect(choice === null).toBe(free.length === 0)
        const chosen = free.find(({ id }) => id === choice?.userId)
        if (!choice || !chosen) return
        expect(excluded.has(chosen.id)).toBe(false)
        const isFree = (wanted: number | null) => free.some(({ id }) => id === wanted)
        if (rules.ownerFirst && isFree(who.ownerId)) expect(chosen.id).toBe(who.ownerId)
        else if (rules.lastAgentFirst && isFree(who.lastAgentId)) expect(chosen.id).toBe(who.lastAgentId)
        else if (rules.routing === 'fewestOpen')
          expect(chosen.places).toBe(Math.min(...free.map(({ places }) => places)))
      },
    ),
  )
})

it('never lets a free agent serve a younger ticket than the oldest that they could serve', () => {
  const tickets = fc.array(needsArbitrary, { maxLength: 6 }).map((all) => all.map((needs, id) => ({ ...needs, id })))
  fc.assert(
    fc.property(agentsArbitrary, rulesArbitrary, tickets, (all, rules, waiting) => {
      const next = chooseTicket(waiting, all, rules)
      // Light tickets keep nobody free: if none of them is served, nobody can.
      if (!next && waiting.every(({ weight }) => weight === 1))
        for (const ticket of waiting) expect(findServedNeeds(all, rules, ticket)).toBeNull()
      if (!next) return
      const older = waiting.slice(0, next.ticket.id)
      for (const ticket of older) expect(findServedNeeds(next.agents, rules, ticket)).toBeNull()
      expect(findServedNeeds(next.agents, rules, next.ticket)).not.toBeNull()
      // Each older heavy ticket keeps one agent free at most.
      const heavy = older.filter(({ weight }) => weight > 1)
      expect(all.length - next.agents.length).toBeLessThanOrEqual(heavy.length)
    }),
  )
})

/** What happens during a generated day. `pick` selects one of the possible tickets or agents, or the tags of an arrival. */
type DayStep = { do: 'arrive' | 'resolve' | 'return' | 'break' | 'back'; pick: number }
const dayArbitrary = fc.array(
  fc.record({
    do: fc.constantFrom<DayStep['do'][]>('arrive', 'arrive', 'arrive', 'resolve', 'resolve', 'return', 'break', 'back'),
    pick: fc.nat(20),
  }),
  { minLength: 10, maxLength: 25 },
)
it('overtakes no older ticket that the same agent could serve, overloads nobody and leaves nobody waiting beside a free agent, on any day', async () => {
  const skill = await desk.admin.call(skillsApi.create, { body: { name: 'Portugués', language: null } })
  const tags = [
    await desk.admin.call(tagsApi.create, { body: { name: 'Pesado', color: '#d73434', weight: 2 } as never }),
    await desk.admin.call(tagsApi.create, {
      body: { name: 'En portugués', color: '#d73435', skillIds: [skill.id] } as never,
    }),
  ]
  await fc.assert(
    fc.asyncProperty(dayArbitrary, fc.constantFrom<RoutingMode[]>('roundRobin', 'fewestOpen'), async (day, routing) => {
      const queue = await createRoutedQueue(routing, dayCapacity)
      const agents = [await createOnlineAgent(queue), await createOnlineAgent(queue)] as [Person, Person]
      await desk.db
        .updateTable('users')
        .set({ skillIds: [skill.id] })
        .where('id', '=', agents[0].id)
        .execute()
      const model: DayModel = {
        waiting: [],
        held: new Map(agents.map(({ id }) => [id, []])),
        skilledId: agents[0].id,
        seen: 0,
      }
      for (const step of day) await live(step, { queue, agents, tags }, model)
    }),
    { numRuns: 4 },
  )
}, 120_000)

const dayCapacity = 3
type DayTicket = { id: number; weight: number; needsSkill: boolean }
/** What should be the case: who waits in which order, and who has which tickets. `seen`: the last event that was checked. */
type DayModel = { waiting: DayTicket[]; held: Map<number, DayTicket[]>; skilledId: number; seen: number }
type Day = { queue: Place; agents: Person[]; tags: { id: number }[] }

const roomOf = (held: DayTicket[]) => dayCapacity - held.reduce((sum, { weight }) => sum + weight, 0)
const canServe = ({ held, skilledId }: DayModel, agentId: number, { weight, needsSkill }: DayTicket) =>
  (!needsSkill || agentId === skilledId) && roomOf(held.get(agentId) ?? []) >= weight

async function live({ do: what, pick }: DayStep, { queue, agents, tags }: Day, model: DayModel): Promise<void> {
  const all = [...model.held].flatMap(([userId, held]) => held.map((ticket) => ({ userId, ticket })))
  const chosen = all[pick % (all.length || 1)]
  const agent = agents[pick % agents.length] as Person
  const release = () => {
    const held = model.held.get(chosen?.userId ?? 0)
    if (chosen) held?.splice(held.indexOf(chosen.ticket), 1)
  }
  if (what === 'arrive') {
    const { id } = await desk.newTicket()
    const own = tags.filter((_, n) => pick & (1 << n))
    for (const tag of own)
      await desk.db
        .insertInto('ticketTags')
        .values({ companyId: desk.company.id, ticketId: id, tagId: tag.id })
        .execute()
    model.waiting.push({ id, weight: pick & 1 ? 2 : 1, needsSkill: (pick & 2) > 0 })
    harness.clock.advance(seconds(1))
    await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  } else if (what === 'resolve' && chosen) {
    release()
    await desk.putTicket(desk.admin, chosen.ticket.id, { status: 'closed', justClose: true })
  } else if (what === 'return' && chosen) {
    harness.clock.advance(seconds(1))
    release()
    model.waiting.push(chosen.ticket)
    await desk.putTicket(desk.admin, chosen.ticket.id, { status: 'pending', userId: null })
  } else if (what === 'break') await setAvailability(agent, agent.id, 'break')
  else if (what === 'back') await setAvailability(agent, agent.id, 'available')
  await settle()
  await followAssignments(queue, model)
  await checkInvariants(queue, model)
}

/** Repeats the new assignments in the model: none overtakes an older ticket that its agent could have served. */
async function followAssignments(queue: Place, model: DayModel): Promise<void> {
  const { rows } = await harness.server.deps.database.platformPool.query<{
    id: number
    ticketId: number
    userId: number
  }>(
    `select e.id::int as id, e."ticketId", u.id as "userId" from "ticketEvents" e
     join tickets t on t."companyId" = e."companyId" and t.id = e."ticketId"
     join users u on u."companyId" = e."companyId" and u.name = e.steps -> 0 -> 'with' ->> 'user'
     where t."queueId" = $1 and e.kind = 'accept' and e.id > $2 order by e.id`,
    [queue.id, model.seen],
  )
  for (const { id, ticketId, userId } of rows) {
    model.seen = id
    const at = model.waiting.findIndex((ticket) => ticket.id === ticketId)
    const [ticket] = model.waiting.splice(at, 1) as [DayTicket]
    expect(canServe(model, userId, ticket)).toBe(true)
    expect(model.waiting.slice(0, at).filter((older) => canServe(model, userId, older))).toEqual([])
    model.held.get(userId)?.push(ticket)
  }
}

async function checkInvariants(queue: Place, model: DayModel): Promise<void> {
  const { rows } = await harness.server.deps.database.platformPool.query<{ id: number; places: number; free: boolean }>(
    `select u.id, (select coalesce(sum((select coalesce(max(g.weight), 1) from "ticketTags" x join tags g on g.id = x."tagId"
       where x."ticketId" = t.id)), 0)::int from tickets t where t."userId" = u.id and t.status = 'open') as places,
       u.online and u.availability = 'available' as free
     from users u join "userQueues" m on m."userId" = u.id where m."queueId" = $1`,
    [queue.id],
  )
  for (const { id, places } of rows) expect(places).toBe(dayCapacity - roomOf(model.held.get(id) ?? []))
  for (const { places } of rows) expect(places).toBeLessThanOrEqual(dayCapacity)
  const free = rows.filter((agent) => agent.free)
  for (const [at, ticket] of model.waiting.entries()) {
    // Only an older ticket that lacks places keeps an agent free.
    const isKept = model.waiting.slice(0, at).some(({ weight }) => weight > 1)
    if (!isKept) expect(free.filter(({ id }) => canServe(model, id, ticket))).toEqual([])
  }
}
