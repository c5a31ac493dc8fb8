import { type ApiKeyWrite, apiKeysApi } from '@recado/contract/api-access/api-keys'
import { type ApiMessage, type ApiSendReply, apiMessagesApi } from '@recado/contract/api-access/api-messages'
import { connectionsApi } from '@recado/contract/connections'
import { contactsApi } from '@recado/contract/contacts'
import { messagesApi } from '@recado/contract/messages'
import { queuesApi } from '@recado/contract/queues'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HttpCaller } from '../../../test/http-caller.ts'
import type { SandboxPhone } from '../../../test/sandbox-phone.ts'
import { closeTestServers, makeCaller, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'
import { days } from '../../kernel/clock.ts'

type Company = Awaited<ReturnType<TestServer['createCompany']>>
let harness: TestServer
let company: Company
let admin: TestUser
let line: SandboxPhone
let program: HttpCaller
let token: string

beforeAll(async () => {
  harness = await testServer()
  await harness.wide().db.updateTable('plans').set({ connections: 100 }).execute()
  company = await harness.createCompany()
  admin = company.admin
  line = await harness.openLine(company, { isDefault: true })
  program = await programWith({})
  token = (await admin.call(connectionsApi.show, { params: { id: line.id } })).token
})
afterAll(closeTestServers)

let numberCount = 0
/** A new number that the server does not know. */
const newUnknownNumber = () => `54911555${String(++numberCount).padStart(5, '0')}`
const scopes: ApiKeyWrite['scopes'] = ['send', 'messages', 'contacts']
async function programWith(more: Partial<ApiKeyWrite>, of = admin): Promise<HttpCaller> {
  const body = { name: 'Reservas', scopes, whatsappIds: [], expiresAt: null, ...more }
  return makeCaller(harness.address, (await of.call(apiKeysApi.create, { body })).key)
}
const send = (body: object, headers: Record<string, string> = {}, who = program) =>
  who.request<ApiSendReply & { error?: string }>('POST', '/api/messages/send', body, headers)
const refusedReply = (status: number, error: string) => ({ status, body: { error } })
const waitForReceived = (number: string, count = 1, of = line) =>
  vi.waitFor(
    async () => {
      const ours = (await of.customer(number).listMessages()).filter((m) => !m.fromCustomer)
      expect(ours).toHaveLength(count)
      return ours
    },
    { timeout: 10_000, interval: 20 },
  )
const ticketOf = (id: number) => admin.call(ticketsApi.show, { params: { id } })
const threadOf = async (ticketId: number) =>
  (await admin.call(messagesApi.list, { params: { ticketId }, query: { pageNumber: 1 } })).messages
const waitForState = (id: string, state: string) =>
  vi.waitFor(
    async () => {
      const now = await program.call(apiMessagesApi.show, { params: { id } })
      expect(now.state).toBe(state)
      return now
    },
    { timeout: 10_000, interval: 20 },
  )

describe('a message sent over the API', () => {
  it('is stored in a new pending ticket, reaches the customer and reports its delivery state', async () => {
    const number = newUnknownNumber()
    const answer = await send({ number: `+${number}`, body: 'Hola {{name}}, tu reserva está lista' })
    expect(answer.status).toBe(202)
    const { id, ticketId } = answer.body
    expect(answer.body).toEqual({
      ...{ id, ids: [id], state: 'queued', ticketId: expect.any(Number), whatsappId: line.id, number },
      mensagem: expect.any(String),
      waitsUntil: null,
    })
    expect(await ticketOf(ticketId)).toMatchObject({
      ...{ status: 'pending', userId: null, queueId: null, chatbot: false, unreadMessages: 0 },
      contact: { name: number, number },
    })
    expect(await threadOf(ticketId)).toMatchObject([
      { id, body: `Hola ${number}, tu reserva está lista`, bot: 'api', user: null, apiKey: { name: 'Reservas' } },
    ])
    const [message] = await waitForReceived(number)
    expect(message?.body).toBe(`Hola ${number}, tu reserva está lista`)
    await line.customer(number).reads()
    expect(await waitForState(id, 'read')).toMatchObject({
      ...{ id, error: '', fromMe: true, number, whatsappId: line.id, ticketId },
      ...{ apiKey: { name: 'Reservas' }, stateAt: expect.any(String) },
    })
    // The second message goes into the first one's ticket, and no automatic message was sent.
    const second = await send({ number, body: 'Otra cosa' })
    expect(second.body.ticketId).toBe(ticketId)
    await waitForReceived(number, 2)
  })

  it('is sent with the token of a connection, over that connection', async () => {
    const number = newUnknownNumber()
    const answer = await send({ number, body: 'Con token' }, {}, makeCaller(harness.address, token))
    // Programs for older servers take anything but 200 for a failure.
    expect(answer).toMatchObject({ status: 200, body: { whatsappId: line.id } })
    expect((await threadOf(answer.body.ticketId))[0]?.apiKey?.name).toBe((await line.showLine()).name)
    const other = await harness.openLine(company)
    expect(
      await send({ number, body: 'x', whatsappId: other.id }, {}, makeCaller(harness.address, token)),
    ).toMatchObject(refusedReply(404, 'ERR_NO_WAPP_FOUND'))
  })

  it('accepts a form with files: each file is a message, and the first has the text as caption', async () => {
    const number = newUnknownNumber()
    const form = new FormData()
    for (const [key, value] of Object.entries({ number, body: 'La foto' })) form.append(key, value)
    form.append('medias', new File([tinyPng], 'uno.png'))
    form.append('medias', new File(['plain'], 'dos.txt'))
    const answer = await send(form)
    expect(answer.status).toBe(202)
    expect(answer.body.ids).toHaveLength(2)
    const [first, second] = await waitForReceived(number, 2)
    expect([first?.body, second?.body]).toEqual(['La foto', ''])
    const shown = await program.call(apiMessagesApi.show, { params: { id: answer.body.id } })
    expect(shown).toMatchObject({ mediaType: 'image', mediaName: 'uno.png', body: 'La foto' })
    expect((await fetch(shown.mediaUrl as string)).status).toBe(200)
    // Older clients send the file's own name as its text.
    const older = new FormData()
    for (const [key, value] of Object.entries({ number, body: 'tres.png' })) older.append(key, value)
    older.append('medias', new File([tinyPng], 'tres.png'))
    await send(older, {}, makeCaller(harness.address, token))
    expect((await waitForReceived(number, 3))[2]?.body).toBe('')
  })

  it('can be a location, a contact card or a reply, and is refused with several of them at once', async () => {
    const number = newUnknownNumber()
    const card = await admin.call(contactsApi.create, {
      body: { name: 'Sol', number: newUnknownNumber(), email: '', extraInfo: [] },
    })
    const place = { latitude: -34.6, longitude: -58.4, name: 'Obelisco' }
    expect(await send({ number, location: place })).toMatchObject({ status: 202 })
    expect(await send({ number, contactCard: card.id })).toMatchObject({ status: 202 })
    await line.customer(number).says('¿A qué hora?')
    const asked = await vi.waitFor(async () => {
      const page = (await admin.call(apiMessagesApi.list, { query: { number } })).messages
      harness.clock.advance(4000)
      const found = page.find((m) => !m.fromMe)
      expect(found).toBeDefined()
      return found as ApiMessage
    })
    expect(asked).toMatchObject({ state: 'delivered', body: '¿A qué hora?', apiKey: null })
    const { body } = await send({ number, body: 'A las 9', quotedId: asked.id })
    expect((await threadOf(body.ticketId)).at(-1)?.quotedMsg?.id).toBe(asked.id)
    expect((await threadOf(body.ticketId)).map((m) => m.mediaType)).toEqual([
      ...['locationMessage', 'contactMessage', 'conversation', 'conversation'],
    ])
    expect(await send({ number, body: '', location: place, contactCard: card.id })).toMatchObject(
      refusedReply(400, 'ERR_VALIDATION'),
    )
    expect(await send({ number, body: 'x', quotedId: '999999999' })).toMatchObject(
      refusedReply(404, 'ERR_NO_MESSAGE_FOUND'),
    )
    expect(await send({ number, body: ' ' })).toMatchObject(refusedReply(400, 'ERR_VALIDATION'))
    expect(await send({ number, template: { name: 'a', language: 'es', variables: {} } })).toMatchObject(
      refusedReply(409, 'ERR_WAPP_CANNOT'),
    )
  })

  it('sets queue and agent of a ticket that it opens, and does not move an existing ticket', async () => {
    const queue = await admin.call(queuesApi.create, { body: { name: 'Turnos', color: '#2f9e44' } as never })
    const agent = await company.user('user')
    const queued = await send({ number: newUnknownNumber(), body: 'x', queueId: queue.id })
    expect(await ticketOf(queued.body.ticketId)).toMatchObject({ status: 'pending', queueId: queue.id })
    const number = newUnknownNumber()
    const given = await send({ number, body: 'x', queueId: String(queue.id), userId: agent.id })
    expect(await ticketOf(given.body.ticketId)).toMatchObject({ status: 'open', userId: agent.id, queueId: queue.id })
    await send({ number, body: 'y', userId: admin.id })
    expect(await ticketOf(given.body.ticketId)).toMatchObject({ userId: agent.id })
    expect(await send({ number, body: 'x', queueId: 999_999 })).toMatchObject(refusedReply(404, 'ERR_QUEUE_NOT_FOUND'))
    expect(await send({ number, body: 'x', userId: 999_999 })).toMatchObject(refusedReply(404, 'ERR_NO_USER_FOUND'))
    // A ticket of an agent is closed as if by an agent; a new ticket without an agent is closed without ever being
    // pending.
    await send({ number, body: 'Listo', closeTicket: true })
    expect(await ticketOf(given.body.ticketId)).toMatchObject({ status: 'closed', userId: agent.id })
    const quiet = await send({ number: newUnknownNumber(), body: 'Aviso', closeTicket: 'true' })
    expect(await ticketOf(quiet.body.ticketId)).toMatchObject({ status: 'closed' })
  })

  it("triggers no bot; the customer's answer triggers bots as usual", async () => {
    const greeting = await harness.openLine(company, { greetingMessage: 'Bienvenida, {{name}}' })
    const number = newUnknownNumber()
    const { body } = await send({ number, body: 'Tu pedido salió', whatsappId: greeting.id })
    await waitForReceived(number, 1, greeting)
    await greeting.customer(number).says('gracias')
    const said = await waitForReceived(number, 2, greeting)
    expect(said[1]?.body).toContain('Bienvenida')
    expect((await ticketOf(body.ticketId)).unreadMessages).toBe(1)
  })
})

describe('a number', () => {
  it('belongs to the same contact in any notation, with and without the Brazilian ninth digit', async () => {
    const contact = await admin.call(contactsApi.create, {
      body: { name: 'Ana', number: '5511987650001', email: '', extraInfo: [] },
    })
    const answer = await send({ number: '55 (11) 8765-0001', body: 'Olá {{name}}' })
    expect(answer.body.number).toBe('5511987650001')
    expect((await ticketOf(answer.body.ticketId)).contact).toMatchObject({ id: contact.id, name: 'Ana' })
  })

  it('is reported if it is not on WhatsApp, and creates no contact', async () => {
    // The test phone knows no number with this prefix.
    const number = '15005550199'
    expect(await send({ number, body: 'x' })).toMatchObject({ status: 202 })
    for (const wrong of ['12', 'abc', '', '+', '5'.repeat(16)])
      expect(await send({ number: wrong, body: 'x' })).toMatchObject(refusedReply(400, 'ERR_VALIDATION'))
    expect(await send({ number: '123456789-1@g.us', body: 'x' })).toMatchObject(
      refusedReply(404, 'ERR_NOT_ON_WHATSAPP'),
    )
    expect(await send({ number: '99887766@lid', body: 'x' })).toMatchObject(refusedReply(404, 'ERR_NOT_ON_WHATSAPP'))
  })

  it('is accepted unchecked on an offline line: the message waits', async () => {
    const down = await harness.openLine(company)
    await down.unlink()
    await down.waitForStatus('DISCONNECTED')
    const answer = await send({ number: newUnknownNumber(), body: 'Espera', whatsappId: down.id })
    expect(answer.status).toBe(202)
    expect((await program.call(apiMessagesApi.show, { params: { id: answer.body.id } })).state).toBe('queued')
    expect(
      await program.request('POST', '/api/contacts/check', { numbers: [newUnknownNumber()], whatsappId: down.id }),
    ).toMatchObject(refusedReply(409, 'ERR_WAPP_NOT_INITIALIZED'))
  })

  it('can be checked before sending', async () => {
    const { numbers } = await program.call(apiMessagesApi.check, { body: { numbers: ['+5511987650001', '77', 'x'] } })
    expect(numbers).toEqual([
      { asked: '+5511987650001', exists: true, number: '5511987650001' },
      { asked: '77', exists: false, number: '' },
      { asked: 'x', exists: false, number: '' },
    ])
  })
})

describe('a repeated call', () => {
  const named = (key: string) => ({ 'Idempotency-Key': key })

  it('returns the same message and response, and is refused with another body', async () => {
    const body = { number: newUnknownNumber(), body: 'Una vez' }
    const first = await send(body, named('reserva-1'))
    const again = await send(body, named('reserva-1'))
    expect([again.status, again.body]).toEqual([202, first.body])
    expect(await send({ ...body, body: 'Otra' }, named('reserva-1'))).toMatchObject(
      refusedReply(422, 'ERR_IDEMPOTENCY_KEY'),
    )
    // Idempotency keys of another API client are separate.
    const other = await send(body, named('reserva-1'), await programWith({}))
    expect(other.body.id).not.toBe(first.body.id)
    await waitForReceived(body.number, 2)
    for (const wrong of ['', 'a b', 'ñ', 'x'.repeat(256)])
      expect((await send(body, named(encodeURI(wrong) === wrong ? wrong : 'a b'))).status).toBe(400)
  })

  it('stores one message when sent many times at once: the others get its response or an error to retry', async () => {
    const body = { number: newUnknownNumber(), body: 'A la vez' }
    const all = await Promise.all(Array.from({ length: 8 }, () => send(body, named('a-la-vez'))))
    const good = all.filter(({ status }) => status === 202)
    expect(new Set(good.map((one) => one.body.id)).size).toBe(1)
    for (const one of all.filter(({ status }) => status !== 202)) {
      expect(one).toMatchObject(refusedReply(409, 'ERR_IDEMPOTENCY_RUNNING'))
      expect(one.headers.get('retry-after')).toBe('1')
    }
    await waitForReceived(body.number, 1)
  })

  it('stores one message per person when sent to many in parallel; only a refused message fails', async () => {
    const other = await programWith({ name: 'Otra' })
    const numbers = Array.from({ length: 12 }, newUnknownNumber)
    for (const number of numbers) await send({ number, body: 'primero' })
    const calls = numbers.flatMap((number, n) => [
      send({ number, body: `a ${number}` }, named(`a-${number}`), n % 2 ? program : other),
      send({ number, body: `b ${number}` }, named(`b-${number}`), n % 2 ? other : program),
      send({ number, body: `a ${number}` }, named(`a-${number}`), n % 2 ? program : other),
    ])
    const wrong = send({ number: numbers[0], body: 'x', quotedId: '999999999' })
    const answers = await Promise.all(calls)
    expect(await wrong).toMatchObject(refusedReply(404, 'ERR_NO_MESSAGE_FOUND'))
    for (const [n, number] of numbers.entries()) {
      const [first, second, again] = answers.slice(3 * n, 3 * n + 3)
      expect([first?.status === 202 || again?.status === 202, second?.status]).toEqual([true, 202])
      const thread = await threadOf(second?.body.ticketId as number)
      const said = thread.filter(({ body }) => body !== 'primero').map((m) => [m.body, m.apiKey?.name])
      const [odd, even] = n % 2 ? ['Reservas', 'Otra'] : ['Otra', 'Reservas']
      expect(said.sort()).toEqual([
        [`a ${number}`, odd],
        [`b ${number}`, even],
      ])
    }
  })

  it('compares files by content', async () => {
    const number = newUnknownNumber()
    const form = (text: string) => {
      const formData = new FormData()
      formData.append('number', number)
      formData.append('medias', new File([text], 'a.txt'))
      return formData
    }
    const first = await send(form('uno'), named('archivo'))
    expect((await send(form('uno'), named('archivo'))).body.id).toBe(first.body.id)
    expect(await send(form('dos'), named('archivo'))).toMatchObject(refusedReply(422, 'ERR_IDEMPOTENCY_KEY'))
  })

  it('is treated as new if it was refused before', async () => {
    const refusedFirst = await send({ number: newUnknownNumber(), body: 'x', queueId: 999_999 }, named('mal'))
    expect(refusedFirst.status).toBe(404)
    expect((await send({ number: newUnknownNumber(), body: 'x' }, named('mal'))).status).toBe(202)
  })
})

describe('permissions of an API key', () => {
  it('are limited to its scopes and its lines', async () => {
    const other = await harness.openLine(company)
    const [here, there] = [newUnknownNumber(), newUnknownNumber()]
    const one = (await send({ number: here, body: 'x', whatsappId: line.id })).body
    const two = (await send({ number: there, body: 'x', whatsappId: other.id })).body
    const bound = await programWith({ whatsappIds: [other.id] })
    expect(await send({ number: newUnknownNumber(), body: 'x' }, {}, bound)).toMatchObject({
      body: { whatsappId: other.id },
    })
    expect(await send({ number: here, body: 'x', whatsappId: line.id }, {}, bound)).toMatchObject(
      refusedReply(404, 'ERR_NO_WAPP_FOUND'),
    )
    expect(await bound.request('GET', `/api/messages/${one.id}`)).toMatchObject(
      refusedReply(404, 'ERR_NO_MESSAGE_FOUND'),
    )
    expect(await bound.request('GET', `/api/messages/${two.id}`)).toMatchObject({ status: 200 })
    harness.clock.advance(5000)
    const { messages } = await bound.call(apiMessagesApi.list, {})
    expect(new Set(messages.map((m) => m.whatsappId))).toEqual(new Set([other.id]))
    expect((await bound.call(apiMessagesApi.list, { query: { whatsappId: line.id } })).messages).toEqual([])
    const several = await programWith({ whatsappIds: [other.id, (await harness.openLine(company)).id] })
    expect(await send({ number: here, body: 'x' }, {}, several)).toMatchObject(
      refusedReply(404, 'ERR_NO_DEF_WAPP_FOUND'),
    )
    const reader = await programWith({ scopes: ['messages'] })
    expect(await send({ number: here, body: 'x' }, {}, reader)).toMatchObject(refusedReply(403, 'ERR_API_KEY_SCOPE'))
    const sender = await programWith({ scopes: ['send'] })
    expect(await sender.request('GET', `/api/messages/${one.id}`)).toMatchObject(refusedReply(403, 'ERR_API_KEY_SCOPE'))
  })

  it('are none without a key, with an empty key and with an unknown key', async () => {
    const body = { number: newUnknownNumber(), body: 'x' }
    expect((await send(body, {}, harness.anonymous)).status).toBe(401)
    for (const header of ['Bearer', 'Bearer ', 'bearer undefined', 'Bearer null', 'Basic abc', 'Bearer a.b.c'])
      expect((await send(body, { authorization: header }, harness.anonymous)).status, header).toBe(401)
  })

  it('are none if the plan has no API or the company has not paid', async () => {
    const poor = await harness.createCompany()
    const poorLine = await harness.openLine(poor)
    const key = await programWith({}, poor.admin)
    const { db } = harness.wide()
    await db.updateTable('companies').set({ dueDate: '2020-01-31' }).where('id', '=', poor.id).execute()
    expect(await send({ number: newUnknownNumber(), body: 'x', whatsappId: poorLine.id }, {}, key)).toMatchObject(
      refusedReply(402, 'ERR_SUBSCRIPTION_EXPIRED'),
    )
    // Users can still read; API clients cannot.
    expect(await key.request('GET', '/messages/1')).toMatchObject(refusedReply(402, 'ERR_SUBSCRIPTION_EXPIRED'))
    await db.updateTable('companies').set({ dueDate: null, planId: null }).where('id', '=', poor.id).execute()
    expect(await send({ number: newUnknownNumber(), body: 'x' }, {}, key)).toMatchObject(
      refusedReply(402, 'ERR_PLAN_FEATURE'),
    )
  })
})

describe('messages, page by page', () => {
  beforeEach(() => harness.clock.advance(5000))

  it('are returned in the order of writing, each once, starting at a time or a cursor', async () => {
    const number = newUnknownNumber()
    const begin = harness.clock.now().toISOString()
    harness.clock.advance(10_000)
    const ids: string[] = []
    for (const n of [1, 2, 3, 4, 5]) ids.push((await send({ number, body: `n${n}` })).body.id)
    // Recent messages are held back, because a smaller id may not be committed yet.
    expect((await program.call(apiMessagesApi.list, { query: { since: begin } })).messages).toEqual([])
    harness.clock.advance(4000)
    const first = await program.call(apiMessagesApi.list, { query: { since: begin, limit: 2 } })
    expect(first).toMatchObject({ hasMore: true, next: ids[1] })
    const rest = await program.call(apiMessagesApi.list, { query: { since: first.next } })
    expect([...first.messages, ...rest.messages].map((m) => m.id)).toEqual(ids)
    expect(rest).toMatchObject({ hasMore: false, next: ids[4] })
    expect(await program.call(apiMessagesApi.list, { query: { since: rest.next } })).toEqual({
      ...{ messages: [], hasMore: false, next: ids[4] },
    })
    const later = await program.call(apiMessagesApi.list, { query: { since: harness.clock.now().toISOString() } })
    expect(later).toMatchObject({ messages: [], next: ids[4] })
    expect((await program.call(apiMessagesApi.list, { query: { number } })).messages).toHaveLength(5)
    expect((await program.call(apiMessagesApi.list, { query: { number: newUnknownNumber() } })).messages).toEqual([])
    expect(await program.request('GET', '/api/messages?since=ayer')).toMatchObject(refusedReply(400, 'ERR_VALIDATION'))
  })
})

it('answers calls from another origin without a session', async () => {
  const origin = 'https://shop.example'
  const asked = await fetch(`${harness.address}/api/messages/send`, {
    method: 'OPTIONS',
    headers: {
      ...{ origin, 'access-control-request-method': 'POST' },
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  expect(asked.headers.get('access-control-allow-headers')).toContain('authorization')
  expect(asked.headers.get('access-control-allow-credentials')).toBeNull()
  const sent = await send({ number: newUnknownNumber(), body: 'x' }, { origin })
  expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([202, '*'])
  const elsewhere = await admin.request('GET', '/tags', undefined, { origin })
  expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull()
})

it('limits the request rate, and returns the limit in the response', async () => {
  const slow = await testServer({ apiRate: 2 })
  const { admin: boss } = await slow.createCompany()
  await slow.openLine({ admin: boss }, { isDefault: true })
  slow.clock.freeze()
  const body = { name: 'Lento', scopes, whatsappIds: [], expiresAt: null }
  const impatient = makeCaller(slow.address, (await boss.call(apiKeysApi.create, { body })).key)
  const ask = () => impatient.request('GET', '/api/messages')
  const first = await ask()
  expect(['limit', 'remaining', 'reset'].map((name) => first.headers.get(`ratelimit-${name}`))).toEqual(['4', '3', '1'])
  for (const left of ['2', '1', '0']) expect((await ask()).headers.get('ratelimit-remaining')).toBe(left)
  const over = await ask()
  expect(over).toMatchObject(refusedReply(429, 'ERR_RATE_LIMIT'))
  expect(over.headers.get('retry-after')).toBe('1')
  slow.clock.advance(500)
  expect((await ask()).status).toBe(200)
  // A client that guesses tokens is rate-limited, so it no longer learns which tokens are wrong.
  for (let n = 0; n < 60; n++) {
    const guess = await makeCaller(slow.address, `guess-${n}`).request('GET', '/api/messages')
    expect(guess).toMatchObject(refusedReply(401, 'ERR_API_KEY'))
  }
  expect(await makeCaller(slow.address, 'guess').request('GET', '/api/messages')).toMatchObject(
    refusedReply(429, 'ERR_RATE_LIMIT'),
  )
  // Known clients at the same address are still accepted.
  slow.clock.advance(500)
  expect((await ask()).status).toBe(200)
  slow.clock.advance(61_000)
  expect(await makeCaller(slow.address, 'guess').request('GET', '/api/messages')).toMatchObject(
    refusedReply(401, 'ERR_API_KEY'),
  )
  await slow.close()
})

/** Must be the last test, because every session has expired after it. */
it('treats the same call as new a day later', async () => {
  const body = { number: newUnknownNumber(), body: 'Una vez' }
  const name = { 'Idempotency-Key': 'reserva-2' }
  const first = await send(body, name)
  harness.clock.advance(days(1) + 1000)
  const late = await send(body, name)
  expect(late.body.id).not.toBe(first.body.id)
  const kept = await harness
    .wide()
    .db.selectFrom('apiCalls')
    .select('key')
    .where('companyId', '=', company.id)
    .execute()
  expect(kept).toHaveLength(1)
})
