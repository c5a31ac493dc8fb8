import type { IncomingMessage, ServerResponse } from 'node:http'
import { topics } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { usersApi } from '@recado/contract/users'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../test/desk.ts'
import {
  closeTestServers,
  type SocketClient,
  type TestServer,
  type TestUser,
  testServer,
} from '../../test/test-server.ts'
import { waitTimeoutMs } from '../../test/wait-timeout.ts'

type NamedUser = TestUser & { name: string }
let harness: TestServer
let desk: Desk
let sales: { id: number }
let support: { id: number }
/** The users by role; each has a connected socket client. */
let people: Record<
  'agent' | 'rival' | 'elsewhere' | 'loose' | 'boss' | 'bossElsewhere' | 'admin' | 'foreign',
  NamedUser
>
let socketClients: Record<keyof typeof people, SocketClient>
type UserRole = keyof typeof people
const allRoles = () => Object.keys(people) as UserRole[]

beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  support = await desk.createQueue('Soporte')
  people = {
    agent: await desk.createUser('user', [sales]),
    rival: await desk.createUser('user', [sales]),
    elsewhere: await desk.createUser('user', [support]),
    loose: await desk.createUser('user', [], 'enabled'),
    boss: await desk.createUser('supervisor', [sales]),
    bossElsewhere: await desk.createUser('supervisor', [support]),
    admin: { ...desk.admin, name: 'The admin' },
    foreign: { ...(await harness.createCompany()).admin, name: 'The admin' },
  }
  socketClients = Object.fromEntries(
    await Promise.all(allRoles().map(async (who) => [who, await people[who].listen()])),
  ) as typeof socketClients
})
afterAll(closeTestServers)

/** The events that a socket client has received about one ticket, in short form. */
function heardOf(socketClient: SocketClient, id: number): string[] {
  return socketClient.received.flatMap(({ name, payload }) => {
    const ticket = payload?.ticket as Ticket | undefined
    const about = ticket?.id ?? payload?.ticketId ?? (payload?.message as { ticketId: number } | undefined)?.ticketId
    if (about !== id) return []
    const what = name.replace(/^company-\d+-/, '')
    return [`${what} ${payload.action}`]
  })
}
const canSeeTicketNow = async (who: UserRole, id: number) =>
  (await people[who].request('GET', `/tickets/${id}`)).status === 200
const whoSees = async (id: number) =>
  (await Promise.all(allRoles().map(async (who) => ((await canSeeTicketNow(who, id)) ? who : null)))).filter(
    (w) => w !== null,
  )
const waitForAllClients = () =>
  Promise.all(Object.values(socketClients).map((socketClient) => socketClient.whenCaughtUp()))

/** Performs an action on a ticket and returns every event each user received about it. */
async function publishedDuring(id: number, act: () => Promise<unknown>): Promise<Partial<Record<UserRole, string[]>>> {
  await waitForAllClients()
  for (const socketClient of Object.values(socketClients)) socketClient.received.splice(0)
  await act()
  await waitForAllClients()
  return Object.fromEntries(
    allRoles()
      .map((who) => [who, heardOf(socketClients[who], id)] as const)
      .filter(([, heard]) => heard.length),
  )
}
/**
 * Checks the rule: users who lose visibility get a removal, users who see the ticket get its new state, others get
 * nothing.
 */
async function toldRightly(id: number, act: () => Promise<unknown>, moved = true) {
  const before = await whoSees(id)
  const heard = await publishedDuring(id, act)
  const after = await whoSees(id)
  const wanted = allRoles().map(
    (who) =>
      [
        who,
        [
          ...(moved && before.includes(who) ? ['ticket delete'] : []),
          ...(after.includes(who) ? ['ticket update'] : []),
        ],
      ] as const,
  )
  expect(heard).toEqual(Object.fromEntries(wanted.filter(([, h]) => h.length)))
  return { before, after }
}

async function createPendingTicket(queueId: number | null = sales.id) {
  const { customer, id } = await desk.newTicket()
  if (queueId) await desk.putTicket(desk.admin, id, { queueId, status: 'pending', userId: null })
  return { customer, id }
}
const put = (who: UserRole, id: number, body: object) => async () =>
  expect((await desk.putTicket(people[who], id, body)).status).toBe(200)

describe('ticket events reach exactly the users who may see the ticket', () => {
  it('publishes a new ticket without a queue to admins and users who may take any ticket', async () => {
    const first = makeTextEvent(nextPhoneNumber(), 'hola')
    let id = 0
    for (const socketClient of Object.values(socketClients)) socketClient.received.splice(0)
    await desk.receive(first)
    id = (await desk.waitForMessage(first.id)).ticketId
    await waitForAllClients()
    const heard = allRoles().filter((who) => heardOf(socketClients[who], id).length)
    expect(heard).toEqual(['loose', 'admin'])
    expect(heardOf(socketClients.admin, id)).toEqual(['ticket update', 'appMessage create'])
    expect(await whoSees(id)).toEqual(heard)
  })

  it('publishes every transition to those who saw the ticket before and those who see it after', async () => {
    const { id } = await createPendingTicket(null)
    const seen = async (act: () => Promise<unknown>) => (await toldRightly(id, act)).after
    const inSales = ['agent', 'rival', 'boss', 'admin']
    // The ticket goes to a queue, is accepted, returned, accepted and passed to a user of another queue, closed,
    // reopened, and moved to the other queue.
    expect(await seen(put('admin', id, { queueId: sales.id, status: 'pending', userId: null }))).toEqual(inSales)
    expect(await seen(put('agent', id, { status: 'open', userId: people.agent.id }))).toEqual([
      'agent',
      'boss',
      'admin',
    ])
    expect(await seen(put('agent', id, { status: 'pending', userId: null }))).toEqual(inSales)
    expect(await seen(put('rival', id, { status: 'open', userId: people.rival.id }))).toEqual([
      'rival',
      'boss',
      'admin',
    ])
    expect(await seen(put('rival', id, { queueId: sales.id, userId: people.elsewhere.id }))).toEqual([
      'elsewhere',
      'boss',
      'admin',
    ])
    expect(await seen(put('elsewhere', id, { status: 'closed', userId: people.elsewhere.id }))).toEqual([
      'agent',
      'rival',
      'elsewhere',
      'boss',
      'admin',
    ])
    expect(await seen(put('agent', id, { status: 'open', userId: people.agent.id }))).toEqual([
      'agent',
      'boss',
      'admin',
    ])
    expect(await seen(put('boss', id, { queueId: support.id, status: 'pending', userId: null }))).toEqual([
      'elsewhere',
      'bossElsewhere',
      'admin',
    ])
    expect(await seen(put('elsewhere', id, { queueId: null, status: 'pending', userId: null }))).toEqual([
      'loose',
      'admin',
    ])
    const gone = await publishedDuring(id, async () =>
      expect((await desk.admin.request('DELETE', `/tickets/${id}`)).status).toBe(200),
    )
    expect(gone).toEqual({ loose: ['ticket delete'], admin: ['ticket delete'] })
  })

  it('publishes a conversation started by an agent', async () => {
    const { body: contact } = await desk.admin.request<{ id: number }>('POST', '/contacts', {
      name: 'Doña Rosa',
      number: nextPhoneNumber(),
      email: '',
    })
    for (const socketClient of Object.values(socketClients)) socketClient.received.splice(0)
    const { body } = await people.agent.request<Ticket>('POST', '/tickets', {
      contactId: contact.id,
      queueId: sales.id,
      whatsappId: null,
      userId: people.agent.id,
      status: 'open',
    })
    await waitForAllClients()
    expect(allRoles().filter((who) => heardOf(socketClients[who], body.id).join() === 'ticket update')).toEqual([
      'agent',
      'boss',
      'admin',
    ])
    expect(allRoles().filter((who) => heardOf(socketClients[who], body.id).length)).toHaveLength(3)
  })

  it('publishes messages, acknowledgements, edits, notes and tags', async () => {
    const { customer, id } = await createPendingTicket()
    await desk.accept(people.agent, id)
    const audience = ['agent', 'boss', 'admin']
    const heardBy = async (act: () => Promise<unknown>) => Object.entries(await publishedDuring(id, act))
    const message = makeTextEvent(customer.number, 'otra', { pushName: (await desk.showTicket(id)).contact.name })
    expect(await heardBy(() => desk.receive(message))).toEqual(audience.map((who) => [who, ['appMessage create']]))
    const edit = {
      kind: 'edit' as const,
      id: `e-${message.id}`,
      chat: message.chat,
      at: message.at,
      targetId: message.id,
      body: 'corregida',
    }
    expect(await heardBy(() => desk.receive(edit))).toEqual(
      audience.map((who) => [who, ['ticket update', 'appMessage update']]),
    )
    expect(await heardBy(() => people.agent.request('POST', '/ticket-notes', { note: 'ojo', ticketId: id }))).toEqual(
      [],
    )
    expect(allRoles().filter((who) => socketClients[who].received.some((n) => n.name.endsWith('-note')))).toEqual(
      audience,
    )
    // The read event comes first, then the message, then its acknowledgements.
    const answered = await publishedDuring(id, async () => {
      await desk.send(people.agent, id, 'respondo')
      await vi.waitFor(async () => expect((await desk.listMessages(desk.admin, id)).at(-1)?.ack).toBe(3))
    })
    expect(Object.keys(answered)).toEqual(audience)
    expect(answered.boss?.slice(0, 2)).toEqual(['ticket updateUnread', 'appMessage create'])
    expect(new Set(answered.boss?.slice(2))).toEqual(new Set(['appMessage update']))
  })

  it('publishes a change in an earlier conversation to all who read it in the thread of a later one', async () => {
    const { customer, id } = await createPendingTicket(null)
    const old = (await desk.listMessages(desk.admin, id)).at(-1)
    await put('admin', id, { status: 'closed' })()
    const { ticketId: next } = await desk.waitForMessage(await customer.says('otra vez'))
    await put('admin', next, { queueId: sales.id, userId: people.agent.id })()
    for (const who of ['agent', 'boss'] as const)
      expect((await desk.listMessages(people[who], next)).map((m) => m.id)).toContain(old?.id)
    const react = () => people.agent.request('POST', `/messages/${old?.id}/reaction`, { emoji: '👍' })
    expect(Object.keys(await publishedDuring(id, react))).toEqual(['agent', 'boss', 'admin'])
  })

  it('publishes the deletion of a conversation to all who read it in the thread of another', async () => {
    const { customer, id } = await createPendingTicket()
    await put('admin', id, { status: 'closed' })()
    const { ticketId: next } = await desk.waitForMessage(await customer.says('otra vez'))
    await put('admin', next, { queueId: support.id, userId: people.elsewhere.id })()
    const { contactId } = await desk.showTicket(next)
    await publishedDuring(id, () => people.admin.request('DELETE', `/tickets/${id}`))
    const threads = (who: UserRole) =>
      socketClients[who].received.filter((n) => n.name.endsWith('-thread')).map((n) => n.payload)
    expect(allRoles().filter((who) => threads(who).length)).toEqual(['elsewhere', 'bossElsewhere', 'admin'])
    expect(threads('elsewhere')).toEqual([{ contactId, whatsappId: desk.line.id }])
  })

  it('publishes a conversation that ends without a queue, or reopens, to all who read it in the thread of another', async () => {
    const { customer, id } = await createPendingTicket()
    await put('admin', id, { status: 'closed' })()
    const { ticketId: next } = await desk.waitForMessage(await customer.says('otra vez'))
    await put('admin', next, { queueId: null, userId: people.elsewhere.id })()
    const { contactId } = await desk.showTicket(next)
    const threads = (who: UserRole) =>
      socketClients[who].received.filter((n) => n.name.endsWith('-thread')).map((n) => n.payload)
    const reads = async () => (await desk.listMessages(people.agent, id)).some(({ ticketId }) => ticketId === next)
    expect(await reads()).toBe(false)
    for (const [status, may] of [
      ['closed', true],
      ['open', false],
    ] as const) {
      await publishedDuring(
        next,
        put('elsewhere', next, { status, ...(status === 'open' && { userId: people.elsewhere.id }) }),
      )
      expect(threads('agent')).toEqual([{ contactId, whatsappId: desk.line.id }])
      expect(await reads()).toBe(may)
    }
  })

  it('publishes the deletion of a contact with all their tickets', async () => {
    const { id } = await createPendingTicket()
    const { contactId } = await desk.showTicket(id)
    const gone = await publishedDuring(id, () => desk.admin.request('DELETE', `/contacts/${contactId}`))
    expect(gone).toEqual(Object.fromEntries(['agent', 'rival', 'boss', 'admin'].map((who) => [who, ['ticket delete']])))
  })

  it('publishes the tickets left behind by a deleted user', async () => {
    const { id } = await createPendingTicket()
    const leaving = await desk.createUser('user', [sales])
    await desk.accept(leaving, id)
    const heard = await publishedDuring(id, async () => {
      await desk.admin.request('DELETE', `/users/${leaving.id}`)
      await vi.waitFor(
        async () => expect(await desk.showTicket(id)).toMatchObject({ status: 'pending', userId: null }),
        {
          timeout: 5000,
        },
      )
    })
    const [moved, fresh] = [['ticket delete', 'ticket update'], ['ticket update']]
    expect(heard).toEqual({ agent: fresh, rival: fresh, boss: moved, admin: moved })
    expect((await desk.listSegments(id)).at(-1)).toMatchObject({ startedAt: null, finishedAt: null })
    expect((await desk.listEvents(id))[0]).toMatchObject({
      kind: 'return',
      actor: null,
      steps: [{ why: 'agent-is-gone' }],
    })
  })

  it('returns the open tickets of a deactivated agent to their queue, as of a deleted one', async () => {
    const { id } = await createPendingTicket()
    const leaving = await desk.createUser('user', [sales])
    await desk.accept(leaving, id)
    const user = await desk.admin.call(usersApi.show, { params: { id: leaving.id } })
    const body = { ...user, queueIds: [sales.id], password: '', active: false }
    expect((await desk.admin.request('PUT', `/users/${leaving.id}`, body)).status).toBe(200)
    await vi.waitFor(
      async () =>
        expect(await desk.showTicket(id)).toMatchObject({ status: 'pending', userId: null, queueId: sales.id }),
      { timeout: 5000 },
    )
  })

  it('publishes the tickets that waited in a deleted queue', async () => {
    const short = await desk.createQueue('Efímera')
    const worker = await desk.createUser('user', [short])
    const socketClient = await worker.listen()
    const { id } = await createPendingTicket(short.id)
    await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'update' })
    const heard = await publishedDuring(id, async () => {
      await desk.admin.request('DELETE', `/queue/${short.id}`)
      await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'delete', ticketId: id })
    })
    expect(heard).toEqual({ loose: ['ticket update'], admin: ['ticket delete', 'ticket update'] })
    expect(await desk.showTicket(id)).toMatchObject({ queueId: null, queue: null, status: 'pending' })
    socketClient.close()
  })

  it('publishes the closed tickets of a deleted queue and the tickets of a deleted line', async () => {
    const short = await desk.createQueue('Pasajera')
    const socketClient = await (await desk.createUser('user', [short])).listen()
    const { id } = await createPendingTicket(short.id)
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    const news = `company-${desk.company.id}-ticket`
    const heard = await publishedDuring(id, async () => {
      await desk.admin.request('DELETE', `/queue/${short.id}`)
      await socketClient.waitFor(news, { action: 'delete', ticketId: id })
      await vi.waitFor(() => expect(heardOf(socketClients.admin, id)).toHaveLength(2))
    })
    expect(heard).toEqual({ admin: ['ticket delete', 'ticket update'] })
    expect(await desk.showTicket(id)).toMatchObject({ queueId: null, status: 'closed' })
    socketClient.close()

    const other = await harness.openLine({ admin: desk.admin })
    const customer = other.customer(nextPhoneNumber(), 'Se queda')
    const { ticketId } = await desk.waitForMessage(await customer.says('hola'))
    await vi.waitFor(async () => expect(await whoSees(ticketId)).toEqual(['loose', 'admin']))
    await vi.waitFor(() => expect(heardOf(socketClients.admin, ticketId)).toContain('appMessage create'))
    const left = await publishedDuring(ticketId, async () => {
      await desk.admin.request('DELETE', `/whatsapp/${other.id}`)
      await vi.waitFor(() => expect(heardOf(socketClients.admin, ticketId)).toHaveLength(1), { timeout: 5000 })
    })
    expect(left).toEqual({ loose: ['ticket update'], admin: ['ticket update'] })
    expect(await desk.showTicket(ticketId)).toMatchObject({ whatsappId: null, whatsapp: null })
  })

  it('publishes in the order that the lists of older clients need, and before the caller gets the response', async () => {
    const { id } = await createPendingTicket()
    const say = vi.spyOn(harness.server.deps.live, 'publish')
    let saidBefore: string[] = []
    const watch = (_: IncomingMessage, reply: ServerResponse) => {
      const { writeHead } = reply
      reply.writeHead = ((...given: Parameters<typeof writeHead>) => {
        const ofTickets = say.mock.calls.filter(([topic]) => topic === topics.ticket)
        saidBefore = ofTickets.map(([, , payload]) => (payload as { action: string }).action)
        return writeHead.apply(reply, given)
      }) as typeof writeHead
    }
    harness.server.app.server.prependListener('request', watch)
    await desk.putTicket(people.agent, id, { status: 'open', userId: people.agent.id })
    harness.server.app.server.off('request', watch)
    say.mockRestore()
    expect(saidBefore).toEqual(['delete', 'update'])
  })
})

describe('message events', () => {
  it('include a ticket change made between the read and the write', async () => {
    const number = nextPhoneNumber()
    const first = makeTextEvent(number, 'hola')
    await desk.receive(first)
    const { ticketId } = await desk.waitForMessage(first.id)
    const tag = (await desk.admin.request<{ id: number }>('POST', '/tags', { name: 'justo ahora', color: '#654321' }))
      .body.id
    const { database } = harness.server.deps
    const { queryPrepared: named } = database
    let tagged = false
    const spy = vi.spyOn(database, 'queryPrepared').mockImplementation((async (...given: Parameters<typeof named>) => {
      if (given[1] === 'journal_write' && !tagged) {
        tagged = true
        await desk.admin.request('POST', '/tags/sync', { ticketId, tags: [{ id: tag }] })
      }
      return named(...given)
    }) as typeof named)
    onTestFinished(() => spy.mockRestore())
    socketClients.admin.received.splice(0)
    await desk.receive(makeTextEvent(number, '¿hay alguien?'))
    const news = () =>
      socketClients.admin.received.filter((e) => e.name.endsWith('-appMessage')).map((e) => e.payload.ticket as Ticket)
    await vi.waitFor(() => expect(news()).toHaveLength(1))
    expect(tagged).toBe(true)
    expect(news()[0]?.tags.map((t) => t.name)).toEqual(['justo ahora'])
  })
})

describe('changes of permissions', () => {
  const change = (who: UserRole, values: object) =>
    desk.admin.request('PUT', `/users/${people[who].id}`, {
      name: people[who].name,
      email: people[who].email,
      profile: 'user',
      allTicket: 'desabled',
      active: true,
      whatsappId: null,
      queueIds: [sales.id],
      ...values,
    })
  /** The customer writes; returns whether the user received the event. */
  const hears = async (who: UserRole, { customer, id }: Awaited<ReturnType<typeof createPendingTicket>>) => {
    socketClients[who].received.splice(0)
    socketClients.admin.received.splice(0)
    const { id: message } = await desk.waitForMessage(await customer.says('¿y?'))
    await vi.waitFor(() =>
      expect(
        socketClients.admin.received.some((n) => (n.payload.message as { id: string })?.id === String(message)),
      ).toBe(true),
    )
    await new Promise<void>((done) =>
      socketClients[who].socket.timeout(waitTimeoutMs).emit('joinNotification', () => done()),
    )
    return heardOf(socketClients[who], id).length > 0
  }

  it('apply to open sockets at once when the user’s queues change', async () => {
    const ticket = await createPendingTicket()
    expect(await hears('rival', ticket)).toBe(true)
    await change('rival', { queueIds: [support.id] })
    expect(await hears('rival', ticket)).toBe(false)
    await change('rival', {})
    expect(await hears('rival', ticket)).toBe(true)
  })
  it('apply to open sockets at once when the user’s profile changes', async () => {
    const ticket = await createPendingTicket()
    await desk.accept(people.agent, ticket.id)
    expect(await hears('rival', ticket)).toBe(false)
    await change('rival', { profile: 'supervisor' })
    expect(await hears('rival', ticket)).toBe(true)
    await change('rival', { profile: 'admin', queueIds: [] })
    expect(await hears('rival', ticket)).toBe(true)
    await change('rival', {})
    expect(await hears('rival', ticket)).toBe(false)
  })
  it('apply to open sockets at once when access to tickets without a queue changes', async () => {
    const ticket = await createPendingTicket(null)
    expect(await hears('rival', ticket)).toBe(false)
    await change('rival', { allTicket: 'enabled' })
    expect(await hears('rival', ticket)).toBe(true)
    await change('rival', {})
    expect(await hears('rival', ticket)).toBe(false)
  })
  it('cannot be bypassed by joining a room of the socket server', async () => {
    const ticket = await createPendingTicket()
    for (const join of ['joinChatBox', 'joinTickets', 'joinNotification'] as const)
      for (const room of [
        String(ticket.id),
        'pending',
        `queue-${desk.company.id}-${sales.id}-user`,
        `company-${desk.company.id}-admin`,
        'undefined',
      ])
        await new Promise<void>((done) =>
          socketClients.foreign.socket.timeout(waitTimeoutMs).emit(join, room, () => done()),
        )
    expect(await hears('foreign', ticket)).toBe(false)
  })
})

describe('a ticket list maintained by events only', () => {
  type UserAction = (by: NamedUser, id: number, n: number) => Promise<unknown>
  const body = (by: NamedUser, status: string, more: object = {}) => ({
    status,
    userId: status === 'pending' ? null : by.id,
    ...more,
  })
  const acts: UserAction[] = [
    (by, id) => desk.putTicket(by, id, body(by, 'open')),
    (by, id) => desk.putTicket(by, id, body(by, 'pending')),
    (by, id) => desk.putTicket(by, id, body(by, 'closed')),
    (by, id, n) => desk.putTicket(by, id, { queueId: n % 2 ? sales.id : support.id, status: 'pending', userId: null }),
    (by, id, n) =>
      desk.putTicket(by, id, {
        queueId: n % 2 ? sales.id : support.id,
        userId: people[(['agent', 'rival', 'elsewhere'] as const)[n % 3] as UserRole].id,
      }),
    (by, id) => by.request('GET', `/messages/${id}`),
    (by, id, n) => by.request('POST', `/messages/${id}`, { body: `respuesta ${n}` }),
    (by, id, n) => by.request('POST', '/tags/sync', { ticketId: id, tags: n % 2 ? [{ id: tagId }] : [] }),
  ]
  let tagId = 0
  beforeAll(async () => {
    tagId = (await desk.admin.request<{ id: number }>('POST', '/tags', { name: 'seguir', color: '#123456' })).body.id
  })
  const listeners = ['agent', 'rival', 'elsewhere', 'loose', 'boss', 'bossElsewhere', 'admin'] as const
  const fetched = async (who: UserRole) => {
    const found = new Map<number, Ticket>()
    for (let page = 1, more = true; more; page++) {
      const answer = await people[who].request<{ tickets: Ticket[]; hasMore: boolean }>(
        'GET',
        `/tickets?showAll=true&pageNumber=${page}`,
      )
      for (const ticket of answer.body.tickets) found.set(ticket.id, ticket)
      more = answer.body.hasMore
    }
    return found
  }
  /** An event contains the whole row, like the response for a single ticket; a list omits the contact's extra fields. */
  const asListed = (ticket: Ticket): Ticket => {
    const { extraInfo: _more, ...contact } = ticket.contact as Ticket['contact'] & { extraInfo?: unknown }
    return { ...ticket, contact }
  }
  /** Applies events as the client lists do. */
  function follow(known: Map<number, Ticket>, socketClient: SocketClient): void {
    for (const { name, payload } of socketClient.received.splice(0)) {
      const ticket = payload?.ticket as Ticket | undefined
      if (ticket && /-(ticket|appMessage)$/.test(name)) known.set(ticket.id, asListed(ticket))
      if (payload?.action === 'delete' && name.endsWith('-ticket')) known.delete(payload.ticketId as number)
      const message = payload?.action === 'update' ? (payload.message as Message | undefined) : undefined
      const ticked = message && known.get(message.ticketId as number)
      if (message && ticked?.last && ticked.last.id === message.id)
        known.set(ticked.id, { ...ticked, last: { ...ticked.last, ack: message.ack } })
      const read = payload?.action === 'updateUnread' && known.get(payload.ticketId as number)
      if (read) known.set(read.id, { ...read, unreadMessages: 0 })
    }
  }
  const byId = (tickets: Map<number, Ticket>) => [...tickets.values()].sort((a, b) => a.id - b.id)

  it('equals a freshly loaded list, also for a client that was disconnected', async () => {
    const op = fc.record({
      act: fc.nat({ max: acts.length + 3 }),
      by: fc.nat({ max: 6 }),
      on: fc.nat({ max: 3 }),
      n: fc.nat({ max: 9 }),
      atOnce: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 3, maxLength: 14 }), async (ops) => {
        const numbers = Array.from({ length: 4 }, nextPhoneNumber)
        const ids: number[] = []
        for (const [i, number] of numbers.entries()) {
          const first = makeTextEvent(number, 'hola', { pushName: `Cliente ${number}` })
          await desk.receive(first)
          ids.push((await desk.waitForMessage(first.id)).ticketId)
          if (i < 3)
            await desk.putTicket(desk.admin, ids[i] as number, {
              queueId: i < 2 ? sales.id : support.id,
              status: 'pending',
              userId: null,
            })
        }
        await waitForAllClients()
        const known = new Map<UserRole, Map<number, Ticket>>()
        for (const who of listeners) {
          socketClients[who].received.splice(0)
          known.set(who, await fetched(who))
        }
        // One client loses its connection for the rest of the test.
        socketClients.boss.socket.disconnect()
        let running: Promise<unknown>[] = []
        for (const { act, by, on, n, atOnce } of ops) {
          const person = people[listeners[by] as UserRole]
          const number = numbers[on] as string
          const said = makeTextEvent(number, `dijo ${n}`, {
            pushName: `Cliente ${number}`,
            fromMe: act === acts.length + 3,
          })
          const doing = act < acts.length ? acts[act]?.(person, ids[on] as number, n) : desk.receive(said)
          running.push(doing as Promise<unknown>)
          if (atOnce) continue
          await Promise.all(running)
          running = []
        }
        await Promise.all(running)
        await harness.server.switchboard.inbox.idle()
        socketClients.boss = await people.boss.listen()
        known.set('boss', await fetched('boss'))
        for (const who of listeners) {
          const list = known.get(who) as Map<number, Ticket>
          // The reply is still being sent to the customer, and its acknowledgements arrive in between.
          await vi.waitFor(async () => {
            const now = await fetched(who)
            await socketClients[who].whenCaughtUp()
            follow(list, socketClients[who])
            expect([who, ...byId(list)]).toEqual([who, ...byId(now)])
          })
        }
      }),
      { numRuns: 12 },
    )
  })
})
