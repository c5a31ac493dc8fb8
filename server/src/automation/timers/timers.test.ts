import { connectionsApi } from '@recado/contract/connections'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, makeTextEvent, openDesk } from '../../../test/desk.ts'
import { closeTestServers, startSecondProcess, type TestServer, testServer } from '../../../test/test-server.ts'
import { hours, minutes } from '../../kernel/clock.ts'
import { openPool } from '../../kernel/data/database.ts'
import { type Log, makeLog } from '../../kernel/log.ts'
import { makeBatchTimer, makeTimer } from './timer.ts'
import { makeTimers } from './timers.ts'

let harness: TestServer
let desk: Desk
let queue: { id: number; name: string }
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  queue = await desk.createQueue('Recepción')
})
afterAll(closeTestServers)

const setLine = async (values: object) => {
  const row = await desk.line.showLine()
  await desk.admin.call(connectionsApi.update, { params: { id: desk.line.id }, body: { ...row, ...values } as never })
}
/** Runs the timers with the clock moved forward by this much. Times are compared in whole seconds. */
const runTimersAfter = (ms: number) => desk.withClockForward(ms, () => harness.server.switchboard.timers.poll())
const listBotTexts = async (id: number) =>
  (
    await desk.db
      .selectFrom('messages')
      .selectAll()
      .where('ticketId', '=', id)
      .where('fromMe', '=', true)
      .orderBy('id')
      .execute()
  ).map((m) => m.body)

describe('an inactive conversation', () => {
  beforeAll(() => setLine({ expiresTicket: 30, expiresInactiveMessage: 'Cerramos por ahora, {{firstName}}.' }))

  it('is closed to the minute after our last message, with a text, and published', async () => {
    const { id } = await desk.openTicket(desk.admin)
    await desk.send(desk.admin, id, '¿sigue ahí?')
    await runTimersAfter(minutes(30) - 2000)
    expect(await desk.showTicket(id)).toMatchObject({ status: 'open' })
    const socketClient = await desk.admin.listen()
    await runTimersAfter(minutes(30) + 2000)
    expect(await desk.showTicket(id)).toMatchObject({ status: 'closed', unreadMessages: 0 })
    expect((await listBotTexts(id)).at(-1)).toMatch(/^Cerramos por ahora/)
    await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'delete', ticketId: id })
    expect((await desk.listEvents(id))[0]).toMatchObject({
      kind: 'resolve',
      steps: [{ step: 'resolved', why: 'no-answer-for-long' }],
    })
    expect((await desk.listSegments(id)).at(-1)).toMatchObject({
      finishedAt: expect.any(String),
      userId: desk.admin.id,
    })
    socketClient.close()
  })

  it('is not closed while the customer waits for us, or if only bots have answered', async () => {
    const { id, customer } = await desk.openTicket(desk.admin)
    await desk.send(desk.admin, id, 'hola')
    await desk.waitForMessage(await customer.says('¿y?'))
    await desk.setSetting('sendGreetingAccepted', 'enabled')
    const greeted = await desk.openTicket(desk.admin)
    expect(await listBotTexts(greeted.id)).toHaveLength(1)
    await desk.setSetting('sendGreetingAccepted', 'disabled')
    await runTimersAfter(hours(5))
    for (const open of [id, greeted.id]) expect(await desk.showTicket(open)).toMatchObject({ status: 'open' })
  })

  it('is closed after downtime, too, and only once with two processes', async () => {
    const { id } = await desk.openTicket(desk.admin)
    await desk.send(desk.admin, id, '¿sigue ahí?')
    const twin = await startSecondProcess(harness)
    await desk.withClockForward(hours(20), async () => {
      await Promise.all([harness.server.switchboard.timers.poll(), twin.switchboard.timers.poll()])
    })
    expect((await listBotTexts(id)).filter((text) => text.startsWith('Cerramos'))).toHaveLength(1)
    expect((await desk.listEvents(id)).filter((e) => e.kind === 'resolve')).toHaveLength(1)
    await setLine({ expiresTicket: 0 })
  })
})

describe('a ticket that waits without a queue', () => {
  it('moves to the line’s default queue after the configured time, despite messages in between, and its bot stops', async () => {
    await setLine({ timeToTransfer: 10, transferQueueId: queue.id })
    const { id, customer } = await desk.newTicket()
    await desk.waitForMessage(await customer.says('¿hay alguien?'))
    await desk.withClockForward(minutes(8), async () => desk.receive(makeTextEvent(customer.number, '¿hola?')))
    await runTimersAfter(minutes(9))
    expect(await desk.showTicket(id)).toMatchObject({ queueId: null })
    const socketClient = await desk.admin.listen()
    await runTimersAfter(minutes(10) + 1000)
    expect(await desk.showTicket(id)).toMatchObject({ queueId: queue.id, status: 'pending', chatbot: false })
    await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'update' })
    expect((await desk.listEvents(id))[0]).toMatchObject({
      steps: [{ step: 'transferred', why: 'waited-too-long', with: { queue: 'Recepción' } }],
    })
    socketClient.close()
    await setLine({ timeToTransfer: null })
  })
})

describe('an unanswered rating question', () => {
  it('expires after its window', async () => {
    await desk.setSetting('userRating', 'enabled')
    await desk.setSetting('ratingWindow', '6')
    const { id } = await desk.openTicket(desk.admin)
    await desk.putTicket(desk.admin, id, { status: 'closed' })
    const waiting = () => desk.db.selectFrom('ratingRequests').select('ticketId').where('ticketId', '=', id).execute()
    await runTimersAfter(hours(6) - 2000)
    expect(await waiting()).toHaveLength(1)
    await runTimersAfter(hours(6) + 2000)
    expect(await waiting()).toEqual([])
    expect((await desk.listEvents(id))[0]).toMatchObject({ steps: [{ step: 'rating', why: 'nobody-answered' }] })
  })
})

describe('any timer', () => {
  /** The rows of the test table that were processed, in order. Each row is due at a moment and processed once. */
  const done: string[] = []
  const probe = makeTimer({
    dueSql: `select "companyId", id, at from probes where at <= $1 and id <> all($3::int[]) order by at limit $2`,
    async lockDue(scope, id) {
      const { rows } = await sql<{ id: number; word: string }>`
        select id, word from probes where id = ${id} and at <= ${scope.now()} for update`.execute(scope.db)
      return rows[0] ?? null
    },
    async perform(scope, { id, word }) {
      if (word === 'breaks') throw new Error('always')
      await sql`delete from probes where id = ${id}`.execute(scope.db)
      done.push(word)
    },
  })
  const add = (at: Date, ...words: string[]) =>
    sql`insert into probes ("companyId", at, word) select ${desk.company.id}, ${at}, w from unnest(${words}::text[]) w`.execute(
      desk.db,
    )

  it('acts once, in order of time, and a failing row blocks no other', async () => {
    const owner = openPool(harness.databaseUrl, makeLog('silent'), { max: 1 })
    await owner.query(`create table probes (id int generated always as identity, "companyId" int, at timestamptz, word text);
      grant all on probes to recado_app, recado_platform`)
    await owner.end()
    const errors: string[] = []
    const log = {
      ...makeLog('silent'),
      error: (_: object, message: string) => void errors.push(message),
    } as unknown as Log
    const [one, other] = [
      makeTimers(harness.server.deps, log, { probe }),
      makeTimers(harness.server.deps, log, { probe }),
    ]
    const now = harness.clock.now().getTime()
    await add(new Date(now - 60_000), ...Array.from({ length: 210 }, () => 'breaks'))
    await add(new Date(now - 1000), 'second')
    await add(new Date(now - 2000), 'first')
    await add(new Date(now + minutes(3)), 'later')
    await Promise.all([one.poll(), other.poll()])
    expect(done).toEqual(['first', 'second'])
    expect(new Set(errors)).toEqual(new Set(['a timer could not be done; it is tried again']))
    // Failed rows pause; rows that became due meanwhile are processed all the same.
    const tried = errors.length
    await add(new Date(now), 'third')
    await one.poll()
    expect(done).toEqual(['first', 'second', 'third'])
    expect(errors).toHaveLength(tried)
    await desk.withClockForward(minutes(4), async () => one.poll())
    expect(done).toEqual(['first', 'second', 'third', 'later'])
    await Promise.all([one.close(), other.close()])
  })

  it('processes a batch in one transaction; a failing row affects only itself', async () => {
    const sizes: number[] = []
    const many = makeBatchTimer<{ id: number; word: string }>({
      dueSql: probe.dueSql,
      async lockDue(scope, ids) {
        const { rows } = await sql<{ id: number; word: string }>`
          select id, word from probes where id = any(${ids}::int[]) and at <= ${scope.now()} order by id for update`.execute(
          scope.db,
        )
        return rows
      },
      async perform(scope, held) {
        sizes.push(held.length)
        await sql`delete from probes where id = any(${held.map(({ id }) => id)}::int[])`.execute(scope.db)
        if (held.some(({ word }) => word === 'spoils')) throw new Error('always')
      },
    })
    const left = async () => (await sql<{ word: string }>`select word from probes`.execute(desk.db)).rows
    await sql`delete from probes`.execute(desk.db)
    const timers = makeTimers(harness.server.deps, makeLog('silent'), { many })
    const at = new Date(harness.clock.now().getTime() - 1000)
    await add(at, ...Array.from({ length: 60 }, (_, n) => `one ${n}`))
    await Promise.all([timers.poll(), timers.poll()])
    expect(sizes).toEqual([50, 10])
    expect(await left()).toEqual([])
    await add(at, 'one', 'spoils', 'two')
    await timers.poll()
    expect(sizes.slice(2)).toEqual([3, 1, 1, 1])
    expect(await left()).toEqual([{ word: 'spoils' }])
    await timers.close()
  })
})
