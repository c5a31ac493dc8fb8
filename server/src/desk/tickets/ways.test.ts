import { tagsApi } from '@recado/contract/tags'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, deskOf } from '../../../test/desk.ts'
import { closeHouses, type House, house, type Person } from '../../../test/house.ts'

/** What the company has in queues of others, in each status. */
const crowd = 1500
let h: House
let d: Desk
let sales: { id: number }
let archive: { id: number }
let others: { id: number }[]
let agent: Person
let boss: Person
let owner: pg.Client
beforeAll(async () => {
  h = await house()
  d = await deskOf(h)
  sales = await d.queue('Ventas')
  others = await Promise.all([1, 2, 3, 4].map(() => d.queue()))
  archive = others[0] as { id: number }
  agent = await d.person('user', [sales], 'enabled')
  boss = await d.person('supervisor', [sales])
  const people = await Promise.all(others.map((queue) => d.person('user', [queue])))
  owner = new pg.Client({ connectionString: h.databaseUrl })
  await owner.connect()
  await owner.query(
    `with people as (
      insert into contacts ("companyId", name, number) select $1, 'C' || n, '55118' || (10000000 + n) from generate_series(1, 3 * ${crowd}) n
      returning id, right(number, 8)::int - 10000000 as n
    )
    insert into tickets ("companyId", "contactId", "whatsappId", "queueId", "userId", status, "createdAt", "updatedAt")
    select $1, id, $2, ($3::int[])[1 + n / 3 % 4], ($4::int[])[1 + n / 3 % 4], (array['pending', 'open', 'closed'])[1 + n % 3], now() - interval '5 days', now() - n * interval '1 minute' from people`,
    [d.company.id, d.line.id, others.map((q) => q.id), people.map((p) => p.id)],
  )
  await owner.query('analyze tickets')
})
afterAll(async () => {
  await owner.end()
  await closeHouses()
})

type Plan = Record<string, unknown> & { Plans?: Plan[] }

const given = (values: unknown[] = []) =>
  values.length ? `(${values.map((v) => pg.escapeLiteral(Array.isArray(v) ? `{${v}}` : String(v)))})` : ''

/** How many tickets the database touched for what somebody asked. */
async function touched(by: Person, path: string): Promise<number> {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  expect((await by.ask('GET', path)).status).toBe(200)
  const statements = asked.mock.calls.map(([given]) => given as unknown as { text?: string; values?: unknown[] })
  asked.mockRestore()
  const lists = statements.filter(({ text }) => text?.includes('from tickets t'))
  expect(lists.length).toBeGreaterThan(0)
  let rows = 0
  for (const { text, values } of lists) {
    await owner.query('begin')
    await owner.query('set local role recado_app')
    await owner.query(`select set_config('app.company_id', $1, true)`, [String(d.company.id)])
    // As it is planned for those who ask it all day.
    await owner.query('set local plan_cache_mode = force_generic_plan')
    await owner.query(`prepare asked as ${text}`)
    const { rows: found } = await owner.query(`explain (analyze, format json) execute asked ${given(values)}`)
    await owner.query('rollback; deallocate asked')
    const walk = (plan: Plan) => {
      const times = Number(plan['Actual Loops'])
      if (plan['Relation Name'] === 'tickets')
        rows += times * (Number(plan['Actual Rows']) + Number(plan['Rows Removed by Filter'] ?? 0))
      for (const part of plan.Plans ?? []) walk(part)
    }
    walk(found[0]['QUERY PLAN'][0].Plan)
  }
  return rows
}

describe('what others have', () => {
  it.each([
    ['what is open', 'status=open'],
    ['what waits', 'status=pending'],
    ['what waits, oldest first', 'status=pending&order=oldest'],
    ['what is closed', 'status=closed&showAll=true'],
    ['what rings', 'withUnreadMessages=true'],
    ['everything', 'showAll=true'],
  ])('is not read by who asks for %s', async (_, query) => {
    expect(await touched(agent, `/tickets?${query}&pageNumber=1`)).toBeLessThan(100)
    expect(await touched(boss, `/tickets?${query}&pageNumber=1`)).toBeLessThan(100)
  })
  it('is not read for the badges', async () => {
    expect(await touched(agent, '/tickets/counts')).toBeLessThan(100)
  })
  it('is not read by an admin who looks at one queue, one person, one tag or one day', async () => {
    const tag = await d.admin.call(tagsApi.create, { body: { name: 'rara', color: '#123456', kanban: 0 } })
    for (const query of [
      `queueIds=[${sales.id}]`,
      `users=[${agent.id}]`,
      `tags=[${tag.id}]`,
      'date=2020-01-31',
      'updatedAt=2020-01-31',
    ])
      expect(await touched(d.admin, `/tickets?status=closed&showAll=true&${query}&pageNumber=1`)).toBeLessThan(100)
  })
})

it('reads of a list what the page and its count need', async () => {
  expect(await touched(d.admin, '/tickets?status=closed&showAll=true&pageNumber=1')).toBeLessThan(400)
  const { count } = (await d.admin.ask<{ count: number }>('GET', '/tickets?status=closed&showAll=true')).body
  expect(count).toBe(200)
})

it('finds by every way exactly what the whole list has', async () => {
  const by = { agent, boss, admin: d.admin }
  const mine = await Promise.all([1, 2, 3, 4, 5, 6].map(() => d.newTicket()))
  const places = [
    { status: 'pending', queueId: sales.id, userId: null },
    { status: 'open', queueId: archive.id, userId: agent.id },
    { status: 'closed', queueId: sales.id, userId: boss.id },
    { status: 'pending', queueId: null, userId: null },
    { status: 'closed', queueId: null, userId: agent.id },
    { status: 'open', queueId: sales.id, userId: boss.id },
  ] as const
  for (const [n, values] of places.entries())
    await d.db
      .updateTable('tickets')
      .set({ ...values, updatedAt: sql`now() + interval '1 minute'` as never })
      .where('id', '=', (mine[n] as { id: number }).id)
      .execute()
  const ids = new Set(mine.map((m) => m.id))
  const shown = async (who: Person, query: object) => (await d.ids(who, query as never)).filter((id) => ids.has(id))
  const at = (...which: number[]) => which.map((n) => (mine[n] as { id: number }).id).sort()
  const sorted = async (who: Person, query: object) => (await shown(who, query)).sort()
  expect(await sorted(by.agent, { showAll: true })).toEqual(at(0, 1, 2, 3, 4))
  expect(await sorted(by.agent, { status: 'pending' })).toEqual(at(0, 3))
  expect(await sorted(by.agent, { status: 'pending', queueIds: [archive.id] })).toEqual(at(3))
  expect(await sorted(by.boss, { showAll: true })).toEqual(at(0, 2, 5))
  expect(await sorted(by.boss, { status: 'open', showAll: true, queueIds: [sales.id] })).toEqual(at(5))
  expect(await sorted(by.admin, { showAll: true })).toEqual(at(0, 1, 2, 3, 4, 5))
  expect(await sorted(by.admin, { status: 'closed', showAll: true, queueIds: [sales.id] })).toEqual(at(2, 4))
  expect(await sorted(by.admin, { showAll: true, users: [agent.id] })).toEqual(at(1, 4))
  // Nobody twice, though two ways lead to it, and each page goes on where the last ended.
  const first = await d.ids(by.admin, { status: 'closed', showAll: true, queueIds: [sales.id, archive.id] } as never)
  const next = await d.ids(by.admin, {
    status: 'closed',
    showAll: true,
    queueIds: [sales.id, archive.id],
    pageNumber: 2,
  } as never)
  expect(new Set([...first, ...next]).size).toBe(80)
})
