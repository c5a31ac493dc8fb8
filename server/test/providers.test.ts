import { connectionsApi } from '@recado/contract/connections'
import { type Message, messagesApi } from '@recado/contract/messages'
import { queuesApi } from '@recado/contract/queues'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import { WhatsApp } from '@recado/whatsapp/service'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeLog } from '../src/kernel/log.ts'
import { quickCloudTimings } from './cloud-phone.ts'
import {
  type Customer,
  type CustomerLine,
  openCloudCounter,
  openLinkedCounter,
  openSandboxCounter,
} from './customers.ts'
import { type FakeGraph, fakeGraph } from './fake-graph.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from './test-server.ts'
import { sendForm, tinyPng } from './upload.ts'

/** One server, one company, three providers: a conversation must be the same on all of them. */
let harness: TestServer
let wa: WhatsApp
let graph: FakeGraph
let admin: TestUser
beforeAll(async () => {
  wa = await WhatsApp.start()
  wa.trust()
  graph = await fakeGraph()
  harness = await testServer({ whatsappUrl: wa.url, graphUrl: graph.base }, makeLog(process.env.TEST_LOG ?? 'silent'), {
    linked: { reconnectMs: 20 },
    cloud: quickCloudTimings,
    sandbox: { reconnectMs: 20, pollMs: 100 },
  })
  admin = (await harness.createCompany()).admin
})
afterAll(async () => {
  await closeTestServers()
  await Promise.all([wa.close(), graph.close()])
})

const counters: [string, () => Promise<CustomerLine>][] = [
  ['sandbox', () => openSandboxCounter(harness, admin)],
  ['linked', () => openLinkedCounter({ wa, server: harness }, admin)],
  ['cloud', () => openCloudCounter(graph, admin)],
]
const pollOptions = { timeout: 15_000, interval: 20 }
const picture = { bytes: tinyPng, name: 'foto.png', mime: 'image/png' }

async function ticketOf({ number }: Customer): Promise<Ticket> {
  return vi.waitFor(async () => {
    const { db } = harness.wide()
    const { id } = await db
      .selectFrom('tickets as t')
      .innerJoin('contacts as c', 'c.id', 't.contactId')
      .select('t.id')
      .where('c.number', '=', number)
      .executeTakeFirstOrThrow()
    return admin.call(ticketsApi.show, { params: { id } })
  }, pollOptions)
}
const accept = (id: number) =>
  admin.call(ticketsApi.update, { params: { id }, body: { status: 'open', userId: admin.id } as never })
const thread = async (ticketId: number): Promise<Message[]> =>
  (await admin.call(messagesApi.list, { params: { ticketId }, query: {} as never })).messages
const last = (ticketId: number, like: object): Promise<Message> =>
  vi.waitFor(async () => {
    const message = (await thread(ticketId)).at(-1)
    expect(message).toMatchObject(like)
    return message as Message
  }, pollOptions)
const send = (ticketId: number, body: string, more: object = {}) =>
  admin.call(messagesApi.send, { params: { ticketId }, body: { body, ...more } as never })
/** Our newest message on the customer's phone, once it matches. */
const waitForPhoneMessage = (customer: Customer, like: object) =>
  vi.waitFor(async () => {
    const shown = (await customer.listMessages()).at(-1)
    expect(shown).toMatchObject(like)
    return shown as NonNullable<typeof shown>
  }, pollOptions)

describe.each(counters)('a conversation on the line: %s', (name, open) => {
  let line: CustomerLine
  beforeAll(async () => {
    line = await open()
  })
  const able = (...abilities: CustomerLine['unsupported']) => !abilities.some((one) => line.unsupported.includes(one))

  /** Lets a new customer write, and accepts the ticket. */
  async function openConversation(text = 'hola') {
    const customer = line.customer(`Cliente de ${name}`)
    const id = await customer.says(text)
    const ticket = await ticketOf(customer)
    await accept(ticket.id)
    return { customer, id, ticketId: ticket.id }
  }

  it('sends texts in both directions, with acknowledgements', async () => {
    const { customer, ticketId } = await openConversation('¿hay alguien?')
    expect(await thread(ticketId)).toMatchObject([{ body: '¿hay alguien?', fromMe: false }])
    expect((await ticketOf(customer)).contact).toMatchObject({ name: `Cliente de ${name}`, number: customer.number })
    await send(ticketId, 'sí, dígame')
    await waitForPhoneMessage(customer, { kind: 'text', body: 'sí, dígame' })
    await vi.waitFor(async () => expect((await thread(ticketId)).at(-1)?.ack).toBeGreaterThanOrEqual(2), pollOptions)
    await vi.waitFor(async () => {
      await customer.reads()
      expect((await thread(ticketId)).at(-1)?.ack).toBe(4)
    }, pollOptions)
  })

  it('sends pictures in both directions, with captions', async () => {
    const { customer, ticketId } = await openConversation()
    await customer.sends(picture, 'está roto')
    const { mediaUrl } = await last(ticketId, { mediaType: 'image', body: 'está roto', mediaState: 'ready' })
    const kept = await fetch(String(mediaUrl).replace(/^https?:\/\/[^/]+/, harness.address))
    expect(Buffer.from(await kept.arrayBuffer()).equals(tinyPng)).toBe(true)
    await sendForm(admin, `/messages/${ticketId}`, {
      medias: [[tinyPng, 'nuevo.png']],
      body: ['así es'],
      fromMe: ['true'],
    })
    const { id } = await waitForPhoneMessage(customer, { kind: 'image', body: 'así es' })
    expect((await customer.fileOf(id)).equals(tinyPng)).toBe(true)
  })

  it('shows quotes on both sides', async () => {
    const { customer, id, ticketId } = await openConversation('¿abren hoy?')
    const [asked] = await thread(ticketId)
    await send(ticketId, 'hasta las seis', { quotedMsg: asked })
    const shown = await waitForPhoneMessage(customer, { body: 'hasta las seis', quotedId: id })
    await customer.says('gracias', shown.id)
    await last(ticketId, { body: 'gracias', quotedMsg: { body: 'hasta las seis', fromMe: true } })
  })

  it('receives, changes and removes a reaction', async () => {
    const { customer, ticketId } = await openConversation()
    await send(ticketId, 'listo')
    const { id } = await waitForPhoneMessage(customer, { body: 'listo' })
    for (const emoji of ['👍', '❤️', '']) {
      await customer.reacts(id, emoji)
      await last(ticketId, { reactions: emoji ? [{ emoji, fromMe: false }] : [] })
    }
  })

  it('applies edits and deletions by the customer, if the vendor reports them', async () => {
    const { customer, id, ticketId } = await openConversation('hola')
    if (!able('edit', 'revoke')) return await expect(customer.edits(id, 'x')).rejects.toThrow()
    await customer.edits(id, 'buen día')
    await last(ticketId, { body: 'buen día', isEdited: true })
    await customer.deletes(id)
    await last(ticketId, { isDeleted: true })
  })

  it('shows, changes and removes our reaction on the customer’s phone', async () => {
    const { customer, id, ticketId } = await openConversation()
    const [said] = await thread(ticketId)
    for (const emoji of ['🙏', '❤️', '']) {
      const answer = await admin.call(messagesApi.react, { params: { id: said?.id ?? '' }, body: { emoji } })
      expect(answer.reactions).toEqual(emoji ? [{ emoji, fromMe: true, name: expect.any(String) }] : [])
      await vi.waitFor(async () => expect(await customer.reactionTo(id)).toBe(emoji), pollOptions)
    }
  })

  it('delivers a location and a contact card in their own formats', async () => {
    const { customer, ticketId } = await openConversation()
    await send(ticketId, '', { location: { latitude: -34.6, longitude: -58.38, name: 'Casa central' } })
    await waitForPhoneMessage(customer, { kind: 'location', body: 'Casa central' })
    const { contact } = await ticketOf(customer)
    const sent = await send(ticketId, '', { contactCard: contact.id })
    expect(sent).toMatchObject({ mediaType: 'contactMessage', body: expect.stringContaining(`waid=${contact.number}`) })
    await waitForPhoneMessage(customer, { kind: 'contact', body: contact.name })
    expect((await ticketOf(customer)).lastMessage).toBe(contact.name)
  })

  it('shows our edit on the customer’s phone, or reports that editing is not possible', async () => {
    const { customer, ticketId } = await openConversation()
    const sent = await send(ticketId, 'son 10 pesos')
    await waitForPhoneMessage(customer, { body: 'son 10 pesos' })
    await last(ticketId, { ack: expect.toSatisfy((ack: number) => ack >= 2) })
    const answer = await admin.request<{ error?: string }>('PUT', `/messages/${sent.id}`, { body: 'son 12 pesos' })
    if (!able('edit')) return expect(answer.body.error).toBe('ERR_WAPP_CANNOT')
    expect(answer.body).toMatchObject({ body: 'son 12 pesos', isEdited: true })
    await waitForPhoneMessage(customer, { body: 'son 12 pesos' })
  })

  it('deletes our message from the customer’s phone, or reports that deleting is not possible', async () => {
    const { customer, ticketId } = await openConversation()
    const sent = await send(ticketId, 'precio: 10')
    await waitForPhoneMessage(customer, { body: 'precio: 10' })
    await last(ticketId, { ack: expect.toSatisfy((ack: number) => ack >= 2) })
    const answer = await admin.request<{ error?: string }>('DELETE', `/messages/${sent.id}`)
    if (!able('revoke')) return expect(answer.body.error).toBe('ERR_DELETE_WAPP_MSG')
    expect(answer.status).toBe(200)
    await waitForPhoneMessage(customer, { isDeleted: true })
  })

  it('loses no message in either direction when the connection breaks', async () => {
    const { customer, ticketId } = await openConversation()
    await line.interrupt()
    await customer.says('¿siguen ahí?')
    await send(ticketId, 'aquí estamos')
    await vi.waitFor(async () => {
      const bodies = (await thread(ticketId)).map(({ body }) => body)
      expect(bodies).toContain('¿siguen ahí?')
    }, pollOptions)
    await waitForPhoneMessage(customer, { body: 'aquí estamos' })
    await vi.waitFor(async () => {
      const ours = (await thread(ticketId)).find(({ body }) => body === 'aquí estamos')
      expect(ours?.ack).toBeGreaterThanOrEqual(2)
    }, pollOptions)
    expect((await customer.listMessages()).filter(({ body }) => body === 'aquí estamos')).toHaveLength(1)
  })

  it('guides the customer through a menu to an agent', async () => {
    const queue = (title: string, color: string) =>
      admin.call(queuesApi.create, { body: { name: `${title} ${name}`, color } as never })
    const colours: Record<string, string[]> = { sandbox: ['#111111', '#111112'], linked: ['#111113', '#111114'] }
    const [one = '#111115', two = '#111116'] = colours[name] ?? []
    const [sales, support] = [await queue('Ventas', one), await queue('Soporte', two)]
    await admin.call(connectionsApi.update, {
      params: { id: line.id },
      body: { name: `Con menú ${name}`, greetingMessage: 'Elija', queueIds: [sales.id, support.id] } as never,
    })
    const customer = line.customer('Menú')
    await customer.says('buenas')
    await waitForPhoneMessage(customer, { body: expect.stringContaining('Elija') })
    await customer.picks(2)
    await vi.waitFor(async () => expect(await ticketOf(customer)).toMatchObject({ queueId: support.id }), pollOptions)
    const { id } = await ticketOf(customer)
    expect(await ticketOf(customer)).toMatchObject({ status: 'pending' })
    await accept(id)
    await send(id, 'soy Ana, de soporte')
    await waitForPhoneMessage(customer, { body: expect.stringContaining('soy Ana, de soporte') })
  })
})
