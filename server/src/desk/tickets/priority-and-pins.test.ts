import { maxPinsPerUser, ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'

let harness: TestServer
let desk: Desk
let sales: { id: number }
let ana: TestUser & { name: string }
let beto: TestUser & { name: string }
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  ana = await desk.createUser('user', [sales])
  beto = await desk.createUser('user', [sales])
})
afterAll(closeTestServers)

async function createWaitingTicket(): Promise<number> {
  const { id } = await desk.newTicket()
  await desk.db.updateTable('tickets').set({ queueId: sales.id }).where('id', '=', id).execute()
  return id
}

describe('the priority of a ticket', () => {
  it('is set by whoever sees the ticket, with an event and a live update, and keeps the place by last change', async () => {
    const id = await createWaitingTicket()
    const before = await desk.showTicket(id)
    expect(before.priority).toBe('normal')
    const browser = await beto.listen()
    const { status, body } = await desk.putTicket(ana, id, { priority: 'urgent' })
    expect([status, body.priority, body.updatedAt, body.status]).toEqual([200, 'urgent', before.updatedAt, 'pending'])
    const news = await browser.waitFor(`company-${desk.company.id}-ticket`, { action: 'update' })
    expect(news.ticket).toMatchObject({ id, priority: 'urgent' })
    const [event] = await desk.listEvents(id)
    expect(event).toMatchObject({
      kind: 'priority',
      actor: { name: ana.name },
      steps: [{ step: 'prioritized', why: 'by-person', with: { from: 'normal', to: 'urgent' } }],
    })
    await desk.putTicket(ana, id, { priority: 'urgent' })
    expect((await desk.listEvents(id)).filter(({ kind }) => kind === 'priority')).toHaveLength(1)
    const stranger = await desk.createUser('user', [])
    expect((await desk.putTicket(stranger, id, { priority: 'low' })).status).toBe(404)
    expect((await desk.putTicket(ana, id, { priority: 'huge' })).status).toBe(400)
  })

  it('is refused for a closed ticket, unless the same call reopens it', async () => {
    const id = await createWaitingTicket()
    await desk.putTicket(ana, id, { status: 'closed' })
    expect((await desk.putTicket(ana, id, { priority: 'high' })).body).toMatchObject({ error: 'ERR_TICKET_NOT_OPEN' })
    const { body } = await desk.putTicket(ana, id, { priority: 'high', status: 'open' })
    expect(body).toMatchObject({ priority: 'high', status: 'open' })
  })

  it('sorts lists, and those of one priority by how long the customer has waited', async () => {
    const here = await openDesk(harness)
    const ids: number[] = []
    for (const priority of ['low', 'normal', 'urgent', 'high', 'normal', 'urgent']) {
      harness.clock.advance(60_000)
      const { id } = await here.newTicket()
      await here.putTicket(here.admin, id, { priority })
      ids.push(id)
    }
    const [low, first, urgent, high, second, later] = ids
    const page = { order: 'priority', showAll: true }
    expect(await here.listTicketIds(here.admin, { ...page, status: 'pending' })).toEqual([
      urgent,
      later,
      high,
      first,
      second,
      low,
    ])
    const found = await here.listTicketIds(here.admin, { ...page, status: 'pending', searchParam: 'hola' })
    expect([found[0], found.at(-1)]).toEqual([urgent, low])
    // Closed tickets have no such index: they are sorted by their last change.
    expect(await here.listTicketIds(here.admin, page)).toEqual(
      await here.listTicketIds(here.admin, { showAll: true, order: 'newest' }),
    )
  })
})

describe('pinned tickets', () => {
  const pin = (by: TestUser, id: number) => by.request<{ ticketIds: number[] }>('PUT', `/tickets/${id}/pin`, {})
  const listPins = async (by: TestUser) => (await by.call(ticketsApi.pins, {})).tickets.map(({ id }) => id)

  it('belong to one user and are published to their devices only', async () => {
    const [one, two] = [await createWaitingTicket(), await createWaitingTicket()]
    const [browser, other] = [await ana.listen(), await beto.listen()]
    expect((await pin(ana, one)).body).toEqual({ ticketIds: [one] })
    const topic = `company-${desk.company.id}-pins`
    await browser.waitFor(topic, { action: 'update', ticketIds: [one] })
    await other.whenCaughtUp()
    expect(other.received.map(({ name }) => name)).not.toContain(topic)
    harness.clock.advance(1000)
    await pin(ana, two)
    await pin(ana, two)
    expect([await listPins(ana), await listPins(beto)]).toEqual([[two, one], []])
    expect((await ana.request('DELETE', `/tickets/${two}/pin`)).body).toEqual({ ticketIds: [one] })
    // A ticket that the user does not see any more, or that is closed, is not listed.
    await desk.accept(beto, one)
    expect(await listPins(ana)).toEqual([])
    expect((await pin(ana, one)).status).toBe(404)
  })

  it('are limited, also when several are pinned at the same time; closed ones do not count', async () => {
    const carla = await desk.createUser('user', [sales])
    const ids: number[] = []
    for (let n = 0; n < maxPinsPerUser + 2; n++) ids.push(await createWaitingTicket())
    for (const id of ids.slice(0, maxPinsPerUser - 1)) expect((await pin(carla, id)).status).toBe(200)
    const [a, b, c] = ids.slice(maxPinsPerUser - 1) as [number, number, number]
    const replies = await Promise.all([a, b, c].map((id) => pin(carla, id)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ error: 'ERR_TOO_MANY_PINS' })
    await desk.putTicket(carla, ids[0] as number, { status: 'closed', justClose: true })
    expect((await pin(carla, ids[0] as number)).body).toMatchObject({ error: 'ERR_TICKET_NOT_OPEN' })
    const free = [a, b, c][replies.findIndex(({ status }) => status === 409)] as number
    expect((await pin(carla, free)).status).toBe(200)
    expect(await listPins(carla)).toHaveLength(maxPinsPerUser)
  })
})
