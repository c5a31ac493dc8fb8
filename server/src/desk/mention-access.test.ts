import { messagesApi } from '@recado/contract/messages'
import { noticesApi } from '@recado/contract/notices'
import { notesApi, ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
})
afterAll(closeTestServers)

const addNote = (by: TestUser, ticketId: number, mentions: number[]) =>
  by.call(notesApi.create, { body: { ticketId, note: '¿Lo miras?', mentions } as never })
const notFound = { status: 404 }

it('lets a mentioned user read that one ticket, and nothing else, as long as the note exists', async () => {
  const [sales, support] = [await desk.createQueue(), await desk.createQueue()]
  const seller = await desk.createUser('user', [sales])
  const outsider = await desk.createUser('user', [support])
  const bystander = await desk.createUser('user', [support])
  // Two tickets of one customer: only the second one is mentioned.
  const { customer, id: first } = await desk.newTicket('secreto de antes')
  await desk.putTicket(desk.admin, first, { queueId: sales.id })
  await desk.accept(seller, first)
  await desk.putTicket(seller, first, { status: 'closed' })
  const { ticketId: id } = await desk.waitForMessage(await customer.says('necesito una factura'))
  await desk.putTicket(desk.admin, id, { queueId: sales.id })
  await desk.accept(seller, id)
  const { uuid, contactId } = await desk.showTicket(id, seller)

  const people = await seller.call(ticketsApi.people, { params: { id }, query: {} })
  expect(people).toEqual(
    expect.arrayContaining([
      { id: outsider.id, name: outsider.name, byNote: true },
      { id: desk.admin.id, name: 'The admin', byNote: false },
    ]),
  )
  const reads = (who: TestUser) =>
    Promise.all(
      [
        `/tickets/${id}`,
        `/tickets/u/${uuid}`,
        `/messages/${id}?pageNumber=1`,
        `/messages/${id}/search?searchParam=factura`,
        `/tickets/${id}/events`,
        `/ticket-notes/list?ticketId=${id}`,
      ].map(async (path) => (await who.request('GET', path)).status),
    )
  const denied = (await reads(outsider)).map(() => 404)
  const allowed = denied.map(() => 200)
  expect(await reads(seller)).toEqual(allowed)
  expect(await reads(outsider)).toEqual(denied)

  const socket = await outsider.listen()
  const note = await addNote(seller, id, [outsider.id])
  expect(note.mentions).toEqual([{ id: outsider.id, name: outsider.name }])
  await socket.waitFor(`company-${desk.company.id}-notice`, { action: 'create' })
  expect((await outsider.call(noticesApi.list)).notices).toMatchObject([{ kind: 'mention', ticketId: id }])
  expect(await reads(outsider)).toEqual(allowed)
  expect(await reads(bystander)).toEqual(denied)

  // The mentioned users read this ticket, and not the customer's other ticket, which users of the queue see in the same
  // thread.
  const bodies = async (who: TestUser) => (await desk.listMessages(who, id)).map((message) => message.body)
  expect(await bodies(seller)).toEqual(['secreto de antes', 'necesito una factura'])
  expect(await bodies(outsider)).toEqual(['necesito una factura'])
  const { hits } = await outsider.call(messagesApi.search, {
    params: { ticketId: id },
    query: { searchParam: 'secreto' },
  })
  expect(hits).toEqual([])
  await addNote(seller, first, [])
  const notes = await outsider.call(notesApi.list, { query: { ticketId: id } as never })
  expect(notes.map((one) => one.id)).toEqual([note.id])
  expect(await outsider.request('GET', `/tickets/${first}`)).toMatchObject(notFound)

  // They see nothing else: lists, search, board, export and live updates do not contain the ticket.
  for (const query of [{ showAll: true }, { showAll: true, status: 'open' }, { searchParam: 'factura' }])
    expect(await desk.listTicketIds(outsider, query)).toEqual([])
  expect(JSON.stringify((await outsider.request('GET', '/ticket/kanban?showAll=true')).body)).not.toContain(uuid)
  expect((await outsider.request('GET', `/tickets/${id}/export`)).status).toBe(404)
  expect((await outsider.request<unknown[]>('GET', `/ticket-notes/list?contactId=${contactId}`)).body).toEqual([])
  await desk.waitForMessage(await customer.says('¿sigue ahí?'))
  await desk.send(seller, id, 'Sí')
  await socket.whenCaughtUp()
  const events = socket.received.filter((event) => /-(appMessage|ticket|note|contact-typing)$/.test(event.name))
  expect(JSON.stringify(events)).not.toMatch(/sigue ah|"ticketId"/)

  // They may not write anything in the ticket.
  const writes: [string, string, object?][] = [
    ['PUT', `/tickets/${id}`, { status: 'open', userId: outsider.id }],
    ['PUT', `/tickets/${id}`, { status: 'closed' }],
    ['PUT', `/tickets/${id}`, { queueId: support.id }],
    ['PUT', `/tickets/${id}/unread`],
    ['POST', `/messages/${id}`, { body: 'Hola' }],
    ['POST', '/ticket-notes', { ticketId: id, note: 'Hola', mentions: [bystander.id] }],
    ['DELETE', `/ticket-notes/${note.id}`],
  ]
  for (const [method, path, body] of writes)
    expect({ path, status: (await outsider.request(method, path, body)).status }).toEqual({ path, status: 404 })
  expect(await desk.showTicket(id)).toMatchObject({ status: 'open', userId: seller.id, queueId: sales.id })

  await seller.call(notesApi.remove, { params: { id: note.id } })
  expect(await reads(outsider)).toEqual(denied)
  expect((await outsider.call(noticesApi.list)).notices).toEqual([])
})
