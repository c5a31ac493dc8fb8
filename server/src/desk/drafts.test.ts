import { type Draft, draftsApi, maxDraftsPerUser } from '@recado/contract/schedules/drafts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'
import { minutes } from '../kernel/clock.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
})
afterAll(closeTestServers)

const write = (by: TestUser, id: number, body: string, more: Partial<Draft> & { ageMs?: number } = {}) =>
  by.request<Draft & { error?: string }>('PUT', `/tickets/${id}/draft`, { body, ...more })
const list = async (by: TestUser) =>
  (await by.call(draftsApi.list, {})).drafts.map(({ ticketId, mode, body }) => [ticketId, mode, body])

it('gives a draft to every device of its author, live and exactly as typed, and to nobody else', async () => {
  const { id } = await desk.newTicket()
  const device = await desk.admin.listen()
  const other = await desk.createUser('admin')
  const stranger = await other.listen()
  const { body: draft } = await write(desk.admin, id, 'Hola \n')
  expect(draft).toMatchObject({ ticketId: id, mode: 'reply', body: 'Hola \n' })
  await write(desk.admin, id, 'para el equipo', { mode: 'note' })
  await device.waitFor(`company-${desk.company.id}-draft`, { action: 'update', draft })
  expect(await list(desk.admin)).toEqual(
    expect.arrayContaining([
      [id, 'reply', 'Hola \n'],
      [id, 'note', 'para el equipo'],
    ]),
  )
  expect(await list(other)).toEqual([])
  await stranger.whenCaughtUp()
  expect(stranger.received.filter(({ name }) => name.endsWith('-draft'))).toEqual([])
  const outsider = await desk.createUser('user', [await desk.createQueue()])
  expect(await write(outsider, id, 'x')).toMatchObject({ status: 404, body: { error: 'ERR_NO_TICKET_FOUND' } })
})

it('keeps the newest text when a device that was offline sends an older one, also after it was sent', async () => {
  const { id } = await desk.newTicket()
  await write(desk.admin, id, 'nuevo')
  expect((await write(desk.admin, id, 'viejo', { ageMs: minutes(5) })).body.body).toBe('nuevo')
  // The text was sent, so its draft is empty.
  await write(desk.admin, id, '')
  expect((await write(desk.admin, id, 'nuevo', { ageMs: minutes(1) })).body.body).toBe('')
  expect(await list(desk.admin)).toContainEqual([id, 'reply', ''])
  expect((await desk.listMessages(desk.admin, id)).every(({ fromMe }) => !fromMe)).toBe(true)
})

it('empties a draft of a ticket that its author does not see any more', async () => {
  const queue = await desk.createQueue()
  const agent = await desk.createUser('user', [queue])
  const { id } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { queueId: queue.id })
  await write(agent, id, 'lo paso a Pagos')
  await desk.putTicket(desk.admin, id, { queueId: (await desk.createQueue()).id })
  expect(await write(agent, id, '')).toMatchObject({ status: 200, body: { ticketId: id, body: '' } })
  expect(await list(agent)).toEqual([[id, 'reply', '']])
  expect((await write(agent, id, 'más')).status).toBe(404)
})

it('deletes empty drafts first, then the oldest, above the limit', async () => {
  const writer = await desk.createUser('admin')
  const [oldest, sent, last, newest] = await Promise.all([1, 2, 3, 4].map(async () => (await desk.newTicket()).id))
  await write(writer, oldest as number, 'lo más viejo', { ageMs: minutes(60) })
  await write(writer, sent as number, 'enviado')
  await write(writer, sent as number, '')
  await sql`
    with more as (
      insert into tickets ("companyId", "contactId", "whatsappId", status, "createdAt", "updatedAt")
      select "companyId", "contactId", "whatsappId", 'closed', "createdAt", "updatedAt"
      from tickets, generate_series(1, ${maxDraftsPerUser - 2}) where id = ${last} returning id)
    insert into drafts select ${desk.company.id}, ${writer.id}, id, 'reply', 'x', ${harness.clock.now()} from more`.execute(
    desk.db,
  )
  await write(writer, last as number, 'reciente')
  const idsOf = async () => (await list(writer)).map(([ticketId]) => ticketId)
  expect(await idsOf()).toHaveLength(maxDraftsPerUser)
  expect(await idsOf()).toContain(oldest)
  expect(await idsOf()).not.toContain(sent)
  await write(writer, newest as number, 'lo nuevo')
  expect(await idsOf()).toHaveLength(maxDraftsPerUser)
  expect(await idsOf()).not.toContain(oldest)
})

it('is deleted with its ticket', async () => {
  const { id } = await desk.openTicket(desk.admin)
  await write(desk.admin, id, 'pendiente')
  expect((await desk.admin.request('DELETE', `/tickets/${id}`)).status).toBe(200)
  expect((await list(desk.admin)).filter(([ticketId]) => ticketId === id)).toEqual([])
})
