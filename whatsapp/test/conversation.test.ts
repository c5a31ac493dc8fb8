import { once } from 'node:events'
import { proto, WAMessageStatus } from 'baileys'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ReceivedReceipt } from '../src/accounts.ts'
import { type Addressing, otherAddressing } from '../src/addressing.ts'
import type { Person } from '../src/person.ts'
import type { Client } from './client.ts'
import {
  hasMessageText,
  messageText,
  nextMessage,
  nextReceivedMessage,
  setUpService,
  waitOptions,
} from './service-fixture.ts'

const service = setUpService()
let owner: Person
let alice: Person
let client: Client

beforeAll(async () => {
  owner = service.person('Shop')
  ;({ client } = await service.link(owner))
})
beforeEach(() => {
  alice = service.person('Alice')
})

/** The statuses that a sent message has had so far; they arrive in either of two events. */
function ticksOf(id: () => string | null | undefined): number[] {
  const seen: number[] = []
  const see = (key: string | null | undefined, status: number | null | undefined) => {
    if (key === id() && status) seen.push(status)
  }
  client.listen('messages.update', (updates) => {
    for (const { key, update } of updates) see(key.id, update.status)
  })
  client.listen('messages.upsert', ({ messages }) => {
    for (const { key, status } of messages) see(key.id, status)
  })
  return seen
}

const addressings: Addressing[] = ['lid', 'pn']
it.each(addressings)('delivers a customer message (%s), its answer, and the receipts', async (addressing) => {
  const arrival = nextMessage(client, hasMessageText(`hello via ${addressing}`))
  const delivered = once(alice, 'receipt')
  const id = await alice.sendText(owner.account, `hello via ${addressing}`, { addressing })
  const { message, type, jid } = await arrival
  expect(type).toBe('notify')
  expect(message.pushName).toBe('Alice')
  expect(jid).toBe(alice.account.jid(addressing))
  expect(message.key.remoteJidAlt).toBe(alice.account.jid(otherAddressing(addressing)))
  expect((await delivered)[0]).toMatchObject({ ids: [id], type: undefined })

  const blue = once(alice, 'receipt')
  await client.socket.readMessages([message.key])
  expect((await blue)[0]).toMatchObject({ type: 'read' } satisfies Partial<ReceivedReceipt>)

  let answerId: string | null | undefined
  const ticks = ticksOf(() => answerId)
  alice.autoDeliveryReceipts = false
  const [atAlice, atPhone] = [nextReceivedMessage(alice), nextReceivedMessage(owner)]
  answerId = (await client.socket.sendMessage(jid, { text: 'how can I help?' }))?.key.id
  expect(messageText((await atAlice).message)).toBe('how can I help?')
  expect((await atAlice).id).toBe(answerId)
  expect((await atPhone).destinationJid).toBe(jid)
  await vi.waitFor(() => expect(ticks).toHaveLength(1), waitOptions)
  alice.sendReceipt(owner.account, [answerId ?? ''], undefined, { addressing })
  await vi.waitFor(() => expect(ticks).toHaveLength(2), waitOptions)
  alice.sendReceipt(owner.account, [answerId ?? ''], 'read', { addressing })
  await vi.waitFor(() => expect(ticks).toHaveLength(3), waitOptions)
  expect(ticks).toEqual([WAMessageStatus.PENDING, WAMessageStatus.DELIVERY_ACK, WAMessageStatus.READ])
})

it('advances the encryption ratchet: no session needs a new key after the first answer', async () => {
  const types: string[] = []
  alice.on('message', ({ ciphertextType }) => types.push(ciphertextType))
  for (const round of [1, 2]) {
    const arrival = nextMessage(client, hasMessageText(`question ${round}`))
    await alice.sendText(owner.account, `question ${round}`)
    const { jid } = await arrival
    const answered = nextReceivedMessage(alice)
    await client.socket.sendMessage(jid, { text: `answer ${round}` })
    await answered
  }
  expect(types.at(-1)).toBe('msg')
})

it('finds which numbers are on WhatsApp', async () => {
  const found = await client.socket.onWhatsApp(alice.account.phoneNumber, '19990000000')
  expect(found).toEqual([{ jid: alice.account.jid('pn'), exists: true }])
})

it('starts a conversation with a person who never wrote', async () => {
  const received = nextReceivedMessage(alice)
  await client.socket.sendMessage(alice.account.jid('pn'), { text: 'your order is ready' })
  const { message, ciphertextType } = await received
  expect([messageText(message), ciphertextType]).toEqual(['your order is ready', 'pkmsg'])
})

it('shows answers that the owner of the number writes on the phone', async () => {
  const arrival = nextMessage(client, hasMessageText('answered on the phone'))
  await owner.sendText(alice.account, 'answered on the phone')
  const { message, jid } = await arrival
  expect([message.key.fromMe, jid]).toEqual([true, alice.account.jid('lid')])
})

it('shows typing in both directions', async () => {
  const presence = client.next('presence.update', (payload) => payload)
  alice.setTyping(owner.account, 'composing')
  expect((await presence).id).toBe(alice.account.jid('lid'))
  const typing = once(alice, 'chatstate')
  await client.socket.sendPresenceUpdate('composing', alice.account.jid('lid'))
  expect((await typing)[0]).toMatchObject({ state: 'composing' })
})

it('transmits reactions, edits, deletions and quotes', async () => {
  const arrival = nextMessage(client, hasMessageText('quote me'))
  await alice.sendText(owner.account, 'quote me')
  const { message, jid } = await arrival
  let received = nextReceivedMessage(alice)
  const reply = await client.socket.sendMessage(jid, { text: 'quoted' }, { quoted: message })
  expect((await received).message.extendedTextMessage?.contextInfo?.stanzaId).toBe(message.key.id)
  const replied = reply?.key ?? {}
  received = nextReceivedMessage(alice)
  await client.socket.sendMessage(jid, { react: { text: '👍', key: message.key } })
  expect((await received).message.reactionMessage?.text).toBe('👍')
  received = nextReceivedMessage(alice)
  await client.socket.sendMessage(jid, { text: 'edited', edit: replied })
  const edit = (await received).message
  const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type
  expect((edit.editedMessage?.message ?? edit).protocolMessage?.type).toBe(MESSAGE_EDIT)
  received = nextReceivedMessage(alice)
  await client.socket.sendMessage(jid, { delete: replied })
  expect((await received).message.protocolMessage?.type).toBe(REVOKE)
})

it('delivers a call and its rejection', async () => {
  const ringing = client.next('call', ([call]) => call)
  const callId = alice.call(owner.account, { video: true })
  const call = await ringing
  expect(call).toMatchObject({ id: callId, status: 'offer', isVideo: true })
  const rejected = once(alice, 'callRejected')
  await client.socket.rejectCall(call.id, call.from)
  expect((await rejected)[0]).toMatchObject({ callId })
})

it('writes app state (an archived chat) and reads it back', async () => {
  const arrival = nextMessage(client, hasMessageText('archive me'))
  await alice.sendText(owner.account, 'archive me')
  const { message, jid } = await arrival
  const updated = client.next('chats.update', (chats) => chats.find(({ archived }) => archived))
  await client.socket.chatModify({ archive: true, lastMessages: [message] }, jid)
  expect((await updated).archived).toBe(true)
  await client.socket.resyncAppState(['regular_low'], false)
})

describe('resend of undecryptable messages', () => {
  it('is requested by the client', async () => {
    const first = nextMessage(client, hasMessageText('one'))
    await alice.sendText(owner.account, 'one')
    await first
    const answered = nextReceivedMessage(alice)
    await client.socket.sendMessage(alice.account.jid('lid'), { text: 'turn the ratchet' })
    await answered
    // Alice still uses the session that was deleted in the client.
    await client.auth.keys.set({ session: { [`${alice.account.lidUser}_1.0`]: null } })
    const retry = once(alice, 'receipt')
    const second = nextMessage(client, hasMessageText('two'))
    await alice.sendText(owner.account, 'two')
    expect((await retry)[0]).toMatchObject({ type: 'retry' })
    await second
  })

  it('is requested by the client for a corrupted message', async () => {
    const whole = nextMessage(client, hasMessageText('once more, please'))
    const retry = once(alice, 'receipt')
    await alice.sendText(owner.account, 'once more, please', { isGarbled: true })
    expect((await retry)[0]).toMatchObject({ type: 'retry' })
    await whole
  })

  it('is requested by the customer', async () => {
    const first = nextReceivedMessage(alice)
    await client.socket.sendMessage(alice.account.jid('lid'), { text: 'first' })
    await first
    const back = nextMessage(client, hasMessageText('ok'))
    await alice.sendText(owner.account, 'ok')
    await back
    alice.signal.forgetSession(`${owner.account.phoneNumber}.1`)
    const failed = once(alice, 'undecryptable')
    const again = nextReceivedMessage(alice)
    await client.socket.sendMessage(alice.account.jid('lid'), { text: 'second' })
    await failed
    expect(messageText((await again).message)).toBe('second')
  })
})

it('connects two real clients with each other', async () => {
  const two = service.person('Two')
  const { client: other } = await service.link(two)
  const question = nextMessage(other, hasMessageText('hello from one'))
  await client.socket.sendMessage(two.account.jid('lid'), { text: 'hello from one' })
  const { jid } = await question
  const answer = nextMessage(client, hasMessageText('hello from two'))
  await other.socket.sendMessage(jid, { text: 'hello from two' })
  expect((await answer).message.key.fromMe).toBe(false)
})
