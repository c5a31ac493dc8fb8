import { contactsApi } from '@recado/contract/contacts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, makeTextEvent, openDesk } from '../../../test/desk.ts'
import { closeTestServers, testServer } from '../../../test/test-server.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk(await testServer())
})
afterAll(closeTestServers)

describe('deleting a contact who is writing', () => {
  it('does not deadlock: the contact is deleted, and every message is handled', async () => {
    const row = await desk.loadLineRow()
    const { inbox } = desk.server.server.switchboard
    const ids: string[] = []
    for (let round = 0; round < 15; round++) {
      const { customer, id } = await desk.openTicket(desk.admin)
      const { contactId } = await desk.showTicket(id)
      const note = () =>
        desk.admin
          .request('POST', '/ticket-notes', { note: 'una nota', ticketId: id, contactId })
          .then((answer) => answer.status)
      const words = Array.from({ length: 12 }, (_, i) => makeTextEvent(customer.number, `palabra ${i}`))
      ids.push(...words.map((w) => `message:${w.id}`))
      const heard = words.map(async (word, i) => {
        await new Promise((resolve) => setTimeout(resolve, i))
        await inbox.receive(row, [word])
      })
      const [gone, ...notes] = await Promise.all([
        desk.admin.call(contactsApi.remove, { params: { id: contactId } }),
        note(),
        note(),
        ...heard,
      ])
      expect(gone).toEqual({ message: 'deleted' })
      expect([200, 404]).toEqual(expect.arrayContaining(notes.slice(0, 2)))
    }
    await inbox.idle()
    const dealt = await desk.db
      .selectFrom('journal')
      .select(['eventId', 'processedAt', 'error'])
      .where('eventId', 'in', ids)
      .execute()
    expect(dealt).toHaveLength(ids.length)
    expect(dealt.filter((j) => j.processedAt === null || j.error !== null)).toEqual([])
  })
})
