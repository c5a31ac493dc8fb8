import { messagesApi } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { ticketsApi } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'

type Values = Partial<{
  status: Ticket['status']
  userId: number | null
  queueId: number | null
  createdAt: string
  updatedAt: string
  unreadMessages: number
}>
let harness: TestServer
let desk: Desk
let sales: { id: number }
let support: { id: number }
let ana: TestUser
let beto: TestUser
let supervisor: TestUser
let agentWithAllTickets: TestUser
/** A ticket in every state that a ticket can have, as seen by Ana of sales. */
let ticketIdsByName: Record<string, number>
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  support = await desk.createQueue('Soporte')
  ana = await desk.createUser('user', [sales])
  beto = await desk.createUser('user', [sales])
  supervisor = await desk.createUser('supervisor', [sales])
  agentWithAllTickets = await desk.createUser('user', [sales], 'enabled')
  const tester = { status: 'pending', queueId: null } as const
  ticketIdsByName = {
    loose: await createTicketInState('suelta', tester),
    waiting: await createTicketInState('espera en ventas', { status: 'pending', queueId: sales.id }),
    elsewhere: await createTicketInState('espera en soporte', { status: 'pending', queueId: support.id }),
    mine: await createTicketInState('mía', { status: 'open', userId: ana.id, queueId: sales.id }),
    mineElsewhere: await createTicketInState('mía en soporte', { status: 'open', userId: ana.id, queueId: support.id }),
    mineLoose: await createTicketInState('mía suelta', { status: 'open', userId: ana.id, queueId: null }),
    colleagues: await createTicketInState('de beto', { status: 'open', userId: beto.id, queueId: sales.id }),
    done: await createTicketInState('hecha', { status: 'closed', userId: beto.id, queueId: sales.id }),
    doneMine: await createTicketInState('hecha por mí', { status: 'closed', userId: ana.id, queueId: support.id }),
    doneElsewhere: await createTicketInState('hecha en soporte', {
      status: 'closed',
      userId: beto.id,
      queueId: support.id,
    }),
    doneLoose: await createTicketInState('hecha suelta', { status: 'closed', userId: beto.id, queueId: null }),
  }
})
afterAll(closeTestServers)

/** A ticket of a new contact, put into a state. */
async function createTicketInState(text: string, values: Values = {}, on: Desk = desk, name?: string): Promise<number> {
  const event = makeTextEvent(nextPhoneNumber(), text, name ? { pushName: name } : {})
  await on.receive(event)
  const { ticketId } = await on.waitForMessage(event.id)
  if (Object.keys(values).length) await on.db.updateTable('tickets').set(values).where('id', '=', ticketId).execute()
  return ticketId
}
/** The displayed ticket number. */
const called = async (id: number | undefined) => `#${(await desk.showTicket(id as number)).number}`
const names = (ids: number[]) =>
  ids
    .map((id) => Object.entries(ticketIdsByName).find(([, v]) => v === id)?.[0])
    .filter(Boolean)
    .sort()
const listVisible = async (by: TestUser, query: object = {}) => names(await desk.listTicketIds(by, query as never))

describe('visible tickets', () => {
  it('for an agent are their own, and pending and closed tickets of their queues', async () => {
    expect(await listVisible(ana, { status: 'open' })).toEqual(['mine', 'mineElsewhere', 'mineLoose'])
    expect(await listVisible(ana, { status: 'open', showAll: true })).toEqual(['mine', 'mineElsewhere', 'mineLoose'])
    expect(await listVisible(ana, { status: 'pending' })).toEqual(['waiting'])
    expect(await listVisible(ana, { status: 'closed', showAll: true })).toEqual(['done', 'doneMine'])
    expect(await listVisible(ana, { showAll: true })).toEqual([
      'done',
      'doneMine',
      'mine',
      'mineElsewhere',
      'mineLoose',
      'waiting',
    ])
  })
  it('include pending tickets without a queue for an agent who may take any ticket', async () => {
    expect(await listVisible(agentWithAllTickets, { status: 'pending' })).toEqual(['loose', 'waiting'])
    expect(await listVisible(agentWithAllTickets, { status: 'closed', showAll: true })).toEqual(['done'])
  })
  it('for a supervisor are all tickets of their queues, including those of colleagues with "show all"', async () => {
    expect(await listVisible(supervisor, { status: 'open', showAll: true })).toEqual(['colleagues', 'mine'])
    expect(await listVisible(supervisor, { status: 'open' })).toEqual([])
    expect(await listVisible(supervisor, { showAll: true })).toEqual(['colleagues', 'done', 'mine', 'waiting'])
    expect(await listVisible(supervisor, { status: 'pending' })).toEqual(['waiting'])
    expect(await listVisible(supervisor, { status: 'closed', showAll: true })).toEqual(['done'])
  })
  it('for an admin are all tickets, if requested', async () => {
    expect(await listVisible(desk.admin, { showAll: true })).toEqual(Object.keys(ticketIdsByName).sort())
    expect(await listVisible(desk.admin, { status: 'open' })).toEqual([])
    expect(await listVisible(desk.admin, { status: 'pending' })).toEqual(['elsewhere', 'loose', 'waiting'])
  })
  it("are of the user's own company only", async () => {
    const other = await harness.createCompany()
    expect((await other.admin.call(ticketsApi.list, { query: { showAll: 'true' } as never })).tickets).toEqual([])
  })
  it('are the same by id and by uuid, and other tickets are not found', async () => {
    const shown = await desk.showTicket(ticketIdsByName.mine as number, ana)
    expect((await ana.request<Ticket>('GET', `/tickets/u/${shown.uuid}`)).body).toEqual(shown)
    expect(shown.contact).toHaveProperty('extraInfo')
    const theirs = await desk.showTicket(ticketIdsByName.colleagues as number)
    for (const path of [
      `/tickets/${theirs.id}`,
      `/tickets/u/${theirs.uuid}`,
      `/messages/${theirs.id}`,
      `/tickets/${theirs.id}/events`,
    ])
      expect((await ana.request<{ error: string }>('GET', path)).body.error).toBe('ERR_NO_TICKET_FOUND')
    expect((await ana.request('GET', '/tickets/u/undefined')).status).toBe(400)
  })
})

describe('a page', () => {
  it('has forty tickets, the last changed first, and shows whether there are more', async () => {
    const other = await openDesk(harness)
    const texts = Array.from({ length: 43 }, (_, i) => makeTextEvent(nextPhoneNumber(), `t${i}`))
    await other.receive(...texts)
    const page = (pageNumber: number) =>
      other.admin.call(ticketsApi.list, { query: { status: 'pending', pageNumber } as never })
    const first = await page(1)
    expect(first).toMatchObject({ count: 43, hasMore: true })
    expect(first.tickets).toHaveLength(40)
    const rest = await page(2)
    expect(rest).toMatchObject({ count: 43, hasMore: false })
    expect(rest.tickets).toHaveLength(3)
    const order = [...first.tickets, ...rest.tickets].map((t) => t.updatedAt)
    expect(order).toEqual([...order].sort().reverse())
    await other.receive(
      makeTextEvent(rest.tickets.at(-1)?.contact.number as string, 'otra vez', {
        pushName: rest.tickets.at(-1)?.contact.name as string,
      }),
    )
    expect((await page(1)).tickets[0]?.id).toBe(rest.tickets.at(-1)?.id)
  })

  it('contains every key of a ticket, even if its value is empty', async () => {
    const [ticket] = await desk.listTickets(desk.admin, { searchParam: await called(ticketIdsByName.loose) })
    expect(ticket).toMatchObject({
      user: null,
      userId: null,
      queue: null,
      queueId: null,
      promptId: null,
      integrationId: null,
      tags: [],
      useIntegration: false,
      chatbot: false,
      isGroup: false,
    })
    expect(ticket?.contact).toMatchObject({ email: '', profilePicUrl: null })
    expect(ticket?.whatsapp).toMatchObject({ name: expect.any(String) })
  })
})

describe('a stored profile picture', () => {
  it('has a full URL wherever it is shown, for clients on other hosts', async () => {
    const desk = await openDesk(harness)
    const path = '/public/1/portrait.jpg/picture.jpg?sig=x'
    const whole = `${harness.address}${path}`
    const { id, customer } = await desk.openTicket(desk.admin)
    const { contactId, uuid } = await desk.showTicket(id)
    await desk.db.updateTable('contacts').set({ profilePicUrl: path }).where('id', '=', contactId).execute()
    const socketClient = await desk.admin.listen()

    const shown = async (address: string) => JSON.stringify((await desk.admin.request('GET', address)).body)
    for (const address of [
      '/tickets?status=open&showAll=true',
      '/tickets?searchParam=hola',
      '/ticket/kanban?showAll=true',
      `/tickets/${id}`,
      `/tickets/u/${uuid}`,
      '/contacts',
      `/contacts/${contactId}`,
    ])
      expect(await shown(address), address).toContain(`"profilePicUrl":"${whole}"`)

    await desk.waitForMessage(await customer.says('otra vez'))
    expect(await socketClient.waitFor(`company-${desk.company.id}-appMessage`, { action: 'create' })).toMatchObject({
      ticket: { contact: { profilePicUrl: whole } },
      contact: { profilePicUrl: whole },
    })
    await desk.admin.request('PUT', `/contacts/${contactId}`, {
      name: 'Otro nombre',
      number: customer.number,
      email: '',
    })
    expect(await socketClient.waitFor(`company-${desk.company.id}-contact`, { action: 'update' })).toMatchObject({
      contact: { profilePicUrl: whole },
    })
  })
})

describe('ticket filters', () => {
  it('include tickets of the chosen queues, and always tickets without a queue', async () => {
    expect(await listVisible(desk.admin, { status: 'pending', queueIds: [sales.id] })).toEqual(['loose', 'waiting'])
    expect(await listVisible(desk.admin, { status: 'pending', queueIds: [] })).toEqual(['loose'])
    expect(await listVisible(ana, { status: 'open', queueIds: [sales.id] })).toEqual(['mine', 'mineLoose'])
    // Choosing a queue in the filter gives no access to it.
    expect(await listVisible(ana, { status: 'pending', queueIds: [sales.id, support.id] })).toEqual(['waiting'])
    expect(
      (await desk.admin.request<{ tickets: Ticket[] }>('GET', '/tickets?status=pending&queueIds=broken')).body.tickets,
    ).toHaveLength(3)
  })

  it('require every chosen tag', async () => {
    const tag = async (name: string) =>
      (await desk.admin.request<{ id: number }>('POST', '/tags', { name, color: '#123456' })).body.id
    const [vip, urgent] = [await tag('vip vip'), await tag('urgente')]
    await desk.admin.request('POST', '/tags/sync', {
      ticketId: ticketIdsByName.waiting,
      tags: [{ id: vip }, { id: urgent }],
    })
    await desk.admin.request('POST', '/tags/sync', { ticketId: ticketIdsByName.mine, tags: [{ id: vip }] })
    expect(await listVisible(desk.admin, { showAll: true, tags: [vip] })).toEqual(['mine', 'waiting'])
    expect(await listVisible(desk.admin, { showAll: true, tags: [vip, urgent, vip] })).toEqual(['waiting'])
    expect(await listVisible(beto, { showAll: true, tags: [vip] })).toEqual(['waiting'])
    expect(await listVisible(desk.admin, { showAll: true, tags: [] })).toEqual(Object.keys(ticketIdsByName).sort())
  })

  it('accept any of the chosen users, for admins', async () => {
    expect(await listVisible(desk.admin, { showAll: true, status: 'open', users: [ana.id] })).toEqual([
      'mine',
      'mineElsewhere',
      'mineLoose',
    ])
    expect(await listVisible(desk.admin, { showAll: true, status: 'open', users: [ana.id, beto.id] })).toEqual([
      'colleagues',
      'mine',
      'mineElsewhere',
      'mineLoose',
    ])
    // For other users the filter is ignored.
    expect(await listVisible(ana, { showAll: true, users: [beto.id] })).toEqual(
      await listVisible(ana, { showAll: true }),
    )
  })

  it('use days of the company’s calendar', async () => {
    const other = await openDesk(harness)
    const moment = '2026-03-10T02:30:00.000Z'
    const created = await createTicketInState('creada', { createdAt: moment }, other)
    const changed = await createTicketInState('cambiada', { updatedAt: moment }, other)
    const on = async (query: object) => other.listTicketIds(other.admin, { showAll: true, ...query } as never)
    // Half past eleven on the evening before in São Paulo, and afternoon in Auckland.
    expect(await on({ date: '2026-03-09' })).toEqual([created])
    expect(await on({ updatedAt: '2026-03-09' })).toEqual([changed])
    expect(await on({ date: '2026-03-10' })).toEqual([])
    await other.setSetting('timezone', 'Pacific/Auckland')
    expect(await on({ date: '2026-03-10' })).toEqual([created])
    expect(await on({ updatedAt: '2026-03-10' })).toEqual([changed])
    // An invalid date is ignored.
    for (const day of ['2026-02-30', '2025-02-29', '2026-04-31', 'ayer'])
      expect(await on({ date: day, updatedAt: day })).toEqual(await on({}))
  })

  it('select unread tickets that are one’s own or unassigned, for notifications', async () => {
    const read = await createTicketInState('leída', {
      status: 'open',
      userId: ana.id,
      queueId: sales.id,
      unreadMessages: 0,
    })
    expect(await desk.listTicketIds(ana, { withUnreadMessages: true })).not.toContain(read)
    expect(await listVisible(ana, { withUnreadMessages: true })).toEqual([
      'mine',
      'mineElsewhere',
      'mineLoose',
      'waiting',
    ])
    expect(await listVisible(supervisor, { withUnreadMessages: true })).toEqual(['waiting'])
    expect(await listVisible(desk.admin, { withUnreadMessages: true })).toEqual(['elsewhere', 'loose', 'waiting'])
  })

  it('determine the counts of the badges', async () => {
    const counts = (by: TestUser, query: object = {}) => by.call(ticketsApi.counts, { query: query as never })
    expect(await counts(ana)).toEqual({ open: 4, pending: 1, unread: 4, snoozed: 0 })
    expect(await counts(desk.admin, { showAll: true })).toEqual({ open: 5, pending: 3, unread: 3, snoozed: 0 })
    expect(await counts(desk.admin, { showAll: true, queueIds: JSON.stringify([support.id]) })).toMatchObject({
      open: 2,
      pending: 2,
    })
    // "Show all" of a supervisor means their queues.
    const shown = await desk.listTicketIds(supervisor, { status: 'open', showAll: true })
    expect(shown.length).toBeGreaterThan(1)
    expect(await counts(supervisor, { showAll: true })).toMatchObject({ open: shown.length, pending: 1 })
    expect(await counts(supervisor, { showAll: false })).toMatchObject({ open: 0, pending: 1 })
  })
})

describe('ticket numbers', () => {
  it('are assigned per company from 1, without waiting for other companies', async () => {
    const [one, two] = [await openDesk(harness), await openDesk(harness)]
    const first = await one.showTicket(await createTicketInState('hola', {}, one))
    expect(first.number).toBe(1)
    expect((await two.showTicket(await createTicketInState('hola', {}, two))).number).toBe(1)
    const other = await harness.openLine(one.company)
    await one.db.transaction().execute(async (writing) => {
      const { companyId, contactId } = first
      const values = { companyId, contactId, whatsappId: null, queueId: null, userId: null, status: 'closed' as const }
      const more = { lastElsewhere: null, promptId: null, integrationId: null }
      await writing
        .insertInto('tickets')
        .values({ ...values, ...more } as never)
        .execute()
      // The ticket's number is taken, but its transaction is not committed yet.
      const lines = [one.line, other]
      const said = Array.from(
        { length: 12 },
        (_, i) => lines[i % 2]?.customer(nextPhoneNumber(), `C${i}`).says('hola') ?? '',
      )
      for (const wid of await Promise.all(said)) await one.waitForMessage(wid)
    })
    const numbers = (await one.listTickets(one.admin, { showAll: true })).map((ticket) => ticket.number)
    expect(numbers).toHaveLength(14)
    expect(new Set(numbers).size).toBe(14)
    expect(Math.min(...numbers)).toBe(1)
    const [message] = (await one.admin.call(messagesApi.list, { params: { ticketId: first.id }, query: {} as never }))
      .messages
    expect(message).toMatchObject({ ticketId: first.id, ticketNumber: 1 })
  })
})

describe('ticket search', () => {
  let found: Record<string, number>
  beforeAll(async () => {
    found = {
      named: await createTicketInState('hola', { status: 'pending', queueId: sales.id }, desk, 'José Ñandú'),
      said: await createTicketInState('quiero la CAÑERÍA al 50%_off', { status: 'pending', queueId: sales.id }),
      hidden: await createTicketInState('cañería secreta', { status: 'open', userId: beto.id, queueId: support.id }),
      hiddenDone: await createTicketInState('cañería cerrada', {
        status: 'closed',
        userId: beto.id,
        queueId: support.id,
      }),
    }
  })
  const search = async (by: TestUser, searchParam: string) => {
    const ids = await desk.listTicketIds(by, { searchParam, showAll: true })
    return Object.keys(found).filter((k) => ids.includes(found[k] as number))
  }

  it('finds names and text regardless of accents and case', async () => {
    expect(await search(ana, 'jose nandu')).toEqual(['named'])
    expect(await search(ana, 'NANDÚ')).toEqual(['named'])
    expect(await search(ana, 'caneria')).toEqual(['said'])
    expect(await search(ana, 'nada de esto')).toEqual([])
  })
  it('finds phone numbers in any notation', async () => {
    const { number } = (await desk.showTicket(found.named as number)).contact
    const written = `+${number.slice(0, 2)} (${number.slice(2, 4)}) ${number.slice(4, 9)}-${number.slice(9)}`
    expect(await search(ana, written)).toEqual(['named'])
    expect(await search(ana, number.slice(4))).toEqual(['named'])
    // With and without the ninth digit, it is the same phone number, as in the contact list.
    const short = number.slice(0, 4) + number.slice(5)
    expect(await search(ana, short)).toEqual(['named'])
    expect(await search(ana, `(${short.slice(2, 4)}) ${short.slice(4, 8)}-${short.slice(8)}`)).toEqual(['named'])
  })
  it('finds a ticket by its own number', async () => {
    expect(await search(ana, await called(found.said))).toEqual(['said'])
    // The id also finds the ticket, because older clients show the id.
    expect(await desk.listTicketIds(ana, { searchParam: String(found.said), showAll: true })).toContain(found.said)
    expect(await search(ana, await called(found.hidden))).toEqual([])
  })
  it('shows the matching message, cut around the match; no message if only the name matches', async () => {
    const hitOf = async (searchParam: string) =>
      (await desk.listTickets(ana, { searchParam, showAll: true })).map((t) => t.hit)
    const { id } = (await desk.listMessages(desk.admin, found.said as number)).at(-1) as { id: string }
    expect(await hitOf('caneria')).toEqual([
      { messageId: id, before: 'quiero la ', words: 'CAÑERÍA', after: ' al 50%_off' },
    ])
    expect(await hitOf('jose nandu')).toEqual([undefined])
    expect((await desk.listTickets(ana, { status: 'pending', showAll: true })).some((t) => t.hit)).toBe(false)
  })
  it('treats special characters literally', async () => {
    expect(await search(ana, '50%_o')).toEqual(['said'])
    expect(await search(ana, '%')).toEqual(['said'])
    expect(await search(ana, "' or 1=1 --")).toEqual([])
    expect(await search(ana, '\\')).toEqual([])
  })
  it('never shows tickets that the user may not see, in any state', async () => {
    expect(await search(desk.admin, 'caneria')).toEqual(['said', 'hidden', 'hiddenDone'])
    expect(await search(beto, 'caneria')).toEqual(['said', 'hidden', 'hiddenDone'])
    expect(await search(ana, 'cañería')).toEqual(['said'])
    expect(await search(supervisor, 'cañería')).toEqual(['said'])
    const other = await harness.createCompany()
    expect(
      (await other.admin.call(ticketsApi.list, { query: { searchParam: 'cañería', showAll: 'true' } as never }))
        .tickets,
    ).toEqual([])
  })
  it('finds one’s own tickets also if a common word has its newest hits in tickets of others', async () => {
    const mine = await createTicketInState('la manguera azul', { status: 'open', userId: ana.id, queueId: sales.id })
    const { contactId, id: ticketId } = await desk.showTicket(found.hidden as number)
    const rows = Array.from({ length: 450 }, (_, i) => ({
      companyId: desk.company.id,
      ticketId,
      contactId,
      whatsappId: desk.line.id,
      wid: `hose-${i}`,
      fromMe: false,
      body: 'otra manguera',
      createdAt: new Date(),
      storedAt: new Date(),
    }))
    await desk.db
      .insertInto('messages')
      .values(rows as never)
      .execute()
    expect(await desk.listTicketIds(ana, { searchParam: 'MANGUERA', showAll: true })).toEqual([mine])
  })
  it('finds the newest and the oldest ticket with a word, however frequent the word is', async () => {
    const other = await openDesk(harness)
    const old = await createTicketInState('un grifo viejo', {}, other)
    const { contactId, whatsappId } = await other.showTicket(old)
    const say = (body: string, times: number) =>
      sql`insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt", "storedAt")
        select ${other.company.id}, ${old}, ${contactId}, ${whatsappId}, ${body} || n, false, ${body}, now(), now()
        from generate_series(1, ${times}::int) n`.execute(other.db)
    await say('la bomba', 5001)
    await say('otra cosa', 5000)
    const today = [
      await createTicketInState('el grifo de hoy', {}, other),
      await createTicketInState('y la bomba', {}, other),
    ]
    for (let n = 0; n < 4; n++) today.push(await createTicketInState(`grifo ${n}`, {}, other))
    expect(await other.listTicketIds(other.admin, { searchParam: 'grifo', showAll: true })).toContain(old)
    expect(await other.listTicketIds(other.admin, { searchParam: 'grifo', showAll: true })).toContain(today.at(-1))
    expect(await other.listTicketIds(other.admin, { searchParam: 'bomba', showAll: true })).toEqual([today[1], old])
  })
  it('does not find deleted text', async () => {
    const event = makeTextEvent(nextPhoneNumber(), 'contraseña hipopótamo')
    await desk.receive(event)
    expect(await desk.listTicketIds(desk.admin, { searchParam: 'hipopotamo', showAll: true })).toHaveLength(1)
    await desk.receive({ kind: 'revoke', id: `r-${event.id}`, chat: event.chat, at: event.at, targetId: event.id })
    expect(await desk.listTicketIds(desk.admin, { searchParam: 'hipopotamo', showAll: true })).toEqual([])
  })
  it('combines with the other filters', async () => {
    expect(
      await desk.listTicketIds(desk.admin, { searchParam: 'caneria', showAll: true, queueIds: [sales.id] }),
    ).toEqual([found.said])
    expect(
      await desk.listTicketIds(desk.admin, { searchParam: 'caneria', showAll: true, users: [beto.id] }),
    ).toHaveLength(2)
  })
})

describe('the board of older clients', () => {
  const board = async (by: TestUser, query: object = {}) =>
    (await by.call(ticketsApi.kanban, { query: query as never })).tickets
  const tag = async (name: string, kanban = 1) =>
    (await desk.admin.request<{ id: number }>('POST', '/tags', { name, color: '#aa1122', kanban })).body.id
  const lane = async (id: number) =>
    (await board(desk.admin, { showAll: true })).find((t) => t.id === id)?.tags.map((t) => t.name)

  it('shows whether there are more cards than it contains', async () => {
    const crowded = await openDesk(harness)
    const { id } = await crowded.newTicket()
    const look = () => crowded.admin.call(ticketsApi.kanban, { query: { showAll: true } as never })
    expect(await look()).toMatchObject({ tickets: [{ id }], count: 1, hasMore: false })
    await sql`
      with people as (
        insert into contacts ("companyId", name, number, email)
        select ${crowded.company.id}, 'C' || n, '54911' || (70000000 + n), '' from generate_series(1, 500) n returning id
      )
      insert into tickets ("companyId", "contactId", "whatsappId", status)
      select ${crowded.company.id}, id, ${crowded.line.id}, 'pending' from people`.execute(crowded.db)
    const { tickets, count, hasMore } = await look()
    expect([tickets.length, count, hasMore]).toEqual([500, 500, true])
  })

  it('shows open tickets that the user may see', async () => {
    expect(names((await board(ana)).map((t) => t.id))).toEqual(['mine', 'mineElsewhere', 'mineLoose', 'waiting'])
    expect(names((await board(supervisor)).map((t) => t.id))).toEqual(['colleagues', 'mine', 'waiting'])
    const all = ['colleagues', 'elsewhere', 'loose', 'mine', 'mineElsewhere', 'mineLoose', 'waiting']
    expect(names((await board(desk.admin, { showAll: true })).map((t) => t.id))).toEqual(all)
    expect(names((await board(desk.admin, { showAll: true, queueIds: '[]' })).map((t) => t.id))).toEqual(all)
    expect(names((await board(ana, { showAll: true, queueIds: '[]' })).map((t) => t.id))).toEqual(['mineLoose'])
    expect(names((await board(desk.admin)).map((t) => t.id))).toEqual(['elsewhere', 'loose', 'waiting'])
    expect(names((await board(desk.admin, { showAll: true, queueIds: `[${support.id}]` })).map((t) => t.id))).toEqual([
      'elsewhere',
      'loose',
      'mineElsewhere',
      'mineLoose',
    ])
  })

  it('moves a card from lane to lane, and back to the first, without changing other tags', async () => {
    const id = await createTicketInState('tarjeta', { status: 'pending', queueId: sales.id })
    const [todo, doing, colour] = [await tag('Por hacer'), await tag('Haciendo'), await tag('amarillo', 0)]
    await ana.request('PUT', `/ticket-tags/${id}/${colour}`)
    expect(await lane(id)).toEqual([])
    expect((await ana.request('PUT', `/ticket-tags/${id}/${todo}`)).status).toBe(201)
    expect(await lane(id)).toEqual(['Por hacer'])
    await ana.request('DELETE', `/ticket-tags/${id}`)
    await ana.request('PUT', `/ticket-tags/${id}/${doing}`)
    expect(await lane(id)).toEqual(['Haciendo'])
    await ana.request('DELETE', `/ticket-tags/${id}`)
    expect((await ana.request('PUT', `/ticket-tags/${id}/lane0`)).status).toBe(201)
    expect(await lane(id)).toEqual([])
    expect((await desk.showTicket(id)).tags.map((t) => t.name)).toEqual(['amarillo'])
    expect((await ana.request('PUT', `/ticket-tags/${id}/${colour}`)).status).toBe(201)
    expect((await desk.showTicket(id)).tags).toHaveLength(1)
  })

  it('publishes a moved card to everyone who sees the ticket', async () => {
    const id = await createTicketInState('tarjeta', { status: 'pending', queueId: sales.id })
    const [socketClient, deaf] = [await beto.listen(), await (await desk.createUser('user', [support])).listen()]
    const todo = await tag('Nueva')
    await ana.request('PUT', `/ticket-tags/${id}/${todo}`)
    const news = await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'update' })
    expect(news).toMatchObject({ ticket: { id, tags: [{ id: todo, kanban: 1 }] } })
    expect(socketClient.received.filter((n) => n.payload?.action === 'delete')).toEqual([])
    await deaf.whenCaughtUp()
    expect(deaf.received.filter((n) => n.name.endsWith('-ticket'))).toEqual([])
    socketClient.close()
    deaf.close()
  })

  it('replaces all tags of a card at once, and refuses tags of other companies', async () => {
    const id = await createTicketInState('etiquetas', { status: 'pending', queueId: sales.id })
    const [one, two] = [await tag('uno uno'), await tag('dos dos', 0)]
    const sync = (tags: number[]) =>
      ana.request<Ticket & { error: string }>('POST', '/tags/sync', {
        ticketId: id,
        tags: tags.map((t) => ({ id: t, name: 'x' })),
      })
    expect((await sync([one, two, two])).body.tags.map((t) => t.id)).toEqual([one, two])
    expect((await sync([two])).body.tags.map((t) => t.id)).toEqual([two])
    const other = await harness.createCompany()
    const foreign = (await other.admin.request<{ id: number }>('POST', '/tags', { name: 'ajena', color: '#123456' }))
      .body.id
    expect((await sync([foreign])).body.error).toBe('ERR_NO_TAG_FOUND')
    expect((await desk.showTicket(id)).tags.map((t) => t.id)).toEqual([two])
    expect((await sync([])).body.tags).toEqual([])
    expect((await (await desk.createUser('user', [support])).request('PUT', `/ticket-tags/${id}/${one}`)).status).toBe(
      404,
    )
  })
})
