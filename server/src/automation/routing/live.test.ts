import { queuesApi, type RoutingMode } from '@recado/contract/queues'
import { liveLimits, routingApi } from '@recado/contract/routing/live'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { seconds } from '../../kernel/clock.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const readLive = (by: TestUser, queueIds?: number[]) =>
  by.call(routingApi.live, { query: queueIds ? { queueIds: JSON.stringify(queueIds) } : {} })
async function createQueue(routing: RoutingMode, capacity: number | null = null) {
  const { id, name, color } = await desk.createQueue()
  await desk.admin.call(queuesApi.update, { params: { id }, body: { name, color, routing, capacity } as never })
  return { id, name }
}
async function createOnlineAgent(...queues: { id: number }[]) {
  const agent = await desk.createUser('user', queues)
  await agent.listen()
  return agent
}
/** A ticket that waits in the queue, a second after the one before. */
async function addToQueue(queue: { id: number } | null): Promise<number> {
  const { id } = await desk.newTicket()
  harness.clock.advance(seconds(1))
  if (queue) await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  await harness.server.switchboard.router.poll()
  return id
}

describe('the live page', () => {
  it('lists who waits in the order of assignment, with the reason, and what each person attends', async () => {
    desk = await openDesk(harness)
    const [routed, empty, byHand] = [
      await createQueue('fewestOpen', 1),
      await createQueue('roundRobin'),
      await createQueue('manual'),
    ]
    const ana = await createOnlineAgent(routed)
    const first = await addToQueue(routed)
    const [full, nobody, manual, urgent, loose] = [
      await addToQueue(routed),
      await addToQueue(empty),
      await addToQueue(byHand),
      await addToQueue(byHand),
      await addToQueue(null),
    ]
    await desk.putTicket(desk.admin, urgent, { priority: 'urgent' })
    await desk.admin.request('PUT', `/tickets/${await addToQueue(byHand)}/snooze`, { until: null })
    const attended = await addToQueue(routed)
    await desk.db.updateTable('tickets').set({ chatbot: true }).where('id', '=', attended).execute()
    const page = await readLive(desk.admin)
    expect(page.waiting.slice(0, 4).map(({ id, reason }) => [id, reason])).toEqual([
      [urgent, 'manual'],
      [full, 'full'],
      [nobody, 'nobody'],
      [manual, 'manual'],
    ])
    expect(new Map(page.waiting.map(({ id, reason }) => [id, reason]))).toEqual(
      new Map([
        ...page.waiting.slice(0, 4).map(({ id, reason }) => [id, reason] as const),
        [loose, 'withoutQueue'],
        [attended, 'bot'],
      ]),
    )
    expect(page).toMatchObject({ waitingCount: 6, openCount: 1, availableCount: 1, peopleCount: 1 })
    expect(page.oldestSince).toBe(page.waiting.find(({ id }) => id === full)?.since)
    expect(page.people).toMatchObject([
      { id: ana.id, online: true, availability: 'available', open: 1, capacity: 1, ticketCount: 1 },
    ])
    expect(page.people[0]?.tickets.map(({ id }) => id)).toEqual([first])

    await ana.request('PUT', `/users/${ana.id}/availability`, { availability: 'break', reason: 'Almuerzo' })
    const later = await readLive(desk.admin, [routed.id])
    expect(later.waiting.map(({ id, reason }) => [id, reason])).toEqual([
      [full, 'unavailable'],
      [attended, 'bot'],
    ])
    expect(later).toMatchObject({ waitingCount: 2, availableCount: 0 })
    expect(later.people).toMatchObject([{ availability: 'break', availabilityReason: 'Almuerzo' }])
  })

  it('counts a person as there while their browser reloads', async () => {
    desk = await openDesk(harness)
    const queue = await createQueue('roundRobin')
    const ana = await desk.createUser('user', [queue])
    const screen = await ana.listen()
    screen.close()
    const user = desk.db.selectFrom('users').select('disconnectedAt').where('id', '=', ana.id)
    await vi.waitFor(async () => expect((await user.executeTakeFirstOrThrow()).disconnectedAt).not.toBeNull())
    const page = await readLive(desk.admin)
    expect(page).toMatchObject({ availableCount: 1, people: [{ id: ana.id, online: true }] })
  })

  it('shows supervisors their queues only, agents nothing, and nothing of other companies', async () => {
    desk = await openDesk(harness)
    const [own, other] = [await createQueue('manual'), await createQueue('manual')]
    const both = await createOnlineAgent(own, other)
    await createOnlineAgent(other)
    const supervisor = await desk.createUser('supervisor', [own])
    const [waiting, hidden] = [await addToQueue(own), await addToQueue(other)]
    const [held, heldElsewhere] = [await addToQueue(own), await addToQueue(other)]
    for (const id of [held, heldElsewhere]) await desk.putTicket(desk.admin, id, { status: 'open', userId: both.id })
    for (const queueIds of [undefined, [own.id, other.id]]) {
      const page = await readLive(supervisor, queueIds)
      expect(page.waiting.map(({ id }) => id)).toEqual([waiting])
      expect(page).toMatchObject({ waitingCount: 1, openCount: 1 })
      expect(page.people.map(({ id }) => id).sort()).toEqual([both.id, supervisor.id].sort())
      // The load decides whether a person gets more, so it counts all tickets; the cards are those that one may see.
      const person = page.people.find(({ id }) => id === both.id)
      expect(person).toMatchObject({ open: 2, ticketCount: 1, queueIds: [own.id] })
      expect(person?.tickets.map(({ id }) => id)).toEqual([held])
    }
    expect((await readLive(supervisor, [other.id])).waiting).toEqual([])
    expect((await readLive(desk.admin)).waiting.map(({ id }) => id)).toEqual([waiting, hidden])
    expect(await both.request('GET', '/routing/live')).toMatchObject({ body: { error: 'ERR_NO_PERMISSION' } })
    const elsewhere = await openDesk(harness)
    expect(await readLive(elsewhere.admin, [own.id])).toMatchObject({ waiting: [], people: [], waitingCount: 0 })
  })

  it('is bounded, and its counts are complete', async () => {
    desk = await openDesk(harness)
    const queue = await createQueue('manual')
    const agent = await createOnlineAgent(queue)
    const held = liveLimits.ticketsPerPerson + 3
    const waiting = liveLimits.waiting + 5
    await desk.db.transaction().execute(async (tx) => {
      const contacts = await tx
        .insertInto('contacts')
        .values(
          Array.from({ length: held + waiting }, (_, n) => ({
            companyId: desk.company.id,
            name: `C${n}`,
            number: `55119${20_000_000 + n}`,
          })),
        )
        .returning('id')
        .execute()
      const ticket = { companyId: desk.company.id, whatsappId: desk.line.id, queueId: queue.id }
      await tx
        .insertInto('tickets')
        .values(
          contacts.map(({ id: contactId }, n) =>
            n < held
              ? { ...ticket, contactId, status: 'open' as const, userId: agent.id }
              : { ...ticket, contactId, status: 'pending' as const },
          ),
        )
        .execute()
    })
    const page = await readLive(desk.admin)
    expect(page).toMatchObject({ waitingCount: waiting, openCount: held })
    expect(page.waiting.length).toBe(liveLimits.waiting)
    expect(page.people[0]).toMatchObject({ open: held, ticketCount: held })
    expect(page.people[0]?.tickets.length).toBe(liveLimits.ticketsPerPerson)
  })
})
