import { spawnSync } from 'node:child_process'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connectionsApi } from '@recado/contract/connections'
import { contactsApi } from '@recado/contract/contacts'
import { messagesApi, waitingMessageBody } from '@recado/contract/messages'
import { settingsApi } from '@recado/contract/settings'
import { ticketsApi } from '@recado/contract/tickets'
import type { Person as Account } from '@recado/whatsapp/person'
import { aesEncryptGCM, proto } from 'baileys'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { refuseQueries } from '../../../test/database-failures.ts'
import {
  acceptLinkedTicket,
  createCustomer,
  createLinkedLine,
  createShop,
  type LinkedLine,
  type LinkedServer,
  listTicketMessages,
  messageText,
  nextLinkedNumber,
  openLinkedServer,
  sendAnswer,
  startConversation,
  waitForMessage,
  waitForTicket,
} from '../../../test/linked-phone.ts'
import { readRecording, risingWaveform } from '../../../test/recordings.ts'
import { closeTestServers, type TestUser } from '../../../test/test-server.ts'
import { sendForm } from '../../../test/upload.ts'

/** One linked phone for all tests of the file: the server on one side, people with phones on the other. */
let linkedServer: LinkedServer
let admin: TestUser
let line: LinkedLine
let shop: Account
let device: Awaited<ReturnType<Account['scan']>>
/** Rita is in the address book of the shop's phone, which sends it while it is being linked. */
let rita: Account
let omar: Account
const bookOf = () => [
  { id: rita.account.jid('pn'), name: 'Rita farmacia' },
  { id: omar.account.jid('lid'), pnJid: omar.account.jid('pn'), name: 'Omar plomero' },
  { id: createCustomer(linkedServer).account.jid('pn') },
  { id: createCustomer(linkedServer).account.jid('lid'), name: 'Without a number' },
  { id: '120363000000000007@g.us', name: 'Family' },
]

beforeAll(async () => {
  linkedServer = await openLinkedServer({}, {}, { loadHistory: () => [{ conversations: bookOf() }] })
  ;[rita, omar] = [createCustomer(linkedServer, 'R.'), createCustomer(linkedServer, 'O.')]
  admin = (await linkedServer.server.createCompany()).admin
  shop = createShop(linkedServer)
  line = await createLinkedLine(admin)
  device = await line.scanWith(shop)
})
afterAll(async () => {
  await closeTestServers()
  await linkedServer.wa.close()
})

/** One white pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const last = async (ticketId: number) => (await listTicketMessages(admin, ticketId)).at(-1)

describe('a conversation on a linked phone', () => {
  it('receives a customer’s message, sends the answer, and gets the acknowledgements', async () => {
    const alice = createCustomer(linkedServer, 'Alice')
    const ticket = await startConversation(admin, shop, alice)
    expect(ticket.contact.name).toBe('Alice')
    expect(await listTicketMessages(admin, ticket.id)).toMatchObject([{ body: 'hola', fromMe: false }])
    alice.autoDeliveryReceipts = false
    const told = waitForMessage(alice)
    await sendAnswer(admin, ticket.id, 'buenas')
    const { message, id } = await told
    expect(messageText(message)).toBe('buenas')
    await expect.poll(async () => (await last(ticket.id))?.ack).toBe(2)
    alice.sendReceipt(shop.account, [id])
    await expect.poll(async () => (await last(ticket.id))?.ack).toBe(3)
    alice.sendReceipt(shop.account, [id], 'read', { addressing: 'pn' })
    await expect.poll(async () => (await last(ticket.id))?.ack).toBe(4)
    expect(linkedServer.wa.unknownIqs).toEqual([])
  })

  it('gets acknowledgements also if they came while the database was briefly unavailable', async () => {
    const eli = createCustomer(linkedServer, 'Eli')
    const ticket = await startConversation(admin, shop, eli)
    eli.autoDeliveryReceipts = false
    const told = waitForMessage(eli)
    await sendAnswer(admin, ticket.id, 'ya voy')
    const { id } = await told
    await expect.poll(async () => (await last(ticket.id))?.ack).toBe(2)
    const away = refuseQueries((text) => text.includes('insert into journal'))
    onTestFinished(away.end)
    eli.sendReceipt(shop.account, [id], 'read', { addressing: 'pn' })
    await expect.poll(away.times).toBeGreaterThan(0)
    away.end()
    await expect.poll(async () => (await last(ticket.id))?.ack).toBe(4)
  })

  it('gets all messages if the database failed for one of several, from phones that do not resend', async () => {
    const gus = createCustomer(linkedServer, 'Gus')
    const ticket = await startConversation(admin, shop, gus)
    let left = 1
    const away = refuseQueries((text) => text.includes('insert into journal') && left-- > 0)
    onTestFinished(away.end)
    for (const text of ['uno', 'dos', 'tres']) await gus.sendText(shop.account, text)
    gus.sent.clear()
    const bodies = async () => (await listTicketMessages(admin, ticket.id)).map((m) => m.body)
    await expect.poll(bodies).toEqual(['hola', 'uno', 'dos', 'tres'])
    expect(away.times()).toBe(1)
  })

  it('gets every message, whichever query fails while it is received, from phones that do not resend', async () => {
    const zoe = createCustomer(linkedServer, 'Zoe')
    const { id } = await startConversation(admin, shop, zoe)
    const listBodies = async (ticketId: number) => (await listTicketMessages(admin, ticketId)).map((m) => m.body)
    /** Sends while the nth query about keys or the journal is refused; false if there were fewer queries. */
    const sendWithFailure = async (person: Account, nth: number, arrive: (text: string) => Promise<unknown>) => {
      let seen = 0
      const away = refuseQueries((text) => /"linkedKeys"|journal/.test(text) && seen++ === nth)
      onTestFinished(away.end)
      const text = `de nuevo ${nth}`
      await person.sendText(shop.account, text)
      person.sent.clear()
      await arrive(text)
      away.end()
      return away.times() > 0
    }
    const fromZoe = ['hola']
    let failures = 0
    // The line loses its cache with its connection, so the session of a known person is read again.
    const receiveFromZoe = (nth: number) =>
      sendWithFailure(zoe, nth, async (text) => {
        fromZoe.push(text)
        await expect.poll(() => listBodies(id), { timeout: 10_000 }).toEqual(fromZoe)
      })
    const receiveFromNewcomer = (nth: number) => {
      const newcomer = createCustomer(linkedServer, 'Ana')
      return sendWithFailure(newcomer, nth, async (text) => {
        const ticket = await waitForTicket(admin, newcomer.account.phoneNumber)
        await expect.poll(() => listBodies(ticket.id)).toEqual([text])
      })
    }
    for (const receive of [receiveFromNewcomer, receiveFromZoe])
      for (let nth = 0; await receive(nth); nth++) expect(++failures).toBeLessThan(60)
    expect(failures).toBeGreaterThan(5)
  })

  it('belongs to one contact, addressed by number or by hidden id', async () => {
    const bea = createCustomer(linkedServer, 'Bea')
    await bea.sendText(shop.account, 'uno', { addressing: 'lid' })
    const ticket = await waitForTicket(admin, bea.account.phoneNumber)
    await bea.sendText(shop.account, 'dos', { addressing: 'pn' })
    await bea.sendText(shop.account, 'tres', { addressing: 'lid' })
    const bodies = async () => (await listTicketMessages(admin, ticket.id)).map((m) => m.body)
    await expect.poll(bodies).toEqual(['uno', 'dos', 'tres'])
  })

  it('shows messages typed on the phone itself', async () => {
    const carl = createCustomer(linkedServer, 'Carl')
    const ticket = await startConversation(admin, shop, carl)
    await shop.sendText(carl.account, 'I answered from my phone')
    await expect.poll(() => last(ticket.id)).toMatchObject({ body: 'I answered from my phone', fromMe: true })
  })

  it('gets messages that customers wrote while the line was offline', async () => {
    const dora = createCustomer(linkedServer, 'Dora')
    const ticket = await startConversation(admin, shop, dora)
    device.connection?.terminate()
    for (const text of ['one', 'two', 'three']) await dora.sendText(shop.account, text)
    const bodies = async () => (await listTicketMessages(admin, ticket.id)).map((m) => m.body)
    await expect.poll(bodies).toEqual(['hola', 'one', 'two', 'three'])
    await expect.poll(() => device.pendingCount).toBe(0)
  })

  it('is readable on both sides while both write at once, also right after a reconnect', async () => {
    const rounds = ['a', 'b', 'c']
    const count = Array.from({ length: 12 }, (_, n) => n)
    const every = (way: string) => rounds.flatMap((round) => count.map((n) => `${round}${n} ${way}`))
    const unreadable: string[] = []
    const talks: { person: Account; ticketId: number; shown: unknown[] }[] = []
    for (const person of [createCustomer(linkedServer, 'Uma'), createCustomer(linkedServer, 'Vic')]) {
      const { id: ticketId } = await startConversation(admin, shop, person)
      const shown: unknown[] = []
      person.on('message', ({ message }) => shown.push(messageText(message)))
      person.on('undecryptable', ({ error }) => unreadable.push(error.message))
      person.on('receipt', ({ type }) => type === 'retry' && unreadable.push('asked for again'))
      talks.push({ person, ticketId, shown })
    }
    for (const round of rounds) {
      if (round !== 'a') device.connection?.terminate()
      const writers = talks.flatMap(({ person, ticketId }) => [
        (n: number): Promise<unknown> => person.sendText(shop.account, `${round}${n} in`),
        (n: number): Promise<unknown> => sendAnswer(admin, ticketId, `${round}${n} out`),
      ])
      const writeAll = async (write: (n: number) => Promise<unknown>) => {
        for (const n of count) await write(n)
      }
      await Promise.all(writers.map(writeAll))
    }
    const heard = async (ticketId: number) => {
      const { db } = linkedServer.server.wide()
      const from = db.selectFrom('messages').select('body').where('ticketId', '=', ticketId).where('fromMe', '=', false)
      return (await from.orderBy('id').execute()).map(({ body }) => body)
    }
    for (const { ticketId, shown } of talks) {
      await expect.poll(() => shown).toEqual(every('out'))
      await expect.poll(() => heard(ticketId)).toEqual(['hola', ...every('in')])
    }
    expect(unreadable).toEqual([])
  })

  it('shows a placeholder for an undecryptable message, and replaces it when the phone sends the message again', async () => {
    const eve = createCustomer(linkedServer, 'Eve')
    const ticket = await startConversation(admin, shop, eve)
    const socketClient = await admin.listen()
    await eve.sendText(shop.account, 'now you can read it', { isGarbled: true })
    await expect.poll(() => last(ticket.id)).toMatchObject({ body: 'now you can read it', mediaType: 'conversation' })
    const said = () =>
      socketClient.received.flatMap(({ name, payload }) => (name.endsWith('appMessage') ? [payload] : []))
    await expect.poll(said).toMatchObject([
      { action: 'create', message: { body: waitingMessageBody, mediaType: 'unknown' } },
      { action: 'update', message: { body: 'now you can read it', mediaType: 'conversation' } },
    ])
    expect(await listTicketMessages(admin, ticket.id)).toHaveLength(2)
    socketClient.close()
  })

  it('shows only the reaction when a reaction could not be decrypted at first', async () => {
    const [ian, joy] = [createCustomer(linkedServer, 'Ian'), createCustomer(linkedServer, 'Joy')]
    const ticket = await startConversation(admin, shop, ian)
    await sendAnswer(admin, ticket.id, 'listo')
    const { id } = await waitForMessage(ian)
    const socketClient = await admin.listen()
    const like = { reactionMessage: { key: { remoteJid: shop.account.jid('lid'), id, fromMe: false }, text: '👍' } }
    await ian.send(shop.account, like, { isGarbled: true })
    await expect.poll(() => last(ticket.id)).toMatchObject({ body: 'listo', reactions: [{ emoji: '👍' }] })
    const said = () => socketClient.received.flatMap(({ name, payload }) => (name.endsWith('-thread') ? [payload] : []))
    await expect.poll(said).toEqual([{ contactId: ticket.contactId, whatsappId: line.id }])
    expect((await waitForTicket(admin, ian.account.phoneNumber)).unreadMessages).toBe(0)
    // The number is unknown, so the placeholder alone has opened a ticket.
    await joy.send(shop.account, like, { isGarbled: true })
    const gone = () =>
      socketClient.received.filter(({ name, payload }) => name.endsWith('-ticket') && payload.action === 'delete')
    await expect.poll(gone).toHaveLength(1)
    socketClient.close()
  })

  it('is marked as read on the phone when it is read in the app', async () => {
    const fay = createCustomer(linkedServer, 'Fay')
    const ticket = await startConversation(admin, shop, fay)
    const read: string[] = []
    fay.on('receipt', ({ type, ids }) => void (type === 'read' && read.push(...ids)))
    const id = await fay.sendText(shop.account, 'did you see?')
    await expect.poll(() => last(ticket.id)).toMatchObject({ body: 'did you see?' })
    await expect.poll(() => read).toContain(id)
  })

  it('can revoke a message', async () => {
    const gus = createCustomer(linkedServer, 'Gus')
    const ticket = await startConversation(admin, shop, gus)
    const told = waitForMessage(gus)
    const sent = await sendAnswer(admin, ticket.id, 'oops')
    const { id } = await told
    await expect.poll(async () => (await last(ticket.id))?.ack).toBeGreaterThan(1)
    const taken = waitForMessage(gus)
    await admin.call(messagesApi.remove, { params: { id: sent.messages[0]?.id ?? '' } })
    expect((await taken).message.protocolMessage).toMatchObject({ key: { id }, type: 0 })
  })
})

describe('typing on a linked phone', () => {
  it('is shown on both sides', async () => {
    const hal = createCustomer(linkedServer, 'Hal')
    const ticket = await startConversation(admin, shop, hal)
    const socketClient = await admin.listen()
    hal.setTyping(shop.account, 'composing')
    await socketClient.waitFor(`company-${admin.companyId}-typing`, { ticketId: ticket.id, typing: true })
    const state = once(hal, 'chatstate')
    await socketClient.socket.emitWithAck('joinChatBox', String(ticket.id))
    await socketClient.socket.emitWithAck('agentTyping', ticket.id, true)
    expect(await state).toMatchObject([{ state: 'composing' }])
    socketClient.close()
  })
})

describe('a call to a linked phone', () => {
  it('is shown in the conversation, and is rejected if calls are disabled', async () => {
    const ida = createCustomer(linkedServer, 'Ida')
    const ticket = await startConversation(admin, shop, ida)
    await admin.call(settingsApi.update, { params: { key: 'call' }, body: { value: 'disabled' } as never })
    const rejected = once(ida, 'callRejected')
    const callId = ida.call(shop.account)
    expect(await rejected).toMatchObject([{ callId }])
    await expect
      .poll(async () => (await listTicketMessages(admin, ticket.id)).map((m) => m.mediaType))
      .toContain('call_log')
  })
})

describe('a message to an unknown number', () => {
  const newTicket = async (number: string) => {
    const contact = await admin.request<{ id: number }>('POST', '/contacts', { name: 'New', number, email: '' })
    const ticket = await admin.request<{ id: number }>('POST', '/tickets', {
      contactId: contact.body.id,
      userId: admin.id,
      status: 'open',
      whatsappId: line.id,
    })
    return ticket.body.id
  }
  it('reaches the recipient', async () => {
    const jon = createCustomer(linkedServer, 'Jon')
    const ticketId = await newTicket(jon.account.phoneNumber)
    const told = waitForMessage(jon)
    await sendAnswer(admin, ticketId, 'first word')
    expect(messageText((await told).message)).toBe('first word')
  })
  it('is refused with the reason that WhatsApp gives: without a lock, the token of the contact is missing', async () => {
    const kim = createCustomer(linkedServer, 'Kim')
    const ticketId = await newTicket(kim.account.phoneNumber)
    linkedServer.wa.messageRefusalCode = 463
    await sendAnswer(admin, ticketId, 'first word')
    await expect.poll(() => last(ticketId)).toMatchObject({ error: 'no-token', ack: 0 })
    linkedServer.wa.messageRefusalCode = undefined
  })
  it('is preceded by a check that the number is on WhatsApp', async () => {
    const { db } = linkedServer.server.wide()
    const number = nextLinkedNumber()
    const answered = await admin.request<{ error: string }>('POST', '/contacts', { name: 'Nobody', number, email: '' })
    expect(answered.body.error).toBe('ERR_WAPP_INVALID_CONTACT')
    expect(await db.selectFrom('contacts').select('id').where('number', '=', number).execute()).toEqual([])
  })
})

describe('a group on a linked phone', () => {
  it('shows its name and the authors of its messages, and can be answered', async () => {
    const [lea, max] = [createCustomer(linkedServer, 'Lea'), createCustomer(linkedServer, 'Max')]
    const group = linkedServer.wa.addGroup('Neighbours', [lea, max, shop])
    await admin.call(settingsApi.update, { params: { key: 'CheckMsgIsGroup' }, body: { value: 'disabled' } as never })
    await lea.sendToGroup(group, { conversation: 'who has a ladder?' })
    const [number = ''] = group.jid.split('@')
    const ticket = await waitForTicket(admin, number)
    expect(ticket).toMatchObject({ isGroup: true, contact: { name: 'Neighbours' } })
    await max.sendToGroup(group, { conversation: 'I do' })
    const bodies = async () => (await listTicketMessages(admin, ticket.id)).map((m) => [m.contact?.name, m.body])
    await expect.poll(bodies).toEqual([
      ['Lea', 'who has a ladder?'],
      ['Max', 'I do'],
    ])
    const members = async () =>
      (await admin.call(ticketsApi.members, { params: { id: ticket.id } })).map((m) => [
        m.name,
        m.number,
        m.isAdmin,
        m.isMe,
      ])
    expect(await members()).toEqual([
      ['Lea', lea.account.phoneNumber, true, false],
      ['Max', max.account.phoneNumber, false, false],
      ['', shop.account.phoneNumber, false, true],
    ])
    await acceptLinkedTicket(admin, ticket.id)
    const told = waitForMessage(max)
    await sendAnswer(admin, ticket.id, 'so do we')
    expect(messageText((await told).message)).toBe('so do we')
    const ack = async () => (await listTicketMessages(admin, ticket.id)).find((m) => m.body === 'so do we')?.ack
    await expect.poll(ack).toBe(3)
    const { id } = await told
    // One member has read the message, twice and on two devices: this does not count as read by everybody.
    const read = (who: Account, addressing: 'lid' | 'pn') =>
      who.sendReceipt(shop.account, [id], 'read', { addressing }, group.jid)
    read(lea, 'lid')
    read(lea, 'pn')
    await lea.sendToGroup(group, { conversation: 'thank you' })
    await expect.poll(async () => (await last(ticket.id))?.body).toBe('thank you')
    expect(await ack()).toBe(3)
    read(max, 'lid')
    await expect.poll(ack).toBe(4)
    // Reads of messages typed on the phone itself are counted as well.
    const typed = await shop.sendToGroup(group, { conversation: 'the gate is open' })
    await expect.poll(async () => (await last(ticket.id))?.body).toBe('the gate is open')
    for (const who of [lea, max]) who.sendReceipt(shop.account, [typed], 'read', {}, group.jid)
    await expect.poll(async () => (await last(ticket.id))?.ack).toBe(4)
    const kept = sql`select wid from "groupSends" where "whatsappId" = ${line.id}`.execute(
      linkedServer.server.wide().db,
    )
    expect((await kept).rows).toEqual([])
    const socketClient = await admin.listen()
    group.rename(lea.account, 'Neighbours of 12')
    await expect
      .poll(() =>
        socketClient.received.flatMap(({ name, payload }) => (name.endsWith('-contact') ? [nameIn(payload)] : [])),
      )
      .toEqual(['Neighbours of 12'])
    expect((await waitForTicket(admin, number)).contact.name).toBe('Neighbours of 12')
    socketClient.close()
  })
})

describe('a poll on a linked phone', () => {
  const secret = randomBytes(32)
  const poll = {
    messageContextInfo: { messageSecret: secret },
    pollCreationMessageV3: { name: 'When?', options: [{ optionName: 'Monday' }, { optionName: 'Friday' }] },
  }
  /** A vote, encrypted as a phone does it: with the ids of the poll, its creator and the voter. */
  function vote(by: Account, id: string, locked: Buffer, ...chosen: string[]) {
    const [creator, voter] = [shop.account.jid('lid'), by.account.jid('lid')]
    const key = hmac(
      Buffer.concat([Buffer.from(`${id}${creator}${voter}Poll Vote`), Buffer.of(1)]),
      hmac(locked, Buffer.alloc(32)),
    )
    const options = chosen.map((option) => createHash('sha256').update(option).digest())
    const plain = proto.Message.PollVoteMessage.encode({ selectedOptions: options }).finish()
    const encIv = randomBytes(12)
    const encPayload = aesEncryptGCM(plain, key, encIv, Buffer.from(`${id}\0${voter}`))
    const pollCreationMessageKey = { remoteJid: shop.account.jid('lid'), id, fromMe: false }
    return by.send(shop.account, { pollUpdateMessage: { pollCreationMessageKey, vote: { encPayload, encIv } } })
  }
  const hmac = (bytes: Buffer, key: Buffer) => createHmac('sha256', key).update(bytes).digest()

  it('shows votes and results, or only that a vote was cast if the vote cannot be decrypted', async () => {
    const kim = createCustomer(linkedServer, 'Kim')
    const ticket = await startConversation(admin, shop, kim)
    const id = await shop.send(kim.account, poll)
    const bodies = async () => (await listTicketMessages(admin, ticket.id)).map((m) => m.body)
    await expect.poll(bodies).toEqual(['hola', 'poll\nWhen?\nMonday\nFriday'])
    await vote(kim, id, secret, 'Friday')
    await expect.poll(bodies).toEqual(['hola', 'poll\nWhen?\nMonday: 0\nFriday: 1 (Kim)', 'poll-vote\nFriday'])
    await vote(kim, id, secret, 'Monday')
    await expect.poll(async () => (await bodies())[1]).toBe('poll\nWhen?\nMonday: 1 (Kim)\nFriday: 0')
    await vote(kim, id, randomBytes(32), 'Friday')
    await expect.poll(async () => (await bodies()).at(-1)).toBe('poll-vote')
    expect((await bodies())[1]).toBe('poll\nWhen?\nMonday: 1 (Kim)\nFriday: 0')
    expect((await listTicketMessages(admin, ticket.id))[1]).toMatchObject({ isEdited: false })
  })
})

const nameIn = ({ contact }: Record<string, unknown>) => (contact as { name?: string } | undefined)?.name

describe('the address book of the phone', () => {
  it('is imported: new contacts are added, and contacts with only a number get a name', async () => {
    const named = async ({ account: { phoneNumber } }: Account) => {
      const { contacts } = await admin.call(contactsApi.list, { query: { searchParam: phoneNumber } as never })
      return contacts.map(({ name, number }) => [name, number])
    }
    const number = omar.account.phoneNumber
    await admin.request('POST', '/contacts', { name: number, number, email: '' })
    const before = (await admin.call(contactsApi.list, { query: {} as never })).count
    const imported = async () => (await admin.call(contactsApi.import)).imported
    await expect.poll(imported).toBe(1)
    expect([await named(rita), await named(omar)]).toEqual([
      [['Rita farmacia', rita.account.phoneNumber]],
      [['Omar plomero', number]],
    ])
    expect([await imported(), (await admin.call(contactsApi.list, { query: {} as never })).count]).toEqual([
      0,
      before + 1,
    ])
  })
})

describe('the profile picture of a customer', () => {
  const portrait = async (number: string) => (await waitForTicket(admin, number)).contact.profilePicUrl ?? ''
  it('is stored on the server, requested once, and requested again when it changed', async () => {
    const ola = createCustomer(linkedServer, 'Ola')
    ola.setPicture(png, [])
    await startConversation(admin, shop, ola)
    const { phoneNumber } = ola.account
    await expect.poll(() => portrait(phoneNumber)).toMatch(/^http.*\/public\//)
    const first = await portrait(phoneNumber)
    const shown = await fetch(first)
    expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true)
    ola.setPicture(png, [shop.account])
    await expect.poll(() => portrait(phoneNumber)).not.toBe(first)
    await expect.poll(async () => (await fetch(first)).status).toBe(404)
  })
})

describe('a file between the app and a linked phone', () => {
  it('arrives complete and unchanged', async () => {
    const nia = createCustomer(linkedServer, 'Nia')
    const ticket = await startConversation(admin, shop, nia)
    await nia.sendMedia(shop.account, { image: png, caption: 'look' })
    await expect.poll(() => last(ticket.id)).toMatchObject({ body: 'look', mediaType: 'image', mediaState: 'ready' })
    const { mediaUrl } = (await last(ticket.id)) ?? {}
    const file = await fetch(new URL(mediaUrl ?? '', linkedServer.server.address))
    expect(Buffer.from(await file.arrayBuffer()).equals(png)).toBe(true)
  })
})

describe('a voice recording from the app', () => {
  const medias: Parameters<typeof sendForm>[2][string] = [[readRecording('two-seconds.mp3'), 'audio-record-site-1.mp3']]

  it('arrives as a voice note, with its length and waveform', async () => {
    const uma = createCustomer(linkedServer, 'Uma')
    const ticket = await startConversation(admin, shop, uma)
    const heard = waitForMessage(uma)
    const voice: typeof medias = [[readRecording('two-seconds.webm'), 'voice']]
    await sendForm(admin, `/messages/${ticket.id}`, {
      medias,
      voice,
      waveform: [JSON.stringify(risingWaveform)],
      body: [''],
    })
    const { audioMessage } = (await heard).message
    expect(audioMessage).toMatchObject({ ptt: true, seconds: 2, mimetype: 'audio/ogg; codecs=opus' })
    expect([...(audioMessage?.waveform ?? [])]).toEqual(risingWaveform)
    const note = await uma.download({ audioMessage })
    expect([note.subarray(0, 4).toString(), note.includes('OpusHead')]).toEqual(['OggS', true])
  })

  it('in mp3 from an older client becomes a voice note only if ffmpeg exists, as does the thumbnail of a video', async () => {
    const isThere = spawnSync('ffmpeg', ['-version']).status === 0
    const uma = createCustomer(linkedServer, 'Uma')
    const ticket = await startConversation(admin, shop, uma)
    const heard = waitForMessage(uma)
    await sendForm(admin, `/messages/${ticket.id}`, { medias, body: [''] })
    const { audioMessage } = (await heard).message
    expect([audioMessage?.ptt ?? false, audioMessage?.mimetype]).toEqual(
      isThere ? [true, 'audio/ogg; codecs=opus'] : [false, 'audio/mpeg'],
    )
    const seen = waitForMessage(uma)
    await sendForm(admin, `/messages/${ticket.id}`, { medias: [[readRecording('red.mp4'), 'rojo.mp4']], body: [''] })
    const picture = Buffer.from((await seen).message.videoMessage?.jpegThumbnail ?? [])
    expect(picture.subarray(0, 2).toString('hex')).toBe(isThere ? 'ffd8' : '')
  })
})

describe('a phone that asks again for a message sent before the reconnection', () => {
  it('gets the same file and quote, under the same id', async () => {
    const zoe = createCustomer(linkedServer, 'Zoe')
    const ticket = await startConversation(admin, shop, zoe)
    const [asked] = await listTicketMessages(admin, ticket.id)
    const received = new Map<string, Awaited<ReturnType<typeof waitForMessage>>[]>()
    zoe.on('message', (one) => received.set(one.id, [...(received.get(one.id) ?? []), one]))
    await sendForm(admin, `/messages/${ticket.id}`, { medias: [[png, 'foto.png']], body: ['look'] })
    await admin.call(messagesApi.send, {
      params: { ticketId: ticket.id },
      body: { body: 'as you said', quotedMsg: { id: asked?.id } } as never,
    })
    await sendAnswer(admin, ticket.id, 'bye')
    await expect.poll(() => received.size).toBe(3)
    const [file = '', quote = '', words = ''] = [...received.keys()]
    const before = device.connection
    before?.terminate()
    await expect.poll(() => device.connection !== undefined && device.connection !== before).toBe(true)
    for (const id of [file, quote, words]) zoe.requestRetry(shop.account, id)
    await expect.poll(() => [...received.values()].map((all) => all.length)).toEqual([2, 2, 2])
    const again = (id: string) => received.get(id)?.[1]?.message ?? {}
    expect(again(file).imageMessage).toMatchObject({ caption: 'look', mimetype: 'image/png' })
    expect(png.equals(await zoe.download(again(file)))).toBe(true)
    expect(again(quote).extendedTextMessage).toMatchObject({
      text: 'as you said',
      contextInfo: { stanzaId: expect.any(String) },
    })
    expect(messageText(again(words))).toBe('bye')
  })
})

it('reports only error codes that are in the contract', async () => {
  const shown = await admin.call(connectionsApi.show, { params: { id: line.id } })
  expect(shown).toMatchObject({ status: 'CONNECTED', number: shop.account.phoneNumber, reason: '', qrcode: '' })
})
