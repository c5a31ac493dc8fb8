import { noticesApi } from '@recado/contract/notices'
import type { Note } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../test/desk.ts'
import { closeTestServers, type TestUser, testServer } from '../../test/test-server.ts'

let desk: Desk
let queue: { id: number }
let ana: TestUser & { name: string }
let beto: TestUser
let otherQueueAgent: TestUser
beforeAll(async () => {
  desk = await openDesk(await testServer())
  queue = await desk.createQueue()
  ana = await desk.createUser('user', [queue])
  beto = await desk.createUser('user', [queue])
  otherQueueAgent = await desk.createUser('user')
})
afterAll(closeTestServers)

async function createPendingTicket() {
  const { customer, id } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  return { customer, id }
}
const write = (by: TestUser, ticketId: number, note: string) =>
  by.request<Note & { error: string }>('POST', '/ticket-notes', { note, ticketId, contactId: 1 })
const addNoteWithMentions = (by: TestUser, ticketId: number, note: string, mentions: number[]) =>
  by.request<Note & { error: string }>('POST', '/ticket-notes', { note, ticketId, mentions })
const list = (by: TestUser, query: string) => by.request<Note[]>('GET', `/ticket-notes/list?${query}`)

describe('ticket notes', () => {
  it('belong to the contact across tickets, newest first, under the name of their author', async () => {
    const { customer, id } = await createPendingTicket()
    const { contactId } = await desk.showTicket(id)
    const socketClient = await beto.listen()
    const first = await write(ana, id, 'Prefiere la mañana')
    expect(first.body).toMatchObject({
      note: 'Prefiere la mañana',
      ticketId: id,
      contactId,
      user: { id: ana.id, name: ana.name },
    })
    expect(await socketClient.waitFor(`company-${desk.company.id}-note`, { action: 'create' })).toMatchObject({
      note: { id: first.body.id },
    })
    await desk.putTicket(ana, id, { status: 'closed' })
    const next = (await desk.waitForMessage(await customer.says('de nuevo'))).ticketId
    await desk.putTicket(desk.admin, next, { queueId: queue.id, status: 'pending', userId: null })
    await write(beto, next, 'Llamar mañana')
    const shown = ['Llamar mañana', 'Prefiere la mañana']
    expect((await list(ana, `ticketId=${next}&contactId=${contactId}`)).body.map((n) => n.note)).toEqual(shown)
    expect((await list(ana, `contactId=${contactId}`)).body.map((n) => n.note)).toEqual(shown)
    expect((await list(ana, 'x=1')).body).toEqual([])
    socketClient.close()
  })

  it('can be read and written only by users who see the ticket', async () => {
    const { id } = await createPendingTicket()
    expect((await write(otherQueueAgent, id, 'no debería')).body.error).toBe('ERR_NO_TICKET_FOUND')
    expect((await list(otherQueueAgent, `ticketId=${id}`)).status).toBe(404)
    expect((await write(ana, id, 'x')).status).toBe(400)
  })

  it("of a ticket that a user may not see are left out of the contact's notes", async () => {
    const other = await desk.createQueue()
    const { customer, id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: other.id, status: 'pending', userId: null })
    const { contactId } = await desk.showTicket(id)
    await write(desk.admin, id, 'no es para Ana')
    expect((await list(ana, `contactId=${contactId}`)).body).toEqual([])
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    const next = (await desk.waitForMessage(await customer.says('de nuevo'))).ticketId
    await desk.putTicket(desk.admin, next, { queueId: queue.id, status: 'pending', userId: null })
    await write(ana, next, 'de Ana')
    for (const query of [`contactId=${contactId}`, `ticketId=${next}`])
      expect((await list(ana, query)).body.map((n) => n.note)).toEqual(['de Ana'])
    expect((await list(desk.admin, `ticketId=${next}`)).body.map((n) => n.note)).toEqual(['de Ana', 'no es para Ana'])
  })

  it('are deleted by their author or by an admin', async () => {
    const { id } = await createPendingTicket()
    const [one, two] = [(await write(ana, id, 'una')).body, (await write(ana, id, 'otra')).body]
    const remove = (by: TestUser, note: number) => by.request<{ error: string }>('DELETE', `/ticket-notes/${note}`)
    expect((await remove(beto, one.id)).body.error).toBe('ERR_NO_PERMISSION')
    const socketClient = await ana.listen()
    expect((await remove(ana, one.id)).status).toBe(200)
    await socketClient.waitFor(`company-${desk.company.id}-note`, { action: 'delete', noteId: one.id, ticketId: id })
    expect((await remove(desk.admin, two.id)).status).toBe(200)
    expect((await remove(ana, one.id)).body.error).toBe('ERR_NO_TICKETNOTE_FOUND')
    socketClient.close()
  })

  /** The tickets whose notes mention this user. */
  const namedIn = async (who: TestUser) =>
    (await who.call(noticesApi.list)).notices.filter((one) => one.kind === 'mention').map((one) => one.ticketId)

  it('notify mentioned users, as long as the note exists, whether or not they see the ticket', async () => {
    const { id } = await createPendingTicket()
    const people = await ana.request<{ id: number; name: string; byNote: boolean }[]>('GET', `/tickets/${id}/people`)
    const seeing = people.body.filter((one) => !one.byNote).map((one) => one.id)
    expect(seeing.sort()).toEqual([beto.id, desk.admin.id].sort())
    expect(people.body.find((one) => one.id === otherQueueAgent.id)).toMatchObject({ byNote: true })
    const socketClient = await beto.listen()
    const written = await addNoteWithMentions(ana, id, 'Mira esto @Beto, ¿lo ves?', [beto.id, ana.id, beto.id])
    const mentions = [ana.id, beto.id].sort((a, b) => a - b).map((one) => expect.objectContaining({ id: one }))
    expect(written.body.mentions).toEqual(mentions)
    expect((await list(beto, `ticketId=${id}`)).body[0]?.mentions).toEqual(mentions)
    const { notice } = await socketClient.waitFor(`company-${desk.company.id}-notice`, { action: 'create' })
    expect(notice).toMatchObject({ kind: 'mention', ticketId: id, by: { id: ana.id }, note: written.body.note })
    // Authors who mention themselves get no notification.
    expect(await namedIn(ana)).toEqual([])
    // A typed name alone mentions nobody.
    expect((await write(ana, id, '@Beto sin elegir')).body.mentions).toEqual([])
    expect(
      (await addNoteWithMentions(ana, id, 'para @otra persona', [otherQueueAgent.id])).body.mentions,
    ).toMatchObject([{ id: otherQueueAgent.id }])
    expect(await namedIn(otherQueueAgent)).toEqual([id])
    expect((await addNoteWithMentions(ana, id, 'para @nadie', [2_000_000_000])).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await list(ana, `ticketId=${id}`)).body).toHaveLength(3)
    // The notification stays when the user no longer sees the ticket; deleting the note deletes the notification.
    const told = () => namedIn(beto)
    expect(await told()).toEqual([id])
    await desk.putTicket(ana, id, { status: 'open', userId: ana.id })
    expect(await told()).toEqual([id])
    await ana.request('DELETE', `/ticket-notes/${written.body.id}`)
    expect(await told()).toEqual([])
    socketClient.close()
  })

  it('keep the name of an author who was deleted', async () => {
    const { id } = await createPendingTicket()
    const leaving = await desk.createUser('user', [queue])
    await write(leaving, id, 'hasta luego')
    await desk.admin.request('DELETE', `/users/${leaving.id}`)
    expect((await list(ana, `ticketId=${id}`)).body[0]).toMatchObject({
      note: 'hasta luego',
      user: { name: leaving.name },
    })
  })
})
