import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from '@recado/contract/messages'
import { messagesApi } from '@recado/contract/messages'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeDemoPdf } from '../../../demo/media/pdf.ts'
import { type Desk, makeTextEvent, openDesk } from '../../../test/desk.ts'
import { readRecording } from '../../../test/recordings.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { sendForm, tinyPng } from '../../../test/upload.ts'

type NamedUser = TestUser & { name: string }
type SendReply = Message & { messages: Message[]; error: string; fields: Record<string, string> }
let harness: TestServer
let desk: Desk
let sales: { id: number; name: string }
let support: { id: number }
let ana: NamedUser
let supervisor: NamedUser
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  support = await desk.createQueue('Soporte')
  ana = await desk.createUser('user', [sales])
  supervisor = await desk.createUser('supervisor', [sales])
})
afterAll(closeTestServers)

/** A ticket of Ana, in sales. */
async function openConversation(text = 'hola') {
  const { customer, id } = await desk.newTicket(text)
  await desk.putTicket(desk.admin, id, { queueId: sales.id, userId: ana.id })
  return { customer, id }
}
const post = (by: TestUser, id: number, body: unknown) => by.request<SendReply>('POST', `/messages/${id}`, body)
const files = (by: TestUser, id: number, parts: Parameters<typeof sendForm>[2]) =>
  sendForm<SendReply>(by, `/messages/${id}`, parts)
const stored = (id: number) =>
  desk.db.selectFrom('messages').select('body').where('ticketId', '=', id).where('fromMe', '=', true).execute()

it('orders a message after earlier ones even when the clock of its process is behind', async () => {
  const { id } = await openConversation()
  await post(ana, id, { body: 'uno' })
  harness.clock.advance(-5000)
  try {
    await post(ana, id, { body: 'dos' })
  } finally {
    harness.clock.advance(5000)
  }
  const { messages } = await ana.call(messagesApi.list, { params: { ticketId: id }, query: {} })
  expect(messages.map((message) => message.body).slice(-2)).toEqual(['uno', 'dos'])
})

it('orders a message after earlier ones also in the next ticket of the chat, whoever writes first', async () => {
  const { id, customer } = await openConversation()
  await post(ana, id, { body: 'uno' })
  await desk.putTicket(ana, id, { status: 'closed' })
  harness.clock.advance(-5000)
  try {
    const next = (await desk.waitForMessage(await customer.says('otra cosa'))).ticketId as number
    expect(next).not.toBe(id)
    await desk.putTicket(desk.admin, next, { queueId: sales.id, userId: ana.id })
    await post(ana, next, { body: 'dos' })
    await desk.putTicket(ana, next, { status: 'closed' })
    harness.clock.advance(-5000)
    const before = await desk.showTicket(next)
    const query = desk.db.selectFrom('tickets').select(['id', 'contactId', 'whatsappId']).where('id', '=', next)
    const { contactId } = await query.executeTakeFirstOrThrow()
    await ana.request('POST', '/tickets', { contactId, userId: ana.id, status: 'open', queueId: sales.id })
    const { rows } = await sql<{ createdAt: string }>`
      select "createdAt" from tickets where "contactId" = ${contactId} order by id`.execute(desk.db)
    expect(rows).toHaveLength(3)
    expect((rows[2]?.createdAt as string) >= before.updatedAt).toBe(true)
  } finally {
    harness.clock.advance(10_000)
  }
  const ours = await desk.db
    .selectFrom('messages')
    .select('body')
    .where('fromMe', '=', true)
    .where('body', 'in', ['uno', 'dos'])
    .where('contactId', '=', (await desk.showTicket(id)).contactId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  expect(ours.map(({ body }) => body)).toEqual(['uno', 'dos'])
})

describe('sending messages', () => {
  it('accepts the request of older clients, and returns the stored message', async () => {
    const { id } = await openConversation()
    const [asked] = await desk.listMessages(ana, id)
    const body = `*${ana.name}:*\nEnseguida`
    const answer = await post(ana, id, { read: 1, fromMe: true, mediaUrl: '', body, quotedMsg: asked })
    expect(answer).toMatchObject({
      status: 200,
      body: { body, fromMe: true, ack: 1, ticketId: id, quotedMsg: { id: asked?.id }, user: { name: ana.name } },
    })
    expect(
      (await post(ana, id, { read: 1, fromMe: true, mediaUrl: '', body: 'y más', quotedMsg: null })).body.quotedMsg,
    ).toBeNull()
    expect(await desk.showTicket(id)).toMatchObject({ lastMessage: 'y más' })
  })

  it('refuses an empty message', async () => {
    const { id } = await openConversation()
    for (const body of ['', '   \n ', null, undefined])
      expect(await post(ana, id, { body })).toMatchObject({
        status: 400,
        body: { error: 'ERR_VALIDATION', fields: { body: 'Required' } },
      })
    expect(await stored(id)).toEqual([])
  })

  it('requires an open ticket, and is allowed to its agent and to supervisors', async () => {
    const { id } = await openConversation()
    expect((await post(supervisor, id, { body: 'ayudo' })).status).toBe(200)
    expect((await post(desk.admin, id, { body: 'yo también' })).status).toBe(200)
    const other = await desk.createUser('user', [sales])
    expect((await post(other, id, { body: 'no' })).body.error).toBe('ERR_NO_TICKET_FOUND')
    await desk.putTicket(ana, id, { status: 'pending', userId: null })
    expect(await post(other, id, { body: 'no' })).toMatchObject({ status: 409, body: { error: 'ERR_TICKET_NOT_OPEN' } })
    await desk.putTicket(ana, id, { status: 'closed' })
    expect((await post(ana, id, { body: 'no' })).body.error).toBe('ERR_TICKET_NOT_OPEN')
    expect(await stored(id)).toHaveLength(2)
  })

  it('fills in variables, and leaves unknown variables as typed', async () => {
    const { customer, id } = await openConversation()
    await desk.db
      .updateTable('contacts')
      .set({ name: 'Lucía Pérez', email: 'lucia@x.test' })
      .where('number', '=', customer.number)
      .execute()
    const { body } = (
      await post(ana, id, {
        body: '{{name}}, {{ firstName }}: {{queue}} {{user}} {{ticket}} {{number}} {{email}} {{nada}} {{ {{name} }}',
      })
    ).body
    expect(body).toBe(
      `Lucía Pérez, Lucía: Ventas ${ana.name} ${(await desk.showTicket(id)).number} ${customer.number} lucia@x.test {{nada}} {{ {{name} }}`,
    )
  })

  it('quotes only messages of the same chat', async () => {
    const [one, two] = [await openConversation('uno'), await openConversation('dos')]
    const [foreign] = await desk.listMessages(ana, two.id)
    expect((await post(ana, one.id, { body: 'esto', quotedMsg: foreign })).body.quotedMsg).toBeNull()
    expect((await post(ana, one.id, { body: 'esto', quotedMsg: { id: 'undefined' } })).body.quotedMsg).toBeNull()
  })

  it('refuses to quote a message of the same chat that the user may not read', async () => {
    const { customer, id } = await desk.newTicket('un secreto')
    await desk.putTicket(desk.admin, id, { queueId: support.id, userId: desk.admin.id })
    const [secret] = await desk.listMessages(desk.admin, id)
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    const { ticketId } = await desk.waitForMessage(await customer.says('hola de nuevo'))
    await desk.putTicket(desk.admin, ticketId, { queueId: sales.id, userId: ana.id })
    expect((await desk.listMessages(ana, ticketId)).map((m) => m.body)).not.toContain('un secreto')
    expect((await post(ana, ticketId, { body: 'esto', quotedMsg: secret })).body).toMatchObject({ quotedMsg: null })
    const byAdmin = await post(desk.admin, ticketId, { body: 'esto', quotedMsg: secret })
    expect(byAdmin.body.quotedMsg).toMatchObject({ body: 'un secreto' })
  })
})

describe('sending files', () => {
  const pdf = makeDemoPdf('Factura', [])
  it('stores one message per file, each with its own caption', async () => {
    const { id } = await openConversation()
    const answer = await files(ana, id, {
      fromMe: ['true'],
      medias: [
        [tinyPng, 'a.png'],
        [pdf, 'b.pdf'],
      ],
      body: ['la foto\nde {{name}}', 'b.pdf'],
    })
    const { name } = (await desk.showTicket(id)).contact
    expect(answer.body.messages.map((m) => [m.body, m.mediaType, m.mediaName])).toEqual([
      [`la foto\nde ${name}`, 'image', 'a.png'],
      ['', 'application', 'b.pdf'],
    ])
    expect(answer.body.messages[0]?.mediaUrl).toMatch(/^http.*\/public\/.*a\.png\?/)
    expect(answer.body.id).toBe(answer.body.messages[0]?.id)
    expect((await desk.showTicket(id)).lastMessage).toBe('b.pdf')
    expect(answer.body.messages.map((m) => [m.mediaSize, m.mediaPages])).toEqual([
      [tinyPng.length, null],
      [pdf.length, 1],
    ])
  })

  it.each([['mi foto.png'], ['año nuevo (1).png'], ['a:b?.png']])(
    'ignores the file name %s as a caption',
    async (name) => {
      const { id } = await openConversation()
      expect((await files(ana, id, { medias: [[tinyPng, name]], body: [name] })).body.body).toBe('')
    },
  )

  it('accepts one text for the first of many files, and files without text', async () => {
    const { id } = await openConversation()
    const many = await files(ana, id, {
      medias: [
        [tinyPng, 'a.png'],
        [tinyPng, 'b.png'],
      ],
      body: ['las dos'],
    })
    expect(many.body.messages.map((m) => m.body)).toEqual(['las dos', ''])
    expect((await files(ana, id, { medias: [[tinyPng, 'a.png']] })).body).toMatchObject({
      body: '',
      mediaType: 'image',
    })
  })

  it('leaves no file behind when the message is refused', async () => {
    const { id } = await openConversation()
    const huge = Buffer.alloc(harness.config.uploadLimit + 1)
    expect(
      (
        await files(ana, id, {
          medias: [
            [tinyPng, 'a.png'],
            [huge, 'b.bin'],
          ],
        })
      ).body.error,
    ).toBe('ERR_FILESIZE_OVER_LIMIT')
    await desk.putTicket(ana, id, { status: 'closed' })
    expect((await files(ana, id, { medias: [[tinyPng, 'a.png']] })).body.error).toBe('ERR_TICKET_NOT_OPEN')
    expect(await stored(id)).toEqual([])
  })
})

describe('a voice recording', () => {
  const mp3 = readRecording('two-seconds.mp3')
  const webm = readRecording('two-seconds.webm')
  const name = 'audio-record-site-1.mp3'
  /** The stored files of the company, and uploads that belong to no record. */
  const onDisk = async () =>
    (
      await Promise.all(
        [`files/${desk.company.id}`, 'incoming'].map((f) => readdir(join(harness.config.dataDir, f)).catch(() => [])),
      )
    ).flat()

  it('is stored as two files that are deleted with the ticket, and stored only once when sent twice', async () => {
    const { id, customer } = await openConversation()
    const form: Parameters<typeof files>[2] = {
      clientId: ['recorded-once'],
      medias: [[mp3, name]],
      voice: [[webm, 'voice']],
    }
    const first = await files(ana, id, form)
    expect(first.body).toMatchObject({ mediaType: 'audio', mediaSize: mp3.length })
    expect((await files(ana, id, form)).body.id).toBe(first.body.id)
    const [row, ...more] = await desk.db
      .selectFrom('messages')
      .select(['mediaPath', 'sendAs'])
      .where('ticketId', '=', id)
      .where('fromMe', '=', true)
      .execute()
    expect(more).toEqual([])
    const kept = [row?.mediaPath, row?.sendAs?.voice?.path]
    expect(kept).toEqual([expect.stringMatching(/\.mp3$/), expect.stringMatching(/\.ogg$/)])
    expect(await onDisk()).toEqual(expect.arrayContaining(kept))
    await expect.poll(async () => (await customer.listMessages()).at(-1)?.voice?.seconds).toBe(2)
    expect((await desk.admin.request('DELETE', `/tickets/${id}`)).status).toBe(200)
    await expect.poll(async () => (await onDisk()).filter((file) => kept.includes(file))).toEqual([])
  })

  it.each([
    ['what is no voice', { medias: [[mp3, name]], voice: [['no sound at all', 'voice']] }, 'ERR_FILE_TYPE'],
    ['a voice beside a picture', { medias: [[tinyPng, 'a.png']], voice: [[webm, 'voice']] }, 'ERR_VALIDATION'],
    [
      'one voice of two',
      {
        medias: [
          [mp3, name],
          [mp3, name],
        ],
        voice: [[webm, 'voice']],
      },
      'ERR_VALIDATION',
    ],
    ['a voice alone', { body: ['hola'], voice: [[webm, 'voice']] }, 'ERR_VALIDATION'],
    [
      'bars that nobody draws',
      { medias: [[mp3, name]], voice: [[webm, 'voice']], waveform: ['[1,2]'] },
      'ERR_VALIDATION',
    ],
  ])('refuses %s, and leaves no file behind', async (_, form, error) => {
    const { id } = await openConversation()
    const before = await onDisk()
    expect((await files(ana, id, form as never)).body.error).toBe(error)
    expect(await stored(id)).toEqual([])
    expect(await onDisk()).toEqual(before)
  })

  it('is not processed for a user who may not write in the ticket', async () => {
    const { id } = await openConversation()
    const other = await desk.createUser('user', [sales])
    const answer = await files(other, id, { medias: [[mp3, name]], voice: [['no sound at all', 'voice']] })
    expect(answer.body.error).toBe('ERR_NO_TICKET_FOUND')
  })
})

describe('marking as read', () => {
  const unread = async (id: number) => (await desk.showTicket(id)).unreadMessages
  const flags = (id: number) =>
    desk.db.selectFrom('messages').select('read').where('ticketId', '=', id).where('fromMe', '=', false).execute()

  it('happens when the assigned agent opens the ticket, and not when others open it', async () => {
    const { customer, id } = await openConversation()
    await desk.waitForMessage(await customer.says('¿hay alguien?'))
    const socketClient = await supervisor.listen()
    await desk.listMessages(desk.admin, id)
    await desk.listMessages(supervisor, id)
    await desk.listMessages(ana, id, { markAsRead: 'false' })
    await desk.listMessages(ana, id, { pageNumber: 2 })
    await desk.showTicket(id, ana)
    await desk.listTickets(ana, { status: 'open' })
    expect(await unread(id)).toBe(2)
    await socketClient.whenCaughtUp()
    expect(socketClient.received.filter((n) => n.payload?.action === 'updateUnread')).toEqual([])
    await desk.listMessages(ana, id)
    expect(await unread(id)).toBe(0)
    expect((await flags(id)).every((m) => m.read)).toBe(true)
    await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'updateUnread', ticketId: id })
    socketClient.close()
  })

  it('is undone by the assigned agent, on every screen, until they open the ticket again', async () => {
    const { id } = await openConversation()
    await desk.listMessages(ana, id)
    const { updatedAt } = await desk.showTicket(id)
    const socketClient = await supervisor.listen()
    const mark = (by: TestUser) => by.request<{ error: string }>('PUT', `/tickets/${id}/unread`)
    expect(await mark(ana)).toMatchObject({ status: 200, body: { unreadMessages: 1, updatedAt } })
    const told = await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'update' })
    expect(told.ticket).toMatchObject({ id, unreadMessages: 1 })
    expect(await desk.listTicketIds(ana, { withUnreadMessages: true })).toContain(id)
    expect((await mark(supervisor)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await mark(await desk.createUser('user', [support]))).body.error).toBe('ERR_NO_TICKET_FOUND')
    await desk.listMessages(ana, id)
    expect(await unread(id)).toBe(0)
    await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'updateUnread', ticketId: id })
    await desk.putTicket(ana, id, { status: 'closed' })
    expect((await mark(ana)).body.error).toBe('ERR_TICKET_NOT_OPEN')
    socketClient.close()
  })

  it('happens when the assigned agent replies', async () => {
    const { id } = await openConversation()
    await desk.send(supervisor, id, 'ya leí')
    expect(await unread(id)).toBe(0)
  })

  it('does not happen on accept or on automatic messages', async () => {
    await desk.setSetting('sendGreetingAccepted', 'enabled')
    await desk.setSetting('sendMsgTransfTicket', 'enabled')
    const { id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
    await desk.accept(ana, id)
    expect(await unread(id)).toBe(1)
    await desk.putTicket(ana, id, { userId: supervisor.id, queueId: sales.id })
    expect(await unread(id)).toBe(1)
    expect((await desk.listMessages(desk.admin, id)).map((m) => m.bot)).toEqual([
      null,
      'transfer',
      'greeting',
      'transfer',
    ])
    await desk.setSetting('sendGreetingAccepted', 'disabled')
    await desk.setSetting('sendMsgTransfTicket', 'disabled')
  })

  it('does not happen when a pending ticket without an agent is viewed', async () => {
    const { id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
    await desk.listMessages(ana, id)
    expect(await unread(id)).toBe(1)
  })
})

describe('the thread', () => {
  it('is returned in pages of twenty messages, the newest page first, and oldest first within a page', async () => {
    const { customer, id } = await openConversation('texto 0')
    const { name } = (await desk.showTicket(id)).contact
    const start = Date.now()
    await desk.receive(
      ...Array.from({ length: 44 }, (_, i) =>
        makeTextEvent(customer.number, `texto ${i + 1}`, { pushName: name, at: new Date(start + i).toISOString() }),
      ),
    )
    const page = (pageNumber: number) =>
      ana.call(messagesApi.list, { params: { ticketId: id }, query: { pageNumber } as never })
    const [one, two, three] = [await page(1), await page(2), await page(3)]
    const texts = [three, two, one].flatMap((p) => p.messages.map((m) => m.body))
    expect(texts).toEqual(Array.from({ length: 45 }, (_, i) => `texto ${i}`))
    expect([one.hasMore, two.hasMore, three.hasMore]).toEqual([true, true, false])
    expect([one, two, three].map((p) => p.messages.length)).toEqual([20, 20, 5])
    expect((await page(4)).messages).toEqual([])
  })

  it('shows earlier conversations of the contact; conversations of other queues only to users who may see them', async () => {
    const { customer, id } = await openConversation('en ventas')
    await desk.putTicket(ana, id, { status: 'closed' })
    const next = async (text: string, queueId: number | null) => {
      const { ticketId } = await desk.waitForMessage(await customer.says(text))
      if (queueId) await desk.putTicket(desk.admin, ticketId, { queueId, status: 'pending', userId: null })
      return ticketId
    }
    const second = await next('en soporte', support.id)
    await desk.putTicket(desk.admin, second, { status: 'closed' })
    const third = await next('sin cola', null)
    await desk.putTicket(desk.admin, third, { status: 'closed' })
    const last = await next('otra vez en ventas', sales.id)
    const texts = async (by: TestUser) => (await desk.listMessages(by, last)).map((m) => m.body)
    expect(await texts(desk.admin)).toEqual(['en ventas', 'en soporte', 'sin cola', 'otra vez en ventas'])
    expect(await texts(ana)).toEqual(['en ventas', 'sin cola', 'otra vez en ventas'])
    expect(await texts(supervisor)).toEqual(['en ventas', 'sin cola', 'otra vez en ventas'])
    // An agent may read conversations they attended themselves.
    const both = await desk.createUser('user', [sales])
    await desk.db.updateTable('tickets').set({ userId: both.id }).where('id', '=', second).execute()
    expect(await texts(both)).toHaveLength(4)
  })

  it('shows nothing of a later conversation that the user may not see', async () => {
    const { customer, id } = await openConversation('la primera')
    await desk.putTicket(ana, id, { status: 'closed' })
    const [rival, loose] = [await desk.createUser('user', [sales]), await desk.createUser('user', [sales], 'enabled')]
    const texts = async (by: TestUser) => (await desk.listMessages(by, id)).map((m) => m.body)
    const { ticketId: next } = await desk.waitForMessage(await customer.says('sin cola'))
    expect([await texts(rival), await texts(loose)]).toEqual([['la primera'], ['la primera', 'sin cola']])
    await desk.putTicket(desk.admin, next, { queueId: sales.id, userId: ana.id })
    expect((await rival.request('GET', `/tickets/${next}`)).status).toBe(404)
    for (const by of [rival, loose]) expect(await texts(by)).toEqual(['la primera'])
    for (const by of [ana, supervisor, desk.admin]) expect(await texts(by)).toEqual(['la primera', 'sin cola'])
    await desk.putTicket(ana, next, { status: 'closed' })
    expect(await texts(rival)).toEqual(['la primera', 'sin cola'])
  })

  it('separates conversations of different lines', async () => {
    const { customer, id } = await openConversation('por una')
    const other = await harness.openLine(desk.company)
    const elsewhere = await desk.waitForMessage(await other.customer(customer.number).says('por la otra'))
    expect(elsewhere.ticketId).not.toBe(id)
    expect((await desk.listMessages(desk.admin, elsewhere.ticketId)).map((m) => m.body)).toEqual(['por la otra'])
  })

  it('stays when its line is deleted, but accepts no more messages', async () => {
    const other = await harness.openLine(desk.company)
    const { ticketId } = await desk.waitForMessage(await other.customer('5511933334444', 'Sola').says('¿me oyen?'))
    await desk.putTicket(desk.admin, ticketId, { status: 'open', userId: desk.admin.id })
    await vi.waitFor(async () => expect((await desk.admin.request('DELETE', `/whatsapp/${other.id}`)).status).toBe(200))
    expect((await desk.listMessages(desk.admin, ticketId)).map((m) => m.body)).toEqual(['¿me oyen?'])
    expect((await post(desk.admin, ticketId, { body: 'sí' })).body.error).toBe('ERR_NO_WAPP_FOUND')
    expect((await desk.putTicket(desk.admin, ticketId, { status: 'closed' })).body).toMatchObject({
      status: 'closed',
      whatsapp: null,
    })
  })
})

describe('searching in a conversation', () => {
  const find = async (by: TestUser, id: number, words: string) => {
    const { hits, hasMore } = await by.call(messagesApi.search, {
      params: { ticketId: id },
      query: { searchParam: words },
    })
    const bodies = new Map(
      (await desk.listMessages(desk.admin, id, { markAsRead: 'false' })).map((m) => [m.id, m.body]),
    )
    return { found: hits.map((hit) => bodies.get(hit.id)), hasMore }
  }

  it('ignores accents, returns newest first, and skips deleted messages and data that is not text', async () => {
    const { customer, id } = await openConversation('¿Hay cañería de 50%?')
    const gone = await customer.says('otra CANERIA')
    await desk.waitForMessage(gone)
    await customer.deletes(gone)
    await desk.waitForMessage(await customer.sendEvent('location', { latitude: 1, longitude: 2, body: 'Cañería SA' }))
    await desk.send(ana, id, 'La cañería llega mañana')
    await files(ana, id, { medias: [[tinyPng, 'canerias.png']], body: ['mire'] })
    await desk.waitForHandled(gone)
    expect(await find(ana, id, 'CAÑERI')).toEqual({
      found: ['mire', 'La cañería llega mañana', '¿Hay cañería de 50%?'],
      hasMore: false,
    })
    expect((await find(ana, id, '50%')).found).toEqual(['¿Hay cañería de 50%?'])
    expect((await find(ana, id, '_')).found).toEqual([])
    expect((await find(ana, id, ' ')).found).toEqual([])
  })

  it('finds only messages that the user may read in the conversation', async () => {
    const { customer, id } = await desk.newTicket('secreto de soporte')
    await desk.putTicket(desk.admin, id, { queueId: support.id, userId: desk.admin.id })
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    const { ticketId } = await desk.waitForMessage(await customer.says('secreto de ventas'))
    await desk.putTicket(desk.admin, ticketId, { queueId: sales.id, userId: ana.id })
    expect((await find(ana, ticketId, 'secreto')).found).toEqual(['secreto de ventas'])
    expect((await find(desk.admin, ticketId, 'secreto')).found).toEqual(['secreto de ventas', 'secreto de soporte'])
    const other = await desk.createUser('user', [support])
    expect((await other.request('GET', `/messages/${ticketId}/search?searchParam=secreto`)).status).toBe(404)
  })
})

describe('forwarding a message', () => {
  const forward = (by: TestUser, id: string | number, body: object) =>
    by.request<{ messages: Message[]; error: string }>('POST', `/messages/${id}/forward`, body)

  it('sends it with its file, marked as forwarded, and copies the file for each conversation', async () => {
    const [from, one, two] = [await openConversation(), await openConversation(), await openConversation()]
    const sent = (await files(ana, from.id, { medias: [[tinyPng, 'plano.png']], body: [`*${ana.name}:*\nel plano`] }))
      .body
    const answer = await forward(ana, sent.id, { tickets: [one.id, two.id], clientId: 'forward-0001' })
    expect(answer.body.messages.map((m) => [m.ticketId, m.body, m.mediaType, m.isForwarded])).toEqual(
      [one.id, two.id].sort((a, b) => a - b).map((id) => [id, 'el plano', 'image', true]),
    )
    const again = await forward(ana, sent.id, { tickets: [one.id, two.id], clientId: 'forward-0001' })
    expect(again.body.messages.map((m) => m.id)).toEqual(answer.body.messages.map((m) => m.id))
    await vi.waitFor(async () =>
      expect((await one.customer.listMessages()).at(-1)).toMatchObject({
        kind: 'image',
        body: 'el plano',
        isForwarded: true,
      }),
    )
    const paths = await desk.db
      .selectFrom('messages')
      .select('mediaPath')
      .where('mediaName', '=', 'plano.png')
      .where('companyId', '=', desk.company.id)
      .execute()
    expect(new Set(paths.map((row) => row.mediaPath)).size).toBe(3)
    await desk.admin.request('DELETE', `/tickets/${from.id}`)
    const copy = (await desk.listMessages(ana, one.id)).at(-1)
    expect((await fetch(copy?.mediaUrl ?? '')).status).toBe(200)
  })

  it('forwards several messages at once into open tickets, in the order of their conversation', async () => {
    const [from, one, two] = [await openConversation(), await openConversation(), await openConversation()]
    const first = await desk.waitForMessage(await from.customer.says('uno'))
    const second = (await files(ana, from.id, { medias: [[tinyPng, 'dos.png']], body: [''] })).body
    const third = await desk.waitForMessage(await from.customer.says('tres'))
    const write = { messageIds: [String(first.id), second.id], tickets: [one.id, two.id], clientId: 'forward-many-1' }
    const answer = await forward(ana, third.id, write)
    expect(answer.body.messages.map((m) => [m.ticketId, m.mediaName ?? m.body])).toEqual(
      [one.id, two.id].sort((a, b) => a - b).flatMap((id) => ['uno', 'dos.png', 'tres'].map((text) => [id, text])),
    )
    const again = await forward(ana, third.id, write)
    expect(again.body.messages.map((m) => m.id).sort()).toEqual(answer.body.messages.map((m) => m.id).sort())
    for (const { customer } of [one, two])
      await vi.waitFor(async () =>
        expect((await customer.listMessages()).slice(-3).map((m) => m.mediaName ?? m.body)).toEqual([
          'uno',
          'dos.png',
          'tres',
        ]),
      )
    // One unreadable message stops all of them.
    const { id: foreign } = await desk.newTicket('ajeno')
    await desk.putTicket(desk.admin, foreign, { queueId: support.id, userId: desk.admin.id })
    const [hidden] = await desk.listMessages(desk.admin, foreign)
    const refused = await forward(ana, third.id, { messageIds: [hidden?.id], tickets: [one.id] })
    expect(refused.body.error).toBe('ERR_NO_MESSAGE_FOUND')
  })

  it('forwards locations and contact cards, and opens a new ticket for a contact without one', async () => {
    const { customer, id } = await openConversation()
    const place = await desk.waitForMessage(
      await customer.sendEvent('location', { latitude: -34.5, longitude: 2.25, body: 'Acá' }),
    )
    const card = await desk.waitForMessage(
      await customer.sendEvent('contact', { contactName: 'Eva', contactNumber: '5491155550000' } as never),
    )
    const made = await desk.admin.request<{ id: number }>('POST', '/contacts', {
      name: 'Nadia',
      number: '5511977776666',
    })
    const answer = await forward(ana, place.id, { contacts: [made.body.id] })
    const ticketId = answer.body.messages[0]?.ticketId as number
    expect(await desk.showTicket(ticketId)).toMatchObject({
      status: 'open',
      userId: ana.id,
      queueId: sales.id,
      lastMessage: 'Acá',
    })
    const nadia = desk.line.customer('5511977776666')
    await vi.waitFor(async () =>
      expect((await nadia.listMessages()).at(-1)).toMatchObject({ kind: 'location', isForwarded: true }),
    )
    expect((await forward(ana, card.id, { contacts: [made.body.id] })).body.messages).toMatchObject([
      { ticketId, mediaType: 'contactMessage', body: expect.stringContaining('FN:Eva') },
    ])
    expect((await desk.showTicket(id)).lastMessage).toBe('Eva')
  })

  it('requires read access to the message and write access to every target, and sends to all or none', async () => {
    const [mine, theirs] = [await openConversation('mío'), await desk.newTicket('ajeno')]
    await desk.putTicket(desk.admin, theirs.id, { queueId: support.id, userId: desk.admin.id })
    const [own] = await desk.listMessages(ana, mine.id)
    const [foreign] = await desk.listMessages(desk.admin, theirs.id)
    const refused = async (id: string | undefined, body: object, error: string) => {
      expect((await forward(ana, id ?? '', body)).body.error).toBe(error)
    }
    await refused(foreign?.id, { tickets: [mine.id] }, 'ERR_NO_MESSAGE_FOUND')
    await refused(own?.id, { tickets: [mine.id, theirs.id] }, 'ERR_NO_TICKET_FOUND')
    await refused(own?.id, { contacts: [(await desk.showTicket(theirs.id)).contactId] }, 'ERR_OTHER_OPEN_TICKET')
    await refused(own?.id, {}, 'ERR_VALIDATION')
    const { id: waiting } = await desk.newTicket()
    await desk.putTicket(desk.admin, waiting, { queueId: sales.id, status: 'pending', userId: null })
    await refused(own?.id, { tickets: [waiting] }, 'ERR_TICKET_NOT_OPEN')
    const { body: said } = await post(ana, mine.id, { body: 'se borra' })
    await ana.request('DELETE', `/messages/${said.id}`)
    await refused(said.id, { tickets: [mine.id] }, 'ERR_NO_MESSAGE_FOUND')
    expect((await stored(mine.id)).map((m) => m.body)).toEqual(['se borra'])
    expect(await stored(theirs.id)).toEqual([])
    const stranger = await harness.createCompany()
    expect((await forward(stranger.admin, own?.id ?? '', { tickets: [mine.id] })).status).toBe(404)
  })
})

describe('a file that failed to download', () => {
  it('can be requested again by a user who may read it, whoever is assigned now', async () => {
    const { customer, id } = await openConversation()
    const { id: message } = await desk.waitForMessage(await customer.says('mirá'))
    const failed = { mediaType: 'image', mediaState: 'failed', error: 'unreachable', mediaKey: '{}' } as const
    await desk.db.updateTable('messages').set(failed).where('id', '=', message).execute()
    await desk.putTicket(ana, id, { status: 'closed' })
    const { ticketId: next } = await desk.waitForMessage(await customer.says('otra vez'))
    await desk.putTicket(desk.admin, next, { queueId: sales.id, userId: ana.id })
    const ask = (by: TestUser) => by.request<Message>('POST', `/messages/${message}/fetch`)
    expect((await ask(await desk.createUser('user', [support]))).status).toBe(404)
    expect(await ask(await desk.createUser('user', [sales]))).toMatchObject({
      status: 200,
      body: { mediaState: 'pending' },
    })
  })
})
