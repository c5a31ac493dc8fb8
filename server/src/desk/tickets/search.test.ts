import { fold } from '@recado/contract/text/fold'
import { isSearchMatch } from '@recado/contract/text/people-search'
import { type TicketStatus, ticketStatuses } from '@recado/contract/ticket-statuses'
import type { Ticket } from '@recado/contract/tickets'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { canSeeTicket, type Viewer } from './base/visibility.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

type TicketRow = {
  status: TicketStatus
  queueId: number | null
  userId: number | null
  unreadMessages: number
  createdAt: string
  updatedAt: string
  tags: number[]
  name: string
  messages: { body: string; isDeleted: boolean }[]
}
type StoredTicket = TicketRow & { id: number; number: number; contactNumber: string }

/** Writes tickets of new contacts directly into the tables, one statement per table. */
async function insertTickets(d: Desk, rows: TicketRow[]): Promise<StoredTicket[]> {
  const companyId = d.company.id
  const numberOf = (n: number) => `55119${70_000_000 + n}`
  const contacts = await d.db
    .insertInto('contacts')
    .values(rows.map(({ name }, n) => ({ companyId, name, number: numberOf(n) })) as never)
    .returning(['id', 'number'])
    .execute()
  const contactId = new Map(contacts.map((contact) => [contact.number, contact.id]))
  const tickets = await d.db
    .insertInto('tickets')
    .values(
      rows.map(({ tags: _tags, name: _name, messages: _messages, ...row }, n) => ({
        ...row,
        companyId,
        contactId: contactId.get(numberOf(n)),
        whatsappId: d.line.id,
      })) as never,
    )
    .returning(['id', 'number', 'contactId'])
    .execute()
  const byContact = new Map(tickets.map((ticket) => [ticket.contactId, ticket]))
  const stored = rows.map((row, n) => {
    const ticket = byContact.get(contactId.get(numberOf(n)) as number) as (typeof tickets)[number]
    return { ...row, id: ticket.id, number: ticket.number, contactNumber: numberOf(n), contactId: ticket.contactId }
  })
  const messages = stored.flatMap((ticket) =>
    ticket.messages.map(({ body, isDeleted }, n) => ({
      companyId,
      ticketId: ticket.id,
      contactId: ticket.contactId,
      whatsappId: d.line.id,
      wid: `search-${ticket.id}-${n}`,
      fromMe: false,
      body,
      isDeleted,
      createdAt: ticket.updatedAt,
      storedAt: ticket.updatedAt,
    })),
  )
  for (let n = 0; n < messages.length; n += 2000)
    await d.db
      .insertInto('messages')
      .values(messages.slice(n, n + 2000) as never)
      .execute()
  const tags = stored.flatMap((ticket) => ticket.tags.map((tagId) => ({ companyId, ticketId: ticket.id, tagId })))
  if (tags.length)
    await d.db
      .insertInto('ticketTags')
      .values(tags as never)
      .execute()
  return stored
}

type TicketPage = { tickets: Ticket[]; count: number; hasMore: boolean }
type Query = Record<string, string | boolean | number | undefined>
const pathOf = (query: Query) => {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  return `/tickets?${new URLSearchParams(entries.map(([key, value]): [string, string] => [key, String(value)]))}`
}

/** Every page of a search, in order. */
async function everyPage(by: TestUser, query: Query): Promise<Ticket[]> {
  const tickets: Ticket[] = []
  for (let pageNumber = 1; ; pageNumber++) {
    const { status, body } = await by.request<TicketPage>('GET', pathOf({ ...query, pageNumber }))
    expect(status).toBe(200)
    tickets.push(...body.tickets)
    expect(body.count).toBeGreaterThanOrEqual(tickets.length)
    if (!body.hasMore) {
      if (body.tickets.length) expect(body.count).toBe(tickets.length)
      return tickets
    }
    expect(body.tickets).toHaveLength(40)
  }
}

const minutes = (n: number) => new Date(Date.UTC(2026, 4, 1, 12) + n * 60_000).toISOString()
const plainTicket: TicketRow = {
  status: 'pending',
  queueId: null,
  userId: null,
  unreadMessages: 0,
  createdAt: minutes(0),
  updatedAt: minutes(0),
  tags: [],
  name: 'Cliente',
  messages: [],
}

describe('a search for a very common word', () => {
  let d: Desk
  let stored: StoredTicket[]
  beforeAll(async () => {
    d = await openDesk(harness)
    const hola = { messages: [{ body: 'hola', isDeleted: false }] }
    stored = await insertTickets(
      d,
      Array.from({ length: 420 }, (_, n) => ({
        ...plainTicket,
        ...hola,
        updatedAt: minutes(n),
        ...(n < 12 && { status: 'open' as const, userId: d.admin.id }),
      })),
    )
  })

  it('finds the word in every ticket, page after page', async () => {
    const found = await everyPage(d.admin, { searchParam: 'hola', showAll: true })
    expect(found.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).reverse())
    expect(found.every(({ hit }) => hit?.words === 'hola')).toBe(true)
  })

  it('finds the word with filters that only the oldest tickets pass', async () => {
    const found = await everyPage(d.admin, { searchParam: 'hola', status: 'open', users: `[${d.admin.id}]` })
    expect(found.map(({ id }) => id)).toEqual(
      stored
        .slice(0, 12)
        .map(({ id }) => id)
        .reverse(),
    )
  })
})

describe('a ticket search', () => {
  let d: Desk
  let stored: StoredTicket[]
  let viewers: { by: TestUser; sees: Viewer }[]
  let queues: number[]
  let people: number[]
  let tags: number[]

  /** Words from very common to unique; some contain others, some have accents, some are also names. */
  const vocabulary = ['hola', 'gracias', 'Pérez', 'cañería', 'turno', 'reclamo', 'ñandú', 'xilófono']
  const searched = [...vocabulary, 'HOLA', 'perez', 'a', 'ri', 'hola gracias', 'zzz', '%', '7', '#12', 'Ana', 'an']

  beforeAll(async () => {
    d = await openDesk(harness)
    const made = [await d.createQueue(), await d.createQueue(), await d.createQueue()] as const
    queues = made.map(({ id }) => id)
    const agent = await d.createUser('user', [made[0]])
    const wider = await d.createUser('user', [made[0], made[1]], 'enabled')
    const supervisor = await d.createUser('supervisor', [made[1], made[2]])
    const outsider = await d.createUser('user')
    people = [d.admin, agent, wider, supervisor].map(({ id }) => id)
    const views = [
      { by: d.admin, profile: 'admin', queueIds: [], allTicket: false },
      { by: agent, profile: 'user', queueIds: [queues[0]], allTicket: false },
      { by: wider, profile: 'user', queueIds: [queues[0], queues[1]], allTicket: true },
      { by: supervisor, profile: 'supervisor', queueIds: [queues[1], queues[2]], allTicket: false },
      { by: outsider, profile: 'user', queueIds: [], allTicket: false },
    ] as const
    viewers = views.map(({ by, ...view }) => ({
      by,
      sees: { ...view, id: by.id, companyId: d.company.id, queueIds: view.queueIds.map(Number) },
    }))
    const { rows } = await sql<{ id: number }>`
      insert into tags ("companyId", name, color) select ${d.company.id}, 'Tag ' || n, '#aabbcc' from generate_series(1, 3) n
      returning id`.execute(d.db)
    tags = rows.map(({ id }) => id)
    const [history] = fc.sample(fc.array(ticketRow(), { minLength: 700, maxLength: 700 }), { numRuns: 1, seed: 29 })
    const everyWord = vocabulary.map((body) => ({ ...plainTicket, messages: [{ body, isDeleted: false }] }))
    stored = await insertTickets(d, [...(history as TicketRow[]), ...everyWord])
  })

  /** Each word is a third as frequent as the one before it. */
  function ticketRow(): fc.Arbitrary<TicketRow> {
    const word = fc.oneof(
      ...vocabulary.map((text, n) => ({ arbitrary: fc.constant(text), weight: 3 ** (vocabulary.length - n) })),
    )
    const body = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
    return fc.record({
      status: fc.constantFrom(...ticketStatuses),
      queueId: fc.constantFrom(null, ...queues),
      userId: fc.constantFrom(null, ...people),
      unreadMessages: fc.constantFrom(0, 0, 3),
      createdAt: fc.integer({ min: 0, max: 5 }).map((day) => minutes(day * 24 * 60)),
      updatedAt: fc.integer({ min: 0, max: 3 * 24 * 60 }).map(minutes),
      tags: fc.subarray(tags),
      name: fc.constantFrom('Ana Pérez', 'Ñandú SA', 'Juan', 'Lola Ríos', 'Cliente'),
      messages: fc.array(fc.record({ body, isDeleted: fc.constantFrom(false, false, true) }), {
        minLength: 0,
        maxLength: 3,
      }),
    })
  }

  /** A simple implementation of the search rule, over all rows. */
  function expected(sees: Viewer, query: Filters): number[] {
    const words = query.searchParam
    const day = (at: string) => at.slice(0, 10)
    const isAdmin = sees.profile === 'admin'
    const passes = (t: StoredTicket) => {
      if (query.date && day(t.createdAt) !== query.date) return false
      if (query.updatedAt && day(t.updatedAt) !== query.updatedAt) return false
      if (query.withUnreadMessages)
        return t.unreadMessages > 0 && (t.status === 'pending' || (t.status === 'open' && t.userId === sees.id))
      if (query.status && t.status !== query.status) return false
      if (query.queueIds && t.queueId !== null && !query.queueIds.includes(t.queueId)) return false
      if (isAdmin && query.users?.length && !query.users.includes(t.userId as number)) return false
      return (query.tags ?? []).every((tag) => t.tags.includes(tag))
    }
    const digits = /^(#?)(\d{1,9})$/.exec(words)
    const matches = (t: StoredTicket) =>
      (digits && (t.number === Number(digits[2]) || (!digits[1] && t.id === Number(digits[2])))) ||
      isSearchMatch({ name: t.name, number: t.contactNumber, email: '' }, words) ||
      t.messages.some(({ body, isDeleted }) => !isDeleted && fold(body).includes(fold(words)))
    return stored
      .filter((t) => canSeeTicket(sees, { ...t, companyId: d.company.id }) && passes(t) && matches(t))
      .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id - a.id)
      .map(({ id }) => id)
  }

  type Filters = {
    searchParam: string
    showAll: boolean
    withUnreadMessages: boolean
    status?: TicketStatus | undefined
    date?: string | undefined
    updatedAt?: string | undefined
    queueIds?: number[] | undefined
    tags?: number[] | undefined
    users?: number[] | undefined
  }
  const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 })
  const filters = () =>
    fc.record({
      searchParam: fc.constantFrom(...searched),
      showAll: fc.boolean(),
      withUnreadMessages: fc.constantFrom(false, false, false, false, true),
      status: rarely(fc.constantFrom(...ticketStatuses)),
      date: rarely(fc.integer({ min: 0, max: 6 }).map((n) => minutes(n * 24 * 60).slice(0, 10))),
      updatedAt: rarely(fc.integer({ min: 0, max: 4 }).map((n) => minutes(n * 24 * 60).slice(0, 10))),
      queueIds: rarely(fc.subarray(queues)),
      tags: rarely(fc.subarray(tags)),
      users: rarely(fc.subarray(people)),
    })
  const asQuery = ({ queueIds, tags: tagIds, users, ...query }: Filters): Query => ({
    ...query,
    queueIds: queueIds && JSON.stringify(queueIds),
    tags: tagIds && JSON.stringify(tagIds),
    users: users && JSON.stringify(users),
  })

  it('finds exactly the tickets that a scan of all rows finds, for every word, filter and viewer', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: viewers.length - 1 }), filters(), async (n, query) => {
        const { by, sees } = viewers[n] as (typeof viewers)[number]
        const ids = (await everyPage(by, asQuery(query))).map(({ id }) => id)
        expect(ids).toEqual(expected(sees, query))
        found += ids.length
      }),
      { numRuns: 120 },
    )
    expect(found).toBeGreaterThan(1000)
  })

  it.each(searched)('finds every ticket with "%s" that each user may see, without a filter', async (searchParam) => {
    for (const { by, sees } of viewers) {
      const query = { searchParam, showAll: false, withUnreadMessages: false }
      expect((await everyPage(by, query)).map(({ id }) => id)).toEqual(expected(sees, query))
    }
  })
})
