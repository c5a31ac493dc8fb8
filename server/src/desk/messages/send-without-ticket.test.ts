import { randomBytes } from 'node:crypto'
import { contactsApi } from '@recado/contract/contacts'
import { type Message, messagesApi } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import {
  closeTestServers,
  type SocketClient,
  type TestServer,
  type TestUser,
  testServer,
} from '../../../test/test-server.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { prepareOwnMessageTickets } from '../tickets/open.ts'
import { sendWithoutTicket } from './send-without-ticket.ts'
import { type OutgoingContent, storeOutgoing } from './store.ts'

let harness: TestServer
let desk: Desk
let sales: { id: number; name: string }
let support: { id: number }
let ana: TestUser
let beto: TestUser
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  support = await desk.createQueue('Soporte')
  ana = await desk.createUser('user', [sales])
  beto = await desk.createUser('user', [support])
})
afterAll(closeTestServers)

const pollOptions = { timeout: 15_000, interval: 20 }
const scope = () => new Scope(harness.server.deps, { companyId: desk.company.id })
const bodies = (messages: { body: string }[]) => messages.map(({ body }) => body)
const threadTopic = () => `company-${desk.company.id}-thread`

/** Creates a contact whose number is unknown to the line. */
async function createUnknownContact() {
  const number = nextPhoneNumber()
  const { id: contactId } = await desk.admin.call(contactsApi.create, { body: { name: `Cliente ${number}`, number } })
  return { contactId, customer: desk.line.customer(number), chat: { contactId, whatsappId: desk.line.id } }
}
/** Sends a text the way a campaign does. */
async function sendCampaignText(
  chat: { contactId: number; whatsappId: number },
  body: string,
  more: Partial<OutgoingContent> = {},
) {
  const [id] = await scope().transaction((tx) => sendWithoutTicket(tx, chat, [{ body, bot: 'campaign', ...more }]))
  return String(id)
}
const rowOf = (id: string) =>
  desk.db.selectFrom('messages').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow()
const ticketsOf = (contactId: number) =>
  desk.db.selectFrom('tickets').selectAll().where('contactId', '=', contactId).orderBy('id').execute()
const acksOf = ({ received: heard }: SocketClient, id: string) =>
  heard
    .filter(({ name }) => name.endsWith('-appMessage'))
    .map(({ payload }) => payload.message as Message)
    .filter((message) => message.id === id)
    .map(({ ack }) => ack)
/** Puts the customer's ticket into a queue, pending. */
async function waitsIn(queueId: number, ticketId: number) {
  await desk.putTicket(desk.admin, ticketId, { queueId, status: 'pending', userId: null })
}

describe('a message without a ticket', () => {
  it('is sent once and opens no ticket; the answer opens a ticket as usual and shows the quoted message', async () => {
    const { contactId, customer, chat } = await createUnknownContact()
    const id = await sendCampaignText(chat, 'Vuelven las clases de yoga')
    await vi.waitFor(
      async () => expect(bodies(await customer.listMessages())).toEqual(['Vuelven las clases de yoga']),
      pollOptions,
    )
    await vi.waitFor(
      async () => expect(await rowOf(id)).toMatchObject({ state: 'sent', ack: 3, ticketId: null }),
      pollOptions,
    )
    expect(await ticketsOf(contactId)).toEqual([])

    const { wid } = await rowOf(id)
    const answer = await desk.waitForMessage(await customer.says('¿a qué hora?', { quotedId: wid }))
    expect(await desk.showTicket(answer.ticketId)).toMatchObject({ status: 'pending', unreadMessages: 1, contactId })
    expect(await ticketsOf(contactId)).toHaveLength(1)
    const [ours, theirs] = await desk.listMessages(desk.admin, answer.ticketId)
    expect(ours).toMatchObject({ id, ticketId: null, fromMe: true, bot: 'campaign' })
    expect(theirs).toMatchObject({ ticketId: answer.ticketId, quotedMsg: { id, body: 'Vuelven las clases de yoga' } })
    expect(bodies(await customer.listMessages())).toEqual(['Vuelven las clases de yoga', '¿a qué hora?'])
  })

  it('stays between one ticket and the next in the thread, and changes neither ticket', async () => {
    const { customer, id } = await desk.openTicket(desk.admin, 'primero')
    const { contactId } = await desk.showTicket(id)
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    const before = await desk.showTicket(id)
    await sendCampaignText({ contactId, whatsappId: desk.line.id }, 'entre dos')
    expect(await desk.showTicket(id)).toEqual(before)
    const { ticketId } = await desk.waitForMessage(await customer.says('segundo'))
    expect(ticketId).not.toBe(id)
    await sendCampaignText({ contactId, whatsappId: desk.line.id }, 'después')
    expect(await desk.showTicket(ticketId)).toMatchObject({ lastMessage: 'segundo', last: { fromMe: false } })
    expect((await desk.listMessages(desk.admin, ticketId)).map((m) => [m.body, m.ticketId])).toEqual([
      ['primero', id],
      ['entre dos', null],
      ['segundo', ticketId],
      ['después', null],
    ])
  })

  it('is visible to users who see a ticket of the chat, with its acknowledgements and failure, and to nobody else', async () => {
    const { customer, id } = await desk.newTicket()
    await waitsIn(sales.id, id)
    const { contactId } = await desk.showTicket(id)
    const [hers, his] = [await ana.listen(), await beto.listen()]
    const sent = await sendCampaignText({ contactId, whatsappId: desk.line.id }, 'para quien atiende', {
      file: {
        mediaPath: `${randomBytes(24).toString('base64url')}.png`,
        mediaName: 'b.png',
        mediaType: 'image/png',
        kind: 'image',
        size: 3,
        pages: null,
      },
    })
    await hers.waitFor(threadTopic(), { contactId, whatsappId: desk.line.id })
    expect(bodies(await desk.listMessages(ana, id))).toContain('para quien atiende')
    const media = (by: TestUser) =>
      by.call(contactsApi.media, { params: { id: contactId }, query: { pageNumber: 1 } }).then((page) => page.media)
    expect((await media(ana)).map((one) => one.id)).toEqual([sent])
    expect(await media(beto)).toEqual([])

    // The file is missing: the line reports this, and users who see the message get the event.
    await vi.waitFor(() => expect(acksOf(hers, sent)).toContain(0), pollOptions)
    expect(await rowOf(sent)).toMatchObject({ state: 'failed', error: 'file-missing' })
    const text = await sendCampaignText({ contactId, whatsappId: desk.line.id }, 'con marcas')
    await vi.waitFor(() => expect(acksOf(hers, text)).toContain(3), pollOptions)
    await customer.reads()
    await vi.waitFor(() => expect(acksOf(hers, text)).toContain(4), pollOptions)
    await customer.reacts((await rowOf(text)).wid, '👍')
    await vi.waitFor(
      async () => expect((await desk.listMessages(ana, id)).at(-1)?.reactions).toHaveLength(1),
      pollOptions,
    )

    await his.whenCaughtUp()
    expect(his.received.filter(({ name }) => /-(thread|appMessage)$/.test(name))).toEqual([])
    const refused = { status: 404 }
    expect(await beto.request('GET', `/messages/${id}`)).toMatchObject(refused)
    expect(await beto.request('DELETE', `/messages/${text}`)).toMatchObject(refused)
    expect(await beto.request('POST', `/messages/${sent}/fetch`)).toMatchObject(refused)
    expect(await beto.request('POST', `/messages/${text}/reaction`, { emoji: '👍' })).toMatchObject(refused)
    for (const socketClient of [hers, his]) socketClient.close()
  })

  it('is revoked, answered and quoted by the agent of the open ticket of the chat', async () => {
    const { customer, id } = await desk.openTicket(desk.admin)
    const { contactId } = await desk.showTicket(id)
    const sent = await sendCampaignText({ contactId, whatsappId: desk.line.id }, 'se va a borrar')
    await vi.waitFor(async () => expect(await rowOf(sent)).toMatchObject({ ack: 3 }), pollOptions)
    const answer = await desk.send(desk.admin, id, { body: 'sobre eso', quotedMsg: { id: sent } })
    expect(answer).toMatchObject({ quotedMsg: { id: sent, body: 'se va a borrar' } })
    await desk.admin.call(messagesApi.react, { params: { id: sent }, body: { emoji: '👀' } })
    await desk.admin.call(messagesApi.remove, { params: { id: sent } })
    const { wid } = await rowOf(sent)
    const onPhone = async () => (await customer.listMessages()).find((one) => one.id === wid)
    await vi.waitFor(async () => expect(await onPhone()).toMatchObject({ isDeleted: true }), pollOptions)
    expect((await desk.listMessages(desk.admin, id)).find((one) => one.id === sent)).toMatchObject({
      isDeleted: true,
      body: '',
    })
  })

  it('is not found by a search, which finds only tickets', async () => {
    const { customer, chat } = await createUnknownContact()
    await sendCampaignText(chat, 'palabra zarzaparrilla')
    expect(await desk.listTicketIds(desk.admin, { searchParam: 'zarzaparrilla', showAll: true })).toEqual([])
    const { ticketId } = await desk.waitForMessage(await customer.says('¿zarzaparrilla?'))
    expect(await desk.listTicketIds(desk.admin, { searchParam: 'zarzaparrilla', showAll: true })).toEqual([ticketId])
  })

  it('moves with its contact on merge, moves back on unmerge, and is deleted with the contact', async () => {
    const { customer, id } = await desk.newTicket()
    const { contactId: kept } = await desk.showTicket(id)
    const lid = `lid${customer.number}`
    const hidden = makeTextEvent(customer.number, 'sin número', { person: { lid }, chat: `${lid}@lid` })
    await desk.receive(hidden)
    const { contactId: gone, ticketId: other } = await desk.waitForMessage(hidden.id)
    const said = await sendCampaignText({ contactId: gone, whatsappId: desk.line.id }, 'a quien no conocíamos')
    await desk.admin.request('DELETE', `/tickets/${other}`)

    const socketClient = await desk.admin.listen()
    const proof = { id: `C${customer.number}`, chat: hidden.chat, at: new Date().toISOString() }
    await desk.receive({ ...proof, kind: 'contact', person: { phone: customer.number, lid }, name: 'Lu' } as never)
    expect(await rowOf(said)).toMatchObject({ contactId: kept, aloneWith: kept })
    await socketClient.waitFor(threadTopic(), { contactId: kept, whatsappId: desk.line.id })
    expect(bodies(await desk.listMessages(desk.admin, id))).toEqual(['hola', 'a quien no conocíamos'])
    const late = await sendCampaignText({ contactId: kept, whatsappId: desk.line.id }, 'ya es una')

    const [merge] = await desk.admin.call(contactsApi.merges, { params: { id: kept } })
    await desk.admin.call(contactsApi.unmerge, { params: { id: merge?.id as number } })
    expect(await rowOf(said)).toMatchObject({ contactId: gone, aloneWith: gone })
    expect(bodies(await desk.listMessages(desk.admin, id))).toEqual(['hola', 'ya es una'])
    socketClient.close()

    await desk.admin.call(contactsApi.remove, { params: { id: gone } })
    await expect(rowOf(said)).rejects.toThrow()
    expect(await rowOf(late)).toMatchObject({ contactId: kept })
  })

  it('is refused unless line and contact belong to the company', async () => {
    const { chat } = await createUnknownContact()
    const other = await openDesk(harness)
    const theirs = await other.newTicket()
    const { contactId } = await other.showTicket(theirs.id)
    await expect(sendCampaignText({ ...chat, whatsappId: other.line.id }, 'x')).rejects.toThrow('ERR_NO_WAPP_FOUND')
    await expect(sendCampaignText({ ...chat, contactId }, 'x')).rejects.toThrow('ERR_NO_CONTACT_FOUND')
  })
})

describe('a message sent by the company in a ticket', () => {
  /** Sends a text the way a scheduled message does, under a user's name. */
  const sendCampaignText = (chat: { contactId: number; whatsappId: number }, userId: number | null, body: string) =>
    scope().transaction(async (tx) => {
      const [ticket] = (await prepareOwnMessageTickets(tx, [{ ...chat, userId }])) as [Ticket]
      await storeOutgoing(tx, ticket, [{ body, bot: 'schedule' }])
      return ticket
    })

  it('goes into the open ticket', async () => {
    const { customer, id } = await desk.newTicket()
    const { contactId } = await desk.showTicket(id)
    expect(await sendCampaignText({ contactId, whatsappId: desk.line.id }, ana.id, 'le recuerdo')).toMatchObject({ id })
    expect(await desk.showTicket(id)).toMatchObject({ status: 'pending', userId: null, lastMessage: 'le recuerdo' })
    await vi.waitFor(async () => expect(bodies(await customer.listMessages())).toContain('le recuerdo'), pollOptions)
    expect(await ticketsOf(contactId)).toHaveLength(1)
  })

  it('goes into a new closed ticket if none is open: nobody is notified, and an answer opens another ticket as usual', async () => {
    await desk.setSetting('autoReopenTimeout', '60')
    await desk.setSetting('userRating', 'enabled')
    const { contactId, customer, chat } = await createUnknownContact()
    const [hers, his] = [await ana.listen(), await beto.listen()]
    const { id } = await sendCampaignText(chat, ana.id, 'mañana a las diez')
    await vi.waitFor(
      async () => expect(bodies(await customer.listMessages())).toEqual(['mañana a las diez']),
      pollOptions,
    )
    expect(await desk.showTicket(id)).toMatchObject({
      ...{ status: 'closed', userId: ana.id, queueId: null, unreadMessages: 0, chatbot: false },
      lastMessage: 'mañana a las diez',
    })
    expect(await desk.listSegments(id)).toEqual([])
    expect((await desk.listEvents(id)).map(({ kind, steps }) => [kind, steps[0]?.why])).toEqual([
      ['create', 'no-living-ticket'],
    ])
    // The sender finds the ticket among the closed tickets; nobody else gets an event.
    expect(await desk.listTicketIds(ana, { status: 'closed' })).toContain(id)
    await his.whenCaughtUp()
    expect(his.received.filter(({ name }) => /-(ticket|appMessage|thread)$/.test(name))).toEqual([])
    await hers.whenCaughtUp()
    const rung = hers.received.filter(({ payload }) => (payload?.message as Message | undefined)?.read === false)
    expect(rung).toEqual([])

    const { ticketId } = await desk.waitForMessage(await customer.says('gracias'))
    expect(ticketId).not.toBe(id)
    expect(await desk.showTicket(ticketId)).toMatchObject({ status: 'pending', unreadMessages: 1 })
    expect((await desk.listSegments(ticketId))[0]).toMatchObject({ finishedAt: null })
    expect(await ticketsOf(contactId)).toHaveLength(2)
    await waitsIn(support.id, ticketId)
    expect(bodies(await desk.listMessages(beto, ticketId))).toEqual(['mañana a las diez', 'gracias'])
    expect(bodies(await customer.listMessages())).toEqual(['mañana a las diez', 'gracias'])
    await desk.setSetting('autoReopenTimeout', '0')
    await desk.setSetting('userRating', 'disabled')
    for (const socketClient of [hers, his]) socketClient.close()
  })

  it('continues a ticket that an agent closed a moment ago, but not a ticket that was never open', async () => {
    await desk.setSetting('autoReopenTimeout', '60')
    const { customer, id } = await desk.openTicket(desk.admin)
    const { contactId } = await desk.showTicket(id)
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    expect((await sendCampaignText({ contactId, whatsappId: desk.line.id }, null, 'le recuerdo')).id).not.toBe(id)
    expect((await desk.waitForMessage(await customer.says('¿y?'))).ticketId).toBe(id)
    await desk.setSetting('autoReopenTimeout', '0')
  })
})
