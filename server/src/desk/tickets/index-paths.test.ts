import type { Profile } from '@recado/contract/rules'
import { tagsApi } from '@recado/contract/tags'
import { type TicketStatus, ticketStatuses } from '@recado/contract/ticket-statuses'
import type { ticketsApi } from '@recado/contract/tickets'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { maxPreparedStatements } from '../../kernel/data/database.ts'
import { keepPreparedMark } from '../../kernel/data/keep-prepared.ts'
import { canSeeTicket, type Viewer } from './base/visibility.ts'

/** The number of tickets in other users' queues, in each status. */
const ticketCount = 1500
let harness: TestServer
let desk: Desk
let sales: { id: number }
let agent: TestUser
let supervisor: TestUser
let owner: pg.Client
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  const others = await Promise.all([1, 2, 3, 4].map(() => desk.createQueue()))
  agent = await desk.createUser('user', [sales], 'enabled')
  supervisor = await desk.createUser('supervisor', [sales])
  const people = await Promise.all(others.map((queue) => desk.createUser('user', [queue])))
  owner = new pg.Client({ connectionString: harness.databaseUrl })
  await owner.connect()
  await owner.query(
    `with people as (
      insert into contacts ("companyId", name, number) select $1, 'C' || n, '55118' || (10000000 + n) from generate_series(1, 3 * ${ticketCount}) n
      returning id, right(number, 8)::int - 10000000 as n
    )
    insert into tickets ("companyId", "contactId", "whatsappId", "queueId", "userId", status, "createdAt", "updatedAt")
    select $1, id, $2, ($3::int[])[1 + n / 3 % 4], ($4::int[])[1 + n / 3 % 4], (array['pending', 'open', 'closed'])[1 + n % 3], now() - interval '5 days', now() - n * interval '1 minute' from people`,
    [desk.company.id, desk.line.id, others.map((q) => q.id), people.map((p) => p.id)],
  )
  // There are many small companies, because PostgreSQL plans for the average company: the plan does not depend on the
  // company.
  await owner.query(`insert into companies (name, "planId") select 'Firm ' || n, 2 from generate_series(1, 200) n`)
  await owner.query(
    `with people as (
       insert into contacts ("companyId", name, number) select c.id, 'C', '55117' || (10000000 + n) from companies c, generate_series(1, 20) n where c.name like 'Firm %'
       returning id, "companyId")
     insert into tickets ("companyId", "contactId", status) select "companyId", id, (array['pending', 'open', 'closed'])[1 + id % 3] from people`,
  )
  // The tallies are added up here, because their trigger does it only at random.
  await owner.query('select add_up_ticket_tallies($1)', [desk.company.id])
  await owner.query('analyze tickets')
  await owner.query('analyze contacts')
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
})

type Plan = Record<string, unknown> & { Plans?: Plan[] }

/** Formats a parameter; values contain dates, because the server reads its clock during a call. */
const toLiteral = (value: unknown) =>
  Array.isArray(value) ? `{${value}}` : value instanceof Date ? value.toISOString() : String(value)
const formatValues = (values: unknown[] = []) =>
  values.length ? `(${values.map((v) => pg.escapeLiteral(toLiteral(v)))})` : ''

const isOfTenant = (client: pg.Client & { connectionParameters?: { options?: string } }): boolean =>
  client.connectionParameters?.options?.includes('role=recado_app') ?? false

/** The statements about tickets, or about another table, that a call executes. */
async function statementsOf(
  by: TestUser,
  path: string,
  pattern = /from (tickets t\b|"ticketTallies")/,
): Promise<{ text: string; values: unknown[] }[]> {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  expect((await by.request('GET', path)).status).toBe(200)
  const statements = asked.mock.calls.flatMap((call, i) => {
    // Timers of the platform may run during the call.
    if (!isOfTenant(asked.mock.contexts[i] as pg.Client)) return []
    const [statement, values] = call as unknown as [string | { text: string; values: unknown[] }, unknown[]]
    return [typeof statement === 'string' ? { text: statement, values } : statement]
  })
  asked.mockRestore()
  const lists = statements.filter(({ text }) => pattern.test(text))
  expect(lists.length).toBeGreaterThan(0)
  return lists
}

/** Runs a query with the role and settings of the server's connections. */
async function asHouse<T>(companyId: number, ask: () => Promise<T>): Promise<T> {
  await owner.query('begin; set local role recado_app')
  await owner.query(`select set_config('app.company_id', $1, true)`, [String(companyId)])
  const answer = await ask()
  await owner.query('rollback; deallocate all')
  return answer
}

const countReadTickets = (by: TestUser, path: string): Promise<number> =>
  countReadRows(['tickets', 'ticketTallies'], statementsOf(by, path))

/** Prepares a statement as the server does: with the generic plan if it is marked to be kept prepared. */
async function prepareStatement(text: string): Promise<void> {
  if (text.startsWith(keepPreparedMark)) await owner.query('set local plan_cache_mode = force_generic_plan')
  await owner.query(`prepare asked as ${text}`)
}

const explainStatement = ({ text, values }: { text: string; values: unknown[] }): Promise<Plan> =>
  asHouse(desk.company.id, async () => {
    await prepareStatement(text)
    const { rows } = await owner.query(`explain (analyze, buffers, format json) execute asked ${formatValues(values)}`)
    return rows[0]['QUERY PLAN'][0].Plan as Plan
  })

/** The number of blocks that the database reads for a call: also index entries that do not match count. */
async function countReadBlocks(by: TestUser, path: string, pattern?: RegExp): Promise<number> {
  let blocks = 0
  for (const statement of await statementsOf(by, path, pattern)) {
    const plan = await explainStatement(statement)
    blocks += Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
  }
  return blocks
}

/** The number of rows of these tables that the database reads for a call. */
async function countReadRows(tables: string[], statements: ReturnType<typeof statementsOf>): Promise<number> {
  let rows = 0
  for (const statement of await statements) {
    const plan = await explainStatement(statement)
    const walk = (plan: Plan) => {
      const times = Number(plan['Actual Loops'])
      if (tables.includes(String(plan['Relation Name'])))
        rows += times * (Number(plan['Actual Rows']) + Number(plan['Rows Removed by Filter'] ?? 0))
      for (const part of plan.Plans ?? []) walk(part)
    }
    walk(plan)
  }
  return rows
}

/** Whether the database uses a generic plan: unless it must, it first tries five plans for the concrete values. */
async function isKept(by: TestUser, companyId: number, path: string): Promise<boolean> {
  for (const { text, values } of await statementsOf(by, path)) {
    const kept = await asHouse(companyId, async () => {
      await prepareStatement(text)
      for (let n = 0; n < 7; n++) await owner.query(`execute asked ${formatValues(values)}`)
      const { rows } = await owner.query('select generic_plans from pg_prepared_statements')
      return Number(rows[0].generic_plans) > 0
    })
    if (!kept) return false
  }
  return true
}

describe('tickets of other users', () => {
  it.each([
    ['what is open', 'status=open'],
    ['what waits', 'status=pending'],
    ['what waits, oldest first', 'status=pending&order=oldest'],
    ['what waits, longest first', 'status=pending&order=waiting'],
    ['what is open, longest waiting first', 'status=open&order=waiting'],
    ['what waits, urgent first', 'status=pending&order=priority'],
    ['what is open, urgent first', 'status=open&order=priority'],
    ['what is closed', 'status=closed&showAll=true'],
    ['what rings', 'withUnreadMessages=true'],
    ['everything', 'showAll=true'],
  ])('are not read when the user requests %s', async (_, query) => {
    expect(await countReadTickets(agent, `/tickets?${query}&pageNumber=1`)).toBeLessThan(100)
    expect(await countReadTickets(supervisor, `/tickets?${query}&pageNumber=1`)).toBeLessThan(100)
  })
  it('are not read for the badges, nor for the board', async () => {
    expect(await countReadTickets(agent, '/tickets/counts')).toBeLessThan(100)
    expect(await countReadTickets(agent, '/ticket/kanban?showAll=true')).toBeLessThan(100)
  })
  it('are not read for the live page of a supervisor, nor for that of an admin who filters by one queue', async () => {
    expect(await countReadTickets(supervisor, '/routing/live')).toBeLessThan(100)
    expect(await countReadTickets(desk.admin, `/routing/live?queueIds=[${sales.id}]`)).toBeLessThan(100)
  })
  it('are not read by an admin who filters by one queue, agent, tag or day', async () => {
    const tag = await desk.admin.call(tagsApi.create, { body: { name: 'rara', color: '#123456', kanban: 0 } })
    for (const query of [
      `queueIds=[${sales.id}]`,
      `users=[${agent.id}]`,
      `tags=[${tag.id}]`,
      'date=2020-01-31',
      'updatedAt=2020-01-31',
    ])
      expect(
        await countReadTickets(desk.admin, `/tickets?status=closed&showAll=true&${query}&pageNumber=1`),
        query,
      ).toBeLessThan(100)
  })
})

it('are not all read by an admin with every queue or no queue chosen, on the board, or in a search for a rare word', async () => {
  const { rows } = await owner.query('select id from queues where "companyId" = $1', [desk.company.id])
  const every = `queueIds=[${rows.map(({ id }) => id)}]`
  await owner.query(
    `insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt")
     select "companyId", id, "contactId", "whatsappId", 'w' || id, false, case when row_number() over (order by id desc) <= 3 then 'zanahoria' when row_number() over (order by "updatedAt" desc) <= 1500 then 'buenas' else 'hola' end, now() from tickets where "companyId" = $1`,
    [desk.company.id],
  )
  await owner.query('analyze messages')
  for (const status of ticketStatuses)
    for (const query of [
      `status=${status}&showAll=true`,
      `status=${status}&showAll=true&order=oldest`,
      `status=${status}&showAll=true&order=priority`,
    ])
      for (const chosen of ['', `&${every}`, `&queueIds=[${rows[1].id},${rows[2].id}]`])
        expect(
          await countReadTickets(desk.admin, `/tickets?${query}${chosen}&pageNumber=1`),
          query + chosen,
        ).toBeLessThan(400)
  expect(await countReadTickets(desk.admin, `/kanban?${every}`)).toBeLessThan(400)
  expect(await countReadTickets(desk.admin, '/tickets?searchParam=zanahoria&showAll=true&pageNumber=1')).toBeLessThan(
    100,
  )
  // A common word that none of the newest 1,500 tickets contains: tickets are tested in their order until the page is full.
  const search = statementsOf(desk.admin, '/tickets?searchParam=hola&showAll=true&pageNumber=1', /with batch as/)
  expect(await countReadRows(['messages'], search)).toBeLessThan(2500)
})

it('and contacts that a search found are read by their key, in a large company among small ones', async () => {
  const path = '/contacts?searchParam=C4321&pageNumber=1'
  expect((await desk.admin.request<{ count: number }>('GET', path)).body.count).toBe(1)
  expect(await countReadBlocks(desk.admin, path, /^\S+ hot .*from contacts/s)).toBeLessThan(20)
})

it('are queried with one generic plan, however few tickets a user or company has', async () => {
  const small = await openDesk(harness)
  await small.newTicket()
  await owner.query('analyze tickets')
  const lists = [
    ...['status=open', 'status=pending', 'status=closed&showAll=true', 'withUnreadMessages=true'].map((q) => `?${q}`),
    '/counts',
  ]
  for (const list of lists) {
    expect(await isKept(agent, desk.company.id, `/tickets${list}`), list).toBe(true)
    expect(await isKept(supervisor, desk.company.id, `/tickets${list}`), list).toBe(true)
    expect(await isKept(desk.admin, desk.company.id, `/tickets${list}`), list).toBe(true)
    expect(await isKept(small.admin, small.company.id, `/tickets${list}`), list).toBe(true)
  }
})

it('are queried with few prepared statements for all forms of the query', async () => {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  const forms = (['status=open', 'status=pending', 'status=closed', ''] as const).flatMap((status) =>
    ['newest', 'oldest'].flatMap((order) =>
      ['', '&date=2020-01-31', '&updatedAt=2020-01-31', '&tags=[1]', '&tags=[1]&date=2020-01-31'].flatMap((filter) =>
        [1, 3, 9].flatMap((queues) =>
          [1, 2, 3].map((page) => {
            const ids = Array.from({ length: queues }, (_, n) => n + 1)
            return `${status}&order=${order}${filter}&queueIds=[${ids}]&pageNumber=${page}&showAll=true`
          }),
        ),
      ),
    ),
  )
  expect(forms.length).toBeGreaterThan(maxPreparedStatements)
  for (const form of forms) expect((await desk.admin.request('GET', `/tickets?${form}`)).status).toBe(200)
  const names = asked.mock.calls.map(([statement]) => statement as unknown as { name?: string; text: string })
  asked.mockRestore()
  const kept = new Set(names.flatMap(({ name, text }) => (name && text.startsWith(keepPreparedMark) ? [name] : [])))
  expect(kept.size).toBeLessThanOrEqual(maxPreparedStatements)
})

it('are read only as far as the page and its count need', async () => {
  expect(await countReadTickets(desk.admin, '/tickets?status=closed&showAll=true&pageNumber=1')).toBeLessThan(400)
  const { count } = (await desk.admin.request<{ count: number }>('GET', '/tickets?status=closed&showAll=true')).body
  expect(count).toBe(200)
})

describe('index paths', () => {
  /** A ticket of each possible status, queue and agent. */
  type PlacedTicket = {
    id: number
    companyId: number
    status: TicketStatus
    queueId: number | null
    userId: number | null
  }
  let small: Desk
  let queues: number[]
  let viewers: { by: TestUser; viewer: Viewer }[]
  let placed: PlacedTicket[]
  beforeAll(async () => {
    small = await openDesk(harness)
    const [one, two] = [await small.createQueue(), await small.createQueue()]
    queues = [one.id, two.id]
    const seat = async (profile: Profile, ids: { id: number }[], allTicket: 'enabled' | 'desabled') => {
      const by = await small.createUser(profile, ids, allTicket)
      const queueIds = ids.map((q) => q.id)
      const viewer = { id: by.id, companyId: small.company.id, profile, queueIds, allTicket: allTicket === 'enabled' }
      return { by, viewer }
    }
    viewers = [
      await seat('user', [one], 'desabled'),
      await seat('user', [one, two], 'enabled'),
      await seat('user', [], 'desabled'),
      await seat('supervisor', [two], 'desabled'),
      await seat('admin', [], 'desabled'),
    ]
    const { rows } = await owner.query(
      `with places as (
        select status, "queueId", "userId", row_number() over () as n from unnest($3::text[]) status, unnest($4::int[]) "queueId", unnest($5::int[]) "userId"
      ), people as (
        insert into contacts ("companyId", name, number) select $1, 'C' || n, '55117' || (10000000 + n) from places
        returning id, right(number, 8)::int - 10000000 as n
      )
      insert into tickets ("companyId", "contactId", "whatsappId", "queueId", "userId", status)
      select $1, p.id, $2, "queueId", "userId", status from people p join places using (n)
      returning id, "companyId", status, "queueId", "userId"`,
      [small.company.id, small.line.id, ticketStatuses, [null, ...queues], [null, ...viewers.map((v) => v.viewer.id)]],
    )
    placed = rows
  })

  async function everyPage(by: TestUser, query: Record<string, string | boolean | undefined>) {
    const asked = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]))
    const ids: number[] = []
    for (let pageNumber = 1; ; pageNumber++) {
      const path = `/tickets?${asked.join('&')}&pageNumber=${pageNumber}`
      const { tickets, count, hasMore } = (await by.request<z.output<typeof ticketsApi.list.reply>>('GET', path)).body
      ids.push(...tickets.map((t) => t.id))
      if (!hasMore) return { ids: ids.sort(), count }
    }
  }

  it('find exactly the tickets that the visibility rule allows a user to see', async () => {
    const manner = {
      queueIds: [undefined, [], queues.slice(0, 1), [...queues, 999_999, ...queues]],
      users: [undefined, [viewers[0]?.viewer.id as number]],
    }
    for (const { by, viewer } of viewers)
      for (const status of [undefined, ...ticketStatuses])
        for (const showAll of [true, false])
          for (const queueIds of manner.queueIds)
            for (const users of manner.users) {
              const wide = showAll && (status !== 'open' || viewer.profile !== 'user')
              const wanted = placed.filter(
                (t) =>
                  canSeeTicket(viewer, t) &&
                  (!status || t.status === status) &&
                  (wide || t.status !== 'open' || t.userId === viewer.id) &&
                  (!queueIds || t.queueId === null || queueIds.includes(t.queueId)) &&
                  (!users || viewer.profile !== 'admin' || users.includes(t.userId as number)),
              )
              const query = { showAll, status, queueIds: JSON.stringify(queueIds), users: JSON.stringify(users) }
              expect(await everyPage(by, query), JSON.stringify({ viewer, query })).toEqual({
                ids: wanted.map((t) => t.id).sort(),
                count: wanted.length,
              })
            }
  })
})
