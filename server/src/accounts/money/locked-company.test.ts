import { messagesApi } from '@recado/contract/messages'
import { invoicesApi } from '@recado/contract/money/invoices'
import { moneyApi } from '@recado/contract/money/platform'
import { subscriptionApi } from '@recado/contract/money/subscription'
import { notesApi, ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import {
  closeTestServers,
  type SocketClient,
  startSecondProcess,
  type TestServer,
  type TestUser,
  testServer,
  viaProcess,
} from '../../../test/test-server.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'
import { openPool } from '../../kernel/data/database.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { makeLog } from '../../kernel/log.ts'
import { performCustomerAction } from '../../lines/sandbox/customer-actions.ts'
import { writeDueInvoices } from './invoices.ts'

/** A company whose last paid day is over: tests what its users can still read and receive. */
let harness: TestServer
let desk: Desk
let superUser: TestUser
let agent: TestUser
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  superUser = await harness.superUser()
  agent = await desk.createUser('user', [], 'enabled')
})
afterAll(closeTestServers)

const due = async (dueDate: string | null) => {
  await harness.wide().db.updateTable('companies').set({ dueDate }).where('id', '=', desk.company.id).execute()
  await writeDueInvoices(harness.wide())
}
const unpaid = { status: 402, body: { error: 'ERR_SUBSCRIPTION_EXPIRED' } }
const names = (socketClient: SocketClient) =>
  socketClient.received.map(({ name }) => name).filter((name) => name !== 'ready')

describe('an agent of a company that has not paid', () => {
  it('logs in and reads open tickets and invoices, without changing anything', async () => {
    const { id, customer } = await desk.newTicket('¿Siguen ahí?')
    await desk.accept(agent, id)
    await desk.waitForMessage(await customer.says('¿Hola?'))
    await agent.call(notesApi.create, { body: { note: 'Llamar mañana', ticketId: id } as never })
    const before = await desk.showTicket(id, agent)
    expect(before.unreadMessages).toBeGreaterThan(0)
    await due('2020-01-31')
    const back = await harness.login(agent.email)
    expect(await back.call(subscriptionApi.show)).toMatchObject({ expired: true, open: [{ status: 'open' }] })
    const { tickets } = await back.call(ticketsApi.list, { query: { status: 'open' } as never })
    expect(tickets).toMatchObject([{ id, lastMessage: '¿Hola?' }])
    const read = await back.call(messagesApi.list, { params: { ticketId: id } })
    expect(read.messages.map(({ body }) => body)).toEqual(['¿Siguen ahí?', '¿Hola?'])
    expect(await back.call(notesApi.list, { query: { ticketId: id } })).toMatchObject([{ note: 'Llamar mañana' }])
    expect((await back.call(ticketsApi.happenings, { params: { id } })).events).not.toEqual([])
    // The ticket is not marked as read, because a locked-out agent cannot answer.
    expect((await desk.showTicket(id, back)).unreadMessages).toBe(before.unreadMessages)
    for (const [method, path, body] of [
      ['POST', `/messages/${id}`, { body: 'Sí' }],
      ['PUT', `/tickets/${id}`, { status: 'closed' }],
      ['POST', '/ticket-notes', { note: 'No', ticketId: id }],
      ['GET', '/contacts', undefined],
      ['GET', '/users', undefined],
    ] as const)
      expect(await back.request(method, path, body), path).toMatchObject(unpaid)
    // Visibility rules stay the same.
    const other = await harness.createCompany()
    const stranger = await other.user()
    expect(await stranger.request('GET', `/messages/${id}`)).toMatchObject({ status: 404 })
    agent = back
    await due(null)
  })

  it('reads nothing of a company that was deactivated', async () => {
    const other = await harness.createCompany()
    await harness.wide().db.updateTable('companies').set({ status: false }).where('id', '=', other.id).execute()
    for (const path of ['/tickets', '/tickets/1', '/messages/1', '/ticket-notes/list?ticketId=1'])
      expect(await other.admin.request('GET', path), path).toMatchObject({
        status: 402,
        body: { error: 'ERR_COMPANY_INACTIVE' },
      })
  })
})

describe('the socket of a locked browser', () => {
  it('receives the payment event at once, in every process, and nothing else of the company', async () => {
    const { id } = await desk.newTicket()
    await due('2020-01-31')
    const twin = await startSecondProcess(harness)
    const socketClients = [await desk.admin.listen(), await agent.listen(), await viaProcess(twin, agent).listen()]
    // Events of another company, of the platform and of this company are published while the clients ask to join every
    // room.
    for (const { socket } of socketClients)
      for (const join of ['joinChatBox', 'joinNotification', 'joinTickets', 'userStatus'])
        await socket.timeout(waitTimeoutMs).emitWithAck(join, String(id))
    const online = () =>
      harness.wide().db.selectFrom('users').select('online').where('id', '=', agent.id).executeTakeFirstOrThrow()
    expect(await online()).toEqual({ online: false })
    // The message comes from a customer's phone, because no user of the locked company could write.
    const said = { body: '¿Nadie?', kind: 'text', from: '5491155550043', chat: '5491155550043', name: 'Sol' }
    await performCustomerAction(new Scope(harness.server.deps, { companyId: desk.company.id }), desk.line.id, {
      ...{ ...said, id: 'LOCKED2', group: null, fromCustomer: true, extra: {}, media: null, quotedId: null },
      at: harness.clock.now(),
    })
    await desk.waitForMessage('LOCKED2')
    await superUser.request('POST', '/announcements', { priority: 1, title: 'Aviso', text: 'Para todos', status: true })
    for (const socketClient of socketClients) await socketClient.whenCaughtUp()
    expect(socketClients.map(names)).toEqual([[], [], []])

    // A minute later the sockets are still connected, and still receive nothing. The sweep is over before the payment:
    // after it, it would disconnect them.
    await harness.wide().enqueueJob('presence:sweep', {})
    const owner = openPool(harness.databaseUrl, makeLog('silent'), { max: 1 })
    const countSweeps = async () =>
      (await owner.query(`select from graphile_worker.jobs where task_identifier = 'presence:sweep'`)).rowCount
    await expect.poll(countSweeps).toBe(0)
    await owner.end()
    const open = (await desk.admin.call(invoicesApi.all)).find(({ status }) => status === 'open')
    await superUser.call(moneyApi.paid, { params: { id: open?.id as number }, body: { note: '' } })
    const payment = `company-${desk.company.id}-payment`
    for (const socketClient of socketClients) await socketClient.waitFor(payment, { action: 'CONCLUIDA' })
    for (const socketClient of socketClients)
      expect(new Set(names(socketClient))).toEqual(new Set([payment, `company-${desk.company.id}-company`]))
    expect(await online()).toEqual({ online: false })

    // A socket that stayed open is disconnected, so that the client logs in again and receives all events.
    const gone = socketClients.map(({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve)))
    await harness.wide().enqueueJob('presence:sweep', {})
    await Promise.all(gone)
    const socketClient = await agent.listen()
    await desk.newTicket('Ahora sí')
    await socketClient.waitFor(`company-${desk.company.id}-ticket`)
    await vi.waitFor(async () => expect(await online()).toEqual({ online: true }))
  })
})
