import { auditApi } from '@recado/contract/api-access/audit'
import { type ChatMessage, chatsApi } from '@recado/contract/chats'
import type { Contact } from '@recado/contract/contacts'
import { maxThreadHits } from '@recado/contract/messages'
import { fold } from '@recado/contract/text/fold'
import { isSearchMatch, personSearchText } from '@recado/contract/text/people-search'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from './desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from './test-server.ts'

/**
 * Search results are compared with a plain scan of all rows, page by page. Tickets have their own test
 * (desk/tickets/search.test.ts).
 */
let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
})
afterAll(closeTestServers)

describe('searching contacts', () => {
  const names = ['Ana Pérez', 'Juan Ñandú', 'María José Ríos', 'Lola', 'Común', 'José Pérez']
  const words = ['ana', 'Pérez', 'perez jose', 'ñ', 'a', 'comun', 'zzz', '1187', '+55 11 8', 'grupo', '%', 'an a']
  let contacts: { id: number; name: string; number: string; email: string; isGroup: boolean }[]
  beforeAll(async () => {
    const { rows } = await sql<(typeof contacts)[number]>`
      insert into contacts ("companyId", name, number, email, "isGroup")
      select ${desk.company.id}, (${names}::text[])[1 + n % 5] || case when n % 7 = 0 then ' José' else '' end || ' ' || n,
        '5511870' || (10000 + n), case when n % 11 = 0 then 'ana' || n || '@example.com' else '' end, n % 13 = 0
      from generate_series(1, 2600) n returning id, name, number, email, "isGroup"`.execute(desk.db)
    contacts = rows
  })

  it('finds every match, in order, page by page', async () => {
    const byLetters = (a: (typeof contacts)[number], b: (typeof contacts)[number]) =>
      Buffer.compare(Buffer.from(personSearchText(a)), Buffer.from(personSearchText(b))) || a.id - b.id
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...words),
        fc.constantFrom(undefined, 'group', 'person'),
        fc.integer({ min: 1, max: 90 }),
        async (searchParam, kind, pageNumber) => {
          const query = new URLSearchParams({ searchParam, pageNumber: String(pageNumber), ...(kind && { kind }) })
          const { body } = await desk.admin.request<{
            contacts: Contact[]
            count: number
            hasMore: boolean
            isLowerBound: boolean
          }>('GET', `/contacts?${query}`)
          const expected = contacts
            .filter((one) => (!kind || one.isGroup === (kind === 'group')) && isSearchMatch(one, searchParam))
            .sort(byLetters)
          const from = (pageNumber - 1) * 30
          expect(body.contacts.map(({ id }) => id)).toEqual(expected.slice(from, from + 30).map(({ id }) => id))
          expect(body.hasMore).toBe(expected.length > from + 30)
          // Counting stops at 2,000, and the answer reports this in `isLowerBound`.
          expect([body.count, body.isLowerBound]).toEqual([Math.min(expected.length, 2000), expected.length > 2000])
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('searching one conversation', () => {
  it('finds every message with the words, however old, page by page', async () => {
    const { id: ticketId } = await desk.newTicket('hola')
    const ticket = await desk.showTicket(ticketId)
    const bodies = Array.from({ length: 21_000 }, (_, n) => {
      if (n === 3) return 'la CAÑERÍA rota'
      return n % 40 === 0 ? `gracias ${n}` : `mensaje ${n}`
    })
    const { rows } = await sql<{ id: string; body: string }>`
      insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt", "storedAt")
      select ${desk.company.id}, ${ticketId}, ${ticket.contactId}, ${ticket.whatsappId}, 'thread-' || n, false, body,
        now() - (21001 - n) / 2 * interval '1 second', now()
      from unnest(${bodies}::text[]) with ordinality as x(body, n) returning id::text as id, body`.execute(desk.db)
    const newest = rows.toSorted((a, b) => Number(b.id) - Number(a.id))
    for (const searchParam of ['gracias', 'caneria', 'nada de esto']) {
      const found: string[] = []
      for (let hasMore = true; hasMore; ) {
        const query = new URLSearchParams({ searchParam, ...(found.length && { before: found.at(-1) as string }) })
        const { body } = await desk.admin.request<{ hits: { id: string }[]; hasMore: boolean }>(
          'GET',
          `/messages/${ticketId}/search?${query}`,
        )
        if (body.hasMore) expect(body.hits).toHaveLength(maxThreadHits)
        found.push(...body.hits.map(({ id }) => id))
        hasMore = body.hasMore
      }
      const expected = newest.filter(({ body }) => fold(body).includes(fold(searchParam))).map(({ id }) => id)
      expect(found).toEqual(expected)
    }
  })

  it('refuses a message of another conversation as the page cursor', async () => {
    const [here, elsewhere] = [await desk.newTicket('agua'), await desk.newTicket('agua')]
    const { messages } = await desk.admin
      .request<{ messages: { id: string }[] }>('GET', `/messages/${elsewhere.id}`)
      .then(({ body }) => body)
    const { body } = await desk.admin.request(
      'GET',
      `/messages/${here.id}/search?searchParam=agua&before=${messages[0]?.id}`,
    )
    expect(body).toEqual({ hits: [], hasMore: false })
  })
})

describe('searching team chats', () => {
  it('finds every message with the words in the user’s own chats, however old', async () => {
    const [ana, beto] = [await desk.createUser('user'), await desk.createUser('user')]
    const chatOf = (title: string, people: TestUser[]) =>
      desk.admin.call(chatsApi.create, { body: { title, users: people.map(({ id }) => ({ id })) } as never })
    const [shared, hidden] = [await chatOf('Todos', [ana, beto]), await chatOf('Sin Ana', [beto])]
    const said: { id: number; message: string }[] = []
    for (const { id: chatId } of [shared, hidden]) {
      const { rows } = await sql<{ id: number; message: string }>`
        insert into "chatMessages" ("companyId", "chatId", "senderId", "senderName", message)
        select ${desk.company.id}, ${chatId}, ${desk.admin.id}, 'Ana', case when n % 100 = 1 then 'la reunión ' else 'nada ' end || n
        from generate_series(1, 5200) n returning id, message`.execute(desk.db)
      if (chatId === shared.id) said.push(...rows)
    }
    const found: number[] = []
    for (let hasMore = true; hasMore; ) {
      const before = found.at(-1)
      const page = await ana.call(chatsApi.found, {
        query: { searchParam: 'REUNION', ...(before && { before }) } as never,
      })
      found.push(...page.records.map(({ id }: Pick<ChatMessage, 'id'>) => id))
      hasMore = page.hasMore
    }
    const expected = said.filter(({ message }) => message.startsWith('la reunión')).map(({ id }) => id)
    expect(found).toEqual(expected.sort((a, b) => b - a))
  })
})

describe('searching the audit', () => {
  it('finds every entry with the words, ignoring accents and case, page by page', async () => {
    const names = ['Otoño', 'otono', 'Línea José', 'Cola 1']
    await sql`insert into audit ("companyId", deed, about, name, "userId", "userName", changes, at)
      select ${desk.company.id}, 'tag.create', n, (${names}::text[])[1 + n % 4], ${desk.admin.id}, 'Ana Pérez', '[]', now()
      from generate_series(1, 300) n`.execute(desk.db)
    const { rows } = await sql<{ id: number; name: string; userName: string }>`
      select id::int, name, "userName" from audit where "companyId" = ${desk.company.id} order by id desc`.execute(
      desk.db,
    )
    for (const searchParam of ['otono', 'OTOÑO', 'jose', 'perez', 'zzz']) {
      const found: number[] = []
      for (let hasMore = true; hasMore; ) {
        const before = found.at(-1)
        const page = await desk.admin.call(auditApi.list, { query: { searchParam, ...(before && { before }) } })
        found.push(...page.entries.map(({ id }) => id))
        hasMore = page.hasMore
      }
      const matches = (text: string) => fold(text).includes(fold(searchParam))
      const expected = rows.filter(({ name, userName }) => matches(name) || matches(userName))
      expect(found).toEqual(expected.map(({ id }) => id))
    }
  })
})
