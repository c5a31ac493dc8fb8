import { type Chat, type ChatMessage, chatsApi, findMentions, findTicketNumbers } from '@recado/contract/chats'
import type { Endpoint } from '@recado/contract/endpoint'
import { pushApi } from '@recado/contract/push'
import { usersApi } from '@recado/contract/users'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDesk } from '../../../test/desk.ts'
import { openPushService } from '../../../test/push-service.ts'
import {
  closeTestServers,
  fillPath,
  type SocketClient,
  type TestServer,
  type TestUser,
  testServer,
} from '../../../test/test-server.ts'
import { sendForm, tinyPdf } from '../../../test/upload.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'

let harness: TestServer
let service: Awaited<ReturnType<typeof openPushService>>
beforeAll(async () => {
  harness = await testServer({ privateTargets: true })
  service = await openPushService()
  ownTeam = await newTeam()
})
afterAll(async () => {
  await closeTestServers()
  service.close()
})

type Team = { company: Awaited<ReturnType<TestServer['createCompany']>> } & Record<
  'ana' | 'beto' | 'carla' | 'admin',
  TestUser
>
let ownTeam: Team

/** Ana, Beto and Carla of one company, and its admin. */
async function newTeam(): Promise<Team> {
  const company = await harness.createCompany()
  const someone = async (name: string) => {
    const email = `${name.split(' ')[0]}-${company.id}@chats.test`
    const { id } = await harness.createUser(company.id, 'user', email)
    await harness.wide().db.updateTable('users').set({ name }).where('id', '=', id).execute()
    return harness.login(email)
  }
  const [ana, beto, carla] = [await someone('Ana Paula Ríos'), await someone('Beto Luna'), await someone('Carla Sosa')]
  return { company, ana, beto, carla, admin: company.admin }
}
/** The team, and a new chat of Ana with Beto. */
async function openTeamWithChat(of = ownTeam) {
  const chat = await of.ana.call(chatsApi.create, { body: { title: 'Recepción', users: [{ id: of.beto.id }] } })
  return { ...of, chat }
}
const sendChatMessage = (who: TestUser, chat: { id: number }, message: string, more: object = {}) =>
  who.call(chatsApi.send, { params: { id: chat.id }, body: { message, ...more } })
const listOf = async (who: TestUser, searchParam = '') =>
  (await who.call(chatsApi.list, { query: { searchParam } })).records
const seenBy = async (who: TestUser, { id }: { id: number }, searchParam = '') =>
  (await listOf(who, searchParam)).find((chat) => chat.id === id)
const placeOf = (chat: Chat | undefined, who: TestUser) => chat?.users.find((one) => one.userId === who.id)
const chatNews = (socketClient: SocketClient) => socketClient.received.filter(({ name }) => /chat/i.test(name))
const missing = { status: 404, body: { error: 'ERR_NO_CHAT_FOUND' } }

describe('details of a chat', () => {
  it('list the files and mentioned tickets of the chat to members, as far as they may see them', async () => {
    const d = await openDesk(harness)
    const [sales, support] = [await d.createQueue(), await d.createQueue()]
    const [eva, gil, out] = [await d.createUser('user', [sales]), await d.createUser('user', [support]), d.admin]
    const { id } = await d.newTicket()
    await d.db.updateTable('tickets').set({ queueId: sales.id }).where('id', '=', id).execute()
    const { number } = await d.showTicket(id)
    const chat = await eva.call(chatsApi.create, { body: { title: 'Dos', users: [{ id: gil.id }] } })
    const details = (who: TestUser) => who.call(chatsApi.details, { params: { id: chat.id } })
    expect(await details(eva)).toEqual({ files: [], tickets: [] })
    await sendChatMessage(eva, chat, `¿Quién mira la #${number}? No la #${number + 999}`)
    const path = `/chats/${chat.id}/messages`
    const sent = await sendForm<ChatMessage>(eva, path, { medias: [[tinyPdf, 'parte.pdf']], message: [''] })
    const file = { id: sent.body.id, mediaName: 'parte.pdf', mediaSize: tinyPdf.length, sender: { name: eva.name } }
    expect(await details(eva)).toMatchObject({ files: [file], tickets: [{ id, number }] })
    expect(await details(gil)).toMatchObject({ files: [file], tickets: [] })
    expect(await out.request('GET', `/chats/${chat.id}/details`)).toMatchObject(missing)
    await eva.call(chatsApi.unsay, { params: { id: chat.id, messageId: sent.body.id } })
    expect((await details(gil)).files).toEqual([])
  })
})

describe('a chat', () => {
  it('is read by its members, counts unread messages per member, and is marked as read when opened', async () => {
    const { ana, beto, chat } = await openTeamWithChat()
    await sendChatMessage(ana, chat, 'Hola')
    const sent = await sendChatMessage(ana, chat, '¿Estás?')
    expect(sent).toMatchObject({ senderId: ana.id, sender: { name: 'Ana Paula Ríos' }, message: '¿Estás?' })
    const seen = await seenBy(beto, chat)
    expect(seen).toMatchObject({
      title: 'Recepción',
      ownerId: ana.id,
      lastMessage: 'Ana Paula Ríos: ¿Estás?',
      lastSenderId: ana.id,
      mine: { muted: false, mentions: 0 },
    })
    expect([placeOf(seen, ana)?.unreads, placeOf(seen, beto)?.unreads]).toEqual([0, 2])
    const socketClient = await ana.listen()
    // Older clients send a user id; the reader is always the caller.
    const read = await beto.request<Chat>('POST', `/chats/${chat.id}/read`, { userId: ana.id })
    expect(placeOf(read.body, beto)).toMatchObject({ unreads: 0, readId: sent.id })
    await socketClient.waitFor(`company-${ana.companyId}-chatRead`, {
      chatId: chat.id,
      userId: beto.id,
      readId: sent.id,
    })
  })

  it('is paged with the oldest message first in a page, and keeps the position while a member writes', async () => {
    const { ana, beto, chat } = await openTeamWithChat()
    const ids: number[] = []
    for (let n = 1; n <= 25; n++) ids.push((await sendChatMessage(ana, chat, `${n}`)).id)
    const page = (query: object) => beto.call(chatsApi.messages, { params: { id: chat.id }, query })
    const first = await page({})
    expect(first.records.map((m) => m.id)).toEqual(ids.slice(5))
    expect([first.count, first.hasMore]).toEqual([25, true])
    await sendChatMessage(ana, chat, 'one more')
    const second = await page({ before: first.records[0]?.id })
    expect(second.records.map((m) => m.id)).toEqual(ids.slice(0, 5))
    const last = await page({ pageNumber: 2 })
    expect([last.records.length, last.hasMore]).toEqual([6, false])
  })

  it('is published to its members only, under the event names of the spec and of older clients', async () => {
    const { ana, beto, carla, admin, chat, company } = await openTeamWithChat()
    const [hears, deaf, boss] = [await beto.listen(), await carla.listen(), await admin.listen()]
    const message = await sendChatMessage(ana, chat, 'solo para nosotros')
    const users = [{ userId: ana.id }, { userId: beto.id }]
    for (const name of [`company-${company.id}-chat`, `company-${company.id}-chat-${chat.id}`, `chat-${chat.id}`])
      expect(await hears.waitFor(name, { action: 'new-message' })).toMatchObject({
        chat: { id: chat.id, users: [{ userId: ana.id }, { userId: beto.id, unreads: 1 }] },
        newMessage: { id: message.id, chat: { users } },
      })
    await ana.call(chatsApi.edit, { params: { id: chat.id, messageId: message.id }, body: { message: 'otra' } })
    await hears.socket.timeout(waitTimeoutMs).emitWithAck('chatTyping', String(chat.id), true)
    await deaf.socket.timeout(waitTimeoutMs).emitWithAck('chatTyping', String(chat.id), true)
    for (const socketClient of [deaf, boss]) {
      await socketClient.whenCaughtUp()
      expect(chatNews(socketClient)).toEqual([])
    }
  })

  it('publishes typing to the other members', async () => {
    const { ana, beto, carla, chat } = await openTeamWithChat()
    const [mine, theirs] = [await ana.listen(), await beto.listen()]
    await mine.socket.timeout(waitTimeoutMs).emitWithAck('chatTyping', String(chat.id), true)
    await theirs.waitFor(`company-${ana.companyId}-chatTyping`, { chatId: chat.id, userId: ana.id, typing: true })
    // A user who is not a member cannot appear as typing.
    await (await carla.listen()).socket.timeout(waitTimeoutMs).emitWithAck('chatTyping', String(chat.id), true)
    await theirs.whenCaughtUp()
    expect(theirs.received.filter(({ payload }) => payload?.userId === carla.id && 'typing' in payload)).toEqual([])
  })

  it('is published to new members, who start without unread messages', async () => {
    const { ana, beto, carla, chat } = await openTeamWithChat()
    await sendChatMessage(ana, chat, 'antes de Carla')
    const socketClient = await carla.listen()
    await ana.call(chatsApi.update, {
      params: { id: chat.id },
      body: { title: 'Recepción y guías', users: [{ id: ana.id }, { id: beto.id }, { id: carla.id }] },
    })
    for (const name of [`company-${ana.companyId}-chat-user-${carla.id}`, `chat-user-${carla.id}`])
      expect(await socketClient.waitFor(name, { action: 'create' })).toMatchObject({
        record: { title: 'Recepción y guías' },
      })
    const seen = await seenBy(carla, chat)
    // Beto had one unread message and still has it.
    expect([placeOf(seen, carla)?.unreads, placeOf(seen, beto)?.unreads]).toEqual([0, 1])
  })

  it('is removed from the list of a removed member, who receives nothing afterwards', async () => {
    const { ana, beto, carla, chat } = await openTeamWithChat()
    const people = { title: 'Tres', users: [{ id: beto.id }, { id: carla.id }] }
    await ana.call(chatsApi.update, { params: { id: chat.id }, body: people })
    const socketClient = await beto.listen()
    await ana.call(chatsApi.update, { params: { id: chat.id }, body: { title: 'Dos', users: [{ id: carla.id }] } })
    await socketClient.waitFor(`company-${ana.companyId}-chat`, { action: 'delete', id: chat.id })
    const before = socketClient.received.length
    await sendChatMessage(ana, chat, 'ahora sí')
    await socketClient.whenCaughtUp()
    expect(chatNews({ ...socketClient, received: socketClient.received.slice(before) })).toEqual([])
    expect(await seenBy(beto, chat)).toBeUndefined()
    expect(await beto.request('GET', `/chats/${chat.id}/messages`)).toMatchObject(missing)
    expect(await beto.request('POST', `/chats/${chat.id}/messages`, { message: 'yo' })).toMatchObject(missing)
  })

  it('stores no message of a member who is removed at the same moment', async () => {
    const { ana, beto, carla, chat } = await openTeamWithChat()
    const both = { title: 'x', users: [{ id: beto.id }, { id: carla.id }] }
    for (let n = 0; n < 3; n++) {
      await ana.call(chatsApi.update, { params: { id: chat.id }, body: both })
      const [, said] = await Promise.all([
        ana.call(chatsApi.update, { params: { id: chat.id }, body: { title: 'x', users: [{ id: carla.id }] } }),
        beto.request<ChatMessage>('POST', `/chats/${chat.id}/messages`, { message: `${n}` }),
      ])
      const { records } = await ana.call(chatsApi.messages, { params: { id: chat.id } })
      expect([200, 404]).toContain(said.status)
      expect(records.some((m) => m.message === `${n}`)).toBe(said.status === 200)
    }
  })

  it('is changed and deleted by its owner only, and gets a new owner when the owner leaves', async () => {
    const { ana, beto, carla, chat } = await openTeamWithChat()
    const body = { title: 'Mío', users: [{ id: beto.id }, { id: carla.id }] }
    expect((await beto.request('PUT', `/chats/${chat.id}`, body)).body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    expect((await beto.request('DELETE', `/chats/${chat.id}`)).body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    await ana.call(chatsApi.leave, { params: { id: chat.id } })
    const left = await seenBy(beto, chat)
    expect([left?.ownerId, left?.users.map((one) => one.userId)]).toEqual([beto.id, [beto.id]])
    const socketClient = await beto.listen()
    await beto.call(chatsApi.remove, { params: { id: chat.id } })
    await socketClient.waitFor(`company-${ana.companyId}-chat`, { action: 'delete', id: chat.id })
    expect(await seenBy(beto, chat)).toBeUndefined()
  })

  it('gets a new owner when its owner is deleted, and keeps the messages under the former owner’s name', async () => {
    const { ana, beto, admin, chat } = await openTeamWithChat(await newTeam())
    await sendChatMessage(ana, chat, 'me voy')
    await admin.call(usersApi.remove, { params: { id: ana.id } })
    await vi.waitFor(async () => expect((await seenBy(beto, chat))?.ownerId).toBe(beto.id), { timeout: 8000 })
    const { records } = await beto.call(chatsApi.messages, { params: { id: chat.id } })
    expect(records).toMatchObject([{ senderId: null, sender: { name: 'Ana Paula Ríos' }, message: 'me voy' }])
  })

  it('accepts active users of the company, and requires at least one', async () => {
    const { ana, carla } = ownTeam
    const stranger = (await harness.createCompany()).admin
    const create = (users: object[]) => ana.request('POST', '/chats', { title: 'x', users })
    expect((await create([{ id: stranger.id }])).body).toMatchObject({ error: 'ERR_NO_USER_FOUND' })
    const active = (active: boolean) =>
      harness.wide().db.updateTable('users').set({ active }).where('id', '=', carla.id).execute()
    await active(false)
    expect((await create([{ id: carla.id }])).body).toMatchObject({ error: 'ERR_NO_USER_FOUND' })
    await active(true)
    expect((await create([])).status).toBe(400)
    expect((await ana.request('POST', '/chats', { title: ' ', users: [{ id: ana.id }] })).body).toMatchObject({
      fields: { title: 'Required' },
    })
  })
})

it('is not found by an admin who is not a member', async () => {
  const { ana, admin, chat } = await openTeamWithChat()
  const message = await sendChatMessage(ana, chat, 'entre nosotros')
  const ofOne = Object.values(chatsApi).filter((e) => e.path.includes(':id') || e.path.includes(':uuid')) as Endpoint[]
  expect(ofOne.length).toBeGreaterThan(10)
  for (const e of ofOne) {
    const path = fillPath(e.path, { id: chat.id, messageId: message.id, uuid: chat.uuid })
    const body = e.path.endsWith('/mute') ? { muted: true } : { ...e.example, users: [{ id: admin.id }] }
    const answer = await admin.request(e.method, path, e.method === 'GET' ? undefined : body)
    expect([e.path, answer]).toMatchObject([e.path, missing])
  }
  expect(await listOf(admin)).toEqual([])
  expect((await admin.call(chatsApi.found, { query: { searchParam: 'nosotros' } })).records).toEqual([])
  expect(await admin.request('GET', `/chats/found?searchParam=nosotros&chatId=${chat.id}`)).toMatchObject(missing)
})

it('is refused without the plan feature, with an empty chat list', async () => {
  const { ana, chat, company } = await openTeamWithChat(await newTeam())
  const { db } = harness.wide()
  const { id } = await db
    .insertInto('plans')
    .values({
      ...{ name: `Plain ${company.id}`, users: 10, connections: 1, queues: 1, value: 0, useCampaigns: true },
      ...{ useKanban: true, useOpenAi: true, useIntegrations: true, useSchedules: true, useInternalChat: false },
      useExternalApi: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('companies').set({ planId: id }).where('id', '=', company.id).execute()
  await vi.waitFor(async () => expect(await listOf(ana)).toEqual([]), { timeout: 5000 })
  const refused = { status: 402, body: { error: 'ERR_PLAN_FEATURE' } }
  expect(await ana.request('POST', '/chats', { title: 'x', users: [{ id: ana.id }] })).toMatchObject(refused)
  expect(await ana.request('GET', `/chats/${chat.id}/messages`)).toMatchObject(refused)
})

describe('a chat message', () => {
  it('is sent once, can reply to another, and is edited and deleted by its author', async () => {
    const { ana, beto, chat } = await openTeamWithChat()
    const first = await sendChatMessage(ana, chat, '¿A las 11?', { clientId: 'browser-0001' })
    expect((await sendChatMessage(ana, chat, '¿A las 11?', { clientId: 'browser-0001' })).id).toBe(first.id)
    const answer = await sendChatMessage(beto, chat, 'Sí', { quotedId: first.id })
    expect(answer.quotedMsg).toMatchObject({ id: first.id, sender: { name: 'Ana Paula Ríos' }, message: '¿A las 11?' })
    const params = { id: chat.id, messageId: first.id }
    const other = await beto.request('PUT', `/chats/${chat.id}/messages/${first.id}`, { message: 'no' })
    expect(other.body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    const socketClient = await beto.listen()
    expect(await ana.call(chatsApi.edit, { params, body: { message: '¿A las 12?' } })).toMatchObject({ isEdited: true })
    await ana.call(chatsApi.unsay, { params })
    await socketClient.whenCaughtUp()
    const told = socketClient.received.filter(({ name }) => name === `company-${ana.companyId}-chatMessage`)
    expect(told.map(({ payload }) => payload.message)).toMatchObject([
      { message: '¿A las 12?', isEdited: true },
      { message: '', isDeleted: true },
    ])
    const { records } = await beto.call(chatsApi.messages, { params: { id: chat.id } })
    expect(records.at(-1)?.quotedMsg).toMatchObject({ message: '', isDeleted: true })
    expect((await ana.request('POST', `/chats/${chat.id}/messages`, { message: '  ' })).status).toBe(400)
  })

  it('cannot be quoted, changed or reacted to through another chat', async () => {
    const { ana, beto, carla, chat } = await openTeamWithChat()
    const other = await carla.call(chatsApi.create, { body: { title: 'Otro', users: [{ id: beto.id }] } })
    const secret = await sendChatMessage(carla, other, 'secreto')
    const none = { status: 404, body: { error: 'ERR_NO_CHATMESSAGE_FOUND' } }
    const path = `/chats/${chat.id}/messages`
    expect(await ana.request('POST', path, { message: 'x', quotedId: secret.id })).toMatchObject(none)
    expect(await ana.request('PUT', `${path}/${secret.id}`, { message: 'x' })).toMatchObject(none)
    expect(await ana.request('POST', `${path}/${secret.id}/reaction`, { emoji: '👍' })).toMatchObject(none)
  })

  it('takes one reaction per member', async () => {
    const { ana, beto, chat } = await openTeamWithChat()
    const { id: messageId } = await sendChatMessage(ana, chat, 'listo')
    const react = (who: TestUser, emoji: string) =>
      who.call(chatsApi.react, { params: { id: chat.id, messageId }, body: { emoji } })
    await react(beto, '👍')
    await react(ana, '🎉')
    expect((await react(beto, '❤️')).reactions).toEqual([
      { userId: ana.id, emoji: '🎉' },
      { userId: beto.id, emoji: '❤️' },
    ])
    expect((await react(beto, '')).reactions).toEqual([{ userId: ana.id, emoji: '🎉' }])
  })

  it('has a file, which is deleted with the message', async () => {
    const { ana, beto, chat } = await openTeamWithChat()
    const answer = await sendForm(ana, `/chats/${chat.id}/messages`, {
      message: ['el parte'],
      medias: [[tinyPdf, 'Parte lago.pdf']],
    })
    expect(answer.body).toMatchObject({ message: 'el parte', mediaType: 'application', mediaName: 'Parte_lago.pdf' })
    const { records } = await beto.call(chatsApi.messages, { params: { id: chat.id } })
    const url = (records[0]?.mediaUrl ?? '').replace(/^https?:\/\/[^/]+/, harness.address)
    expect((await fetch(url)).status).toBe(200)
    await ana.call(chatsApi.unsay, { params: { id: chat.id, messageId: records[0]?.id as number } })
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(404), { timeout: 8000 })
  })

  it('mentions members, who get a mention count', async () => {
    const { ana, beto, chat } = await openTeamWithChat()
    expect((await sendChatMessage(ana, chat, 'Gracias @beto, y a @nadie')).mentions).toEqual([beto.id])
    await sendChatMessage(ana, chat, 'mail@beto.test')
    expect((await seenBy(beto, chat))?.mine).toEqual({ muted: false, mentions: 1 })
    await beto.call(chatsApi.read, { params: { id: chat.id } })
    expect((await seenBy(beto, chat))?.mine).toEqual({ muted: false, mentions: 0 })
  })

  it('is found by its text in the user’s own chats', async () => {
    const { ana, beto, carla, chat } = await openTeamWithChat()
    await sendChatMessage(ana, chat, 'La lancha de las 9:15')
    await sendChatMessage(ana, chat, 'otra cosa')
    const find = async (who: TestUser) => (await who.call(chatsApi.found, { query: { searchParam: 'LÁNCHA' } })).records
    expect(await find(beto)).toMatchObject([{ message: 'La lancha de las 9:15', chat: { title: 'Recepción' } }])
    expect(await find(carla)).toEqual([])
    expect(await seenBy(beto, chat, 'recep')).toBeDefined()
    expect(await seenBy(beto, chat, 'paula')).toBeDefined()
    expect(await seenBy(beto, chat, 'Luna')).toBeUndefined()
  })
})

describe('a one-to-one chat', () => {
  it('is shared by both users, titled with the other member’s name, and published with its first message', async () => {
    const { ana, beto } = ownTeam
    const mine = await ana.call(chatsApi.direct, { params: { userId: beto.id } })
    const theirs = await beto.call(chatsApi.direct, { params: { userId: ana.id } })
    expect([mine.id, mine.title, theirs.title, mine.ownerId]).toEqual([theirs.id, 'Beto Luna', 'Ana Paula Ríos', 0])
    expect((await listOf(beto)).map((chat) => chat.id)).not.toContain(mine.id)
    const socketClient = await beto.listen()
    await sendChatMessage(ana, mine, 'hola')
    expect(await socketClient.waitFor(`company-${ana.companyId}-chat`, { action: 'new-message' })).toMatchObject({
      chat: { title: 'Ana Paula Ríos' },
    })
    expect((await listOf(beto))[0]).toMatchObject({ id: mine.id, title: 'Ana Paula Ríos', isDirect: true })
    for (const [method, path] of [
      ['PUT', `/chats/${mine.id}`],
      ['DELETE', `/chats/${mine.id}`],
      ['POST', `/chats/${mine.id}/leave`],
    ] as const)
      expect((await ana.request(method, path, { title: 'x', users: [{ id: ana.id }] })).body).toMatchObject({
        error: 'ERR_NO_PERMISSION',
      })
  })
})

it('shows #170 as a ticket card to members who may see the ticket, and as plain text to others', async () => {
  const d = await openDesk(harness)
  const [ana, beto] = [await d.createUser('user'), await d.createUser('user')]
  const { id } = await d.newTicket()
  await d.putTicket(d.admin, id, { userId: ana.id })
  const { number, contact } = await d.showTicket(id)
  const cards = (who: TestUser) => who.call(chatsApi.tickets, { query: { numbers: `${number},999999,x` } })
  expect(await cards(ana)).toMatchObject([{ id, number, contact: { name: contact.name } }])
  expect(await cards(beto)).toEqual([])
})

it('lists chats with one statement, and sends a message at the same cost whatever the number of chats', async () => {
  const { ana, beto, chat } = await openTeamWithChat()
  /** The number of statements on chats that some work executes. */
  const count = async (work: () => Promise<unknown>) => {
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    await work()
    const texts = asked.mock.calls.map(([given]) =>
      typeof given === 'string' ? given : (given as { text: string }).text,
    )
    asked.mockRestore()
    return texts.filter((text) => /chatUsers/.test(text)).length
  }
  await sendChatMessage(ana, chat, 'warm')
  await listOf(ana)
  const alone = await count(() => sendChatMessage(ana, chat, 'one'))
  expect(await count(() => listOf(ana))).toBe(1)
  for (let n = 0; n < 10; n++)
    await ana.call(chatsApi.create, { body: { title: `Chat ${n}`, users: [{ id: beto.id }] } })
  expect(await count(() => sendChatMessage(ana, chat, 'two'))).toBe(alone)
  expect(await count(() => listOf(ana))).toBe(1)
})

it('sends a push where no tab is open, but not to the author, nor to members who muted the chat unless mentioned', async () => {
  const { ana, beto, chat } = await openTeamWithChat(await newTeam())
  const browser = service.browser()
  await beto.call(pushApi.subscribe, { body: browser.subscription })
  await vi.waitFor(() => expect(harness.server.deps.push.hasSubscribers(beto.companyId)).toBe(true))
  const got = (times: number) => vi.waitFor(() => expect(browser.received()).toHaveLength(times), { timeout: 8000 })
  await beto.call(chatsApi.mute, { params: { id: chat.id }, body: { muted: true } })
  await sendChatMessage(ana, chat, 'nadie lo oye')
  harness.clock.advance(6000)
  await sendChatMessage(ana, chat, 'pero @Beto sí')
  await got(1)
  expect(browser.received()[0]?.notification).toEqual({
    ...{ title: 'Recepción', body: 'Ana Paula Ríos: pero @Beto sí' },
    ...{ tag: `chat-${chat.id}`, url: `/chats/${chat.uuid}` },
  })
})

describe('mentions in a text', () => {
  const people = [
    { id: 1, name: 'Ana Paula Ríos' },
    { id: 2, name: 'Ana Sosa' },
    { id: 3, name: 'Beto' },
  ]
  it.each([
    ['@Beto', [3]],
    ['hola @beto, @BETO', [3, 3]],
    ['@Ana', []],
    ['@Ana Sosa ven', [2]],
    ['@ana paula ríos y @Beto', [1, 3]],
    ['@Betoven', []],
    ['x@Beto', []],
    ['@', []],
  ])('%s mentions the users %j', (text, ids) => {
    const named = findMentions(text, people)
    expect(named.map((one) => one.userId)).toEqual(ids)
    for (const { from, to } of named) expect(text.slice(from, to)).toMatch(/^@/)
  })
  it('finds ticket numbers, each once', () => {
    expect(findTicketNumbers('#170 y #12, otra vez #170; x#3 #x ##4 &#39; #5a')).toEqual([170, 12])
  })
})
