import { queuesApi } from '@recado/contract/queues'
import { type TicketDetail, ticketsApi } from '@recado/contract/tickets'
import {
  meetsConditions,
  type TicketCondition,
  type TicketConditionGroup,
  withImpliedConditions,
} from '@recado/contract/views/ticket-conditions'
import { type TicketView, ticketViewsApi } from '@recado/contract/views/ticket-views'
import { canSeeAllTickets, isTicketVisibleTo } from '@recado/contract/visibility'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { makeViewUpdater } from '../../automation/ticket-views/view-updater.ts'
import { minutes } from '../../kernel/clock.ts'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { makeLog } from '../../kernel/log.ts'
import { presentTickets } from '../tickets/base/ticket-view.ts'
import { conditionsSql } from './conditions-sql.ts'

type Person = TestUser & { name: string }
let harness: TestServer
let desk: Desk
let updaters: ReturnType<typeof makeViewUpdater>[]
let sales: { id: number }
let support: { id: number }
let ana: Person
let beto: Person
let lead: Person
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  // Two workers compete, as two processes do.
  updaters = [harness.server.switchboard.viewUpdater, makeViewUpdater(harness.server.deps, makeLog('silent'), true)]
  sales = await desk.createQueue('Ventas')
  support = await desk.createQueue('Soporte')
  ana = await desk.createUser('user', [sales])
  beto = await desk.createUser('user', [sales, support])
  lead = await desk.createUser('supervisor', [sales])
})
afterAll(async () => {
  await updaters[1]?.close()
  await closeTestServers()
})

const settle = () => Promise.all(updaters.map((updater) => updater.poll()))
const all = (...of: (TicketCondition | TicketConditionGroup)[]): TicketConditionGroup => ({ match: 'all', of })
const any = (...of: (TicketCondition | TicketConditionGroup)[]): TicketConditionGroup => ({ match: 'any', of })
const is = { not: false } as const
async function saveView(by: TestUser, conditions: TicketConditionGroup, more: object = {}): Promise<TicketView> {
  const { status, body } = await by.request<TicketView>('POST', '/ticket-views', { name: 'Vista', conditions, ...more })
  expect(status, JSON.stringify(body)).toBe(200)
  await settle()
  return body
}
const countOf = async (by: TestUser, { id }: TicketView): Promise<number | null | undefined> =>
  (await by.call(ticketViewsApi.counts, {})).counts.find(({ viewId }) => viewId === id)?.count
async function listView(by: TestUser, { id }: TicketView): Promise<number[]> {
  const { tickets, count } = await by.call(ticketsApi.list, { query: { viewId: id } as never })
  expect(count).toBe(await countOf(by, { id } as TicketView))
  return tickets.map((ticket) => ticket.id)
}
async function saveReasons(
  here: Desk,
  queue: { id: number },
  names: string[],
): Promise<{ id: number; name: string }[]> {
  const { closing } = await here.admin.call(queuesApi.update, {
    params: { id: queue.id },
    body: {
      ...{ name: `Cierre ${queue.id}`, color: `#00${String(queue.id).padStart(4, '0')}` },
      closing: { reasonRequired: false, reasons: names.map((name) => ({ name })), fields: [] },
    } as never,
  })
  return closing.reasons
}
async function createTicket(queue: { id: number } | null, more: object = {}): Promise<number> {
  const { id } = await desk.newTicket()
  await desk.db
    .updateTable('tickets')
    .set({ queueId: queue?.id ?? null, ...more })
    .where('id', '=', id)
    .execute()
  return id
}

describe('a saved view', () => {
  it('lists and counts the tickets that meet its conditions and that its user sees', async () => {
    const own = await createTicket(sales, { status: 'open', userId: ana.id, priority: 0 })
    const waiting = await createTicket(sales, { priority: 0 })
    const other = await createTicket(support, { priority: 0 })
    await createTicket(sales, { priority: 3 })
    const closed = await createTicket(sales, { status: 'closed', priority: 0 })
    const urgent = all({ field: 'priority', in: ['urgent'], ...is })
    const shared = await saveView(desk.admin, urgent, { audience: 'all', order: 'oldest' })
    expect(await listView(desk.admin, shared)).toEqual([own, waiting, other])
    expect(await listView(ana, shared)).toEqual([own, waiting])
    expect(await listView(beto, shared)).toEqual([waiting, other])
    const withClosed = await saveView(ana, all(...urgent.of, { field: 'status', in: ['closed'], ...is }))
    expect(await listView(ana, withClosed)).toEqual([closed])
    const mine = await saveView(desk.admin, any({ field: 'user', in: ['me'], ...is }), { audience: 'all' })
    expect([await listView(ana, mine), await listView(beto, mine)]).toEqual([[own], []])
  })

  it('follows its tickets: changes, tags, names of contacts, and time', async () => {
    const here = await openDesk(harness)
    const tag = await here.admin.request<{ id: number }>('POST', '/tags', { name: 'Obra', color: '#123456' })
    const tagged = await saveView(here.admin, all({ field: 'tag', in: [tag.body.id], ...is }))
    const named = await saveView(
      here.admin,
      all({ field: 'contact', key: 'name', custom: '', contains: 'pena', ...is }),
    )
    const late = await saveView(here.admin, all({ field: 'waiting', minutes: 30, ...is }))
    const { id } = await here.newTicket('hola', 'Gonzalo Peña')
    await settle()
    expect(await Promise.all([tagged, named, late].map((view) => listView(here.admin, view)))).toEqual([[], [id], []])
    const browser = await here.admin.listen()
    await here.admin.request('POST', '/tags/sync', { ticketId: id, tags: [{ id: tag.body.id }] })
    await settle()
    await browser.waitFor(`company-${here.company.id}-ticketViewCounts`, { action: 'update' })
    expect(await listView(here.admin, tagged)).toEqual([id])
    const { contactId } = await here.showTicket(id)
    await here.db.updateTable('contacts').set({ name: 'Otro' }).where('id', '=', contactId).execute()
    await settle()
    expect(await listView(here.admin, named)).toEqual([])
    await here.withClockForward(minutes(31), async () => {
      await settle()
      const scope = new Scope(harness.server.deps, { companyId: here.company.id })
      const { rows } = await sql<{ n: number }>`
        select coalesce(sum(n), 0)::int as n from "ticketViewTallies" where "viewId" = ${late.id}`.execute(scope.db)
      expect(rows).toEqual([{ n: 1 }])
    })
    await here.putTicket(here.admin, id, { status: 'closed', justClose: true })
    await settle()
    expect(await listView(here.admin, late)).toEqual([])
  })

  it('shows the resolved tickets with a closing reason, and drops a ticket that is reopened', async () => {
    const here = await openDesk(harness)
    const queue = await here.createQueue()
    const [sold, lost] = await saveReasons(here, queue, ['Vendido', 'Perdido'])
    const close = async (closingReasonId: number | undefined) => {
      const { id } = await here.newTicket()
      await here.putTicket(here.admin, id, { queueId: queue.id, userId: here.admin.id })
      await here.putTicket(here.admin, id, { status: 'closed', justClose: true, closingReasonId })
      return id
    }
    const [first, second, plain] = [await close(sold?.id), await close(lost?.id), await close(undefined)]
    await here.newTicket()
    const reason = (...in_: (number | null)[]) => ({ field: 'closingReason', in: in_, ...is }) as TicketCondition
    const won = await saveView(here.admin, all(reason(sold?.id as number)), { order: 'waiting' })
    const others = await saveView(here.admin, all({ ...reason(sold?.id as number), not: true }), { order: 'oldest' })
    const unexplained = await saveView(here.admin, all(reason(null)))
    const listAll = () => Promise.all([won, others, unexplained].map((view) => listView(here.admin, view)))
    expect(await listAll()).toEqual([[first], [second, plain], [plain]])
    const preview = { conditions: all(reason(lost?.id as number)) }
    const { body } = await here.admin.request<{ count: number }>('POST', '/ticket-views/preview', preview)
    expect(body.count).toBe(1)
    await here.putTicket(here.admin, first as number, { status: 'open' })
    await settle()
    expect(await listAll()).toEqual([[], [second, plain], [plain]])
    const elsewhere = await openDesk(harness)
    const [foreign] = await saveReasons(elsewhere, await elsewhere.createQueue(), ['Ajeno'])
    const refused = { name: 'Vista', conditions: all(reason(foreign?.id as number)) }
    expect((await here.admin.request('POST', '/ticket-views', refused)).body).toMatchObject({
      error: 'ERR_NO_CLOSINGREASON_FOUND',
    })
  })

  it('is counted again when its conditions change, and is gone when it is deleted', async () => {
    const here = await openDesk(harness)
    const { id } = await here.newTicket()
    const view = await saveView(here.admin, all({ field: 'priority', in: ['urgent'], ...is }))
    expect(await listView(here.admin, view)).toEqual([])
    const body = { name: 'Otra', conditions: all({ field: 'priority', in: ['normal'], ...is }) }
    await here.admin.request('PUT', `/ticket-views/${view.id}`, body)
    await settle()
    expect(await listView(here.admin, view)).toEqual([id])
    expect((await here.admin.request('DELETE', `/ticket-views/${view.id}`)).status).toBe(200)
    expect((await here.admin.call(ticketViewsApi.list, {})).views).toEqual([])
    expect((await here.admin.request('GET', `/tickets?viewId=${view.id}`)).body).toMatchObject({
      error: 'ERR_NO_TICKETVIEW_FOUND',
    })
    await settle()
    const left = await here.db.selectFrom('ticketViewMembers').selectAll().where('viewId', '=', view.id).execute()
    expect(left).toEqual([])
  })

  it('lists no ticket that stopped meeting the conditions, also before its members are brought up to date', async () => {
    const here = await openDesk(harness)
    const queue = await here.createQueue('Ventas')
    await harness.wide().transaction(async (tx) => {
      await sql`
        with made as (
          insert into contacts ("companyId", name, number)
          select ${here.company.id}::int, 'Persona ' || n, (5511970000000 + n)::text from generate_series(1, 120) n returning id)
        insert into tickets ("companyId", "contactId", "whatsappId", "queueId", status, "botLeft", priority, "updatedAt")
        select ${here.company.id}::int, id, ${here.line.id}::int, ${queue.id}::int, 'pending', true, 0,
          ${harness.clock.now()}::timestamptz - id * interval '3 minutes' from made`.execute(tx.db)
    })
    const view = await saveView(here.admin, all({ field: 'priority', in: ['urgent'], ...is }))
    const waiting = await saveView(here.admin, all({ field: 'priority', in: ['urgent'], ...is }), { order: 'priority' })
    const before = await listView(here.admin, view)
    expect([before.length, await countOf(here.admin, view)]).toEqual([40, 120])
    const list = async ({ id }: TicketView, pageNumber = 1) =>
      here.admin.call(ticketsApi.list, { query: { viewId: id, pageNumber } as never })
    const idsOf = async (...asked: Parameters<typeof list>) => (await list(...asked)).tickets.map(({ id }) => id)
    const secondPage = await idsOf(view, 2)
    // The workers wait for this lock, so the members stay as they are.
    await new Scope(harness.server.deps, { companyId: here.company.id }).transaction(async (tx) => {
      await lockInCompany(tx, 'ticketViews')
      const [changed] = before
      await here.putTicket(here.admin, changed as number, { priority: 'low' })
      expect(await idsOf(view)).toEqual([...before.slice(1), secondPage[0]])
      expect(await idsOf(waiting)).not.toContain(changed)
      // More of them than a page reads ahead.
      await here.db
        .updateTable('tickets')
        .set({ priority: 3 })
        .where('id', 'in', [...before, ...secondPage])
        .execute()
      const page = await list(view)
      expect(page.tickets).toHaveLength(40)
      expect(page.tickets.every(({ priority }) => priority === 'urgent')).toBe(true)
      expect(page.count).toBe(120)
    })
    await settle()
    expect(await list(view)).toMatchObject({ count: 40, hasMore: false })
  })

  it('is shared by those who lead, and changed by its author and admins', async () => {
    const conditions = all({ field: 'unread', ...is })
    const share = (by: TestUser, more: object) =>
      by.request<TicketView>('POST', '/ticket-views', { name: 'Vista', conditions, ...more })
    expect((await share(ana, { audience: 'all' })).body).toMatchObject({ error: 'ERR_NO_PERMISSION' })
    expect((await share(ana, { audience: 'queues', queueIds: [sales.id] })).status).toBe(400)
    expect((await share(lead, { audience: 'all' })).status).toBe(400)
    expect((await share(lead, { audience: 'queues', queueIds: [support.id] })).status).toBe(400)
    const { body: shared } = await share(lead, { audience: 'queues', queueIds: [sales.id] })
    const personal = (await share(ana, {})).body
    const idsOf = async (by: TestUser) => (await by.call(ticketViewsApi.list, {})).views.map(({ id }) => id)
    expect(await idsOf(ana)).toEqual(expect.arrayContaining([shared.id, personal.id]))
    expect(await idsOf(beto)).toContain(shared.id)
    expect(await idsOf(beto)).not.toContain(personal.id)
    const outsider = await desk.createUser('user', [support])
    expect(await idsOf(outsider)).not.toContain(shared.id)
    const change = { name: 'Mía', conditions, audience: 'queues', queueIds: [sales.id] }
    expect((await ana.request('PUT', `/ticket-views/${shared.id}`, change)).status).toBe(400)
    expect((await outsider.request('PUT', `/ticket-views/${shared.id}`, change)).status).toBe(404)
    expect((await desk.admin.request('PUT', `/ticket-views/${shared.id}`, change)).status).toBe(200)
    expect((await ana.request('DELETE', `/ticket-views/${shared.id}`)).status).toBe(400)
    const foreign = await harness.createCompany()
    expect((await foreign.admin.request('GET', `/tickets?viewId=${shared.id}`)).status).toBe(404)
  })

  it('refuses conditions that name what the company does not have', async () => {
    const elsewhere = await openDesk(harness)
    const foreign = await elsewhere.createQueue('Ajena')
    const conditions = all({ field: 'queue', in: [foreign.id], ...is })
    expect((await ana.request('POST', '/ticket-views', { name: 'Vista', conditions })).body).toMatchObject({
      error: 'ERR_QUEUE_NOT_FOUND',
    })
    const deep = all(all(all(all({ field: 'unread', ...is }))))
    expect((await ana.request('POST', '/ticket-views', { name: 'Vista', conditions: deep })).status).toBe(400)
  })

  it('shows a preview of conditions that are not saved', async () => {
    const here = await openDesk(harness)
    const { id } = await here.newTicket()
    const { body } = await here.admin.request<{ tickets: TicketDetail[]; count: number }>(
      'POST',
      '/ticket-views/preview',
      {
        conditions: all({ field: 'unread', ...is }),
      },
    )
    expect([body.count, body.tickets.map((ticket) => ticket.id)]).toEqual([1, [id]])
  })
})

describe('generated conditions', () => {
  const listOf = <T>(values: T[]) => fc.subarray(values, { minLength: 1 })
  type ReferencedIds = Record<'queues' | 'users' | 'tags' | 'lines' | 'reasons', number[]>
  function arbitraryCondition(ids: ReferencedIds) {
    const not = fc.boolean()
    return fc.oneof<fc.Arbitrary<TicketCondition>[]>(
      fc.record({
        field: fc.constant('status'),
        in: listOf(['open', 'pending', 'closed'] as const satisfies string[]),
        not,
      }) as never,
      fc.record({ field: fc.constant('priority'), in: listOf(['urgent', 'high', 'normal', 'low']), not }) as never,
      fc.record({ field: fc.constant('queue'), in: listOf([null, ...ids.queues]), not }) as never,
      fc.record({ field: fc.constant('user'), in: listOf(['me', null, ...ids.users]), not }) as never,
      fc.record({ field: fc.constant('owner'), in: listOf([null, ...ids.users]), not }) as never,
      fc.record({ field: fc.constant('tag'), in: listOf(ids.tags), not }) as never,
      fc.record({ field: fc.constant('connection'), in: listOf([null, ...ids.lines]), not }) as never,
      fc.record({ field: fc.constant('closingReason'), in: listOf([null, ...ids.reasons]), not }) as never,
      fc.record({ field: fc.constant('unread'), not }) as never,
      fc.record({ field: fc.constant('snoozed'), not }) as never,
      fc.record({ field: fc.constant('waiting'), minutes: fc.constantFrom(0, 5, 60), not }) as never,
      fc.record({ field: fc.constant('goal'), minutes: fc.constantFrom(0, 30, 600), not }) as never,
      fc.record({
        field: fc.constant('contact'),
        key: fc.constantFrom('name', 'number', 'email', 'custom'),
        custom: fc.constant('Plan'),
        contains: fc.constantFrom('a', 'ñ', '55', 'ORO'),
        not,
      }) as never,
    )
  }
  const arbitraryGroup = (leaf: fc.Arbitrary<TicketCondition>, depth = 3): fc.Arbitrary<TicketConditionGroup> =>
    fc.record({
      match: fc.constantFrom('all', 'any'),
      of: fc.array(depth > 1 ? fc.oneof(leaf, arbitraryGroup(leaf, depth - 1)) : leaf, { maxLength: 3 }),
    }) as fc.Arbitrary<TicketConditionGroup>

  it('mean the same in the database and in the contract, and counts stay exact while tickets change', async () => {
    const here = await openDesk(harness)
    const queue = await here.createQueue()
    const agent = await here.createUser('user', [queue])
    const tags: number[] = []
    for (const name of ['uno', 'dos'])
      tags.push((await here.admin.request<{ id: number }>('POST', '/tags', { name, color: '#654321' })).body.id)
    const reasons = (await saveReasons(here, queue, ['Vendido', 'Perdido'])).map(({ id }) => id)
    const ids: number[] = []
    for (let i = 0; i < 12; i++) ids.push((await here.newTicket('hola', `Cliente ${i % 2 ? 'Ñandú' : 'Bo'}`)).id)
    const company = { companyId: here.company.id }
    const contactIds = (await here.db.selectFrom('tickets').select('contactId').where('id', 'in', ids).execute()).map(
      (row) => row.contactId,
    )
    await here.db
      .insertInto('contactFields')
      .values(contactIds.slice(0, 4).map((contactId) => ({ ...company, contactId, name: 'plan', value: 'Oro' })))
      .execute()
    const shuffle = async (seed: number) => {
      const pick = <T>(values: readonly T[], i: number): T => values[(seed + i * 7) % values.length] as T
      for (const [i, id] of contactIds.entries()) {
        const ownerId = pick([null, agent.id, here.admin.id], i)
        await here.db.updateTable('contacts').set({ ownerId }).where('id', '=', id).execute()
      }
      for (const [i, id] of ids.entries()) {
        const userId = pick([null, agent.id, here.admin.id], i)
        await here.db
          .updateTable('tickets')
          .set({
            userId,
            status: pick(userId === null ? ['pending', 'closed'] : ['open', 'closed'], i + seed),
            queueId: pick([null, queue.id], i + 1),
            priority: pick([0, 1, 2, 3], i + 2),
            closingReasonId: pick([null, ...reasons], i + 7),
            unreadMessages: pick([0, 3], i + 3),
            snoozedAt: pick([null, null, harness.clock.now()], i + 6),
            waitingSince: pick([null, new Date(harness.clock.now().getTime() - minutes(20))], i + 4),
          })
          .where('id', '=', id)
          .execute()
        await here.db.deleteFrom('ticketTags').where('ticketId', '=', id).execute()
        if (pick([true, false], i + 5))
          await here.db
            .insertInto('ticketTags')
            .values({ ...company, ticketId: id, tagId: pick(tags, i) })
            .execute()
      }
    }
    const scope = new Scope(harness.server.deps, company)
    const leaf = arbitraryCondition({ queues: [queue.id], users: [agent.id], tags, lines: [here.line.id], reasons })
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryGroup(leaf), { minLength: 3, maxLength: 3 }), async (groups) => {
        const views: TicketView[] = []
        for (const conditions of groups) views.push(await saveView(here.admin, conditions, { audience: 'all' }))
        await shuffle(++round)
        await settle()
        const now = harness.clock.now()
        const tickets = await presentTickets(scope, ids)
        for (const [i, conditions] of groups.entries()) {
          const met = await sql<{ id: number }>`
            select t.id from tickets t where t."companyId" = ${company.companyId}
              and ${conditionsSql(conditions, { isMine: sql`((t."userId" = ${agent.id}) is true)`, now })}`.execute(
            scope.db,
          )
          const expected = tickets.filter((ticket) =>
            meetsConditions(ticket, conditions, { me: agent.id, now: now.getTime() }),
          )
          expect(met.rows.map((row) => row.id).sort()).toEqual(expected.map(({ id }) => id).sort())
          for (const who of [
            { ...agent, profile: 'user' as const, queueIds: [queue.id], allTicket: false },
            { ...here.admin, profile: 'admin' as const, queueIds: [], allTicket: false },
          ]) {
            const visible = tickets.filter(
              (ticket) =>
                (canSeeAllTickets(who) || isTicketVisibleTo(who, ticket)) &&
                meetsConditions(ticket, withImpliedConditions(conditions), { me: who.id, now: now.getTime() }),
            )
            const view = views[i] as TicketView
            expect((await listView(who, view)).sort()).toEqual(visible.map(({ id }) => id).sort())
            expect(await countOf(who, view)).toBe(visible.length)
          }
        }
        for (const { id } of views) await here.admin.request('DELETE', `/ticket-views/${id}`)
      }),
      { numRuns: 6 },
    )
  }, 120_000)
})
