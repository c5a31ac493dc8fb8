import { contactsApi } from '@recado/contract/contacts'
import type { Message } from '@recado/contract/messages'
import { sandboxApi } from '@recado/contract/sandbox'
import { tagsApi } from '@recado/contract/tags'
import { usersApi } from '@recado/contract/users'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { minutes } from '../src/kernel/clock.ts'
import { openSignals } from '../src/kernel/live/signals.ts'
import { makeLog } from '../src/kernel/log.ts'
import type { RunningServer } from '../src/server.ts'
import { type Desk, nextPhoneNumber, openDesk } from './desk.ts'
import {
  closeTestServers,
  password,
  type SocketClient,
  startSecondProcess,
  type TestServer,
  type TestUser,
  testServer,
  viaProcess,
} from './test-server.ts'
import { waitTimeoutMs } from './wait-timeout.ts'

/** Two processes on one database: events, state and work of one reach the other. */
let harness: TestServer
let secondProcess: RunningServer
let desk: Desk
const viaSecondProcess = (person: TestUser) => viaProcess(secondProcess, person)
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  secondProcess = await startSecondProcess(harness)
  await vi.waitFor(async () => expect(await checkPeers()).toEqual([true, true]), { timeout: 10_000 })
})
afterAll(closeTestServers)
/** Waits until both processes have discovered each other. */
const checkPeers = async () => {
  const asks = [harness.server.deps.live, secondProcess.deps.live].map((live) => live.queryPeers('seats', 'nowhere'))
  return (await Promise.all(asks)).map((answers) => answers.length === 1)
}
/** The message type of socket.io's adapter for other processes. */
const serverSideEmit = 9
const emit = (socketClient: SocketClient, what: string, ...about: unknown[]) =>
  new Promise<void>((done) => socketClient.socket.timeout(waitTimeoutMs).emit(what, ...about, () => done()))

describe('events of one process', () => {
  it('reach permitted sockets in the other process, once, and no other sockets', async () => {
    const agent = await desk.createUser('user')
    const stranger = (await harness.createCompany()).admin
    const socketClients = [
      await viaSecondProcess(desk.admin).listen(),
      await viaSecondProcess(agent).listen(),
      await viaSecondProcess(stranger).listen(),
    ]
    const { id } = await desk.newTicket('hola desde aquí')
    const news = `company-${desk.company.id}-appMessage`
    await vi.waitFor(() => expect(socketClients[0]?.received.filter((e) => e.name === news)).toHaveLength(1))
    expect(socketClients[0]?.received.find((e) => e.name === news)?.payload).toMatchObject({
      message: { ticketId: id },
    })
    const tag = await viaSecondProcess(desk.admin).call(tagsApi.create, { body: { name: 'Nueva', color: '' } })
    const here = await desk.admin.listen()
    await viaSecondProcess(desk.admin).call(tagsApi.update, {
      params: { id: tag.id },
      body: { name: 'Otra', color: '' },
    })
    await here.waitFor(`company-${desk.company.id}-tag`, { action: 'update' })
    await socketClients[1]?.waitFor(`company-${desk.company.id}-tag`, { action: 'update' })
    expect(socketClients[1]?.received.filter((e) => e.name === news)).toEqual([])
    expect(socketClients[2]?.received.filter((e) => e.name.startsWith(`company-${desk.company.id}`))).toEqual([])
  })

  it('arrive in order at any length: long events sent through the table do not fall behind', async () => {
    const socketClient = await viaSecondProcess(desk.admin).listen()
    const { customer } = await desk.openTicket(desk.admin)
    const wids: string[] = []
    for (let i = 0; i < 20; i++)
      wids.push(await customer.says(i % 3 ? `corta ${i}` : `larga ${i} ${'x'.repeat(30_000)}`))
    const texts = () =>
      socketClient.received
        .filter((e) => e.name.endsWith('appMessage') && e.payload.action === 'create')
        .map((e) => (e.payload.message as Message).body.slice(0, 8).trim())
        .filter((body) => /^(corta|larga)/.test(body))
    await vi.waitFor(() => expect(texts()).toHaveLength(20), { timeout: 10_000 })
    expect(texts()).toEqual(wids.map((_, i) => `${i % 3 ? 'corta' : 'larga'} ${i}`))
  })

  it('end sessions in the other process', async () => {
    const agent = await desk.createUser('user')
    const socketClient = await viaSecondProcess(agent).listen()
    await harness.login(agent.email)
    expect(await socketClient.waitFor(`company-${desk.company.id}-auth`)).toMatchObject({ reason: 'opened-elsewhere' })
    await vi.waitFor(() => expect(socketClient.socket.connected).toBe(false), { timeout: 5000 })
  })

  it('reactivate a browser connected to the other process after a new login', async () => {
    const agent = await desk.createUser('user')
    const socketClient = await viaSecondProcess(agent).listen(agent.browser)
    const sessions = () => secondProcess.deps.live.sessions().map((actor) => actor.sessionId)
    await agent.request('DELETE', '/auth/logout')
    await vi.waitFor(() => expect(sessions()).not.toContain(agent.sessionId))
    const back = await harness.login(agent.email, password, agent.browser)
    await vi.waitFor(() => expect(sessions()).toContain(back.sessionId))
    const tag = await desk.admin.call(tagsApi.create, { body: { name: 'back again', color: '' } })
    await socketClient.waitFor(`company-${desk.company.id}-tag`, { action: 'create', tag })
  })

  it('invalidate cached users in the other process', async () => {
    const signals = await openSignals(harness.databaseUrl, makeLog('silent'))
    onTestFinished(() => signals.close())
    let said = 0
    signals.on('who', () => said++)
    const agent = await desk.createUser('user')
    const sees = async () => (await viaSecondProcess(agent).request('GET', '/tickets')).status
    expect(await sees()).toBe(200)
    await vi.waitFor(() => expect(said).toBeGreaterThan(0))
    said = 0
    await desk.admin.call(usersApi.remove, { params: { id: agent.id } })
    await vi.waitFor(() => expect(said).toBeGreaterThan(0))
    await vi.waitFor(async () => expect(await sees()).toBe(401))
  })

  it('apply changed permissions in the other process at once', async () => {
    const sales = await desk.createQueue()
    const agent = await desk.createUser('user')
    const socketClient = await viaSecondProcess(agent).listen()
    const body = { name: agent.name, email: agent.email, profile: 'user', queueIds: [sales.id], whatsappId: null }
    await desk.admin.call(usersApi.update, { params: { id: agent.id }, body: body as never })
    const { id } = await desk.newTicket()
    await vi.waitFor(async () => {
      await desk.putTicket(desk.admin, id, { status: 'pending', queueId: null })
      await desk.putTicket(desk.admin, id, { status: 'pending', queueId: sales.id })
      await socketClient.whenCaughtUp()
      expect(socketClient.received.some((e) => e.name === `company-${desk.company.id}-ticket`)).toBe(true)
    })
  })
})

describe('presence across processes', () => {
  it('shows a user online who has a socket in either process', async () => {
    const agent = await desk.createUser('user')
    const online = async () => (await desk.admin.call(usersApi.show, { params: { id: agent.id } })).online
    const [one, two] = [await agent.listen(), await viaSecondProcess(agent).listen()]
    two.close()
    await viaSecondProcess(desk.admin).request('GET', '/tags')
    await one.whenCaughtUp()
    expect(await online()).toBe(true)
    const three = await viaSecondProcess(agent).listen()
    one.close()
    await three.whenCaughtUp()
    expect(await online()).toBe(true)
    three.close()
    const row = () => desk.db.selectFrom('users').select('disconnectedAt').where('id', '=', agent.id).executeTakeFirst()
    await vi.waitFor(async () => expect(await row()).not.toEqual({ disconnectedAt: null }), { timeout: 8000 })
    harness.clock.advance(minutes(1))
    await harness.server.switchboard.timers.poll()
    expect(await online()).toBe(false)
  })

  it('is refreshed every minute for users of both processes', async () => {
    const agents = [await desk.createUser('user'), await desk.createUser('user')] as const
    const socketClients = [await agents[0].listen(), await viaSecondProcess(agents[1]).listen()]
    const seen = () =>
      desk.db
        .selectFrom('users')
        .select(['id', 'lastSeenAt'])
        .where(
          'id',
          'in',
          agents.map((a) => a.id),
        )
        .execute()
    harness.clock.advance(minutes(2))
    await harness.wide().enqueueJob('presence:sweep', {})
    await vi.waitFor(
      async () => {
        for (const { lastSeenAt } of await seen())
          expect(harness.clock.now().getTime() - Date.parse(lastSeenAt ?? '')).toBeLessThan(minutes(1))
      },
      { timeout: 10_000 },
    )
    harness.clock.advance(-minutes(2))
    for (const socketClient of socketClients) socketClient.close()
  })

  it('shows viewers and typing of a conversation that is open in both processes', async () => {
    // The clock is frozen, so that typing does not time out.
    harness.clock.freeze()
    onTestFinished(() => harness.clock.resume())
    const boss = await desk.createUser('admin')
    const { id } = await desk.openTicket(desk.admin)
    const [a, b] = [await desk.admin.listen(), await viaSecondProcess(boss).listen()]
    await emit(a, 'joinChatBox', String(id))
    await emit(b, 'joinChatBox', String(id))
    const people = (socketClient: SocketClient) =>
      socketClient.received.findLast((e) => e.name.endsWith('-watching'))?.payload.people as {
        id: number
        typing: boolean
      }[]
    const shown = (...typing: boolean[]) =>
      [desk.admin.id, boss.id].map((one, i) => expect.objectContaining({ id: one, typing: typing[i] }))
    await vi.waitFor(() => expect([people(a), people(b)]).toEqual([shown(false, false), shown(false, false)]))
    await emit(b, 'agentTyping', id, true)
    await vi.waitFor(() => expect([people(a), people(b)]).toEqual([shown(false, true), shown(false, true)]))
    // Both processes change at once, repeatedly: an old state of a process must never follow its current state.
    for (const on of [true, false, true, false, true, false]) {
      await Promise.all([emit(a, 'agentTyping', id, on), emit(b, 'agentTyping', id, !on)])
      await vi.waitFor(() => expect([people(a), people(b)]).toEqual([shown(on, !on), shown(on, !on)]))
    }
    b.close()
    await vi.waitFor(() => expect(people(a)).toHaveLength(1), { timeout: 5000 })
  })
})

describe('a lost notification between processes', () => {
  it('makes the browsers of that process reconnect and reload', async () => {
    const alone = await testServer()
    const socketClient = await (await alone.createCompany()).admin.listen()
    /** Both messages are sent at the same moment, so that their order does not depend on timing. */
    const said = (...words: [n: number, name: string][]) => {
      const messages = words.map(([n, name]) => {
        const packet = ['words', 'somebody', n, [{ rooms: ['everyone'], name, payload: {} }]]
        return JSON.stringify({ uid: 'somebody', nsp: '/', type: serverSideEmit, data: { packet } })
      })
      const { platformPool } = alone.server.deps.database
      return platformPool.query("select pg_notify('recado#/', said) from unnest($1::text[]) said", [messages])
    }
    await said([1, 'one'])
    await socketClient.waitFor('one')
    await said([3, 'three'], [2, 'two'])
    await socketClient.waitFor('three')
    expect(socketClient.received.slice(-3).map((e) => e.name)).toEqual(['one', 'two', 'three'])
    expect(socketClient.socket.connected).toBe(true)
    await said([5, 'five'])
    await vi.waitFor(() => expect(socketClient.socket.connected).toBe(false))
    await alone.close()
  })

  it('is detected when it was sent before its sender was discovered', async () => {
    const alone = await testServer()
    const socketClient = await (await alone.createCompany()).admin.listen()
    const packet = ['pulse', 'a stranger', 4]
    const message = JSON.stringify({ uid: 'a stranger', nsp: '/', type: serverSideEmit, data: { packet } })
    await alone.server.deps.database.platformPool.query("select pg_notify('recado#/', $1)", [message])
    await vi.waitFor(() => expect(socketClient.socket.connected).toBe(false))
    await alone.close()
  })

  it('is detected when its sender had not yet discovered any other process', async () => {
    const [one, other] = [await testServer(), 'somebody']
    const { platformPool } = one.server.deps.database
    const heard: { n: number }[] = []
    const client = await platformPool.connect()
    onTestFinished(async () => {
      client.removeAllListeners('notification')
      client.release(true)
      await one.close()
    })
    client.on('notification', ({ payload = '' }) => {
      const [what, , n] = JSON.parse(payload).data?.packet ?? []
      if (what === 'words' || what === 'pulse') heard.push({ n })
    })
    await client.query('listen "recado#/"')
    const { admin } = await one.createCompany()
    const make = (name: string) => admin.call(tagsApi.create, { body: { name, color: '#123456' } as never })
    await make('nobody hears it')
    // From here on another process is known: the number of the next message follows that of the lost message.
    const here = JSON.stringify({ uid: other, nsp: '/', type: 1 })
    await vi.waitFor(async () => {
      await client.query("select pg_notify('recado#/', $1)", [here])
      await make(`heard ${Math.random()}`)
      expect(heard.length).toBeGreaterThan(0)
    })
    expect(heard[0]?.n).toBeGreaterThan(1)
  })
})

describe('a process whose clock is behind', () => {
  it('moves a ticket’s timestamp forward with each change, so that browsers know the newest version', async () => {
    const { id, customer } = await desk.openTicket(desk.admin)
    const touched = async () => (await desk.showTicket(id)).updatedAt
    for (const touch of [
      async () => void (await desk.waitForMessage(await customer.says('¿y ahora?'))),
      () => desk.send(viaSecondProcess(desk.admin), id, 'ahora'),
      async () => void (await desk.waitForMessage(await customer.sendEvent('location', { latitude: 1, longitude: 2 }))),
      () => desk.putTicket(viaSecondProcess(desk.admin), id, { status: 'pending', userId: null, queueId: null }),
    ]) {
      harness.clock.advance(5000)
      await desk.send(desk.admin, id, 'un momento')
      const before = await touched()
      harness.clock.advance(-5000)
      await touch()
      expect(Date.parse(await touched())).toBeGreaterThan(Date.parse(before))
    }
  })
})

describe('a line that runs in the other process', () => {
  it('can still check numbers and return its address book', async () => {
    const number = nextPhoneNumber()
    const params = { whatsappId: desk.line.id }
    await desk.admin.call(sandboxApi.addCustomer, { params, body: { number, name: 'De la agenda' } as never })
    const made = await viaSecondProcess(desk.admin).call(contactsApi.create, {
      body: { name: 'Nadie', number: nextPhoneNumber(), email: '', extraInfo: [] } as never,
    })
    expect(made.name).toBe('Nadie')
    await expect(
      viaSecondProcess(desk.admin).call(contactsApi.create, {
        body: { name: 'No está', number: '1234567890123456', email: '', extraInfo: [] } as never,
      }),
    ).rejects.toMatchObject({ code: 'ERR_WAPP_INVALID_CONTACT' })
    await viaSecondProcess(desk.admin).call(contactsApi.import)
    const found = await desk.admin.call(contactsApi.list, { query: { searchParam: number, pageNumber: 1 } as never })
    expect(found.contacts.map((c) => c.number)).toEqual([number])
  })
})
