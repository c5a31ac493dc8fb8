import { queueOptionsApi } from '@recado/contract/queue-options'
import type { Ticket } from '@recado/contract/tickets'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Desk, makeTextEvent, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type SocketClient, type TestServer, testServer } from '../../../test/test-server.ts'
import { addMs, days } from '../../kernel/clock.ts'
import type { InboundEvent, InboundMessage } from '../../lines/line.ts'

/**
 * Two companies receive the same events: one company in a batch, the other one event at a time. Whichever path each event
 * takes through the inbox, both companies must store and publish the same.
 */
type Twins = { batched: Desk; single: Desk; socketClients: [SocketClient, SocketClient] }
let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
  // A message written before a question is no answer to it, so the clock is frozen: all times are equal.
  harness.clock.freeze()
})
afterAll(closeTestServers)

async function openTwinCompanies(furnish: (d: Desk) => Promise<void>): Promise<Twins> {
  const [together, apart] = [await openDesk(harness), await openDesk(harness)]
  for (const d of [together, apart]) await furnish(d)
  return {
    batched: together,
    single: apart,
    socketClients: [await together.admin.listen(), await apart.admin.listen()],
  }
}

// ---- possible events

const person = fc.integer({ min: 0, max: 3 })
/** Which of a person's identities the event names. */
const usedIdentity = fc.constantFrom('phone', 'phone', 'phone', 'lid', 'both')
const body = fc.constantFrom(
  'hola',
  '¿precio?',
  '',
  '😀'.repeat(260),
  'ñandú '.repeat(60),
  'it\'s \\ "quoted"',
  '{{name}}',
)
const ago = fc.integer({ min: 0, max: 100_000 })
/** Which of the earlier events the action refers to. */
const back = fc.nat({ max: 6 })
const action = fc.oneof(
  { weight: 12, arbitrary: fc.record({ does: fc.constant('text' as const), person, naming: usedIdentity, body, ago }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('quote' as const), person, naming: usedIdentity, body, ago, back }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom('edit' as const, 'revoke' as const, 'reaction' as const),
      person,
      body,
      back,
      ago,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom('media' as const, 'location' as const, 'unknown' as const),
      person,
      naming: usedIdentity,
      body,
      ago,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom('own' as const, 'call' as const),
      person,
      naming: usedIdentity,
      body,
      ago,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('again' as const), back }) },
)
type CustomerAction = typeof action extends fc.Arbitrary<infer D> ? D : never

let roundCount = 0
const phoneOf = (n: number) => `5511${9_000_000_00 + roundCount * 10 + n}`
const nameOf = (n: number) => `Nombre ${roundCount}-${n}`

/** The actions as events that a line delivers. Names are always known; names that arrive late are tested elsewhere. */
function eventsOf(actions: CustomerAction[]): InboundEvent[] {
  const events: InboundEvent[] = []
  for (const [n, act] of actions.entries()) {
    const before = (by: number) => events[events.length - 1 - (by % Math.max(1, events.length))]
    if (act.does === 'again') {
      const same = before(act.back)
      if (same) events.push(same)
      continue
    }
    const phone = phoneOf(act.person)
    const at = new Date(Date.UTC(2026, 0, 1) + roundCount * 1e6 - act.ago * 1000).toISOString()
    const base = { id: `R${roundCount}-${n}`, chat: `${phone}@s.whatsapp.net`, at }
    const targetId = before('back' in act ? act.back : 0)?.id ?? 'never-was'
    if (act.does === 'edit') events.push({ ...base, kind: 'edit', targetId, body: act.body })
    else if (act.does === 'revoke') events.push({ ...base, kind: 'revoke', targetId })
    else if (act.does === 'reaction')
      events.push({
        ...base,
        kind: 'reaction',
        targetId,
        emoji: act.body.slice(0, 2),
        fromMe: false,
        from: phone,
        name: 'N',
      })
    else if (act.does === 'call')
      events.push({
        ...base,
        kind: 'call',
        person: { phone },
        pushName: nameOf(act.person),
        missed: true,
        video: false,
      })
    else events.push(messageOf(act as MenuAnswer, base, phone, targetId))
  }
  return events
}

type MenuAnswer = { does: string; person: number; naming: string; body: string }
function messageOf(
  act: MenuAnswer,
  base: { id: string; chat: string; at: string },
  phone: string,
  targetId: string,
): InboundMessage {
  const lid = `lid${phone}`
  const identity = act.naming === 'lid' ? { lid } : act.naming === 'both' ? { phone, lid } : { phone }
  const chat = act.naming === 'lid' ? `${lid}@lid` : base.chat
  const content: Record<string, InboundMessage['content']> = {
    media: { kind: 'media', mediaType: 'image', body: act.body, name: 'x.png', key: {} },
    location: { kind: 'location', latitude: 1, longitude: 2, name: act.body },
    unknown: { kind: 'unknown', what: act.body },
  }
  return makeTextEvent(phone, act.body, {
    ...base,
    chat,
    person: identity,
    pushName: nameOf(act.person),
    fromMe: act.does === 'own',
    ...(content[act.does] && { content: content[act.does] as InboundMessage['content'] }),
    ...(act.does === 'quote' && { quotedId: targetId }),
  })
}

// ---- results

/** Everything stored in this round, with ids replaced so that both companies can be compared. */
async function outcome(d: Desk) {
  const contacts = await d.db
    .selectFrom('contacts')
    .select(['id', 'name', 'number', 'mergedInto'])
    .where('companyId', '=', d.company.id)
    .where('id', '>', lastIdsByDesk.get(d)?.contact ?? 0)
    .orderBy('id')
    .execute()
  // Chats are handled independently, so contacts of different chats may be created in any order.
  contacts.sort((a, b) => (a.name + a.number < b.name + b.number ? -1 : 1))
  const place = (id: number | null) => contacts.findIndex((c) => c.id === id)
  const tickets = await d.db
    .selectFrom('tickets')
    .selectAll()
    .where('companyId', '=', d.company.id)
    .where('id', '>', lastIdsByDesk.get(d)?.ticket ?? 0)
    .orderBy('id')
    .execute()
  const messages = await d.db
    .selectFrom('messages')
    .selectAll()
    .where('companyId', '=', d.company.id)
    .where('id', '>', lastIdsByDesk.get(d)?.message ?? 0)
    .orderBy('id')
    .execute()
  const told = await d.db
    .selectFrom('journal')
    .select(['eventId', 'error', 'steps'])
    .where('companyId', '=', d.company.id)
    // Acks of our own messages have different ids in each company.
    .where('kind', '!=', 'ack')
    .where('id', '>', lastIdsByDesk.get(d)?.journal ?? 0)
    .orderBy('id')
    .execute()
  const segments = await d.db
    .selectFrom('ticketTracking')
    .selectAll()
    .where('companyId', '=', d.company.id)
    .orderBy('id')
    .execute()
  const hooked = await d.db
    .selectFrom('webhookEvents')
    .select(['type', 'lane', 'data'])
    .where('companyId', '=', d.company.id)
    .orderBy('id')
    .execute()
  const queues = await d.db
    .selectFrom('queues')
    .select('id')
    .where('companyId', '=', d.company.id)
    .orderBy('id')
    .execute()
  const queue = (id: number | null) => queues.findIndex((q) => q.id === id)
  const perTicket = tickets.map((t) => ({
    contact: place(t.contactId),
    status: t.status,
    unread: t.unreadMessages,
    last: t.lastMessage,
    fromMe: t.fromMe,
    waits: t.waitingSince !== null,
    queue: queue(t.queueId),
    bots: [t.chatbot, t.botLeft, t.botWrong, t.botMenus, t.queueOptionId !== null, t.saidMark, t.awayTold !== null],
    legs: segments
      .filter((k) => k.ticketId === t.id)
      .map((k) => [
        queue(k.queueId),
        k.began,
        k.endedBy,
        k.chatbotAt !== null,
        k.queuedAt !== null,
        k.startedAt !== null,
      ]),
    hooked: hooked
      .filter((e) => e.lane === `t${t.id}`)
      .map(({ type, data }) => [type, Reflect.get(data, 'body') ?? Reflect.get(data, 'status')]),
    messages: messages
      .filter((m) => m.ticketId === t.id)
      .map(
        ({
          wid,
          body,
          fromMe,
          mediaType,
          mediaState,
          quotedWid,
          read,
          ack,
          isDeleted,
          isEdited,
          reactions,
          createdAt,
          contactId,
          bot,
        }) => ({
          wid: bot ? 'ours' : wid,
          body,
          fromMe,
          mediaType,
          mediaState,
          quotedWid,
          read,
          ack: bot ? 0 : ack,
          isDeleted,
          isEdited,
          reactions,
          createdAt: bot ? '' : createdAt,
          contact: place(contactId),
        }),
      ),
  }))
  const words = told.map((j) => [
    j.eventId,
    j.error,
    j.steps.map((s) => [s.step, s.why, s.with.name ?? s.with.by ?? null]),
  ])
  const inOrder = perTicket.map((t) => JSON.stringify(t)).sort()
  const met = contacts.map((c) => [
    c.name,
    c.number,
    place(c.mergedInto),
    hooked.filter((e) => e.lane === `c${c.id}`).length,
  ])
  return { contacts: met, perTicket: inOrder.map((t) => JSON.parse(t)), words }
}

const lastIdsByDesk = new Map<Desk, { contact: number; ticket: number; message: number; journal: number }>()
async function rememberLastIds(d: Desk): Promise<void> {
  const most = async (table: 'contacts' | 'tickets' | 'messages' | 'journal') =>
    (
      await d.db
        .selectFrom(table)
        .select((eb) => eb.fn.max('id').as('id'))
        .where('companyId', '=', d.company.id)
        .executeTakeFirst()
    )?.id ?? 0
  lastIdsByDesk.set(d, {
    contact: await most('contacts'),
    ticket: await most('tickets'),
    message: await most('messages'),
    journal: await most('journal'),
  })
}

/** The tickets as a browser has them that reads only live events, and all events of each message. */
function stateFromEvents(d: Desk, socketClient: SocketClient, wids: Map<string, string>) {
  const tickets = new Map<number, Ticket>()
  const messages = new Map<string, object[]>()
  /** The messages of each ticket, in the order they were received. */
  const said = new Map<number, string[]>()
  for (const { name, payload } of socketClient.received) {
    const ticket = payload.ticket as Ticket | undefined
    if (ticket) tickets.set(ticket.id, ticket)
    const read = payload.action === 'updateUnread' && tickets.get(payload.ticketId as number)
    if (read) tickets.set(read.id, { ...read, unreadMessages: 0 })
    const message = payload.message as
      | { id: string; ticketId: number; createdAt: string; quotedMsg: object | null }
      | undefined
    const spoke = payload.action === 'create' && name.endsWith('appMessage') && (payload.message as { body: string })
    if (spoke && message) said.set(message.ticketId, [...(said.get(message.ticketId) ?? []), spoke.body])
    const wid = name.endsWith('appMessage') && message && wids.get(message.id)
    if (wid)
      messages.set(wid, [
        ...(messages.get(wid) ?? []),
        {
          ...message,
          id: wid,
          ticketId: 0,
          ticketNumber: 0,
          quotedMsg: message.quotedMsg && { ...message.quotedMsg, id: '' },
        },
      ])
  }
  return { tickets, messages, said: [...said.values()].map((all) => all.join('|')).sort(), d }
}

const waitUntilIdle = async (d: Desk) => {
  await d.server.server.switchboard.inbox.idle()
  // Wait until all failed downloads are reported.
  const lineTasks = () => d.db.selectFrom('lineErrands').select('id').where('companyId', '=', d.company.id).execute()
  await vi.waitFor(async () => expect(await lineTasks()).toEqual([]), { timeout: 5000, interval: 5 })
  const queued = () =>
    d.db
      .selectFrom('messages')
      .select('id')
      .where('companyId', '=', d.company.id)
      .where('state', 'in', ['queued', 'sending'])
      .execute()
  await vi.waitFor(async () => expect(await queued()).toEqual([]), { timeout: 5000, interval: 5 })
}

/** Removes the ack of the last message: acks are published with the message, not with its ticket. */
const withoutAck = ({ last, ...ticket }: Ticket) => ({ ...ticket, contact: null, last: last && { ...last, ack: 0 } })

/** Sends the events to both companies and compares what is stored and what was published to browsers. */
async function compare(
  { batched: together, single: apart, socketClients }: Twins,
  act: (d: Desk, atOnce: boolean) => Promise<void>,
) {
  for (const [i, d] of [together, apart].entries()) {
    await rememberLastIds(d)
    socketClients[i]?.received.splice(0)
  }
  await act(together, true)
  await act(apart, false)
  await Promise.all([waitUntilIdle(together), waitUntilIdle(apart)])
  expect(await outcome(together)).toEqual(await outcome(apart))

  const heard = []
  for (const [i, d] of [together, apart].entries()) {
    const socketClient = socketClients[i] as SocketClient
    await socketClient.whenCaughtUp()
    const rows = await d.db
      .selectFrom('messages')
      .select(['id', 'wid'])
      .where('companyId', '=', d.company.id)
      .where('id', '>', lastIdsByDesk.get(d)?.message ?? 0)
      .where('mediaType', '!=', 'image')
      .where('bot', 'is', null)
      .execute()
    const { tickets, messages, said } = stateFromEvents(
      d,
      socketClient,
      new Map(rows.map((r) => [String(r.id), r.wid])),
    )
    for (const ticket of tickets.values()) {
      expect(withoutAck(ticket)).toEqual(withoutAck(await d.showTicket(ticket.id)))
    }
    heard.push({ messages, said })
  }
  expect(heard[0]).toEqual(heard[1])
}

const deliver = async (d: Desk, events: InboundEvent[], atOnce: boolean) => {
  if (atOnce) await d.receive(...events)
  else for (const event of events) await d.receive(event)
}

it('stores and publishes the same, whether events arrive in a batch or one at a time', async () => {
  // Calls are on, because automatic answers to calls would have different ids.
  const both = await openTwinCompanies(async (d) => void (await d.setSetting('call', 'enabled')))
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 1, maxLength: 14 }),
      fc.subarray([0, 1, 2, 3]),
      async (actions, known) => {
        roundCount++
        const events = eventsOf(actions)
        // Some customers have written before, so their plain messages take the fast path.
        const greetings = known.map((n) =>
          makeTextEvent(phoneOf(n), 'antes', {
            id: `G${roundCount}-${n}`,
            pushName: nameOf(n),
            at: '2025-12-01T00:00:00.000Z',
          }),
        )
        await compare(both, async (d, atOnce) => {
          if (greetings.length) await d.receive(...greetings)
          await deliver(d, events, atOnce)
        })
      },
    ),
    { numRuns: 25 },
  )
})

// ---- with a menu

async function furnishMenu(d: Desk): Promise<void> {
  const queues = [await d.createQueue('Ventas'), await d.createQueue('Soporte')]
  for (const [n, title] of ['Precios', 'Envíos'].entries())
    await d.admin.call(queueOptionsApi.create, {
      body: { queueId: queues[0]?.id, option: n + 1, title, message: `${title} de {{name}}` } as never,
    })
  const greeting = { greetingMessage: 'Hola {{name}}', queueIds: queues.map((q) => q.id) }
  await d.admin.request('PUT', `/whatsapp/${d.line.id}`, { ...(await d.line.showLine()), ...greeting })
  await d.db.updateTable('companies').set({ schedules: '[]' }).where('id', '=', d.company.id).execute()
  await d.setSetting('userRating', 'enabled')
  await d.setSetting('autoReopenTimeout', '15')
  await d.setSetting('CheckMsgIsGroup', 'disabled')
  // The webhook is paused, so that its deliveries stay in the table.
  await d.db
    .insertInto('webhooks')
    .values({
      ...{
        companyId: d.company.id,
        name: 'x',
        url: 'https://x.test',
        secretSealed: '',
        restsUntil: addMs(harness.clock.now(), days(1)),
      },
      events: ['message.created', 'contact.created', 'ticket.opened'],
    })
    .execute()
}

it('handles a batch of unknown numbers in few statements', async () => {
  const d = await openDesk(harness)
  await furnishMenu(d)
  const strangers = () => {
    roundCount++
    return Array.from({ length: 10 }, (_, n) => makeTextEvent(phoneOf(n), 'hola', { pushName: nameOf(n) }))
  }
  /**
   * Statements of the lane per batch, identified by a part of their text. Statements of the outbox, one per greeting,
   * match none of them.
   */
  const lanes = [
    'from "journal" where',
    'insert into "tickets"',
    'set "chatbot"',
    '"saidMark" from',
    'update journal j set',
  ]
  const count = async (events: InboundEvent[]) => {
    const statements = vi.spyOn(pg.Client.prototype, 'query')
    await deliver(d, events, true)
    const asked = statements.mock.calls.map(([given]) => JSON.stringify(given).replaceAll('\\"', '"'))
    statements.mockRestore()
    return lanes.map((words) => asked.filter((text) => text.includes(words)).length)
  }
  const one = await count(strangers().slice(0, 1))
  expect(one.every((times) => times > 0)).toBe(true)
  expect(await count(strangers())).toEqual(one)
})

/** Answers to a menu: valid and invalid choices, back, files, and the identity used. */
const answer = fc.record({
  does: fc.constantFrom('text' as const, 'text' as const, 'text' as const, 'text' as const, 'media' as const),
  person,
  naming: usedIdentity,
  body: fc.constantFrom('hola', '1', '1', '2', '#', '0', '7', ''),
  ago: fc.constant(0),
})

it('stores and publishes the same with a menu, whether answers arrive in a batch or one at a time', async () => {
  const both = await openTwinCompanies(furnishMenu)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(answer, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
      async (batches) => {
        roundCount++
        const events = eventsOf(batches.flat())
        await compare(both, async (d, atOnce) => {
          const left = [...events]
          for (const { length } of batches) await deliver(d, left.splice(0, length), atOnce)
        })
      },
    ),
    { numRuns: 8 },
  )
})
