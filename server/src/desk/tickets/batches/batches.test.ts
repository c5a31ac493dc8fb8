import { messagesApi } from '@recado/contract/messages'
import { type TicketBatch, type TicketBatchAction, ticketBatchesApi } from '@recado/contract/tickets/ticket-batches'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../../test/desk.ts'
import { openOwnerPool } from '../../../../test/fixtures.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../../test/test-server.ts'
import { ticketBatchJobs } from './run-batch.ts'

type Person = TestUser & { name: string }
type Place = { id: number }
let harness: TestServer
let desk: Desk
let sales: Place
let support: Place
let ana: Person
let beto: Person
let supervisor: Person
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  support = await desk.createQueue('Soporte')
  ana = await desk.createUser('user', [sales])
  beto = await desk.createUser('user', [sales])
  supervisor = await desk.createUser('supervisor', [sales, support])
})
afterAll(closeTestServers)

async function createTickets(count: number, by: TestUser | null = ana): Promise<number[]> {
  const ids: number[] = []
  for (let i = 0; i < count; i++) {
    const { id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
    if (by) await desk.accept(by, id)
    ids.push(id)
  }
  return ids
}
const post = (by: TestUser, body: object) => by.request<TicketBatch>('POST', '/tickets/bulk', body)
const showLast = async (by: TestUser) => (await by.call(ticketBatchesApi.last, {})).batch as TicketBatch
const settle = (by: TestUser) =>
  vi.waitFor(
    async () => {
      const batch = await showLast(by)
      expect(batch.state).not.toMatch(/running|undoing/)
      return batch
    },
    { timeout: 10_000, interval: 20 },
  )
async function run(by: TestUser, ids: number[], action: object): Promise<TicketBatch> {
  expect(await post(by, { ids, action })).toMatchObject({ status: 200, body: { total: ids.length } })
  return settle(by)
}
async function undo(by: TestUser, { id }: TicketBatch): Promise<TicketBatch> {
  expect(await by.request('POST', `/tickets/bulk/${id}/undo`, {})).toMatchObject({ status: 200 })
  return settle(by)
}
const show = (ids: number[]) => Promise.all(ids.map((id) => desk.showTicket(id)))
const countEvents = async (id: number, kind: string) =>
  (await desk.listEvents(id)).filter((event) => event.kind === kind).length

describe('a change of many tickets', () => {
  it.each<[string, () => TicketBatchAction, object]>([
    ['resolves', () => ({ kind: 'resolve' }), { status: 'closed' }],
    ['prioritizes', () => ({ kind: 'priority', priority: 'urgent' }), { priority: 'urgent' }],
    [
      'snoozes',
      () => ({ kind: 'snooze', until: null, wakesOnMessage: true, note: 'Seña' }),
      { snooze: { note: 'Seña' } },
    ],
    ['assigns', () => ({ kind: 'assign', userId: beto.id }), { status: 'open' }],
    ['moves', () => ({ kind: 'queue', queueId: support.id }), { status: 'pending', userId: null }],
  ])('%s all of them like one alone, silently, and undoes it', async (_, makeAction, expected) => {
    const ids = [...(await createTickets(2)), ...(await createTickets(1, null))]
    const before = await show(ids)
    const messages = await countMessages(ids)
    const batch = await run(supervisor, ids, makeAction())
    expect(batch).toMatchObject({ state: 'done', total: 3, done: 3, refused: 0, undoUntil: expect.any(String) })
    for (const ticket of await show(ids)) expect(ticket).toMatchObject(expected)
    expect(await countMessages(ids)).toBe(messages)
    expect(await undo(supervisor, batch)).toMatchObject({ state: 'undone', undone: 3, undoUntil: null, refusals: [] })
    const essence = (all: typeof before) =>
      all.map(({ status, userId, queueId, priority, snooze }) => ({ status, userId, queueId, priority, snooze }))
    expect(essence(await show(ids))).toEqual(essence(before))
  })

  it('adds and removes tags, keeps the others, and undoes only its own', async () => {
    const [first, second] = (await createTickets(2)) as [number, number]
    const [vip, late, group] = await Promise.all(['VIP', 'Demora', 'Grupo'].map((name) => createTag(name)))
    await setTags(first, [late as number, group as number])
    const batch = await run(ana, [first, second], { kind: 'tags', add: [vip], remove: [late] })
    expect(await listTags([first, second])).toEqual([['Grupo', 'VIP'], ['VIP']])
    await setTags(second, [vip as number, group as number])
    await undo(ana, batch)
    expect(await listTags([first, second])).toEqual([['Demora', 'Grupo'], ['Grupo']])
  })

  it('reports what is refused: invisible, foreign and closed tickets, and what the person may not do alone', async () => {
    const own = await createTickets(1)
    const others = await createTickets(1, beto)
    const waiting = await createTickets(1, null)
    const foreign = await (await openDesk(harness)).newTicket()
    const batch = await run(ana, [...own, ...others, foreign.id, ...waiting], { kind: 'assign', userId: beto.id })
    expect(batch).toMatchObject({
      done: 1,
      refused: 3,
      refusals: [
        { ticketId: others[0], code: 'ERR_OTHER_OPEN_TICKET' },
        { ticketId: foreign.id, code: 'ERR_NO_TICKET_FOUND' },
        { ticketId: waiting[0], code: 'ERR_NO_PERMISSION' },
      ],
    })
    expect(batch.reasons.map(({ count }) => count)).toEqual([1, 1, 1])
    expect((await show(own))[0]?.userId).toBe(beto.id)
    expect((await show(waiting))[0]?.status).toBe('pending')
    const closed = await createTickets(1)
    await run(ana, closed, { kind: 'resolve' })
    expect((await run(ana, closed, { kind: 'priority', priority: 'low' })).refusals).toEqual([
      { ticketId: closed[0], code: 'ERR_TICKET_NOT_OPEN' },
    ])
  })

  it('is refused as a whole if its target does not exist, or is a board tag', async () => {
    const ids = await createTickets(1)
    const refused = async (action: object) => (await post(ana, { ids, action })).body
    expect(await refused({ kind: 'queue', queueId: 99_999 })).toMatchObject({ error: 'ERR_QUEUE_NOT_FOUND' })
    expect(await refused({ kind: 'assign', userId: 99_999 })).toMatchObject({ error: 'ERR_NO_USER_FOUND' })
    const lane = await createTag('Seguimiento', 1)
    expect(await refused({ kind: 'tags', add: [lane] })).toMatchObject({ fields: { add: 'Invalid' } })
    expect((await post(ana, { action: { kind: 'resolve' } })).body).toMatchObject({ fields: { ids: 'Required' } })
  })

  it('takes all tickets of a list, and only those', async () => {
    const carla = await desk.createUser('user', [sales])
    const ids = await createTickets(3, carla)
    const [snoozed, ...rest] = ids as [number, ...number[]]
    await carla.request('PUT', `/tickets/${snoozed}/snooze`, { until: null })
    const filter = { status: 'open', snoozed: 'without', queueIds: [sales.id] }
    await post(carla, { filter, action: { kind: 'priority', priority: 'high' } })
    expect(await settle(carla)).toMatchObject({ total: 2, done: 2 })
    expect((await desk.showTicket(snoozed)).priority).toBe('normal')
    expect((await show(rest)).every(({ priority }) => priority === 'high')).toBe(true)
  })

  it('is published to the person, runs once per person, and can be stopped', async () => {
    const carla = await desk.createUser('user', [sales])
    const ids = await createTickets(12, carla)
    const screen = await carla.listen()
    const unblock = await blockTicket(ids[10] as number)
    const { body: batch } = await post(carla, { ids, action: { kind: 'resolve' } })
    await vi.waitFor(async () => expect((await showLast(carla)).done).toBe(10), { timeout: 10_000 })
    expect((await post(carla, { ids, action: { kind: 'resolve' } })).body).toMatchObject({ error: 'ERR_BATCH_RUNNING' })
    const stopping = carla.request('POST', `/tickets/bulk/${batch.id}/stop`, {})
    await waitForLockWaits(2)
    await unblock()
    await stopping
    const stopped = await settle(carla)
    expect(stopped.state).toBe('stopped')
    expect(stopped.done).toBeLessThan(12)
    expect((await show(ids)).filter(({ status }) => status === 'closed')).toHaveLength(stopped.done)
    await screen.whenCaughtUp()
    expect(JSON.stringify(screen.received)).toContain('"state":"running","total":12,"done":10')
    expect((await undo(carla, stopped)).undone).toBe(stopped.done)
    expect((await show(ids)).every(({ status }) => status === 'open')).toBe(true)
    for (const path of ['stop', 'undo'])
      expect((await ana.request('POST', `/tickets/bulk/${batch.id}/${path}`, {})).body).toMatchObject({
        error: 'ERR_NO_TICKETBATCH_FOUND',
      })
  })

  it('continues after an outage, and changes every ticket once although several processes work on it', async () => {
    const ids = await createTickets(6)
    const repair = await failOnTicket(ids[3] as number)
    const { body: batch } = await post(ana, { ids, action: { kind: 'resolve' } })
    const payload = { companyId: desk.company.id, batchId: batch.id }
    const startNoFlow = () => Promise.reject(new Error('no step starts a flow'))
    const work = () => ticketBatchJobs(harness.server.deps, startNoFlow)['tickets:batch'](payload)
    await vi.waitFor(() => expect(work()).rejects.toThrow('outage'), { timeout: 10_000 })
    expect(await showLast(ana)).toMatchObject({ state: 'running', done: 3, refused: 0 })
    await repair()
    await Promise.all([work(), work(), work()])
    expect(await settle(ana)).toMatchObject({ state: 'done', done: 6, refused: 0 })
    for (const id of ids) expect(await countEvents(id, 'resolve')).toBe(1)
  })

  it('undoes within 20 seconds only, and keeps what somebody has changed since', async () => {
    const ids = await createTickets(2)
    const batch = await run(supervisor, ids, { kind: 'resolve' })
    await desk.putTicket(desk.admin, ids[0] as number, { status: 'open' })
    expect(await undo(supervisor, batch)).toMatchObject({
      undone: 1,
      refusals: [{ ticketId: ids[0], code: 'ERR_UNDO_TOO_LATE' }],
    })
    expect((await show(ids)).map(({ userId }) => userId)).toEqual([desk.admin.id, ana.id])
    const late = await run(ana, [ids[1] as number], { kind: 'resolve' })
    harness.clock.advance(25_000)
    expect((await ana.request('POST', `/tickets/bulk/${late.id}/undo`, {})).body).toMatchObject({
      error: 'ERR_UNDO_TOO_LATE',
    })
  })
})

describe('a macro on many tickets', () => {
  const saveMacro = async (by: TestUser, steps: object[], over: object = {}) => {
    const macro = { name: 'Apartar', shortcode: `apartar${++lastCode}`, message: '¡Hola!', steps, ...over }
    return (await by.request<{ id: number }>('POST', '/macros', macro)).body.id
  }
  const listNotes = (id: number) =>
    desk.db.selectFrom('ticketNotes').select('note').where('ticketId', '=', id).orderBy('id').execute()

  it('runs its steps on each with its own values, without its text, and undoes them together', async () => {
    const ids = await createTickets(2)
    const vip = await createTag(`VIP ${++lastCode}`)
    const macroId = await saveMacro(ana, [
      { kind: 'tags', add: [vip] },
      { kind: 'note', note: 'Ticket {{ticket}} de {{user}}' },
      { kind: 'priority', priority: 'urgent' },
      { kind: 'snooze', until: 'tomorrow' },
    ])
    const messages = await countMessages(ids)
    const batch = await run(ana, ids, { kind: 'macro', macroId })
    expect(batch).toMatchObject({ kind: 'macro', state: 'done', done: 2, refused: 0 })
    for (const ticket of await show(ids)) {
      expect(ticket).toMatchObject({ priority: 'urgent', tags: [{ id: vip }], snooze: { wakesOnMessage: true } })
      expect(await listNotes(ticket.id)).toEqual([{ note: `Ticket ${ticket.number} de ${ana.name}` }])
    }
    expect(await countMessages(ids)).toBe(messages)
    expect(await undo(ana, batch)).toMatchObject({ state: 'undone', undone: 2, refusals: [] })
    for (const ticket of await show(ids)) {
      expect(ticket).toMatchObject({ priority: 'normal', tags: [], snooze: null })
      expect(await listNotes(ticket.id)).toEqual([])
    }
  })

  it('leaves a ticket as it is if one of its steps is refused, and keeps in an undo what somebody has changed', async () => {
    const [first, second] = (await createTickets(2)) as [number, number]
    const [waiting] = (await createTickets(1, null)) as [number]
    const macroId = await saveMacro(ana, [
      { kind: 'priority', priority: 'low' },
      { kind: 'assign', userId: beto.id },
    ])
    const batch = await run(ana, [first, waiting, second], { kind: 'macro', macroId })
    expect(batch).toMatchObject({ done: 2, refusals: [{ ticketId: waiting, code: 'ERR_NO_PERMISSION' }] })
    expect(await desk.showTicket(waiting)).toMatchObject({ priority: 'normal', status: 'pending' })
    await desk.putTicket(desk.admin, second, { userId: desk.admin.id })
    const undone = await undo(ana, batch)
    expect(undone).toMatchObject({
      undone: 1,
      refusals: [{ ticketId: waiting }, { ticketId: second, code: 'ERR_UNDO_TOO_LATE' }],
    })
    expect(await show([first, second])).toMatchObject([
      { priority: 'normal', userId: ana.id },
      { priority: 'low', userId: desk.admin.id },
    ])
  })

  it('is refused as a whole if the person may not use it, or if it has no step that could succeed', async () => {
    const ids = await createTickets(1)
    const refused = async (macroId: number) => (await post(ana, { ids, action: { kind: 'macro', macroId } })).body
    const ofBeto = await saveMacro(beto, [{ kind: 'priority', priority: 'low' }])
    expect(await refused(ofBeto)).toMatchObject({ error: 'ERR_NO_MACRO_FOUND' })
    expect(await refused(await saveMacro(ana, []))).toMatchObject({ fields: { macroId: 'Invalid' } })
    const late = await createTag(`Demora ${++lastCode}`)
    const broken = await saveMacro(ana, [{ kind: 'tags', add: [late] }])
    await desk.db.deleteFrom('tags').where('id', '=', late).execute()
    expect(await refused(broken)).toMatchObject({ error: 'ERR_NO_TAG_FOUND' })
  })
})

describe('closing many tickets with a message', () => {
  const readOwn = async (customer: { listMessages: () => Promise<{ fromCustomer: boolean; body: string }[]> }) =>
    (await customer.listMessages()).filter(({ fromCustomer }) => !fromCustomer).map(({ body }) => body)
  const deliver = async (ms: number) => {
    harness.clock.advance(ms)
    await harness.server.switchboard.outbox.look()
  }
  async function createCase() {
    const carla = await desk.createUser('user', [sales])
    const cases = [await desk.newTicket(), await desk.newTicket()]
    for (const { id } of cases) {
      await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
      await desk.accept(carla, id)
    }
    await desk.db
      .updateTable('queues')
      .set({ complationMessage: 'Gracias por escribirnos', ratingMessage: '¿Cómo te atendimos?' })
      .where('id', '=', sales.id)
      .execute()
    return { carla, cases, ids: cases.map(({ id }) => id) }
  }

  it('sends the farewell once the batch cannot be undone, and takes it back with the batch', async () => {
    const { carla, cases, ids } = await createCase()
    const undone = await run(carla, ids, { kind: 'resolve', farewell: true })
    await deliver(20_000)
    for (const { customer } of cases) expect(await readOwn(customer)).not.toContain('Gracias por escribirnos')
    expect(await undo(carla, undone)).toMatchObject({ undone: 2, refusals: [] })
    expect(
      await desk.db
        .selectFrom('messages')
        .select('id')
        .where('ticketId', 'in', ids)
        .where('bot', '=', 'completion')
        .execute(),
    ).toEqual([])
    await run(carla, ids, { kind: 'resolve', farewell: true })
    await deliver(25_000)
    for (const { customer } of cases) {
      await vi.waitFor(async () =>
        expect((await readOwn(customer)).filter((body) => body.includes('Gracias'))).toHaveLength(1),
      )
    }
  })

  it('says how many customers get no message, and why', async () => {
    const { cases, ids } = await createCase()
    const [quiet] = cases as [(typeof cases)[0], (typeof cases)[0]]
    const { contactId } = await desk.showTicket(quiet.id)
    await desk.db.updateTable('contacts').set({ disableBot: true }).where('id', '=', contactId).execute()
    const elsewhere = await desk.newTicket()
    await desk.putTicket(desk.admin, elsewhere.id, { queueId: support.id, status: 'pending', userId: null })
    const many = [...ids, elsewhere.id]
    const batch = await run(supervisor, many, { kind: 'resolve', farewell: true })
    const unsent = expect.arrayContaining([
      { reason: 'no-bots', count: 1 },
      { reason: 'no-text', count: 1 },
    ])
    expect(batch).toMatchObject({ done: 3, refused: 0, refusals: [], reasons: [], unsent })
    expect(await undo(supervisor, batch)).toMatchObject({ undone: 3, unsent: [] })
  })

  it('asks for a rating only if that is asked for, and sends what an undo could not take back', async () => {
    const { carla, cases, ids } = await createCase()
    await desk.admin.request('PUT', '/settings/userRating', { value: 'enabled' })
    const batch = await run(carla, ids, { kind: 'resolve', rating: true })
    await desk.putTicket(desk.admin, ids[0] as number, { status: 'open' })
    expect(await undo(carla, batch)).toMatchObject({ undone: 1, refusals: [{ ticketId: ids[0] }] })
    await deliver(1000)
    const [kept, withdrawn] = cases as [(typeof cases)[0], (typeof cases)[0]]
    await vi.waitFor(async () => expect((await readOwn(kept.customer)).join()).toContain('¿Cómo te atendimos?'))
    expect((await readOwn(withdrawn.customer)).join()).not.toContain('¿Cómo te atendimos?')
    await run(carla, [ids[1] as number], { kind: 'resolve' })
    await deliver(25_000)
    expect((await readOwn(withdrawn.customer)).join()).not.toMatch(/Gracias por|atendimos/)
  })
})

let lastCode = 0
async function countMessages(ids: number[]): Promise<number> {
  let count = 0
  for (const ticketId of ids)
    count += (await desk.admin.call(messagesApi.list, { params: { ticketId }, query: {} as never })).messages.length
  return count
}
async function createTag(name: string, kanban = 0): Promise<number> {
  const { id } = await desk.db
    .insertInto('tags')
    .values({ companyId: desk.company.id, name, color: '#112233', kanban } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const setTags = (ticketId: number, tags: number[]) =>
  ana.request('POST', '/tags/sync', { ticketId, tags: tags.map((id) => ({ id })) })
const listTags = async (ids: number[]) => (await show(ids)).map(({ tags }) => tags.map(({ name }) => name).sort())

/** Holds the row of a ticket, so that a change of it waits. Returns the release. */
async function blockTicket(id: number): Promise<() => Promise<void>> {
  const owner = openOwnerPool(harness)
  const client = await owner.connect()
  await client.query('begin')
  await client.query('select from tickets where id = $1 for update', [id])
  return async () => {
    await client.query('rollback')
    client.release()
    await owner.end()
  }
}

/** Waits until this many statements wait for a lock. */
const waitForLockWaits = (count: number) =>
  vi.waitFor(async () => {
    const waiting = `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
    const { rowCount } = await harness.adminPool.query(waiting, [new URL(harness.databaseUrl).pathname.slice(1)])
    expect(rowCount).toBe(count)
  })

/** Lets every change of a ticket fail as in an outage of the database. Returns the repair. */
async function failOnTicket(id: number): Promise<() => Promise<void>> {
  const owner = openOwnerPool(harness)
  await owner.query(`create function fail_in_test() returns trigger language plpgsql as $$
    begin raise exception 'outage' using errcode = '57P01'; end $$`)
  await owner.query(`create trigger fail_in_test before update on tickets for each row when (new.id = ${id})
    execute function fail_in_test()`)
  return async () => {
    await owner.query('drop function fail_in_test() cascade')
    await owner.end()
  }
}
