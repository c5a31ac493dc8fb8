import { boardApi, cardMoveUndoMs, type Lane } from '@recado/contract/board/board'
import { plansApi } from '@recado/contract/plans'
import { tagsApi } from '@recado/contract/tags'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { hours } from '../../kernel/clock.ts'

let harness: TestServer
let desk: Desk
let sales: { id: number }
let support: { id: number }
let ana: TestUser
let supervisor: TestUser
let todo: Lane
let doing: Lane
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  support = await desk.createQueue('Soporte')
  ana = await desk.createUser('user', [sales])
  supervisor = await desk.createUser('supervisor', [sales, support])
  todo = await lane('Por hacer')
  doing = await lane('Haciendo')
})
afterAll(closeTestServers)

const lane = (name: string) => supervisor.call(boardApi.create, { body: { name, color: '#1098ad' } })
const change = (id: number, body: object) => supervisor.call(boardApi.update, { params: { id }, body })
const loadBoard = (by: TestUser, query: object = {}) => by.call(boardApi.show, { query: query as never })
const move = (by: TestUser, id: number, laneId: number | 'lane0', from?: number | 'lane0') =>
  by.request<Ticket & { error: string }>('PUT', `/kanban/cards/${id}`, { laneId, ...(from && { from }) })
const laneOf = async (id: number) => (await desk.showTicket(id)).laneId
/** A ticket pending in sales. */
async function createPendingTicket(values: object = {}) {
  const one = await desk.newTicket()
  await desk.db
    .updateTable('tickets')
    .set({ queueId: sales.id, ...values })
    .where('id', '=', one.id)
    .execute()
  return one
}
const runTimersAfter = (ms: number) => desk.withClockForward(ms, () => harness.server.switchboard.timers.poll())
const listBotTexts = async (id: number) =>
  (
    await desk.db
      .selectFrom('messages')
      .select('body')
      .where('ticketId', '=', id)
      .where('bot', '=', 'lane')
      .orderBy('id')
      .execute()
  ).map((m) => m.body)
const steps = async (id: number) =>
  (await desk.listEvents(id))
    .filter((e) => e.kind === 'lane')
    .flatMap((e) => e.steps.map(({ step, why }) => [step, why]))

describe('the board', () => {
  it('contains the same tickets as the ticket list for every user, lane by lane, with counts, and page by page', async () => {
    const batch = await openDesk(harness)
    const [north, south] = [await batch.createQueue('Norte'), await batch.createQueue('Sur')]
    const people = [
      batch.admin,
      await batch.createUser('supervisor', [north]),
      await batch.createUser('user', [north, south]),
      await batch.createUser('user', [south], 'enabled'),
    ]
    const lanes = []
    for (const name of ['Uno uno', 'Dos dos'])
      lanes.push(await batch.admin.call(boardApi.create, { body: { name, color: '#1098ad' } }))
    const [one, two] = lanes as [Lane, Lane]
    await sql`
      with people as (
        insert into contacts ("companyId", name, number)
        select ${batch.company.id}, 'C' || n, '54911' || (60000000 + n) from generate_series(1, 240) n returning id
      )
      insert into tickets ("companyId", "contactId", "whatsappId", status, "queueId", "userId", "laneId", "updatedAt")
      select ${batch.company.id}, id, ${batch.line.id}, (array['pending', 'open', 'closed'])[1 + id % 3],
        (array[${north.id}, ${south.id}, null]::int[])[1 + (id / 3) % 3],
        case when id % 3 = 1 then (${people.map((p) => p.id)}::int[])[1 + (id / 9) % 4] end,
        (array[${one.id}, ${two.id}, null, null]::int[])[1 + (id / 36) % 4],
        now() - make_interval(secs => id % 50) from people`.execute(batch.db)
    await sql`insert into "ticketTags" ("companyId", "ticketId", "tagId")
      select "companyId", id, "laneId" from tickets where "companyId" = ${batch.company.id} and "laneId" is not null`.execute(
      batch.db,
    )
    let read = 0
    for (const who of people) {
      const listed: Ticket[] = []
      // The query has no status, because only admins may use "show all" for open tickets.
      for (let pageNumber = 1; ; pageNumber++) {
        const page = await batch.listTickets(who, { showAll: true, pageNumber })
        listed.push(...page.filter((t) => t.status !== 'closed'))
        if (page.length < 40) break
      }
      const { columns } = await loadBoard(who)
      expect(columns.map((c) => c.laneId)).toEqual([null, one.id, two.id])
      for (const column of columns) {
        const cards = [...column.cards]
        for (let next = column.next; next !== null; ) {
          const page = await who.call(boardApi.more, {
            query: { laneId: column.laneId ?? 'lane0', after: next } as never,
          })
          expect(page.count).toBe(column.count)
          cards.push(...page.cards)
          next = page.next
          read++
        }
        const wanted = listed.filter((t) => t.laneId === column.laneId)
        expect(cards.map((c) => c.id).sort()).toEqual(wanted.map((t) => t.id).sort())
        const inTime = cards.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt) || b.id - a.id)
        expect(cards.map((c) => c.id)).toEqual(inTime.map((c) => c.id))
        expect(column.count).toBe(wanted.length)
      }
    }
    expect(read).toBeGreaterThan(2)
  })

  it('filters by queue, agent, tag and text', async () => {
    const { id } = await createPendingTicket()
    const other = await createPendingTicket({
      queueId: support.id,
      status: 'open',
      userId: supervisor.id,
      lastMessage: '¿Tienen cañerías?',
    })
    const tag = await supervisor.call(tagsApi.create, { body: { name: 'Mayorista', color: '#123456' } })
    await supervisor.request('PUT', `/ticket-tags/${id}/${tag.id}`)
    const ids = async (query: object) =>
      (await loadBoard(supervisor, query)).columns.flatMap((c) => c.cards.map((t) => t.id))
    expect(await ids({ queueIds: `[${support.id}]` })).toEqual([other.id])
    const { rows: queues } = await sql<{ id: number }>`
      select id from queues where "companyId" = ${desk.company.id}`.execute(harness.wide().db)
    expect((await ids({ queueIds: `[${queues.map((queue) => queue.id)}]` })).sort()).toEqual((await ids({})).sort())
    expect(await ids({ users: `[${supervisor.id}]` })).toEqual([other.id])
    expect(await ids({ tags: `[${tag.id}]` })).toEqual([id])
    expect(await ids({ searchParam: 'canerias' })).toEqual([other.id])
    expect(await ids({ searchParam: `#${(await desk.showTicket(id)).number}` })).toEqual([id])
    expect(await ids({ searchParam: 'nadie así' })).toEqual([])
  })

  it('requires a plan that includes the board', async () => {
    const poor = await harness.createCompany()
    const plan = await (await harness.superUser()).call(plansApi.create, {
      body: { name: 'No board', useKanban: false } as never,
    })
    await harness.wide().db.updateTable('companies').set({ planId: plan.id }).where('id', '=', poor.id).execute()
    const again = await harness.createUser(poor.id, 'admin')
    for (const [verb, path] of [
      ['GET', '/kanban'],
      ['GET', '/ticket/kanban'],
      ['PUT', '/kanban/cards/1'],
      ['POST', '/kanban/lanes'],
      ['DELETE', '/ticket-tags/1'],
    ] as const)
      expect((await again.request(verb, path, verb === 'GET' ? undefined : {})).body).toMatchObject({
        error: 'ERR_PLAN_FEATURE',
      })
  })
})

describe('a card', () => {
  it('moves in one call, keeps its other tags, and records the move in the ticket events', async () => {
    const { id } = await createPendingTicket()
    const plain = await supervisor.call(tagsApi.create, { body: { name: 'amarillo', color: '#cccc00' } })
    await ana.request('PUT', `/ticket-tags/${id}/${plain.id}`)
    const socketClient = await supervisor.listen()
    expect((await move(ana, id, todo.id)).body).toMatchObject({ id, laneId: todo.id })
    const news = await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'update' })
    expect(news).toMatchObject({ ticket: { id, laneId: todo.id } })
    expect((await move(ana, id, doing.id)).body.tags.map((t) => t.name)).toEqual(['Haciendo', 'amarillo'])
    expect((await move(ana, id, 'lane0')).body.tags.map((t) => t.name)).toEqual(['amarillo'])
    expect((await desk.listEvents(id))[0]?.steps[0]).toEqual({
      step: 'lane',
      why: 'by-person',
      with: { from: 'Haciendo', to: null },
    })
    socketClient.close()
  })

  it('is not moved by a user who may not see it, or to a tag that is no lane', async () => {
    const { id } = await createPendingTicket({ queueId: support.id })
    expect((await move(ana, id, todo.id)).status).toBe(404)
    const plain = await supervisor.call(tagsApi.create, { body: { name: 'no es columna', color: '#cccc00' } })
    expect((await move(supervisor, id, plain.id)).body.error).toBe('ERR_NO_LANE')
    expect(await laneOf(id)).toBeNull()
  })

  it('is moved back only if nobody else has moved it meanwhile', async () => {
    const { id } = await createPendingTicket()
    await move(ana, id, todo.id)
    await move(supervisor, id, doing.id)
    expect((await move(ana, id, 'lane0', todo.id)).body.error).toBe('ERR_CARD_MOVED')
    expect((await move(supervisor, id, todo.id, doing.id)).body).toMatchObject({ laneId: todo.id })
  })

  it('is in exactly one lane, however many users drag it at once and whichever calls they use', async () => {
    const { id } = await createPendingTicket()
    const older = async (by: TestUser, to: number) => {
      await by.request('DELETE', `/ticket-tags/${id}`)
      await by.request('PUT', `/ticket-tags/${id}/${to}`)
    }
    for (let n = 0; n < 4; n++) {
      await Promise.all([
        move(ana, id, todo.id),
        move(supervisor, id, doing.id),
        older(supervisor, todo.id),
        older(ana, doing.id),
      ])
      const { tags, laneId } = await desk.showTicket(id)
      expect(tags.filter((t) => t.kanban === 1).map((t) => t.id)).toEqual([laneId])
      const columns = (await loadBoard(supervisor)).columns.filter((c) => c.cards.some((t) => t.id === id))
      expect(columns.map((c) => c.laneId)).toEqual([laneId])
    }
    await older(ana, todo.id)
    expect(await laneOf(id)).toBe(todo.id)
  })

  it('goes to the lane among its tags when all its tags are set at once', async () => {
    const { id } = await createPendingTicket()
    const sync = async (...tags: number[]) =>
      (await ana.request<Ticket>('POST', '/tags/sync', { ticketId: id, tags: tags.map((tag) => ({ id: tag })) })).body
    expect(await sync(todo.id)).toMatchObject({ laneId: todo.id })
    const both = await sync(todo.id, doing.id)
    expect([both.laneId, both.tags.map((t) => t.id)]).toEqual([doing.id, [doing.id]])
    expect(await sync()).toMatchObject({ laneId: null, tags: [] })
  })
})

describe('a lane', () => {
  const names = async (by: TestUser = ana) => (await loadBoard(by)).lanes.map((one) => one.name)

  it('is created, renamed, ordered and removed by users with permission', async () => {
    const own = await openDesk(harness)
    const lead = await own.createUser('supervisor')
    const agent = await own.createUser('user')
    const make = (name: string) => lead.call(boardApi.create, { body: { name, color: '#1098ad' } })
    const [a, b] = [await make('Primera'), await make('Segunda')]
    const plain = await lead.call(tagsApi.create, { body: { name: 'Tercera', color: '#1098ad' } })
    expect((await make('Tercera')).id).toBe(plain.id)
    const socketClient = await agent.listen()
    await lead.call(boardApi.order, { body: { ids: [plain.id, a.id] } })
    expect(await names(agent)).toEqual(['Tercera', 'Primera', 'Segunda'])
    expect((await agent.call(tagsApi.kanban)).lista.map((t) => t.name)).toEqual(['Tercera', 'Primera', 'Segunda'])
    await socketClient.whenCaughtUp()
    const told = socketClient.received
      .filter((n) => n.name.endsWith('-tag'))
      .map((n) => (n.payload.tag as { id: number }).id)
    expect(told.sort()).toEqual([a.id, b.id, plain.id].sort())
    await lead.call(boardApi.update, { params: { id: b.id }, body: { name: 'Última' } })
    await lead.call(boardApi.remove, { params: { id: a.id } })
    expect(await names(agent)).toEqual(['Tercera', 'Última'])
    expect((await agent.call(tagsApi.show, { params: { id: a.id } })).kanban).toBe(0)
    expect((await agent.request('PUT', `/kanban/lanes/${b.id}`, { name: 'Mía' })).body).toEqual({
      error: 'ERR_NO_PERMISSION',
    })
    expect((await agent.request('PUT', '/kanban/order', { ids: [] })).body).toEqual({ error: 'ERR_NO_PERMISSION' })
    socketClient.close()
  })

  it('releases its cards when it is removed, and gets the cards of a tag that becomes a lane', async () => {
    const one = await lane('Pasajera')
    const { id } = await createPendingTicket()
    await move(supervisor, id, one.id)
    await supervisor.call(boardApi.remove, { params: { id: one.id } })
    expect(await desk.showTicket(id)).toMatchObject({ laneId: null, tags: [{ id: one.id, kanban: 0 }] })
    await supervisor.call(boardApi.create, { body: { name: 'Pasajera', color: '#1098ad' } })
    expect(await laneOf(id)).toBe(one.id)
    await supervisor.request('DELETE', `/tags/${one.id}`)
    expect(await desk.showTicket(id)).toMatchObject({ laneId: null, tags: [] })
  })

  it('refuses a cycle of automatic moves', async () => {
    const [a, b, c] = [await lane('Anillo uno'), await lane('Anillo dos'), await lane('Anillo tres')]
    const carry = (from: number, to: number | null, on = true) =>
      supervisor.request<{ error?: string }>('PUT', `/kanban/lanes/${from}`, { carry: { on, hours: 1, to } })
    expect((await carry(a.id, a.id)).body.error).toBe('ERR_LANE_CIRCLE')
    expect((await carry(a.id, b.id)).status).toBe(200)
    expect((await carry(b.id, c.id)).status).toBe(200)
    expect((await carry(c.id, a.id)).body.error).toBe('ERR_LANE_CIRCLE')
    expect((await carry(c.id, a.id, false)).status).toBe(200)
    expect((await carry(c.id, null)).body.error).toBe('ERR_VALIDATION')
    for (const one of [a, b, c]) await supervisor.call(boardApi.remove, { params: { id: one.id } })
  })
})

describe('lane automation', () => {
  it('sends the lane’s message once per arrival, after the time to undo the move has passed', async () => {
    await change(doing.id, { say: { on: true, text: 'Ya lo estamos viendo, {{firstName}}.' } })
    const { id } = await createPendingTicket()
    const name = (await desk.showTicket(id)).contact.name.split(' ')[0]
    await move(ana, id, doing.id)
    await runTimersAfter(cardMoveUndoMs)
    expect(await listBotTexts(id)).toEqual([])
    await runTimersAfter(cardMoveUndoMs + 1500)
    await runTimersAfter(hours(1))
    expect(await listBotTexts(id)).toEqual([`Ya lo estamos viendo, ${name}.`])
    expect(await steps(id)).toContainEqual(['lane-words', 'said'])
    // The move was undone in time, so nothing was sent.
    const undone = await createPendingTicket()
    await move(ana, undone.id, doing.id)
    await move(ana, undone.id, 'lane0', doing.id)
    await runTimersAfter(hours(1))
    expect(await listBotTexts(undone.id)).toEqual([])
  })

  it('sends nothing to groups, outside the 24-hour window or after closing, and stores the reason', async () => {
    const cases: [object, string][] = [[{ isGroup: true }, 'is-group']]
    const cloud = await desk.db
      .insertInto('whatsapps')
      .values({ companyId: desk.company.id, name: 'Oficial', provider: 'cloud' })
      .returning('id')
      .executeTakeFirstOrThrow()
    cases.push([{ whatsappId: cloud.id }, 'window-closed'])
    for (const [values, why] of cases) {
      const { id } = await createPendingTicket(values)
      await move(supervisor, id, doing.id)
      await runTimersAfter(cardMoveUndoMs + 2000)
      expect(await listBotTexts(id)).toEqual([])
      expect(await steps(id)).toContainEqual(['lane-words', why])
    }
    const closed = await createPendingTicket()
    await move(supervisor, closed.id, doing.id)
    await desk.putTicket(supervisor, closed.id, { status: 'closed', justClose: true })
    await runTimersAfter(cardMoveUndoMs + 2000)
    expect(await listBotTexts(closed.id)).toEqual([])
    await change(doing.id, { say: { on: false, text: '' } })
  })

  it('moves a card to the next lane after the configured hours, to the minute, unless a user moves it', async () => {
    const next = await lane('Siguiente')
    await change(next.id, { say: { on: true, text: 'Seguimos aquí.' } })
    await change(todo.id, { carry: { on: true, hours: 3, to: next.id } })
    const [left, moved, over] = [await createPendingTicket(), await createPendingTicket(), await createPendingTicket()]
    for (const { id } of [left, moved, over]) await move(supervisor, id, todo.id)
    await move(supervisor, moved.id, doing.id)
    await desk.putTicket(supervisor, over.id, { status: 'closed', justClose: true })
    await runTimersAfter(hours(3) - 5000)
    expect(await laneOf(left.id)).toBe(todo.id)
    const socketClient = await supervisor.listen()
    await runTimersAfter(hours(3) + 2000)
    await socketClient.whenCaughtUp()
    // Other tests may have left cards in that lane, which move as well.
    expect(socketClient.received.map((n) => n.payload?.ticket)).toContainEqual(
      expect.objectContaining({ id: left.id, laneId: next.id }),
    )
    expect([await laneOf(left.id), await laneOf(moved.id), await laneOf(over.id)]).toEqual([next.id, doing.id, todo.id])
    expect((await desk.listEvents(left.id))[0]).toMatchObject({
      actor: null,
      steps: [{ step: 'lane', why: 'nobody-moved-it', with: { from: 'Por hacer', to: 'Siguiente', hours: 3 } }],
    })
    await runTimersAfter(hours(4))
    expect(await listBotTexts(left.id)).toEqual(['Seguimos aquí.'])
    // A reopened card is in the same lane, and its hours restart.
    await desk.putTicket(supervisor, over.id, { status: 'open' })
    await runTimersAfter(hours(3) - 5000)
    expect(await laneOf(over.id)).toBe(todo.id)
    await runTimersAfter(hours(3) + 2000)
    expect(await laneOf(over.id)).toBe(next.id)
    await change(todo.id, { carry: { on: false, hours: 3, to: next.id } })
    socketClient.close()
  })
})
