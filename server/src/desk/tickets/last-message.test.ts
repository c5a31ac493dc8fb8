import { contactsApi } from '@recado/contract/contacts'
import type { Ticket } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, testServer } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk(await testServer())
})
afterAll(closeTestServers)

describe('the newest message of a ticket', () => {
  it('is shown in lists, details and events, whoever wrote it and of any kind', async () => {
    const socketClient = await desk.admin.listen()
    const heard = () => socketClient.received.findLast((e) => e.payload?.ticket)?.payload.ticket as Ticket
    const { customer, id } = await desk.openTicket(desk.admin)
    const first = await desk.waitForMessage(await customer.says('una línea'))
    const theirs = { id: String(first.id), fromMe: false, ack: 0, mediaType: 'conversation' }
    expect((await desk.showTicket(id)).last).toEqual(theirs)
    expect((await desk.listTickets(desk.admin)).find((t) => t.id === id)?.last).toEqual(theirs)
    await vi.waitFor(() => expect(heard()).toMatchObject({ id, last: theirs }))

    const sent = await desk.send(desk.admin, id, 'enseguida')
    expect((await desk.showTicket(id)).last).toMatchObject({ id: sent.id, fromMe: true })
    await vi.waitFor(() => expect(heard().last).toMatchObject({ id: sent.id, fromMe: true, ack: 1 }))
    await vi.waitFor(async () => expect((await desk.showTicket(id)).last?.ack).toBe(3))
    await customer.reads()
    await vi.waitFor(async () => expect((await desk.showTicket(id)).last?.ack).toBe(4))

    const picture = await desk.waitForMessage(
      await customer.sends(new File([tinyPng], 'foto.png', { type: 'image/png' })),
    )
    expect((await desk.showTicket(id)).last).toEqual({
      id: String(picture.id),
      fromMe: false,
      ack: 0,
      mediaType: 'image',
    })
  })

  it('is shown beside the customer’s text if it is automatic, and then does not count as a reply', async () => {
    await desk.setSetting('sendGreetingAccepted', 'enabled')
    const { customer, id } = await desk.newTicket('¿Tienen taladros?')
    const first = await desk.showTicket(id)
    expect(first).toMatchObject({ heard: null, waitingSince: expect.any(String) })
    desk.server.clock.advance(60_000)
    await desk.accept(desk.admin, id)
    const greeted = await desk.showTicket(id)
    expect(greeted.last).toMatchObject({ fromMe: true })
    expect(greeted).toMatchObject({
      heard: { body: '¿Tienen taladros?', mediaType: 'conversation' },
      waitingSince: first.waitingSince,
    })
    await desk.setSetting('sendGreetingAccepted', 'disabled')
    // The wait counts from the first unanswered message.
    await desk.waitForHandled(await customer.says('¿Hola?'))
    expect(await desk.showTicket(id)).toMatchObject({ heard: null, waitingSince: first.waitingSince })
    const later = await desk.newTicket('después')
    const both = async () =>
      (await desk.listTicketIds(desk.admin, { order: 'waiting', showAll: true })).filter(
        (one) => one === id || one === later.id,
      )
    expect(await both()).toEqual([id, later.id])
    await desk.send(desk.admin, id, 'Sí, de dos tipos')
    expect(await desk.showTicket(id)).toMatchObject({ heard: null, waitingSince: null })
    expect(await both()).toEqual([later.id, id])
    await desk.waitForHandled(await customer.says('¿Y brocas?'))
    const again = await desk.showTicket(id)
    expect(Date.parse(again.waitingSince ?? '')).toBeGreaterThan(Date.parse(first.waitingSince ?? ''))
    await desk.putTicket(desk.admin, id, { status: 'closed', justClose: true })
    expect((await desk.showTicket(id)).waitingSince).toBeNull()
  })

  it('is the last of several that arrive at once', async () => {
    const { customer, id } = await desk.openTicket(desk.admin)
    const socketClient = await desk.admin.listen()
    const lines = ['a', 'b', 'c'].map((body) => makeTextEvent(customer.number, body))
    await desk.receive(...lines)
    const newest = await desk.waitForMessage(lines[2]?.id as string)
    await vi.waitFor(() => expect(socketClient.received.filter((e) => e.name.endsWith('appMessage'))).toHaveLength(3))
    const told = socketClient.received
      .filter((e) => e.name.endsWith('appMessage'))
      .map((e) => (e.payload.ticket as Ticket).last?.id)
    expect(told).toEqual(Array(3).fill(String(newest.id)))
    expect((await desk.showTicket(id)).last?.id).toBe(String(newest.id))
  })

  it('is the message of the closed ticket after a merge, until the contacts are unmerged', async () => {
    const phone = nextPhoneNumber()
    const lid = `lid${phone}`
    const [known, hidden] = [
      makeTextEvent(phone, 'por teléfono'),
      makeTextEvent(phone, 'sin número', { person: { lid } }),
    ]
    await desk.receive(known)
    await desk.receive({ ...hidden, chat: `${lid}@lid` })
    const kept = (await desk.waitForMessage(known.id)).ticketId
    const newest = await desk.waitForMessage(hidden.id)
    expect(newest.ticketId).not.toBe(kept)
    await desk.accept(desk.admin, kept)
    const proof = { id: `C${phone}`, chat: `${phone}@s.whatsapp.net`, at: new Date().toISOString() }
    await desk.receive({ ...proof, kind: 'contact', person: { phone, lid }, name: 'Lu' } as never)
    expect(await desk.showTicket(kept)).toMatchObject({
      lastMessage: 'sin número',
      last: { id: String(newest.id), fromMe: false },
    })
    const edit = { ...proof, id: `E${phone}`, kind: 'edit', targetId: hidden.id, body: 'corregido' }
    await desk.receive(edit as never)
    expect(await desk.showTicket(kept)).toMatchObject({ lastMessage: 'corregido' })
    const { contactId } = await desk.showTicket(kept)
    const [merge] = await desk.admin.call(contactsApi.merges, { params: { id: contactId } })
    const socketClient = await desk.admin.listen()
    await desk.admin.call(contactsApi.unmerge, { params: { id: merge?.id as number } })
    // Open threads show messages that now belong to the other contact, so both get an event.
    for (const one of [contactId, newest.contactId])
      await socketClient.waitFor(`company-${desk.company.id}-thread`, { contactId: one, whatsappId: desk.line.id })
    const own = await desk.waitForMessage(known.id)
    expect(await desk.showTicket(kept)).toMatchObject({ lastMessage: 'por teléfono', last: { id: String(own.id) } })
  })

  it('is shown as text, also for a location and a contact card, in any state', async () => {
    const { customer, id } = await desk.openTicket(desk.admin)
    const said = async () => (await desk.showTicket(id)).lastMessage
    const { contactId, contact } = await desk.showTicket(id)
    const card = await desk.send(desk.admin, id, { contactCard: contactId })
    expect(await said()).toBe(contact.name)
    await vi.waitFor(async () => expect((await desk.showTicket(id)).last?.ack).toBe(3))
    await desk.line.setFaults({ failSends: 'too-old' })
    await desk.admin.request('DELETE', `/messages/${card.id}`)
    await vi.waitFor(async () => expect((await desk.listMessages(desk.admin, id)).at(-1)?.error).toBe('not-deleted'))
    await desk.line.setFaults({})
    expect(await said()).toBe(contact.name)
    // A message that could not be decrypted at first.
    const { kind: _, content: __, ...late } = makeTextEvent(customer.number, '')
    await desk.receive({ ...late, kind: 'pending' })
    const content = {
      kind: 'location',
      latitude: 1.5,
      longitude: 2.25,
      name: 'Casa | patio',
      thumbnail: 'data:x',
    } as const
    await desk.receive({ ...late, kind: 'fill', content })
    expect(await said()).toBe('Casa   patio')
  })

  it('is null if there are no messages', async () => {
    const { customer } = await desk.newTicket()
    const contact = await desk.db
      .selectFrom('contacts')
      .select('id')
      .where('number', '=', customer.number)
      .executeTakeFirstOrThrow()
    const other = await desk.server.openLine({ admin: desk.admin })
    const made = await desk.admin.request<Ticket>('POST', '/tickets', {
      contactId: contact.id,
      status: 'open',
      queueId: null,
      whatsappId: other.id,
    })
    expect(made.body.last).toBeNull()
  })
})

describe('the order of a list', () => {
  it('is newest first, or longest waiting first, page by page', async () => {
    const own = await openDesk(desk.server)
    const ids: number[] = []
    for (let i = 0; i < 43; i++) ids.push((await ticketSince(own, i)).id)
    const oldest = { status: 'pending', showAll: true, order: 'oldest' }
    expect(await own.listTicketIds(own.admin, oldest)).toEqual(ids.slice(0, 40))
    expect(await own.listTicketIds(own.admin, { ...oldest, pageNumber: 2 })).toEqual(ids.slice(40))
    const newest = ids.toReversed().slice(0, 40)
    for (const order of ['newest', undefined, 'sideways'])
      expect(await own.listTicketIds(own.admin, { status: 'pending', showAll: true, order })).toEqual(newest)
  })
})

/** Creates a ticket that has waited since the i-th minute of that day. */
async function ticketSince(desk: Desk, i: number): Promise<{ id: number }> {
  const number = nextPhoneNumber()
  const { id: contactId } = await desk.db
    .insertInto('contacts')
    .values({
      companyId: desk.company.id,
      name: number,
      number,
      profilePicUrl: null,
      whatsappId: null,
      mergedInto: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const at = new Date(Date.UTC(2026, 0, 1, 12, i))
  return desk.db
    .insertInto('tickets')
    .values({
      companyId: desk.company.id,
      contactId,
      whatsappId: desk.line.id,
      status: 'pending',
      createdAt: at,
      updatedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}
