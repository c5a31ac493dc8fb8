import { sandboxApi } from '@recado/contract/sandbox'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../test/desk.ts'
import { closeTestServers, type SocketClient, type TestUser, testServer } from '../../test/test-server.ts'
import { waitTimeoutMs } from '../../test/wait-timeout.ts'

type NamedUser = TestUser & { name: string }
type People = { id: number; name: string; typing: boolean }[]
let desk: Desk
let sales: { id: number }
let ana: NamedUser
let beto: NamedUser
let supervisor: NamedUser
beforeAll(async () => {
  desk = await openDesk(await testServer())
  // The clock is frozen: typing ends when the test moves it, not because a busy machine is slow.
  desk.server.clock.freeze()
  sales = await desk.createQueue('Ventas')
  ana = await desk.createUser('user', [sales])
  beto = await desk.createUser('user', [sales])
  supervisor = await desk.createUser('supervisor', [sales])
})
afterAll(closeTestServers)

const emit = (socketClient: SocketClient, what: string, ...about: unknown[]) =>
  new Promise<void>((done) => socketClient.socket.timeout(waitTimeoutMs).emit(what, ...about, () => done()))
const open = (socketClient: SocketClient, id: number) => emit(socketClient, 'joinChatBox', String(id))
const close = (socketClient: SocketClient, id: number) => emit(socketClient, 'leaveChatBox', String(id))
const types = (socketClient: SocketClient, id: number, on: boolean) => emit(socketClient, 'agentTyping', id, on)
const publishedPeople = (socketClient: SocketClient, id: number): People[] =>
  socketClient.received
    .filter((e) => e.name.endsWith('-watching') && e.payload.ticketId === id)
    .map((e) => e.payload.people as People)
const last = (socketClient: SocketClient, id: number) => publishedPeople(socketClient, id).at(-1)
const watcherOf = (person: NamedUser, typing = false) => ({ id: person.id, name: person.name, typing })
const expectWatchers = (socketClient: SocketClient, id: number, ...people: People) =>
  vi.waitFor(() => expect(last(socketClient, id)).toEqual(people.toSorted((a, b) => a.id - b.id)), { timeout: 4000 })

/** A ticket of Ana, in sales. */
async function openConversation() {
  const { customer, id } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { queueId: sales.id, userId: ana.id })
  return { customer, id }
}
const listen = (person: NamedUser): Promise<SocketClient> => person.listen()

describe('viewers of a conversation', () => {
  it('are published to users who have the conversation open, each user once: joins, leaves and lost connections', async () => {
    const { id } = await openConversation()
    const [a, again, b] = [await listen(ana), await listen(ana), await listen(supervisor)]
    await open(a, id)
    await expectWatchers(a, id, watcherOf(ana))
    await open(b, id)
    await expectWatchers(a, id, watcherOf(ana), watcherOf(supervisor))
    await expectWatchers(b, id, watcherOf(ana), watcherOf(supervisor))
    await open(again, id)
    await expectWatchers(again, id, watcherOf(ana), watcherOf(supervisor))
    await close(again, id)
    await expectWatchers(a, id, watcherOf(ana), watcherOf(supervisor))
    b.close()
    await expectWatchers(a, id, watcherOf(ana))
    const before = publishedPeople(b, id).length
    await close(a, id)
    await a.whenCaughtUp()
    expect(publishedPeople(b, id)).toHaveLength(before)
  })

  it('stay listed if they joined twice and left once', async () => {
    const { id } = await openConversation()
    const [a, b] = [await listen(ana), await listen(supervisor)]
    for (const socketClient of [a, b, b]) await open(socketClient, id)
    await close(b, id)
    await expectWatchers(a, id, watcherOf(ana), watcherOf(supervisor))
    await close(b, id)
    await expectWatchers(a, id, watcherOf(ana))
  })

  it('exclude users who may not see the ticket, and ignore invalid requests', async () => {
    const { id } = await openConversation()
    const other = await openDesk(desk.server)
    const [a, b, stranger] = [await listen(ana), await listen(beto), await other.admin.listen()]
    for (const socketClient of [b, stranger]) await open(socketClient, id)
    for (const odd of ['undefined', '0', `${id}x`, `chat-${desk.company.id}-${id}`, '99999999999'])
      await emit(stranger, 'joinChatBox', odd)
    await open(a, id)
    await expectWatchers(a, id, watcherOf(ana))
    for (const socketClient of [b, stranger]) {
      await types(socketClient, id, true)
      await socketClient.whenCaughtUp()
      expect(socketClient.received.filter((e) => e.name.endsWith('-watching'))).toEqual([])
    }
    expect(last(a, id)).toEqual([watcherOf(ana)])
  })

  it('are removed when they lose permission, without a request from them', async () => {
    const { id } = await openConversation()
    const [a, b] = [await listen(ana), await listen(supervisor)]
    for (const socketClient of [a, b]) await open(socketClient, id)
    await expectWatchers(b, id, watcherOf(ana), watcherOf(supervisor))
    await desk.putTicket(desk.admin, id, { queueId: sales.id, userId: beto.id })
    const before = publishedPeople(a, id).length
    await types(b, id, true)
    await expectWatchers(b, id, watcherOf(supervisor, true))
    await a.whenCaughtUp()
    expect(publishedPeople(a, id)).toHaveLength(before)
  })
})

describe('typing indicator', () => {
  it('is published until the user stops typing or sends no event for some seconds', async () => {
    const { id } = await openConversation()
    const [a, b] = [await listen(ana), await listen(supervisor)]
    for (const socketClient of [a, b]) await open(socketClient, id)
    await expectWatchers(b, id, watcherOf(ana), watcherOf(supervisor))
    await types(a, id, true)
    await expectWatchers(b, id, watcherOf(ana, true), watcherOf(supervisor))
    const before = publishedPeople(b, id).length
    await types(a, id, true)
    await b.whenCaughtUp()
    expect(publishedPeople(b, id)).toHaveLength(before)
    await types(a, id, false)
    await expectWatchers(b, id, watcherOf(ana), watcherOf(supervisor))
    await types(a, id, true)
    await expectWatchers(b, id, watcherOf(ana, true), watcherOf(supervisor))
    desk.server.clock.advance(7000)
    await expectWatchers(b, id, watcherOf(ana), watcherOf(supervisor))
  })

  it("is shown on the customer's phone if the ticket's own agent types", async () => {
    const { id, customer } = await openConversation()
    const params = { whatsappId: desk.line.id }
    const shown = async () =>
      (await desk.admin.call(sandboxApi.customers, { params })).find((c) => c.number === customer.number)?.typing
    const [a, b] = [await listen(ana), await listen(supervisor)]
    for (const socketClient of [a, b]) await open(socketClient, id)
    await types(b, id, true)
    await types(b, id, false)
    await b.whenCaughtUp()
    expect(await shown()).toBe(false)
    await types(a, id, true)
    await vi.waitFor(async () => expect(await shown()).toBe(true))
    await types(a, id, false)
    await vi.waitFor(async () => expect(await shown()).toBe(false))
    await types(a, id, true)
    await vi.waitFor(async () => expect(await shown()).toBe(true))
    a.close()
    await vi.waitFor(async () => expect(await shown()).toBe(false), { timeout: 4000 })
  })
})
