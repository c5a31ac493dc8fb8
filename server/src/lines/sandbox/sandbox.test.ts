import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { connectionsApi } from '@recado/contract/connections'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SandboxPhone } from '../../../test/sandbox-phone.ts'
import {
  closeTestServers,
  startSecondProcess,
  type TestServer,
  type TestUser,
  testServer,
} from '../../../test/test-server.ts'
import type { InboundEvent, Line } from '../line.ts'

/** This file tests the line alone: its events are recorded here and not processed. */
let harness: TestServer
let admin: TestUser
let line: SandboxPhone
let receivedEvents: InboundEvent[] = []
/** Each batch of events as it was received; a test may refuse some. */
let receivedBatches: InboundEvent[][] = []
let refuse = 0
const typingEvents: string[] = []
const pace = { reconnectMs: 20, reorderWaitMs: 150 }
const receiveEvents = async (_row: unknown, events: InboundEvent[]) => {
  receivedBatches.push(events)
  if (refuse-- > 0) throw new Error('the journal is away')
  receivedEvents.push(...events)
}
beforeAll(async () => {
  harness = await testServer({}, undefined, {
    sandbox: { ...pace, pollMs: 200 },
    receive: receiveEvents,
    typing: (_row, chat, on) => void typingEvents.push(`${chat} ${on}`),
  })
  const company = await harness.createCompany()
  admin = company.admin
  line = await harness.openLine(company)
})
afterAll(closeTestServers)
beforeEach(async () => {
  // Events of the previous test, including acknowledgements, must be processed before this test begins.
  const underWay = () =>
    harness.wide().db.selectFrom('sandboxMessages').select('seq').where('delivered', '=', false).execute()
  await vi.waitFor(async () => expect(await underWay()).toEqual([]))
  receivedEvents = []
  receivedBatches = []
  refuse = 0
})
const runningLine = (): Line => {
  const found = harness.server.lines.connectedLine(line.id)
  if (!found) throw new Error('the line does not run')
  return found
}
const waitForEvents = (count: number) =>
  vi.waitFor(() => expect(receivedEvents).toHaveLength(count), { timeout: 5000, interval: 10 })
const ids = () => receivedEvents.map((e) => e.id)
let numbers = 0
/** A new customer, so that tests do not share chats. */
const newCustomer = (name = 'Lucía') => line.customer(`54911555${String(++numbers).padStart(5, '0')}`, name)

describe('customer actions on the sandbox', () => {
  it('deliver a text with its author and time', async () => {
    const lucia = newCustomer()
    const at = '2026-01-02T03:04:05.000Z'
    const id = await lucia.says('  hola ', { at, quotedId: 'earlier' })
    await waitForEvents(1)
    const chat = `${lucia.number}@s.whatsapp.net`
    const person = { phone: lucia.number }
    expect(receivedEvents).toEqual([
      {
        id,
        chat,
        at,
        kind: 'message',
        fromMe: false,
        person,
        pushName: 'Lucía',
        quotedId: 'earlier',
        content: { kind: 'text', body: 'hola' },
      },
    ])
    await vi.waitFor(async () =>
      expect(await lucia.listMessages()).toMatchObject([{ id, fromCustomer: true, body: 'hola', ack: 3 }]),
    )
  })

  it('deliver one message when the same id is sent twice', async () => {
    const lucia = newCustomer()
    expect(await Promise.all([1, 2, 3].map(() => lucia.says('una vez', { id: 'ONCE' })))).toEqual([
      'ONCE',
      'ONCE',
      'ONCE',
    ])
    await lucia.says('después', { id: 'AFTER' })
    await waitForEvents(2)
    expect(ids()).toEqual(['ONCE', 'AFTER'])
    expect(await lucia.listMessages()).toHaveLength(2)
  })

  it('deliver locations, cards, calls, stickers and unknown kinds', async () => {
    const lucia = newCustomer()
    await lucia.sendEvent('location', { latitude: '-34.6', longitude: -58.4, body: 'Obelisco' })
    await lucia.sendEvent('contact', { contactName: 'Ana; B', contactNumber: '+54 9 11 4444' })
    await lucia.calls()
    await lucia.sendEvent('sticker')
    await lucia.sendEvent('unknown', { body: 'pollCreation' })
    await waitForEvents(5)
    expect(receivedEvents.map((e) => ('content' in e ? e.content : e))).toMatchObject([
      { kind: 'location', latitude: -34.6, longitude: -58.4, name: 'Obelisco' },
      {
        kind: 'contact',
        cards: [
          { name: 'Ana; B', vcard: expect.stringContaining('FN:Ana  B\nTEL;type=CELL;waid=549114444:+549114444') },
        ],
      },
      { kind: 'call', person: { phone: lucia.number }, pushName: 'Lucía', missed: true, video: false },
      { kind: 'media', mediaType: 'sticker' },
      { kind: 'unknown', what: 'pollCreation' },
    ])
    expect((await lucia.listMessages()).map((m) => [m.kind, m.body])).toEqual([
      ['location', 'Obelisco\n-34.6, -58.4'],
      ['contact', 'Ana; B\n+549114444'],
      ['call', ''],
      ['sticker', ''],
      ['unknown', 'pollCreation'],
    ])
  })

  it('deliver reactions, edits and deletions, and show them on the phone', async () => {
    const lucia = newCustomer()
    const [first, second] = [await lucia.says('uno'), await lucia.says('dos')]
    await lucia.reacts(first, '👍')
    await lucia.edits(first, 'uno bis')
    await lucia.deletes(second)
    await waitForEvents(5)
    expect(receivedEvents.slice(2)).toMatchObject([
      { kind: 'reaction', targetId: first, emoji: '👍', fromMe: false, from: lucia.number, name: 'Lucía' },
      { kind: 'edit', targetId: first, body: 'uno bis' },
      { kind: 'revoke', targetId: second },
    ])
    expect(await lucia.listMessages()).toMatchObject([
      { id: first, body: 'uno bis', isEdited: true, reaction: '👍' },
      { id: second, body: '', isDeleted: true },
    ])
    await lucia.reacts(first, '')
    await waitForEvents(6)
    expect((await lucia.listMessages())[0]?.reaction).toBeNull()
    expect(
      await admin.request('POST', `/sandbox/${line.id}/messages`, { from: lucia.number, kind: 'edit', body: 'x' }),
    ).toMatchObject({ status: 400, body: { fields: { targetId: 'Required' } } })
  })

  it('deliver files as one message each, which the line can download', async () => {
    const lucia = newCustomer()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    )
    await lucia.sends([new File([png], 'una foto.png'), new File(['nota'], 'nota.txt')], { body: 'mira' })
    await waitForEvents(2)
    expect(receivedEvents).toMatchObject([
      { content: { kind: 'media', mediaType: 'image', body: 'mira', name: 'una_foto.png' } },
      { content: { kind: 'media', mediaType: 'application', body: '', name: 'nota.txt' } },
    ])
    const note = receivedEvents[1]
    if (note?.kind !== 'message' || note.content.kind !== 'media') throw new Error('no file')
    const fetched = await runningLine().fetchMedia(note.content.key)
    expect([fetched.name, await text(fetched.stream)]).toEqual(['nota.txt', 'nota'])
    const [photo] = await lucia.listMessages()
    const shown = await fetch(photo?.mediaUrl ?? '')
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    await lucia.sends(new File([png], 'mueca.webp'), { kind: 'sticker' })
    await waitForEvents(3)
    expect(receivedEvents[2]).toMatchObject({ content: { mediaType: 'sticker' } })
  })

  it('store a file once when it is sent twice under one id', async () => {
    const lucia = newCustomer()
    const send = () => lucia.sends(new File(['nota'], 'nota.txt'), { id: `FILE${lucia.number}` })
    await send()
    await send()
    await waitForEvents(1)
    const [kept] = (await harness
      .wide()
      .db.selectFrom('sandboxMessages')
      .select('mediaPath')
      .where('id', '=', `FILE${lucia.number}`)
      .execute()) as [{ mediaPath: string }]
    const stored = await readdir(`${harness.dataDir}/files/${admin.companyId}`)
    const rows = await harness
      .wide()
      .db.selectFrom('sandboxMessages')
      .select('mediaPath')
      .where('mediaPath', 'is not', null)
      .execute()
    expect(stored).toContain(kept.mediaPath)
    expect(stored.length).toBe(rows.length)
  })

  it('deliver messages under a hidden id, with or without the number', async () => {
    const lucia = newCustomer()
    await lucia.says('las dos', { lid: '98765' })
    await lucia.says('solo una', { lid: '98765', onlyLid: true })
    await waitForEvents(2)
    expect(receivedEvents).toMatchObject([
      { chat: `${lucia.number}@s.whatsapp.net`, person: { phone: lucia.number, lid: '98765' } },
      { chat: '98765@lid', person: { lid: '98765' } },
    ])
    expect(receivedEvents[1]).not.toHaveProperty('person.phone')
    await runningLine().send({ id: 'TO-LID', chat: '98765@lid', body: 'te leo' })
    expect((await lucia.listMessages()).at(-1)).toMatchObject({ id: 'TO-LID', body: 'te leo' })
    await waitForEvents(4)
  })

  it('deliver group messages with author and group', async () => {
    const [lucia, ana] = [newCustomer('Lucía'), newCustomer('Ana')]
    const group = await line.group('Familia', [lucia.number, ana.number])
    await ana.says('hola a todos', { group: group.number })
    await waitForEvents(1)
    const author = { phone: ana.number }
    expect(receivedEvents).toMatchObject([
      {
        chat: `${group.number}@g.us`,
        pushName: 'Ana',
        group: { id: group.number, name: 'Familia', author, authorName: 'Ana' },
      },
    ])
    expect(await line.customer(group.number).listMessages()).toMatchObject([
      { author: ana.number, body: 'hola a todos' },
    ])
    await runningLine().send({ id: 'TO-GROUP', chat: `${group.number}@g.us`, body: 'buenas' })
    expect((await line.customer(group.number).listMessages()).at(-1)).toMatchObject({
      id: 'TO-GROUP',
      fromCustomer: false,
    })
    const stranger = newCustomer('Eva')
    await stranger.says('¿y yo?', { group: group.number })
    await waitForEvents(4)
    const { body } = await admin.request<{ number: string; members: string[] }[]>(
      'GET',
      `/sandbox/${line.id}/customers`,
    )
    expect(body.find((c) => c.number === group.number)?.members).toEqual([lucia.number, ana.number, stranger.number])
  })

  it('deliver messages typed on the linked phone', async () => {
    const lucia = newCustomer()
    await lucia.says('desde el teléfono', { fromMe: true })
    await waitForEvents(1)
    expect(receivedEvents).toMatchObject([{ fromMe: true, person: { phone: lucia.number }, pushName: '' }])
    expect(await lucia.listMessages()).toMatchObject([{ fromCustomer: false, body: 'desde el teléfono' }])
  })

  it('deliver the changed name of a customer', async () => {
    const lucia = newCustomer('Lu')
    await lucia.says('hola')
    await admin.request('POST', `/sandbox/${line.id}/customers`, { number: lucia.number, name: 'Lucía Campos' })
    await waitForEvents(2)
    expect(receivedEvents[1]).toMatchObject({ kind: 'contact', person: { phone: lucia.number }, name: 'Lucía Campos' })
    expect(await lucia.listMessages()).toHaveLength(1)
  })
})

describe('desk actions on the sandbox', () => {
  it('show a message on the phone once, and return its acknowledgements', async () => {
    const lucia = newCustomer()
    const chat = `${lucia.number}@s.whatsapp.net`
    const message = { id: `OUT${lucia.number}`, chat, body: 'buenas', quoted: { id: 'Q', fromMe: false, body: '' } }
    await runningLine().send(message)
    await runningLine().send(message)
    await waitForEvents(2)
    expect(receivedEvents).toMatchObject([
      { kind: 'ack', chat, targetId: message.id, ack: 2 },
      { kind: 'ack', chat, targetId: message.id, ack: 3 },
    ])
    expect(new Set(ids()).size).toBe(2)
    expect(await lucia.listMessages()).toMatchObject([
      { id: message.id, fromCustomer: false, kind: 'text', body: 'buenas', quotedId: 'Q', ack: 3 },
    ])
    await lucia.reads()
    await lucia.reads()
    await waitForEvents(3)
    expect(receivedEvents[2]).toMatchObject({ kind: 'ack', targetId: message.id, ack: 4 })
    expect(await lucia.listMessages()).toMatchObject([{ ack: 4 }])
  })

  it('show files, locations, cards, reactions, edits and revocations', async () => {
    const lucia = newCustomer()
    const chat = lucia.number
    const theirs = await lucia.says('¿dónde?')
    const open = async () => Readable.from(['un archivo'])
    await runningLine().send({
      id: 'F',
      chat,
      body: 'ahí va',
      media: { type: 'application', name: 'lista.txt', open, mime: 'text/plain', voice: false },
    })
    await runningLine().send({ id: 'L', chat, body: '', location: { latitude: 1, longitude: 2, name: 'Aquí' } })
    await runningLine().send({
      id: 'C',
      chat,
      body: '',
      contact: { name: 'Taller', vcard: 'BEGIN:VCARD\nTEL:+54911\nEND:VCARD' },
    })
    await runningLine().send({ id: 'R', chat, body: '', reaction: { targetId: theirs, emoji: '❤️' } })
    await runningLine().send({ id: 'E', chat, body: 'mal' })
    await runningLine().edit(chat, 'E', 'bien')
    await runningLine().send({ id: 'D', chat, body: 'no' })
    await runningLine().revoke(chat, 'D')
    await runningLine().markRead(chat, [theirs])
    const seen = await lucia.listMessages()
    expect(seen).toMatchObject([
      { id: theirs, reaction: '❤️', ack: 4 },
      { id: 'F', kind: 'application', body: 'ahí va', mediaName: 'lista.txt' },
      { id: 'L', kind: 'location', body: 'Aquí\n1, 2' },
      { id: 'C', kind: 'contact', body: 'Taller\n+54911' },
      { id: 'E', body: 'bien', isEdited: true },
      { id: 'D', body: '', isDeleted: true },
    ])
    expect(await (await fetch(seen[1]?.mediaUrl ?? '')).text()).toBe('un archivo')
  })

  it('show typing in both directions', async () => {
    const lucia = newCustomer()
    await lucia.says('hola')
    const shown = async () =>
      (await admin.request<{ number: string; typing: boolean }[]>('GET', `/sandbox/${line.id}/customers`)).body.find(
        (c) => c.number === lucia.number,
      )?.typing
    expect(await shown()).toBe(false)
    await runningLine().setTyping(lucia.number, true)
    expect(await shown()).toBe(true)
    await runningLine().setTyping(lucia.number, false)
    expect(await shown()).toBe(false)
    await lucia.setTyping()
    await lucia.setTyping(false)
    const chat = `${lucia.number}@s.whatsapp.net`
    await vi.waitFor(() => expect(typingEvents).toEqual([`${chat} true`, `${chat} false`]))
  })

  it('check numbers and read the address book', async () => {
    expect(await runningLine().checkNumber('5491155550001')).toBe('5491155550001')
    expect(await runningLine().checkNumber('0005491155550001')).toBeNull()
    expect(await runningLine().checkNumber('12')).toBeNull()
    const lucia = newCustomer('Zoe')
    await lucia.says('hola')
    expect(await runningLine().contacts()).toContainEqual({ number: lucia.number, name: 'Zoe' })
    expect(await runningLine().profilePicture(lucia.number)).toBeNull()
    await expect(runningLine().send({ id: 'NO', chat: '0001234567@s.whatsapp.net', body: '' })).rejects.toThrow(
      'no-whatsapp',
    )
  })

  it('are published only to the phone screen', async () => {
    const lucia = newCustomer()
    const agent = await harness.createUser(admin.companyId, 'user')
    const [socketClient, other] = [await admin.listen(), await agent.listen()]
    await runningLine().send({ id: `TELL${lucia.number}`, chat: lucia.number, body: 'hola' })
    await socketClient.waitFor(`company-${admin.companyId}-sandbox`, {
      action: 'update',
      whatsappId: line.id,
      chat: lucia.number,
    })
    await other.whenCaughtUp()
    expect(other.received.filter((e) => e.name.endsWith('-sandbox'))).toEqual([])
  })
})

describe('event delivery of the sandbox', () => {
  it('delivers events again, in order, that could not be stored', async () => {
    const lucia = newCustomer()
    refuse = 2
    for (let n = 0; n < 5; n++) await lucia.says(`${n}`)
    await waitForEvents(5)
    expect(receivedEvents.map((e) => e.kind === 'message' && e.content.kind === 'text' && e.content.body)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
    ])
    expect(receivedBatches.length).toBeGreaterThan(1)
  })

  it('keeps messages that were written while the line was down', async () => {
    const lucia = newCustomer()
    await admin.call(connectionsApi.disconnect, { params: { whatsappId: line.id } })
    await vi.waitFor(() => expect(harness.server.lines.connectedLine(line.id)).toBeUndefined())
    await lucia.says('¿hay alguien?')
    expect(await lucia.listMessages()).toMatchObject([{ ack: 2 }])
    expect(receivedEvents).toEqual([])
    await admin.call(connectionsApi.restart, { params: { whatsappId: line.id } })
    await line.scan()
    await line.waitForStatus('CONNECTED')
    await waitForEvents(1)
  })

  it('delivers hundreds of events at once in order, in few batches', async () => {
    const lucia = newCustomer()
    for (let n = 0; n < 5; n++)
      await Promise.all(Array.from({ length: 30 }, (_, i) => lucia.says(`${n}-${i}`, { id: `MANY-${n}-${i}` })))
    await waitForEvents(150)
    expect(new Set(ids()).size).toBe(150)
    const tens = ids().map((id) => Number(id.split('-')[1]))
    expect(tens).toEqual(tens.toSorted((a, b) => a - b))
  })

  it('moves to another process with the events that are not delivered yet', async () => {
    const company = await harness.createCompany()
    const moving = await harness.openLine(company)
    const lucia = moving.customer('5491144440000', 'Lucía')
    refuse = 1_000_000
    await lucia.says('entre dos casas')
    await vi.waitFor(() => expect(receivedBatches.length).toBeGreaterThan(0))
    const elsewhere: InboundEvent[] = []
    const twin = await startSecondProcess(harness, {
      sandbox: pace,
      receive: async (_row, events) => void elsewhere.push(...events),
    })
    await harness.server.lines.close()
    await vi.waitFor(() => expect(elsewhere).toMatchObject([{ content: { body: 'entre dos casas' } }]), {
      timeout: 5000,
    })
    expect(twin.lines.connectedLine(moving.id)).toBeDefined()
    expect((await moving.showLine()).status).toBe('CONNECTED')
  })
})
