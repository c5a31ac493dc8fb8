import '@recado/whatsapp/silence-libsignal'
import { readFile } from 'node:fs/promises'
import { connectionsApi } from '@recado/contract/connections'
import { messagesApi } from '@recado/contract/messages'
import { pushApi } from '@recado/contract/push'
import { settingsApi } from '@recado/contract/settings'
import { ticketsApi } from '@recado/contract/tickets'
import type { Person as Account } from '@recado/whatsapp/person'
import { WhatsApp } from '@recado/whatsapp/service'
import { encryptedStream, type proto } from 'baileys'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  createCustomer,
  createLinkedLine,
  createShop,
  type LinkedLine,
  type LinkedServer,
  listTicketMessages,
  nextLinkedNumber,
  startConversation,
  waitForTicket,
} from '../../../test/linked-phone.ts'
import { openPushService, type PushBrowser } from '../../../test/push-service.ts'
import { closeTestServers, type SocketClient, type TestUser, testServer } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'
import { makeLog } from '../../kernel/log.ts'
import { vendorTimestampToDate } from '../vendor-timestamp.ts'

/** The phone's history of each conversation, newest first. */
type PastMessageInfo = proto.IWebMessageInfo
const memory = new Map<Account, PastMessageInfo[]>()
/** Every history request that reached the phone. */
const questions: string[] = []
const historyBegan = Math.floor(Date.now() / 1000) - 86_400 * 30

let linkedServer: LinkedServer
let push: Awaited<ReturnType<typeof openPushService>>
let browser: PushBrowser
let admin: TestUser
let socketClient: SocketClient
let line: LinkedLine
let shop: Account
let alice: Account
let zoe: Account
let group: ReturnType<WhatsApp['addGroup']>
let bob: Account
let bobs: number
let encryptedFile: Buffer
let device: Awaited<ReturnType<Account['scan']>>

/** Phones store their chats under the hidden id by now. */
const jidOf = ({ account }: Account) => account.jid('lid')
const textOf = (text: string): proto.IMessage => ({ conversation: text })

/** History from before the line was linked: one message each minute, the last first. */
function remember(person: Account, messages: (proto.IMessage & { mine?: boolean; liked?: boolean })[]): void {
  const told = messages.map(
    ({ mine = false, liked = false, ...message }, n): PastMessageInfo => ({
      key: { remoteJid: jidOf(person), id: `PAST-${person.account.phoneNumber}-${n}`, fromMe: mine },
      message,
      messageTimestamp: historyBegan + n * 60,
      ...(mine && { status: 4 }),
      ...(liked && { reactions: [{ key: { remoteJid: jidOf(person), id: `R${n}`, fromMe: false }, text: '👍' }] }),
    }),
  )
  memory.set(person, told.reverse())
}
const conversation = (person: Account, messages: PastMessageInfo[]): proto.IConversation => ({
  id: jidOf(person),
  pnJid: person.account.jid('pn'),
  messages: messages.map((message) => ({ message })),
})

/** History before the message that the client names; all history if the phone does not have that message. */
function older({
  chatJid,
  oldestMsgId,
  onDemandMsgCount,
}: proto.Message.PeerDataOperationRequestMessage.IHistorySyncOnDemandRequest): proto.IHistorySync {
  questions.push(chatJid ?? '')
  const [person] = [...memory.keys()].filter(({ account }) =>
    [account.jid('pn'), account.jid('lid')].includes(chatJid ?? ''),
  )
  if (!person) return { conversations: [] }
  const said = memory.get(person) ?? []
  const from = said.findIndex(({ key }) => key?.id === oldestMsgId) + 1
  return { conversations: [conversation(person, said.slice(from, from + Number(onDemandMsgCount)))] }
}
/** Answers any request as if it were another request about another chat. */
const answerForOtherChat = ({ chatJid }: { chatJid?: string | null }) => {
  questions.push(chatJid ?? '')
  return { conversations: [{ id: `${nextLinkedNumber()}@s.whatsapp.net`, messages: [] }], requestId: 'another' }
}

const history = async () => (await line.showLine()).history
const waitForHistoryEnd = (state: string) =>
  vi.waitFor(
    async () => {
      const now = await history()
      if (now?.state !== state) throw new Error(`it is ${now?.state}, ${now?.done} of ${now?.chats}`)
      return now
    },
    { timeout: 10_000, interval: 20 },
  )
const tickets = async (status: 'open' | 'pending' | 'closed') =>
  (await admin.call(ticketsApi.list, { query: { status, showAll: true } as never })).tickets
const closedOf = async (person: Account) => {
  const found = (await tickets('closed')).find(({ contact }) => contact.number === person.account.phoneNumber)
  if (!found) throw new Error('nothing of before')
  return found
}
const saidIn = async (ticketId: number) =>
  (await listTicketMessages(admin, ticketId)).map(({ id, body, createdAt }) => ({ id, body, createdAt }))
/** The number of stored messages of a person, on all pages. */
const storedOf = async (person: Account) =>
  linkedServer.server
    .wide()
    .db.selectFrom('messages')
    .innerJoin('contacts', 'contacts.id', 'messages.contactId')
    .select('messages.wid')
    .where('contacts.number', '=', person.account.phoneNumber)
    .where('messages.wid', 'like', 'PAST-%')
    .execute()

const pace = { reconnectMs: 20, pastIntervalMs: 5, pastTimeoutMs: waitTimeoutMs }

beforeAll(async () => {
  const history = () => {
    const key = { remoteJid: group.jid, id: 'PAST-G', fromMe: false, participant: alice.account.jid('lid') }
    const ladder: PastMessageInfo = { key, messageTimestamp: historyBegan, message: textOf('who has a ladder?') }
    const ofGroup = { id: group.jid, messages: [{ message: ladder }] }
    return [{ conversations: [conversation(zoe, (memory.get(zoe) ?? []).slice(0, 1)), ofGroup] }]
  }
  const wa = await WhatsApp.start({ loadHistory: history })
  wa.trust()
  const log = makeLog(process.env.TEST_LOG ?? 'silent')
  linkedServer = { wa, server: await testServer({ whatsappUrl: wa.url, privateTargets: true }, log, { linked: pace }) }
  const company = await linkedServer.server.createCompany()
  admin = company.admin
  push = await openPushService()
  browser = push.browser()
  // This user has no open tab, so that any push would be sent to them.
  const away = await company.user('admin')
  await linkedServer.server
    .wide()
    .db.updateTable('users')
    .set({ allTicket: 'enabled' })
    .where('id', '=', away.id)
    .execute()
  await away.call(pushApi.subscribe, { body: browser.subscription })
  await vi.waitFor(() => expect(linkedServer.server.server.deps.push.hasSubscribers(company.id)).toBe(true))
  shop = createShop(linkedServer)
  alice = createCustomer(linkedServer, 'Alice')
  zoe = createCustomer(linkedServer, 'Zoe')
  group = linkedServer.wa.addGroup('Neighbours', [alice, shop])
  remember(zoe, [textOf('abren los lunes?'), { ...textOf('si'), mine: true }, textOf('gracias')])
  const { encFilePath, mediaKey } = await encryptedStream(tinyPng, 'image')
  encryptedFile = await readFile(encFilePath)
  const photo = { imageMessage: { mimetype: 'image/png', caption: 'la foto', directPath: '/v/local/foto', mediaKey } }
  // The phone that sent the file is asked to upload it again.
  const id = `PAST-${alice.account.phoneNumber}-51`
  alice.sent.set(id, { to: shop.account, message: photo, options: {} })
  remember(alice, [
    ...Array.from({ length: 51 }, (_, n) => textOf(`antes ${n}`)),
    photo,
    { ...textOf('vista'), mine: true, liked: true },
  ])
  shop.olderHistory = older
  line = await createLinkedLine(admin, { greetingMessage: 'Bienvenido' })
  device = await line.scanWith(shop)
  socketClient = await admin.listen()
})
afterAll(async () => {
  await closeTestServers()
  await linkedServer.wa.close()
  push.close()
})

describe('message history', () => {
  it('is imported on request at its chronological position, without changing current messages or tickets', async () => {
    const { id } = await startConversation(admin, shop, alice)
    // The ticket no longer changes once the greeting has its acknowledgements.
    const acks = async () => (await listTicketMessages(admin, id)).filter(({ fromMe }) => fromMe).map(({ ack }) => ack)
    await expect.poll(acks).toEqual([3])
    const living = await saidIn(id)
    const before = await Promise.all([tickets('open'), tickets('pending')])
    const listened = socketClient.received.length
    await line.requestHistory()
    const { chats, done } = await waitForHistoryEnd('done')
    expect({ chats, done }).toEqual({ chats: 3, done: 3 })
    await expect.poll(async () => (await history())?.messages).toBe(50 + 3)

    const page = await listTicketMessages(admin, id)
    expect(page).toHaveLength(20)
    expect((await saidIn(id)).slice(-living.length)).toEqual(living)
    expect(page.slice(0, -living.length).slice(-2)).toMatchObject([
      { body: 'la foto', mediaType: 'image', mediaState: 'failed', error: 'past-media', mediaUrl: null },
      {
        body: 'vista',
        fromMe: true,
        ack: 4,
        createdAt: vendorTimestampToDate(historyBegan + 52 * 60).toISOString(),
        reactions: [{ emoji: '👍', fromMe: false }],
      },
    ])
    expect(await Promise.all([tickets('open'), tickets('pending')])).toEqual(before)
    const news = socketClient.received.slice(listened).filter(({ name }) => name.endsWith('-appMessage'))
    expect(news).toEqual([])
    // Clients that have the conversation open read it again.
    const { contactId } = await waitForTicket(admin, alice.account.phoneNumber)
    const told = () =>
      socketClient.received.slice(listened).flatMap(({ name, payload }) => (name.endsWith('-thread') ? [payload] : []))
    await expect.poll(told).toContainEqual({ contactId, whatsappId: line.id })
  })

  it('has its files downloaded on request, with an error for files that no longer exist', async () => {
    const { id } = await waitForTicket(admin, alice.account.phoneNumber)
    const photo = async () => (await listTicketMessages(admin, id)).find(({ body }) => body === 'la foto')
    const params = { id: (await photo())?.id ?? '' }
    expect(await admin.call(messagesApi.fetch, { params })).toMatchObject({ mediaState: 'pending', error: null })
    await expect.poll(photo).toMatchObject({ mediaState: 'failed', error: 'media-gone' })
    linkedServer.wa.media.put('foto', encryptedFile)
    await admin.call(messagesApi.fetch, { params })
    await expect.poll(photo).toMatchObject({ mediaState: 'ready', error: null })
    const file = await fetch(new URL((await photo())?.mediaUrl ?? '', linkedServer.server.address))
    expect(Buffer.from(await file.arrayBuffer()).equals(tinyPng)).toBe(true)
    // A stored file is not requested again, and a text has no file.
    expect(await admin.call(messagesApi.fetch, { params })).toMatchObject({ mediaState: 'ready' })
    const words = (await listTicketMessages(admin, id)).at(-1)
    await expect(admin.call(messagesApi.fetch, { params: { id: words?.id ?? '' } })).rejects.toThrow(
      'ERR_WAPP_DOWNLOAD_MEDIA',
    )
  })

  it('sends no push notification, but the next new message does', async () => {
    bob = createCustomer(linkedServer, 'Bob')
    await bob.sendText(shop.account, 'soy nuevo')
    bobs = (await waitForTicket(admin, bob.account.phoneNumber)).id
    const rung = () => browser.received().map(({ notification: note }) => note.body)
    await vi.waitFor(() => expect(rung()).toContain('soy nuevo'), { timeout: 8000 })
    expect(rung().filter((body) => body !== 'hola')).toEqual(['soy nuevo'])
  })

  it('of a contact who has not written since becomes a closed ticket, and no bot greets the contact', async () => {
    const ticket = await closedOf(zoe)
    expect(ticket).toMatchObject({
      status: 'closed',
      lastMessage: 'gracias',
      unreadMessages: 0,
      updatedAt: vendorTimestampToDate(historyBegan + 120).toISOString(),
      last: { fromMe: false },
    })
    const said = await listTicketMessages(admin, ticket.id)
    expect(said.map(({ body, fromMe }) => [body, fromMe])).toEqual([
      ['abren los lunes?', false],
      ['si', true],
      ['gracias', false],
    ])
  })

  it('goes further back with each request, and stores duplicates once', async () => {
    await line.requestHistory()
    await waitForHistoryEnd('done')
    await expect.poll(async () => (await storedOf(alice)).length).toBe(53)
    expect((await history())?.messages).toBe(3)
    expect(await closedOf(alice)).toMatchObject({ lastMessage: 'vista', last: { fromMe: true, ack: 4 } })
    // The phone returns the same messages for any request.
    shop.olderHistory = (asked) => older({ ...asked, oldestMsgId: 'nothing', onDemandMsgCount: 100 })
    await line.requestHistory()
    await waitForHistoryEnd('done')
    // Any result of the request is in the journal before this message.
    await bob.sendText(shop.account, 'hola otra vez')
    await expect.poll(async () => (await listTicketMessages(admin, bobs)).at(-1)?.body).toBe('hola otra vez')
    expect((await history())?.messages).toBe(0)
    expect([await storedOf(alice), await storedOf(zoe)].map((one) => one.length)).toEqual([53, 3])
  })

  it('can be stopped and started again', async () => {
    questions.length = 0
    const stopped = Promise.withResolvers<void>()
    shop.olderHistory = async (asked) => {
      const said = older(asked)
      await stopped.promise
      return said
    }
    await line.requestHistory()
    await expect.poll(() => questions.length).toBe(1)
    await line.stopHistory()
    expect(await history()).toMatchObject({ state: 'stopped', done: 0, chats: 4 })
    await line.stopHistory()
    shop.olderHistory = older
    stopped.resolve()
    await line.requestHistory()
    expect(await waitForHistoryEnd('done')).toMatchObject({ done: 4, chats: 4 })
    expect(questions).toHaveLength(1 + 4)
  })

  it('continues automatically after a lost connection', async () => {
    questions.length = 0
    shop.olderHistory = answerForOtherChat
    await line.requestHistory()
    await expect.poll(() => questions.length).toBe(1)
    shop.olderHistory = older
    device.connection?.terminate()
    expect(await waitForHistoryEnd('done')).toMatchObject({ done: 4, chats: 4 })
    expect(questions).toHaveLength(1 + 4)
  })

  it('of a group is imported if groups are enabled', async () => {
    await admin.call(settingsApi.update, { params: { key: 'CheckMsgIsGroup' }, body: { value: 'disabled' } as never })
    await line.requestHistory()
    await waitForHistoryEnd('done')
    await expect.poll(async () => (await history())?.messages).toBe(1)
    const found = (await tickets('closed')).find(({ isGroup }) => isGroup)
    expect(found?.contact.name).toBe('Neighbours')
    expect(await listTicketMessages(admin, found?.id ?? 0)).toMatchObject([
      { body: 'who has a ladder?', contact: { name: 'Alice' } },
    ])
  })

  it('publishes progress to users who manage lines', async () => {
    const listened = socketClient.received.length
    await line.requestHistory()
    await waitForHistoryEnd('done')
    const told = () =>
      socketClient.received.slice(listened).flatMap(({ name, payload }) => {
        const row = (payload?.whatsapp ?? payload?.record) as { history?: { state: string; done: number } } | undefined
        return name.endsWith('-whatsapp') && row?.history ? [`${row.history.state} ${row.history.done}`] : []
      })
    await expect.poll(told).toEqual(expect.arrayContaining(['running 0', 'running 1', 'done 4']))
  })

  it('accepts an answer by its request id when the library merged it with the answer to another request', async () => {
    shop.olderHistory = (asked) => ({ conversations: answerForOtherChat(asked).conversations })
    await line.requestHistory()
    expect(await waitForHistoryEnd('done')).toMatchObject({ done: 4, chats: 4 })
    shop.olderHistory = older
  })

  it('reports an error when the phone does not answer', async () => {
    // Only this line gets a short timeout; the phones above had the full time, in case the machine is busy.
    pace.pastTimeoutMs = 700
    const patient = linkedServer.server.server.lines.connectedLine(line.id)
    const { db } = linkedServer.server.wide()
    await sql`update whatsapps set "wantedRound" = "wantedRound" + 1 where id = ${line.id}`.execute(db)
    await sql`select pg_notify('recado', 'lines')`.execute(db)
    await expect
      .poll(() => [undefined, patient].includes(linkedServer.server.server.lines.connectedLine(line.id)))
      .toBe(false)
    shop.olderHistory = answerForOtherChat
    await line.requestHistory()
    await waitForHistoryEnd('silent')
    shop.olderHistory = older
  })

  it('is refused if the provider has no history, and while the line is off', async () => {
    const { id } = await admin.call(connectionsApi.create, { body: { name: 'Test', provider: 'sandbox' } as never })
    await expect(admin.call(connectionsApi.askPast, { params: { whatsappId: id } })).rejects.toThrow(
      'ERR_WAPP_NO_HISTORY',
    )
    await line.disconnect()
    await line.waitForStatus('DISCONNECTED')
    await expect(line.requestHistory()).rejects.toThrow('ERR_WAPP_NOT_INITIALIZED')
  })
})
