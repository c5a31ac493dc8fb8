import { exportsApi } from '@recado/contract/api-access/export-and-erasure'
import { messagesApi } from '@recado/contract/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import {
  closeTestServers,
  type SocketClient,
  type TestServer,
  type TestUser,
  testServer,
} from '../../../test/test-server.ts'

let h: TestServer
let d: Desk
let sales: { id: number }
let support: { id: number }
let seller: TestUser
let helper: TestUser
let both: TestUser
beforeAll(async () => {
  h = await testServer()
  d = await openDesk(h)
  sales = await d.createQueue()
  support = await d.createQueue()
  seller = await d.createUser('user', [sales])
  helper = await d.createUser('user', [support])
  both = await d.createUser('supervisor', [sales, support])
})
afterAll(closeTestServers)

const secret = 'Tu deuda es de 9000'

/** An agent writes in a sales ticket; the customer returns to a support ticket and quotes that message. */
async function quoted(text = 'qué es esto', how: 'plain' | 'first' = 'plain') {
  const { customer, id: before } = await d.newTicket()
  await d.putTicket(d.admin, before, { queueId: sales.id })
  await d.accept(seller, before)
  await d.send(seller, before, secret)
  const { wid } = await d.db
    .selectFrom('messages')
    .select('wid')
    .where('ticketId', '=', before)
    .where('body', 'like', `%${secret}%`)
    .executeTakeFirstOrThrow()
  await d.putTicket(seller, before, { status: 'closed' })
  const socketClients = await Promise.all([seller, helper, both, d.admin].map((one) => one.listen()))
  if (how === 'first') {
    const row = await d.waitForMessage(await customer.says(text, { quotedId: wid }))
    return { customer, before, ticketId: row.ticketId, id: String(row.id), wid, ears: socketClients }
  }
  const { ticketId } = await d.waitForMessage(await customer.says('hola de nuevo'))
  await d.putTicket(d.admin, ticketId, { queueId: support.id, status: 'pending', userId: null })
  await d.accept(helper, ticketId)
  const row = await d.waitForMessage(await customer.says(text, { quotedId: wid }))
  return { customer, before, ticketId, id: String(row.id), wid, ears: socketClients }
}
const heardBy = async (socketClient: SocketClient) => {
  await socketClient.whenCaughtUp()
  return JSON.stringify(socketClient.received.filter(({ name }) => name.endsWith('-appMessage')))
}
const quoteIn = async (by: TestUser, ticketId: number, id: string) =>
  (await d.listMessages(by, ticketId)).find((message) => message.id === id)?.quotedMsg

describe('a quote from a ticket of another queue', () => {
  it('is shown in the thread only to users who may read that ticket', async () => {
    const { ticketId, id } = await quoted()
    expect(await quoteIn(helper, ticketId, id)).toBeNull()
    expect(await quoteIn(both, ticketId, id)).toMatchObject({ body: expect.stringContaining(secret) })
    expect(await quoteIn(d.admin, ticketId, id)).toMatchObject({ body: expect.stringContaining(secret) })
    expect(JSON.stringify(await d.listMessages(helper, ticketId))).not.toContain(secret)
  })

  it('is published only to users who may read that ticket, also when the message changes', async () => {
    const { ears: socketClients, ticketId, id, customer } = await quoted()
    const [, forHelper, forBoth, forAdmin] = socketClients as [SocketClient, SocketClient, SocketClient, SocketClient]
    await forHelper.waitFor(`company-${d.company.id}-appMessage`, { action: 'create' })
    expect(await heardBy(forHelper)).toContain(`"id":"${id}"`)
    expect(await heardBy(forHelper)).not.toContain(secret)
    for (const socketClient of [forBoth, forAdmin]) {
      expect(await heardBy(socketClient)).toContain(secret)
      const told = socketClient.received.filter(
        ({ payload }) => (payload.message as { id?: string } | undefined)?.id === id,
      )
      expect(told).toHaveLength(1)
    }
    for (const socketClient of socketClients) socketClient.received.splice(0)
    const { wid } = await d.db
      .selectFrom('messages')
      .select('wid')
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow()
    await d.waitForHandled(await customer.sendEvent('edit', { body: 'otra cosa', targetId: wid }))
    await forHelper.waitFor(`company-${d.company.id}-appMessage`, { action: 'update' })
    expect(await heardBy(forHelper)).not.toContain(secret)
    await forBoth.waitFor(`company-${d.company.id}-appMessage`, { action: 'update' })
    expect(await heardBy(forBoth)).toContain(secret)
    expect(await quoteIn(helper, ticketId, id)).toBeNull()
  })

  it('is omitted from responses and exports for users who may not read that ticket', async () => {
    const { ticketId, id } = await quoted()
    const reply = await helper.call(messagesApi.react, { params: { id }, body: { emoji: '👍' } as never })
    expect(JSON.stringify(reply)).not.toContain(secret)
    for (const format of ['html', 'text'] as const) {
      const path = exportsApi.conversation.path.replace(':ticketId', String(ticketId))
      const paper = await helper.request<string>('GET', `${path}?format=${format}`)
      expect(paper.status).toBe(200)
      expect(paper.body).not.toContain(secret)
      expect((await both.request<string>('GET', `${path}?format=${format}`)).body).toContain(secret)
    }
  })

  it('is omitted from the event of the first message of a new ticket', async () => {
    const { ears: socketClients, id, ticketId } = await quoted('y ahora', 'first')
    const [, forHelper] = socketClients as [SocketClient, SocketClient]
    await d.putTicket(d.admin, ticketId, { queueId: support.id, status: 'pending', userId: null })
    expect(await heardBy(forHelper)).not.toContain(secret)
    expect(await quoteIn(helper, ticketId, id)).toBeNull()
  })

  it('is shown to everybody if it is from the same ticket', async () => {
    const { customer, id } = await d.newTicket()
    await d.putTicket(d.admin, id, { queueId: support.id })
    await d.accept(helper, id)
    await d.send(helper, id, 'Aquí mismo')
    const { wid } = await d.db
      .selectFrom('messages')
      .select('wid')
      .where('ticketId', '=', id)
      .where('fromMe', '=', true)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const row = await d.waitForMessage(await customer.says('esto', { quotedId: wid }))
    expect(await quoteIn(helper, id, String(row.id))).toMatchObject({ body: expect.stringContaining('Aquí mismo') })
  })
})
