import { apiMessagesApi } from '@recado/contract/api-access/api-messages'
import { connectionsApi } from '@recado/contract/connections'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import {
  createCustomer,
  createLinkedLine,
  createShop,
  type LinkedLine,
  type LinkedServer,
  listTicketMessages,
  messageText,
  openLinkedServer,
  sendAnswer,
  startConversation,
  waitForMessage,
} from '../../../test/linked-phone.ts'
import { closeTestServers, type TestUser } from '../../../test/test-server.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'
import { days, hours } from '../../kernel/clock.ts'

let linkedServer: LinkedServer
let admin: TestUser
let line: LinkedLine
let shop: ReturnType<typeof createShop>

beforeAll(async () => {
  linkedServer = await openLinkedServer()
  admin = (await linkedServer.server.createCompany()).admin
  await linkedServer.server.wide().db.updateTable('plans').set({ connections: 100, useExternalApi: true }).execute()
})
beforeEach(async () => {
  shop = createShop(linkedServer)
  line = await createLinkedLine(admin)
  await line.scanWith(shop)
  // Only the lock decides here, not the pace.
  await admin.call(connectionsApi.update, {
    params: { id: line.id },
    body: { name: `Ventas ${line.id}`, provider: 'beta', pacing: { mode: 'off' }, maxUseBotQueues: 3 } as never,
  })
})
afterAll(async () => {
  await closeTestServers()
  await linkedServer.wa.close()
})

const slow = { timeout: waitTimeoutMs, interval: 30 }
const inHours = (n: number) => new Date(Math.ceil((Date.now() + hours(n)) / 1000) * 1000)
/** A conversation that an agent starts with somebody who never wrote. */
async function startWithStranger() {
  const stranger = createCustomer(linkedServer, 'Bruno')
  const { body } = await admin.request<{ id: number }>('POST', '/contacts', {
    name: 'Bruno',
    number: stranger.account.phoneNumber,
  })
  const given = { contactId: body.id, whatsappId: line.id, userId: admin.id, queueId: null, status: 'open' }
  const ticket = await admin.call(ticketsApi.create, { body: given as never })
  return { stranger, ticket }
}
const lastMessage = async (ticketId: number) => {
  const { state, error } = await linkedServer.server
    .wide()
    .db.selectFrom('messages')
    .select(['state', 'error'])
    .where('ticketId', '=', ticketId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return { state, error }
}
const holdOf = async (id: number) => (await admin.call(ticketsApi.hold, { params: { id } })).until

it('lets messages to strangers wait while WhatsApp locks the line, says until when, and sends answers', async () => {
  const alice = createCustomer(linkedServer)
  const { id: warm } = await startConversation(admin, shop, alice)
  const { stranger, ticket } = await startWithStranger()
  const ends = inHours(3)
  linkedServer.wa.lockReachOut(shop.account, ends)
  await expect.poll(async () => (await line.showLine()).lockedUntil, slow).toBe(ends.toISOString())
  expect(await holdOf(ticket.id)).toBe(ends.toISOString())
  expect(await holdOf(warm)).toBeNull()

  const received: unknown[] = []
  stranger.on('message', ({ message }) => received.push(messageText(message)))
  await sendAnswer(admin, ticket.id, '¿Le interesa?')
  await expect.poll(() => lastMessage(ticket.id), slow).toEqual({ state: 'queued', error: 'locked' })
  const answered = waitForMessage(alice)
  await sendAnswer(admin, warm, 'Claro que sí')
  expect(messageText((await answered).message)).toBe('Claro que sí')
  const sent = await admin.call(apiMessagesApi.send, {
    body: { number: stranger.account.phoneNumber, body: 'Oferta', whatsappId: line.id } as never,
  })
  expect(sent.waitsUntil).toBe(ends.toISOString())
  await vi.waitFor(
    async () =>
      expect((await admin.call(apiMessagesApi.show, { params: { id: sent.id } })).waitsUntil).toBe(ends.toISOString()),
    slow,
  )
  expect(received).toEqual([])

  // The stranger writes: everything that waited for them is sent, in order.
  await stranger.sendText(shop.account, '¿quién es?')
  await expect.poll(() => received, slow).toEqual(['¿Le interesa?', 'Oferta'])
  expect(await holdOf(ticket.id)).toBeNull()
})

it('fetches the lock after a refusal, and sends what waited when WhatsApp lifts it, at half the pace', async () => {
  const { stranger, ticket } = await startWithStranger()
  const ends = inHours(2)
  // The line was offline when WhatsApp told it.
  shop.account.reachOutLockEnds = ends
  await sendAnswer(admin, ticket.id, 'Hola')
  await expect.poll(() => lastMessage(ticket.id), slow).toEqual({ state: 'queued', error: 'locked' })
  expect((await line.showLine()).lockedUntil).toBe(ends.toISOString())
  const { pacing } = await admin.call(connectionsApi.update, {
    params: { id: line.id },
    body: {
      name: 'Ventas',
      provider: 'beta',
      maxUseBotQueues: 3,
      pacing: { mode: 'own', perMinute: 10, dailyCap: 40 },
    } as never,
  })
  // The form edits what the company chose, not what is in effect.
  expect(pacing).toMatchObject({ perMinute: 5, dailyCap: 20, own: { perMinute: 10, dailyCap: 40 } })
  const arrived = waitForMessage(stranger)
  linkedServer.wa.lockReachOut(shop.account, undefined)
  expect(messageText((await arrived).message)).toBe('Hola')
  expect(await line.showLine()).toMatchObject({ lockedUntil: null, pacing: { perMinute: 5, dailyCap: 20 } })
  await linkedServer.server
    .wide()
    .db.updateTable('whatsapps')
    .set({ lockedUntil: new Date(Date.now() - days(8)) })
    .where('id', '=', line.id)
    .execute()
  expect((await line.showLine()).pacing).toMatchObject({ perMinute: 10, dailyCap: 40 })
})

it('tells a missing privacy token apart from a lock, and does not repeat the message', async () => {
  const { ticket } = await startWithStranger()
  linkedServer.wa.messageRefusalCode = 463
  await sendAnswer(admin, ticket.id, 'Hola')
  await expect.poll(() => lastMessage(ticket.id), slow).toEqual({ state: 'failed', error: 'no-token' })
  expect((await line.showLine()).lockedUntil).toBeNull()
  linkedServer.wa.refusedIqs.set('w:mex get query', 500)
  await sendAnswer(admin, ticket.id, 'Otra vez')
  await expect.poll(() => lastMessage(ticket.id), slow).toEqual({ state: 'failed', error: 'restricted' })
  linkedServer.wa.refusedIqs.clear()
  linkedServer.wa.messageRefusalCode = undefined
  expect(await listTicketMessages(admin, ticket.id)).toHaveLength(2)
})
