import type { Ticket, TicketDetail } from '@recado/contract/tickets'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestUser, testServer } from '../../../test/test-server.ts'
import { ticketRowShape } from './base/ticket-view.ts'

let desk: Desk
let otherConnection: pg.Client
beforeAll(async () => {
  const h = await testServer()
  desk = await openDesk(h)
  // A connection that writes like another process: this process gets no notification.
  otherConnection = new pg.Client({ connectionString: h.databaseUrl })
  await otherConnection.connect()
})
afterAll(async () => {
  await otherConnection.end()
  await closeTestServers()
})

/** Reads a ticket by its id, which is never cached, without the fields that lists do not have. */
async function showAsCard(id: number): Promise<Ticket> {
  const { extraInfo: _, ...contact } = ((await desk.showTicket(id)) as TicketDetail).contact
  return { ...(await desk.showTicket(id)), contact }
}

const texts = (calls: unknown[][]) =>
  calls.map(([given]) => (typeof given === 'string' ? given : (given as { text: string }).text))

describe('a cached ticket row', () => {
  it('equals a fresh read after a change to anything it shows', async () => {
    const { company, admin, line } = desk
    const sales = await desk.createQueue('Ventas')
    const { customer, id } = await desk.openTicket(admin, 'una zanahoria, por favor')
    await desk.putTicket(admin, id, { queueId: sales.id, userId: admin.id, status: 'open' })
    const tag = await admin.request<{ id: number }>('POST', '/tags', { name: 'Urgente', color: '#d73434', kanban: 1 })
    const { contactId } = await desk.showTicket(id)
    const message = async (text: string) => `id = ${(await desk.waitForMessage(await customer.says(text))).id}`
    const newest = `id = (select max(id) from messages where "ticketId" = ${id})`
    const changes: [string, () => Promise<string> | string][] = [
      [
        'its contact',
        () => `update contacts set name = 'Lía', "profilePicUrl" = '/public/x.png' where id = ${contactId}`,
      ],
      ['who attends it', () => `update users set name = 'Ana María' where id = ${admin.id}`],
      ['its queue', () => `update queues set name = 'Compras', color = '#123456' where id = ${sales.id}`],
      ['its line', () => `update whatsapps set name = 'Principal' where id = ${line.id}`],
      [
        'a promise of its queue',
        () => `insert into "ticketGoals" ("companyId", "ticketId", "queueId", kind, minutes, since, "warnAt", "dueAt")
          values (${company.id}, ${id}, ${sales.id}, 'answer', 10, now(), now(), now())`,
      ],
      ['a promise that is kept', () => `update "ticketGoals" set "endedAt" = now() where "ticketId" = ${id}`],
      ['a new tag', () => `insert into "ticketTags" values (${company.id}, ${id}, ${tag.body.id})`],
      ['a tag’s looks', () => `update tags set name = 'Ya', color = '#00ff00' where id = ${tag.body.id}`],
      ['a tag that is a lane no more', () => `update tags set kanban = 0 where id = ${tag.body.id}`],
      ['a tag that is gone', () => `delete from tags where id = ${tag.body.id}`],
      ['a message', async () => `update messages set read = false where ${await message('otra cosa')}`],
      ['a tick', () => `update messages set "fromMe" = true, ack = 3 where ${newest}`],
      ['words of the house', () => `update messages set bot = 'greeting' where ${newest}`],
      ['what was said before them', () => `update messages set body = 'dos' where "ticketId" = ${id} and not "fromMe"`],
      [
        'a past',
        () => `with past as (update tickets set past = true where id = ${id} returning id)
          update messages m set "createdAt" = now() + interval '1 minute' from past
          where m.id = (select min(id) from messages where "ticketId" = past.id)`,
      ],
      ['a message of that', () => `update messages set ack = 4 where "ticketId" = ${id}`],
      ['a line with hours', () => `update whatsapps set provider = 'cloud' where id = ${line.id}`],
      [
        'a word within these',
        () => `update messages set "createdAt" = now() where "ticketId" = ${id} and not "fromMe"`,
      ],
      ['a line without hours', () => `update whatsapps set provider = 'sandbox' where id = ${line.id}`],
      ['itself', () => `update tickets set "unreadMessages" = 7, "lastMessage" = 'x' where id = ${id}`],
      [
        'its ad',
        () => `with ad as (insert into ads ("companyId", key) values (${company.id}, '1') returning id)
          update tickets set "adId" = ad.id from ad where tickets.id = ${id}`,
      ],
      ['its snooze', () => `update tickets set "snoozedAt" = now(), "snoozeNote" = 'x' where id = ${id}`],
      ['its return', () => `update tickets set "snoozedAt" = null, "returnedAt" = now() where id = ${id}`],
      ['its priority', () => `update tickets set priority = 0 where id = ${id}`],
      ['its closing', () => `update tickets set status = 'closed' where id = ${id}`],
      [
        'its reason',
        () => `with reason as (insert into "closingReasons" ("companyId", name, position)
            values (${company.id}, 'x', 1) returning id)
          update tickets set "closingReasonId" = reason.id from reason where tickets.id = ${id}`,
      ],
      ['the name of its reason', () => `update "closingReasons" set name = 'y' where "companyId" = ${company.id}`],
      ['nobody', () => `update tickets set "userId" = null, status = 'pending' where id = ${id}`],
    ]
    const shown = async () => {
      const { status } = await desk.showTicket(id)
      const listed = await desk.listTickets(admin, { status, showAll: true })
      const found = await desk.listTickets(admin, { searchParam: String(id), showAll: true })
      const board = await admin.request<{ columns: { cards: Ticket[] }[] }>('GET', '/kanban')
      return [...listed, ...found, ...board.body.columns.flatMap(({ cards }) => cards)].filter((one) => one.id === id)
    }
    expect(await shown()).toEqual(Array(3).fill(await showAsCard(id)))
    for (const [what, change] of changes) {
      const before = await showAsCard(id)
      await otherConnection.query(await change())
      const now = await showAsCard(id)
      expect(now, what).not.toEqual(before)
      // The board shows no closed ticket.
      const places = Array(now.status === 'closed' ? 2 : 3).fill(now)
      expect(await shown(), what).toEqual(places)
      // The second read comes from the cache.
      expect(await shown(), what).toEqual(places)
    }
  })

  it('contains only fields that its version stamp covers', () => {
    // When you add a field to a row, update its stamp (cards.ts) and the changes above, and then add it here.
    const itself =
      'id number code uuid status priority lastMessage unreadMessages isGroup chatbot companyId userId contactId adId'
    const more = 'queueId whatsappId useIntegration promptId integrationId createdAt updatedAt waitingSince laneId'
    const around = 'closingReason snooze returned contact user queue whatsapp tags goals last heard windowEndsAt'
    expect(Object.keys(ticketRowShape).sort()).toEqual(`${itself} ${more} ${around}`.split(' ').sort())
  })

  it('is not read again until it changes, and then no other row is read', async () => {
    const few = await Promise.all([1, 2, 3].map(() => desk.newTicket()))
    const page = { status: 'pending', showAll: true }
    await desk.listTickets(desk.admin, page)
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    const lookups = () => texts(asked.mock.calls).filter((text) => text.includes('wanted(id)'))
    await desk.listTickets(desk.admin, page)
    expect(lookups()).toEqual([])
    await otherConnection.query(`update tickets set "lastMessage" = 'otra' where id = ${few[0]?.id}`)
    asked.mockClear()
    expect((await desk.listTickets(desk.admin, page)).find(({ id }) => id === few[0]?.id)).toMatchObject({
      lastMessage: 'otra',
    })
    const looked = asked.mock.calls.find((call) => texts([call])[0]?.includes('wanted(id)')) as unknown[]
    expect(JSON.stringify(looked)).toContain(`[${few[0]?.id}]`)
    asked.mockRestore()
  })

  it('is never shown to a user who may not see the ticket, whoever it was cached for', async () => {
    const mine = await desk.createQueue()
    const theirs = await desk.createQueue()
    const agent = await desk.createUser('user', [mine])
    const { id } = await desk.newTicket('secreto')
    await desk.putTicket(desk.admin, id, { queueId: theirs.id, status: 'pending' })
    const seen = async (by: TestUser = agent) =>
      (await desk.listTicketIds(by, { status: 'pending', showAll: true })).includes(id)
    expect([await seen(desk.admin), await seen()]).toEqual([true, false])
    await otherConnection.query(`update tickets set "queueId" = ${mine.id} where id = ${id}`)
    expect(await seen()).toBe(true)
    await otherConnection.query(`update tickets set "queueId" = ${theirs.id} where id = ${id}`)
    expect(await seen()).toBe(false)
    const stranger = await desk.server.createCompany()
    expect((await stranger.admin.request<{ tickets: Ticket[] }>('GET', '/tickets?showAll=true')).body.tickets).toEqual(
      [],
    )
  })
})

describe('a filter with every queue selected', () => {
  it('shows the same as no filter, until a queue is added', async () => {
    const here = await openDesk(desk.server)
    const [one, two] = [await here.createQueue(), await here.createQueue()]
    const tickets = await Promise.all([1, 2, 3].map(() => here.newTicket()))
    const [first, second, loose] = tickets.map(({ id }) => id) as [number, number, number]
    await here.putTicket(here.admin, first, { queueId: one.id, status: 'pending' })
    await here.putTicket(here.admin, second, { queueId: two.id, status: 'pending' })
    const ids = async (queueIds?: number[]) =>
      (await here.listTicketIds(here.admin, { status: 'pending', showAll: true, ...(queueIds && { queueIds }) })).sort()
    const counts = async (queueIds: number[]) =>
      (
        await here.admin.request<{ pending: number }>(
          'GET',
          `/tickets/counts?showAll=true&queueIds=${encodeURIComponent(JSON.stringify(queueIds))}`,
        )
      ).body.pending
    expect(await ids()).toEqual([first, second, loose].sort())
    expect(await ids([one.id, two.id])).toEqual([first, second, loose].sort())
    expect(await ids([one.id])).toEqual([first, loose].sort())
    expect([await counts([one.id, two.id]), await counts([one.id]), await counts([])]).toEqual([3, 2, 1])
    const three = await here.createQueue()
    await here.putTicket(here.admin, second, { queueId: three.id, status: 'pending' })
    expect(await ids([one.id, two.id])).toEqual([first, loose].sort())
  })
})
