import { contactsApi } from '@recado/contract/contacts'
import type { Ticket } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, testServer } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'

let d: Desk
beforeAll(async () => {
  d = await openDesk(await testServer())
})
afterAll(closeTestServers)

describe('the newest message of a ticket', () => {
  it('is in lists, details and events, whoever wrote it and of any kind', async () => {
    const ear = await d.admin.listen()
    const heard = () => ear.heard.findLast((e) => e.payload?.ticket)?.payload.ticket as Ticket
    const { customer, id } = await d.openTicket(d.admin)
    const first = await d.stored(await customer.says('una línea'))
    const theirs = { id: String(first.id), fromMe: false, ack: 0, mediaType: 'conversation' }
    expect((await d.show(id)).last).toEqual(theirs)
    expect((await d.list(d.admin)).find((t) => t.id === id)?.last).toEqual(theirs)
    await vi.waitFor(() => expect(heard()).toMatchObject({ id, last: theirs }))

    const sent = await d.send(d.admin, id, 'enseguida')
    expect((await d.show(id)).last).toMatchObject({ id: sent.id, fromMe: true })
    await vi.waitFor(() => expect(heard().last).toMatchObject({ id: sent.id, fromMe: true, ack: 1 }))
    await vi.waitFor(async () => expect((await d.show(id)).last?.ack).toBe(3))
    await customer.reads()
    await vi.waitFor(async () => expect((await d.show(id)).last?.ack).toBe(4))

    const picture = await d.stored(await customer.sends(new File([tinyPng], 'foto.png', { type: 'image/png' })))
    expect((await d.show(id)).last).toEqual({ id: String(picture.id), fromMe: false, ack: 0, mediaType: 'image' })
  })

  it('keeps the customer’s text beside an automatic message, which does not count as a reply', async () => {
    await d.set('sendGreetingAccepted', 'enabled')
    const { customer, id } = await d.newTicket('¿Tienen taladros?')
    const first = await d.show(id)
    expect(first).toMatchObject({ heard: null, waitingSince: expect.any(String) })
    d.h.clock.forward(60_000)
    await d.accept(d.admin, id)
    const greeted = await d.show(id)
    expect(greeted.last).toMatchObject({ fromMe: true })
    expect(greeted).toMatchObject({
      heard: { body: '¿Tienen taladros?', mediaType: 'conversation' },
      waitingSince: first.waitingSince,
    })
    await d.set('sendGreetingAccepted', 'disabled')
    // The wait counts from the first unanswered message.
    await d.handled(await customer.says('¿Hola?'))
    expect(await d.show(id)).toMatchObject({ heard: null, waitingSince: first.waitingSince })
    const later = await d.newTicket('después')
    const both = async () =>
      (await d.ids(d.admin, { order: 'waiting', showAll: true })).filter((one) => one === id || one === later.id)
    expect(await both()).toEqual([id, later.id])
    await d.send(d.admin, id, 'Sí, de dos tipos')
    expect(await d.show(id)).toMatchObject({ heard: null, waitingSince: null })
    expect(await both()).toEqual([later.id, id])
    await d.handled(await customer.says('¿Y brocas?'))
    const again = await d.show(id)
    expect(Date.parse(again.waitingSince ?? '')).toBeGreaterThan(Date.parse(first.waitingSince ?? ''))
    await d.put(d.admin, id, { status: 'closed', justClose: true })
    expect((await d.show(id)).waitingSince).toBeNull()
  })

  it('is the last of several that arrive at once', async () => {
    const { customer, id } = await d.openTicket(d.admin)
    const ear = await d.admin.listen()
    const lines = ['a', 'b', 'c'].map((body) => makeTextEvent(customer.number, body))
    await d.hears(...lines)
    const newest = await d.stored(lines[2]?.id as string)
    await vi.waitFor(() => expect(ear.heard.filter((e) => e.name.endsWith('appMessage'))).toHaveLength(3))
    const told = ear.heard
      .filter((e) => e.name.endsWith('appMessage'))
      .map((e) => (e.payload.ticket as Ticket).last?.id)
    expect(told).toEqual(Array(3).fill(String(newest.id)))
    expect((await d.show(id)).last?.id).toBe(String(newest.id))
  })

  it('is that of the closed ticket after a merge, until the contacts are unmerged', async () => {
    const phone = nextPhoneNumber()
    const lid = `lid${phone}`
    const [known, hidden] = [
      makeTextEvent(phone, 'por teléfono'),
      makeTextEvent(phone, 'sin número', { person: { lid } }),
    ]
    await d.hears(known)
    await d.hears({ ...hidden, chat: `${lid}@lid` })
    const kept = (await d.stored(known.id)).ticketId
    const newest = await d.stored(hidden.id)
    expect(newest.ticketId).not.toBe(kept)
    await d.accept(d.admin, kept)
    const proof = { id: `C${phone}`, chat: `${phone}@s.whatsapp.net`, at: new Date().toISOString() }
    await d.hears({ ...proof, kind: 'contact', person: { phone, lid }, name: 'Lu' } as never)
    expect(await d.show(kept)).toMatchObject({
      lastMessage: 'sin número',
      last: { id: String(newest.id), fromMe: false },
    })
    const edit = { ...proof, id: `E${phone}`, kind: 'edit', targetId: hidden.id, body: 'corregido' }
    await d.hears(edit as never)
    expect(await d.show(kept)).toMatchObject({ lastMessage: 'corregido' })
    const { contactId } = await d.show(kept)
    const [merge] = await d.admin.call(contactsApi.merges, { params: { id: contactId } })
    const ear = await d.admin.listen()
    await d.admin.call(contactsApi.unmerge, { params: { id: merge?.id as number } })
    // Open threads show messages that are no longer theirs, so both get an event.
    for (const one of [contactId, newest.contactId])
      await ear.hear(`company-${d.company.id}-thread`, { contactId: one, whatsappId: d.line.id })
    const own = await d.stored(known.id)
    expect(await d.show(kept)).toMatchObject({ lastMessage: 'por teléfono', last: { id: String(own.id) } })
  })

  it('is shown in words, also for a location and a card, in any state', async () => {
    const { customer, id } = await d.openTicket(d.admin)
    const said = async () => (await d.show(id)).lastMessage
    const { contactId, contact } = await d.show(id)
    const card = await d.send(d.admin, id, { contactCard: contactId })
    expect(await said()).toBe(contact.name)
    await vi.waitFor(async () => expect((await d.show(id)).last?.ack).toBe(3))
    await d.line.misbehave({ failSends: 'too-old' })
    await d.admin.ask('DELETE', `/messages/${card.id}`)
    await vi.waitFor(async () => expect((await d.thread(d.admin, id)).at(-1)?.error).toBe('not-deleted'))
    await d.line.misbehave({})
    expect(await said()).toBe(contact.name)
    // It could not be decrypted at first.
    const { kind: _, content: __, ...late } = makeTextEvent(customer.number, '')
    await d.hears({ ...late, kind: 'pending' })
    const content = {
      kind: 'location',
      latitude: 1.5,
      longitude: 2.25,
      name: 'Casa | patio',
      thumbnail: 'data:x',
    } as const
    await d.hears({ ...late, kind: 'fill', content })
    expect(await said()).toBe('Casa   patio')
  })

  it('is null if there are no messages', async () => {
    const { customer } = await d.newTicket()
    const contact = await d.db
      .selectFrom('contacts')
      .select('id')
      .where('number', '=', customer.number)
      .executeTakeFirstOrThrow()
    const other = await d.h.line({ admin: d.admin })
    const made = await d.admin.ask<Ticket>('POST', '/tickets', {
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
    const own = await openDesk(d.h)
    const ids: number[] = []
    for (let i = 0; i < 43; i++) ids.push((await ticketSince(own, i)).id)
    const oldest = { status: 'pending', showAll: true, order: 'oldest' }
    expect(await own.ids(own.admin, oldest)).toEqual(ids.slice(0, 40))
    expect(await own.ids(own.admin, { ...oldest, pageNumber: 2 })).toEqual(ids.slice(40))
    const newest = ids.toReversed().slice(0, 40)
    for (const order of ['newest', undefined, 'sideways'])
      expect(await own.ids(own.admin, { status: 'pending', showAll: true, order })).toEqual(newest)
  })
})

/** Waiting since the i-th minute of that day. */
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
