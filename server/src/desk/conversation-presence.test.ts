import { sandboxApi } from '@recado/contract/sandbox'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../test/desk.ts'
import { closeTestServers, type SocketClient, type TestUser, testServer } from '../../test/test-server.ts'
import { waitTimeoutMs } from '../../test/wait-timeout.ts'

type Named = TestUser & { name: string }
type People = { id: number; name: string; typing: boolean }[]
let d: Desk
let sales: { id: number }
let ana: Named
let beto: Named
let boss: Named
beforeAll(async () => {
  d = await openDesk(await testServer())
  // Typing ends when the test moves the clock, not while a busy machine is slow.
  d.server.clock.freeze()
  sales = await d.createQueue('Ventas')
  ana = await d.createUser('user', [sales])
  beto = await d.createUser('user', [sales])
  boss = await d.createUser('supervisor', [sales])
})
afterAll(closeTestServers)

const say = (ear: SocketClient, what: string, ...about: unknown[]) =>
  new Promise<void>((done) => ear.socket.timeout(waitTimeoutMs).emit(what, ...about, () => done()))
const open = (ear: SocketClient, id: number) => say(ear, 'joinChatBox', String(id))
const close = (ear: SocketClient, id: number) => say(ear, 'leaveChatBox', String(id))
const types = (ear: SocketClient, id: number, on: boolean) => say(ear, 'agentTyping', id, on)
const told = (ear: SocketClient, id: number): People[] =>
  ear.received
    .filter((e) => e.name.endsWith('-watching') && e.payload.ticketId === id)
    .map((e) => e.payload.people as People)
const last = (ear: SocketClient, id: number) => told(ear, id).at(-1)
const who = (person: Named, typing = false) => ({ id: person.id, name: person.name, typing })
const becomes = (ear: SocketClient, id: number, ...people: People) =>
  vi.waitFor(() => expect(last(ear, id)).toEqual(people.toSorted((a, b) => a.id - b.id)), { timeout: 4000 })

/** A ticket of Ana, in sales. */
async function talk() {
  const { customer, id } = await d.newTicket()
  await d.putTicket(d.admin, id, { queueId: sales.id, userId: ana.id })
  return { customer, id }
}
const listen = (person: Named): Promise<SocketClient> => person.listen()

describe('viewers of a conversation', () => {
  it('are published to those who have it open: joins, leaves and lost connections; each user once', async () => {
    const { id } = await talk()
    const [a, again, b] = [await listen(ana), await listen(ana), await listen(boss)]
    await open(a, id)
    await becomes(a, id, who(ana))
    await open(b, id)
    await becomes(a, id, who(ana), who(boss))
    await becomes(b, id, who(ana), who(boss))
    await open(again, id)
    await becomes(again, id, who(ana), who(boss))
    await close(again, id)
    await becomes(a, id, who(ana), who(boss))
    b.close()
    await becomes(a, id, who(ana))
    const before = told(b, id).length
    await close(a, id)
    await a.whenCaughtUp()
    expect(told(b, id)).toHaveLength(before)
  })

  it('stay if they joined twice and left once', async () => {
    const { id } = await talk()
    const [a, b] = [await listen(ana), await listen(boss)]
    for (const ear of [a, b, b]) await open(ear, id)
    await close(b, id)
    await becomes(a, id, who(ana), who(boss))
    await close(b, id)
    await becomes(a, id, who(ana))
  })

  it('exclude users who may not see the ticket, and invalid requests', async () => {
    const { id } = await talk()
    const other = await openDesk(d.server)
    const [a, b, stranger] = [await listen(ana), await listen(beto), await other.admin.listen()]
    for (const ear of [b, stranger]) await open(ear, id)
    for (const odd of ['undefined', '0', `${id}x`, `chat-${d.company.id}-${id}`, '99999999999'])
      await say(stranger, 'joinChatBox', odd)
    await open(a, id)
    await becomes(a, id, who(ana))
    for (const ear of [b, stranger]) {
      await types(ear, id, true)
      await ear.whenCaughtUp()
      expect(ear.received.filter((e) => e.name.endsWith('-watching'))).toEqual([])
    }
    expect(last(a, id)).toEqual([who(ana)])
  })

  it('are removed when they lose permission, without a request', async () => {
    const { id } = await talk()
    const [a, b] = [await listen(ana), await listen(boss)]
    for (const ear of [a, b]) await open(ear, id)
    await becomes(b, id, who(ana), who(boss))
    await d.putTicket(d.admin, id, { queueId: sales.id, userId: beto.id })
    const before = told(a, id).length
    await types(b, id, true)
    await becomes(b, id, who(boss, true))
    await a.whenCaughtUp()
    expect(told(a, id)).toHaveLength(before)
  })
})

describe('typing indicator', () => {
  it('is published until the user stops or is silent', async () => {
    const { id } = await talk()
    const [a, b] = [await listen(ana), await listen(boss)]
    for (const ear of [a, b]) await open(ear, id)
    await becomes(b, id, who(ana), who(boss))
    await types(a, id, true)
    await becomes(b, id, who(ana, true), who(boss))
    const before = told(b, id).length
    await types(a, id, true)
    await b.whenCaughtUp()
    expect(told(b, id)).toHaveLength(before)
    await types(a, id, false)
    await becomes(b, id, who(ana), who(boss))
    await types(a, id, true)
    await becomes(b, id, who(ana, true), who(boss))
    d.server.clock.advance(7000)
    await becomes(b, id, who(ana), who(boss))
  })

  it("is shown on the customer's phone if it is their own agent", async () => {
    const { id, customer } = await talk()
    const params = { whatsappId: d.line.id }
    const shown = async () =>
      (await d.admin.call(sandboxApi.customers, { params })).find((c) => c.number === customer.number)?.typing
    const [a, b] = [await listen(ana), await listen(boss)]
    for (const ear of [a, b]) await open(ear, id)
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
