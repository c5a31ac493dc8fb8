import { dashboardApi } from '@recado/contract/dashboard/dashboard'
import { type ClosingReport, reportSectionsApi } from '@recado/contract/dashboard/report-sections'
import type { Queue } from '@recado/contract/queues'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestUser, testServer } from '../../../test/test-server.ts'

let desk: Desk
let trips: Queue
let stays: Queue
let ana: TestUser & { name: string }
let beto: TestUser & { name: string }
const ids: Record<string, number> = {}

async function createQueue(name: string, color: string, reasons: string[]): Promise<Queue> {
  const closing = { reasons: reasons.map((one) => ({ name: one })), fields: [] }
  return (await desk.admin.request<Queue>('POST', '/queue', { name, color, closing })).body
}
const reasonOf = ({ closing }: Queue, name: string) => closing.reasons.find((one) => one.name === name)?.id as number
async function close(by: TestUser, queue: Queue, reason: string | null): Promise<number> {
  const { id } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  await desk.accept(by, id)
  const closingReasonId = reason && reasonOf(queue, reason)
  await desk.putTicket(by, id, { status: 'closed', justClose: true, ...(closingReasonId && { closingReasonId }) })
  return id
}
beforeAll(async () => {
  desk = await openDesk(await testServer())
  trips = await createQueue('Excursiones', '#111111', ['Viaje confirmado', 'Precio'])
  stays = await createQueue('Alojamiento', '#222222', ['Reservó'])
  ana = await desk.createUser('user', [trips, stays])
  beto = await desk.createUser('user', [trips])
  ids.first = await close(ana, trips, 'Viaje confirmado')
  ids.second = await close(beto, trips, 'Viaje confirmado')
  ids.price = await close(ana, trips, 'Precio')
  ids.stay = await close(ana, stays, 'Reservó')
  ids.without = await close(ana, stays, null)
  // A timer closed it.
  ids.alone = await close(ana, stays, null)
  await desk.db
    .updateTable('ticketTracking')
    .set({ closedItself: true })
    .where('ticketId', '=', ids.alone)
    .where('endedBy', '=', 'resolved')
    .execute()
})
afterAll(closeTestServers)

const read = (query: object = {}, by: TestUser = desk.admin): Promise<ClosingReport> =>
  by.call(reportSectionsApi.closing, { query: { days: 3, ...query } as never })
const counts = ({ reasons }: ClosingReport) => Object.fromEntries(reasons.map(({ name, count }) => [name, count]))
const behind = async (query: object) =>
  (await desk.admin.call(dashboardApi.behind, { query: { days: 3, ...query } as never })).tickets.map(
    (t) => t.ticket.id,
  )

it('counts each reason with its queue, and what closed by itself', async () => {
  const report = await read({ compare: true })
  expect(report).toMatchObject({ resolved: 6, byItself: 1 })
  expect(report.reasons[0]).toEqual({
    ...{ id: reasonOf(trips, 'Viaje confirmado'), name: 'Viaje confirmado', isArchived: false, count: 2, before: 0 },
    queue: { id: trips.id, name: 'Excursiones', color: '#111111' },
  })
  expect(counts(report)).toEqual({ 'Viaje confirmado': 2, Precio: 1, Reservó: 1 })
})

it('counts per agent, with their most frequent reasons', async () => {
  const { users } = await read()
  expect(users.map(({ name, count }) => [name, count])).toEqual([
    [ana.name, 3],
    [beto.name, 1],
  ])
  expect(users[1]?.reasons).toEqual([{ id: reasonOf(trips, 'Viaje confirmado'), name: 'Viaje confirmado', count: 1 }])
})

it('follows the filters of the dashboard and its days', async () => {
  expect(counts(await read({ userId: beto.id }))).toEqual({ 'Viaje confirmado': 1 })
  expect(counts(await read({ queueId: stays.id }))).toEqual({ Reservó: 1 })
  expect(await read({ days: undefined, from: '2020-01-01', to: '2020-01-02' })).toMatchObject({
    ...{ resolved: 0, byItself: 0, reasons: [], users: [] },
  })
})

it('opens the tickets behind each number', async () => {
  const reasonId = reasonOf(trips, 'Viaje confirmado')
  expect(await behind({ kind: 'closedFor', reasonId })).toEqual([ids.second, ids.first])
  expect(await behind({ kind: 'closedFor', reasonId, userId: beto.id })).toEqual([ids.second])
  expect(await behind({ kind: 'closedFor', queueId: stays.id })).toEqual([ids.stay])
  expect(await behind({ kind: 'closedItself' })).toEqual([ids.alone])
})

it('shows a supervisor only their queues, and is refused to agents', async () => {
  const supervisor = await desk.createUser('supervisor', [stays])
  expect(counts(await read({}, supervisor))).toEqual({ Reservó: 1 })
  expect((await ana.request('GET', '/dashboard/closing')).status).toBe(400)
})

it('still names a reason that was removed', async () => {
  await desk.admin.request('PUT', `/queue/${stays.id}`, {
    ...{ name: 'Alojamiento', color: '#222222' },
    closing: { reasons: [], fields: [] },
  })
  const { reasons } = await read({ queueId: stays.id })
  expect(reasons).toMatchObject([{ name: 'Reservó', count: 1, isArchived: true }])
})
