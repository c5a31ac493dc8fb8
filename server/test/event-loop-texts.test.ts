import { setImmediate as nextTurn } from 'node:timers/promises'
import { queueOptionsApi } from '@recado/contract/queue-options'
import { proto } from 'baileys'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readMessageContent } from '../src/lines/baileys/inbound/message-content.ts'
import { parseNotification } from '../src/lines/cloud/parse-notification.ts'
import type { InboundEvent, MessageContent } from '../src/lines/line.ts'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from './desk.ts'
import { measureEventLoopBlock } from './event-loop-block.ts'
import { closeTestServers, type TestServer, testServer } from './test-server.ts'

/**
 * Sends every text input at the maximum message length, with each kind of text on which regular expressions are slow:
 * none may block others. Single patterns are tested in regex-patterns.test.ts; this covers the whole path, in and out.
 */
const length = 65_000
const kinds = ['!', '…', ' ', '\n', '*', '`', '@', '\\', '0', '⭐', '\u0301', '{{', ' _a', 'www.!', 'TEL', '\\u0000']
const endless = (kind: string) => `${kind.repeat(Math.floor(length / kind.length))}x`

/** Maximum blocking of the event loop, in ms of CPU time. One slow pattern took hundreds of times as long. */
const maxBlockMs = 50

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  const queues = [await desk.createQueue('Ventas'), await desk.createQueue('Soporte')]
  await desk.admin.call(queueOptionsApi.create, {
    body: { queueId: queues[1]?.id, title: 'Garantía', message: 'x' } as never,
  })
  const row = await desk.line.showLine()
  await desk.admin.request('PUT', `/whatsapp/${desk.line.id}`, {
    ...row,
    queueIds: queues.map((q) => q.id),
    greetingMessage: 'Hola {{name}}',
    maxUseBotQueues: 0,
  })
  await desk.setSetting('userRating', 'enabled')
})
afterAll(closeTestServers)

/** The longest block. A slow result must repeat: the machine may be busy, or collect the garbage of earlier tests. */
async function measureRepeatedBlock(act: () => Promise<void>): Promise<number> {
  let { ms } = await measureEventLoopBlock(act)
  for (let tries = 0; tries < 2 && ms > maxBlockMs; tries++) ms = Math.min(ms, (await measureEventLoopBlock(act)).ms)
  return ms
}

/** The kinds of text that block too long, with their times. */
async function slowOf(act: (text: string) => Promise<void>): Promise<Record<string, number>> {
  const slow: Record<string, number> = {}
  for (const kind of kinds) {
    const ms = await measureRepeatedBlock(() => act(endless(kind)))
    if (ms > maxBlockMs) slow[kind] = Math.round(ms)
  }
  return slow
}

/** The events as lines deliver them to the server, with this text in every field. */
function toldBy(number: string, text: string): InboundEvent[] {
  const contents: MessageContent[] = [
    { kind: 'text', body: text },
    { kind: 'media', mediaType: 'image', body: text, name: text, key: {} },
    { kind: 'location', latitude: 1, longitude: 2, name: text },
    { kind: 'contact', cards: [{ name: text, vcard: text }] },
  ]
  const base = makeTextEvent(number, 'hola')
  const { fromMe, content: _, ...bare } = base
  const group = {
    id: `${nextPhoneNumber()}-1@g.us`,
    name: text,
    author: { phone: nextPhoneNumber(), lid: text },
    authorName: text,
  }
  const referral = {
    ...{ sourceType: 'ad', sourceId: text.slice(0, 100), title: text, body: text },
    ...{ url: text, picture: text, clickId: text },
  }
  return [
    base,
    ...contents.map((content) => makeTextEvent(number, '', { content, pushName: text, referral })),
    makeTextEvent(number, text, { group, chat: group.id }),
    { ...bare, id: `${base.id}e`, kind: 'edit', targetId: base.id, body: text },
    { ...bare, id: `${base.id}r`, kind: 'reaction', targetId: base.id, emoji: text, fromMe, from: text, name: text },
    {
      ...bare,
      id: `${base.id}c`,
      kind: 'call',
      person: { phone: number, username: text },
      pushName: text,
      missed: true,
      video: false,
    },
  ]
}

/** Reads the text as vendors send it to our lines: Meta in JSON, a phone in protobuf. */
async function readFrom(text: string): Promise<void> {
  const types = {
    text: { body: text },
    image: { id: 'x', caption: text, filename: text },
    location: { latitude: 1, longitude: 2, name: text, address: text },
    button: { text },
    interactive: { nfm_reply: { body: text, name: text, response_json: text } },
    system: { body: text },
  }
  const card = { name: { formatted_name: text }, phones: [{ phone: text, wa_id: text }], org: { company: text } }
  const messages = Object.entries({ ...types, contacts: [card] }).map(([type, part]) => ({
    id: type,
    from: text,
    timestamp: text,
    type,
    [type]: part,
    referral: { headline: text, source_url: text },
  }))
  const contacts = [{ wa_id: text, profile: { name: text, username: text } }]
  parseNotification({
    entry: [{ changes: [{ field: 'messages', value: { metadata: { phone_number_id: text }, messages, contacts } }] }],
  })
  await nextTurn()
  const said: proto.IMessage[] = [
    { conversation: text },
    { extendedTextMessage: { text, title: text, description: text } },
    { documentMessage: { caption: text, fileName: text, title: text, mimetype: text } },
    { contactMessage: { displayName: text, vcard: text } },
    { locationMessage: { name: text, address: text } },
    { pollCreationMessage: { name: text, options: [{ optionName: text }] } },
    { listResponseMessage: { title: text } },
    { groupInviteMessage: { groupName: text, caption: text } },
  ]
  for (const one of said) {
    readMessageContent(proto.Message.fromObject(one), { id: 'x', remoteJid: '1@s.whatsapp.net' })
    await nextTurn()
  }
}

it('does not block on any incoming text', async () => {
  const slow = await slowOf(async (text) => {
    await readFrom(text)
    for (const event of toldBy(nextPhoneNumber(), text)) await desk.receive(event)
  })
  expect(slow).toEqual({})
  const undone = () =>
    desk.db
      .selectFrom('journal')
      .select(['kind', 'error'])
      .where('companyId', '=', desk.company.id)
      .where((eb) => eb.or([eb('error', 'is not', null), eb('processedAt', 'is', null)]))
      .execute()
  await expect.poll(undone).toEqual([])
})

it('does not block on reading and searching incoming texts', async () => {
  const tickets = await desk.listTickets(desk.admin, { showAll: true })
  expect(tickets.length).toBeGreaterThan(10)
  const ms = await measureRepeatedBlock(async () => {
    for (const { id } of tickets.slice(0, 10)) await desk.listMessages(desk.admin, id)
    for (const kind of ['!', 'a@', '\u0301'])
      await desk.admin.request('GET', `/tickets?searchParam=${encodeURIComponent(kind.repeat(30))}`)
  })
  expect(ms).toBeLessThan(maxBlockMs)
})

it('does not block on texts that users send', async () => {
  const { id } = await desk.openTicket(desk.admin)
  const slow = await slowOf(async (text) => {
    await desk.admin.request('POST', `/messages/${id}`, { body: text })
    await desk.admin.request('POST', '/contacts', { name: text, number: text, email: text })
  })
  expect(slow).toEqual({})
})
