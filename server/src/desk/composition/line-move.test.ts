import { campaignsApi } from '@recado/contract/campaigns/campaigns'
import { connectionsApi } from '@recado/contract/connections'
import { contactsApi } from '@recado/contract/contacts'
import { lineMoveApi } from '@recado/contract/health/line-move'
import { messagesApi } from '@recado/contract/messages'
import { queuesApi } from '@recado/contract/queues'
import { schedulesApi } from '@recado/contract/schedules/schedules'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type CloudDesk, openCloudDesk } from '../../../test/cloud-phone.ts'
import { nextPhoneNumber } from '../../../test/desk.ts'
import { closeTestServers } from '../../../test/test-server.ts'
import { moveTicketsToLine } from '../tickets/move-line.ts'

let desk: CloudDesk
let oldId: number
let queueId: number
beforeAll(async () => {
  desk = await openCloudDesk()
  const queue = await desk.admin.call(queuesApi.create, { body: { name: 'Ventas', color: '#123456' } as never })
  queueId = queue.id
  const body = { name: 'Vieja', provider: 'beta', isDefault: true, greetingMessage: 'Hola', queueIds: [queueId] }
  oldId = (await desk.admin.call(connectionsApi.create, { body: body as never })).id
})
afterAll(async () => {
  await closeTestServers()
  await desk.graph.close()
})

async function openTicket(whatsappId: number, contactId?: number) {
  const contact =
    contactId ??
    (await desk.admin.call(contactsApi.create, { body: { name: 'Ana', number: nextPhoneNumber() } as never })).id
  const body = { contactId: contact, whatsappId, queueId: null, userId: desk.admin.id, status: 'open' }
  const { id } = await desk.admin.call(ticketsApi.create, { body: body as never })
  return { id, contactId: contact }
}
const lineOf = async (ticketId: number) => (await desk.show(ticketId)).whatsappId
const params = () => ({ id: oldId })
const plan = () => desk.admin.call(lineMoveApi.plan, { params: params(), query: { toId: desk.line.id } })
const update = (table: 'campaigns' | 'contacts' | 'tickets', id: number, values: object) =>
  desk.db
    .updateTable(table)
    .set(values as never)
    .where('companyId', '=', desk.company.id)
    .where('id', '=', id)
    .execute()

it('moves open conversations, queues, campaigns and schedules to the official line, and back', async () => {
  const { admin, line } = desk
  // The customer wrote to the official line a moment ago, so that free text may be sent there.
  const earlier = await desk.startConversation()
  await update('tickets', earlier.ticketId, { status: 'closed', userId: null })
  const moving = await openTicket(oldId, (await desk.show(earlier.ticketId)).contactId)
  await admin.call(messagesApi.send, { params: { ticketId: moving.id }, body: { body: 'ya va' } as never })
  const doubled = await openTicket(oldId)
  await openTicket(line.id, doubled.contactId)
  const group = await openTicket(oldId)
  await update('contacts', group.contactId, { isGroup: true })
  await update('tickets', group.id, { isGroup: true })
  const closed = await openTicket(oldId)
  await update('tickets', closed.id, { status: 'closed', userId: null })
  const campaign = await admin.call(campaignsApi.create, {
    body: { name: 'Mayo', message1: 'Hola', whatsappId: oldId },
  })
  const schedule = await admin.call(schedulesApi.create, {
    body: { body: 'mañana', contactId: moving.contactId, sendAt: '2099-01-01T10:00', whatsappId: oldId } as never,
  })
  await update('campaigns', campaign.id, { status: 'EM_ANDAMENTO' })
  const expected = {
    ...{ tickets: 1, waiting: 1, groups: 1, doubled: 1, schedules: 1, queues: 1, users: 0 },
    ...{ draftCampaigns: 0, scheduledCampaigns: 0, runningCampaigns: 1 },
  }
  expect(await plan()).toEqual(expected)
  const move = () => admin.request('POST', `/whatsapp/${oldId}/move`, { toId: line.id })
  expect(await move()).toMatchObject({ status: 409, body: { error: 'ERR_CAMPAIGN_RUNNING' } })
  expect(await lineOf(moving.id)).toBe(oldId)
  await update('campaigns', campaign.id, { status: 'PROGRAMADA', scheduledAt: new Date('2099-01-01') })

  expect(await move()).toMatchObject({ status: 200 })
  await vi.waitFor(async () => expect(await lineOf(moving.id)).toBe(line.id))
  for (const { id } of [doubled, group, closed]) expect(await lineOf(id)).toBe(oldId)
  const { messages } = await admin.call(messagesApi.list, { params: { ticketId: moving.id }, query: {} })
  expect(messages.map(({ body }) => body)).toEqual(['hola', 'ya va'])
  await vi.waitFor(() => expect(JSON.stringify(desk.graph.acceptedSends)).toContain('ya va'))
  expect(await admin.call(campaignsApi.show, { params: { id: campaign.id }, query: {} })).toMatchObject({
    ...{ whatsappId: line.id, status: 'INATIVA', scheduledAt: null },
  })
  expect(await admin.call(schedulesApi.show, { params: { id: schedule.id } })).toMatchObject({ whatsappId: line.id })
  const showLine = (id: number) => admin.call(connectionsApi.show, { params: { id } })
  expect(await showLine(line.id)).toMatchObject({ isDefault: true, greetingMessage: 'Hola', queues: [{ id: queueId }] })
  expect(await showLine(oldId)).toMatchObject({ isDefault: false, status: 'DISCONNECTED', reason: 'off' })
  const audit = await desk.db.selectFrom('audit').select('deed').where('companyId', '=', desk.company.id).execute()
  expect(audit.map(({ deed }) => deed)).toContain('line.moved')

  await admin.call(lineMoveApi.move, { params: { id: line.id }, body: { toId: oldId } })
  await vi.waitFor(async () => expect(await lineOf(moving.id)).toBe(oldId))
  // A job of the first move that continues late moves nothing.
  await moveTicketsToLine(desk.server.server.deps, { companyId: desk.company.id, fromId: oldId, toId: line.id })
  expect(await lineOf(moving.id)).toBe(oldId)
})

it('moves only between a linked phone and an official line', async () => {
  const { admin } = desk
  const create = (provider: string) =>
    admin.call(connectionsApi.create, { body: { name: `Otra ${provider}`, provider } as never })
  for (const provider of ['beta', 'sandbox'])
    expect(await admin.request('POST', `/whatsapp/${oldId}/move`, { toId: (await create(provider)).id })).toMatchObject(
      {
        ...{ status: 409, body: { error: 'ERR_LINE_MOVE_KIND' } },
      },
    )
})
