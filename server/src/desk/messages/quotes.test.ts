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

let harness: TestServer
let desk: Desk
let sales: { id: number }
let support: { id: number }
let seller: TestUser
let supportAgent: TestUser
let agentOfBothQueues: TestUser
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue()
  support = await desk.createQueue()
  seller = await desk.createUser('user', [sales])
  supportAgent = await desk.createUser('user', [support])
  agentOfBothQueues = await desk.createUser('supervisor', [sales, support])
})
afterAll(closeTestServers)

const secret = 'Tu deuda es de 9000'

/** An agent writes in a sales ticket; the customer returns to a support ticket and quotes that message. */
async function createQuote(text = 'qué es esto', how: 'plain' | 'first' = 'plain') {
  const { customer, id: before } = await desk.newTicket()
  await desk.putTicket(desk.admin, before, { queueId: sales.id })
  await desk.accept(seller, before)
  await desk.send(seller, before, secret)
  const { wid } = await desk.db
    .selectFrom('messages')
    .select('wid')
    .where('ticketId', '=', before)
    .where('body', 'like', `%${secret}%`)
    .executeTakeFirstOrThrow()
  await desk.putTicket(seller, before, { status: 'closed' })
  const socketClients = await Promise.all(
    [seller, supportAgent, agentOfBothQueues, desk.admin].map((one) => one.listen()),
  )
  if (how === 'first') {
    const row = await desk.waitForMessage(await customer.says(text, { quotedId: wid }))
    return { customer, before, ticketId: row.ticketId, id: String(row.id), wid, ears: socketClients }
  }
  const { ticketId } = await desk.waitForMessage(await customer.says('hola de nuevo'))
  await desk.putTicket(desk.admin, ticketId, { queueId: support.id, status: 'pending', userId: null })
  await desk.accept(supportAgent, ticketId)
  const row = await desk.waitForMessage(await customer.says(text, { quotedId: wid }))
  return { customer, before, ticketId, id: String(row.id), wid, ears: socketClients }
}
const heardBy = async (socketClient: SocketClient) => {
  await socketClient.whenCaughtUp()
  return JSON.stringify(socketClient.received.filter(({ name }) => name.endsWith('-appMessage')))
}
const quoteIn = async (by: TestUser, ticketId: number, id: string) =>
  (await desk.listMessages(by, ticketId)).find((message) => message.id === id)?.quotedMsg

describe('a quote from a ticket of another queue', () => {
  it('is shown in the thread only to users who may read that ticket', async () => {
    const { ticketId, id } = await createQuote()
    expect(await quoteIn(supportAgent, ticketId, id)).toBeNull()
    expect(await quoteIn(agentOfBothQueues, ticketId, id)).toMatchObject({ body: expect.stringContaining(secret) })
    expect(await quoteIn(desk.admin, ticketId, id)).toMatchObject({ body: expect.stringContaining(secret) })
    expect(JSON.stringify(await desk.listMessages(supportAgent, ticketId))).not.toContain(secret)
  })

  it('is published only to users who may read that ticket, also when the message changes', async () => {
    const { ears: socketClients, ticketId, id, customer } = await createQuote()
    const [, forHelper, forBoth, forAdmin] = socketClients as [SocketClient, SocketClient, SocketClient, SocketClient]
    await forHelper.waitFor(`company-${desk.company.id}-appMessage`, { action: 'create' })
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
    const { wid } = await desk.db
      .selectFrom('messages')
      .select('wid')
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow()
    await desk.waitForHandled(await customer.sendEvent('edit', { body: 'otra cosa', targetId: wid }))
    await forHelper.waitFor(`company-${desk.company.id}-appMessage`, { action: 'update' })
    expect(await heardBy(forHelper)).not.toContain(secret)
    await forBoth.waitFor(`company-${desk.company.id}-appMessage`, { action: 'update' })
    expect(await heardBy(forBoth)).toContain(secret)
    expect(await quoteIn(supportAgent, ticketId, id)).toBeNull()
  })

  it('is omitted from responses and exports for users who may not read that ticket', async () => {
    const { ticketId, id } = await createQuote()
    const reply = await supportAgent.call(messagesApi.react, { params: { id }, body: { emoji: '👍' } as never })
    expect(JSON.stringify(reply)).not.toContain(secret)
    for (const format of ['html', 'text'] as const) {
      const path = exportsApi.conversation.path.replace(':ticketId', String(ticketId))
      const paper = await supportAgent.request<string>('GET', `${path}?format=${format}`)
      expect(paper.status).toBe(200)
      expect(paper.body).not.toContain(secret)
      expect((await agentOfBothQueues.request<string>('GET', `${path}?format=${format}`)).body).toContain(secret)
    }
  })

  it('is omitted from the event of the first message of a new ticket', async () => {
    const { ears: socketClients, id, ticketId } = await createQuote('y ahora', 'first')
    const [, forHelper] = socketClients as [SocketClient, SocketClient]
    await desk.putTicket(desk.admin, ticketId, { queueId: support.id, status: 'pending', userId: null })
    expect(await heardBy(forHelper)).not.toContain(secret)
    expect(await quoteIn(supportAgent, ticketId, id)).toBeNull()
  })

  it('is shown to everybody if it is from the same ticket', async () => {
    const { customer, id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: support.id })
    await desk.accept(supportAgent, id)
    await desk.send(supportAgent, id, 'Aquí mismo')
    const { wid } = await desk.db
      .selectFrom('messages')
      .select('wid')
      .where('ticketId', '=', id)
      .where('fromMe', '=', true)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const row = await desk.waitForMessage(await customer.says('esto', { quotedId: wid }))
    expect(await quoteIn(supportAgent, id, String(row.id))).toMatchObject({
      body: expect.stringContaining('Aquí mismo'),
    })
  })
})
