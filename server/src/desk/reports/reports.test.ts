import { dashboardApi } from '@recado/contract/dashboard/dashboard'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { minutes } from '../../kernel/clock.ts'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { resolveDates } from './dashboard.ts'
import { readPartCounts } from './parts.ts'
import {
  countNewContacts,
  hasSums,
  percentileOf,
  readDailySums,
  readHoursOfWeek,
  readPercentiles,
  readSums,
  readSumsPerDimension,
} from './read.ts'
import { emptyReportFilter } from './report-sql.ts'
import { reportJobs, updateSums } from './sums.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const scopeOf = (d: Desk) => new Scope(harness.server.deps, { companyId: d.company.id })
const santiago = 'America/Santiago'

type SegmentDraft = {
  queueId?: number
  userId?: number
  queued: string
  started?: string
  answered?: string
  finished?: string
  endedBy?: 'resolved' | 'returned' | 'transferred' | 'bot'
  bot?: true
  began?: 'new' | 'again'
}
/** Writes history directly into the tables, as the demo data does. */
async function write(d: Desk, segments: SegmentDraft[]): Promise<number> {
  const { companyId } = scopeOf(d)
  const contact = await d.db
    .insertInto('contacts')
    .values({ companyId, name: 'Sol', number: '', whatsappId: d.line.id } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const ticket = await d.db
    .insertInto('tickets')
    .values({ companyId, contactId: contact.id, whatsappId: d.line.id, status: 'closed' } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { queued, started, answered, finished, bot, began, endedBy, queueId, userId } of segments)
    await d.db
      .insertInto('ticketTracking')
      .values({
        ...{ companyId, ticketId: ticket.id, whatsappId: d.line.id, createdAt: queued, queuedAt: queued },
        ...{ queueId: queueId ?? null, userId: userId ?? null, began: began ?? null, endedBy: endedBy ?? null },
        ...{
          startedAt: started ?? null,
          answeredAt: answered ?? null,
          finishedAt: finished ?? null,
          chatbotAt: bot ? queued : null,
        },
      })
      .execute()
  return ticket.id
}
const rate = (d: Desk, ticketId: number, userId: number, rate: number, createdAt: string) =>
  d.db
    .insertInto('userRatings')
    .values({ companyId: d.company.id, ticketId, userId, rate, createdAt, queueId: null, whatsappId: d.line.id })
    .execute()

describe('reports of six tickets, calculated by hand', () => {
  let d: Desk
  let ana: { id: number; name: string }
  let beto: Awaited<ReturnType<Desk['createUser']>>
  let sales: { id: number }
  let help: { id: number }
  beforeAll(async () => {
    d = await openDesk(harness)
    await d.setSetting('timezone', santiago)
    sales = await d.createQueue('Ventas')
    help = await d.createQueue('Soporte')
    ana = await d.createUser('user', [sales])
    beto = await d.createUser('user', [help])
    // In Santiago clocks go from 24:00 of Saturday, 5 September 2026 to 1:00 of the 6th: from UTC-4 to UTC-3.
    // 1. Friday 22:00: waits two minutes for Ana, who attends for ten.
    const one = await write(d, [
      {
        queueId: sales.id,
        userId: ana.id,
        began: 'new',
        queued: '2026-09-05T02:00:00Z',
        started: '2026-09-05T02:02:00Z',
        answered: '2026-09-05T02:03:00Z',
        finished: '2026-09-05T02:12:00Z',
        endedBy: 'resolved',
      },
    ])
    // 2. In the night of the clock change: Saturday 23:50, accepted by Ana after ten minutes, that is on Sunday
    // at 1:00; ends at 1:30.
    const two = await write(d, [
      {
        queueId: sales.id,
        userId: ana.id,
        began: 'new',
        queued: '2026-09-06T03:50:00Z',
        started: '2026-09-06T04:00:00Z',
        finished: '2026-09-06T04:30:00Z',
        endedBy: 'resolved',
      },
    ])
    // 3. Monday 10:00: Ana accepts after four minutes and transfers to Beto after six, who attends for twenty.
    const three = await write(d, [
      {
        queueId: sales.id,
        userId: ana.id,
        began: 'new',
        queued: '2026-09-07T13:00:00Z',
        started: '2026-09-07T13:04:00Z',
        finished: '2026-09-07T13:10:00Z',
        endedBy: 'transferred',
      },
      {
        queueId: help.id,
        userId: beto.id,
        queued: '2026-09-07T13:10:00Z',
        started: '2026-09-07T13:10:00Z',
        finished: '2026-09-07T13:30:00Z',
        endedBy: 'resolved',
      },
    ])
    // 4. The bot has the ticket for five minutes and moves it to support; Beto accepts after one minute and
    // returns it after three; nobody has accepted it since.
    await write(d, [
      { began: 'new', bot: true, queued: '2026-09-07T14:00:00Z', finished: '2026-09-07T14:05:00Z', endedBy: 'bot' },
      {
        queueId: help.id,
        userId: beto.id,
        queued: '2026-09-07T14:05:00Z',
        started: '2026-09-07T14:06:00Z',
        finished: '2026-09-07T14:09:00Z',
        endedBy: 'returned',
      },
      { queueId: help.id, queued: '2026-09-07T14:09:00Z' },
    ])
    // 5. Only the bot, on Monday at 23:30, which is Tuesday in UTC.
    await write(d, [
      {
        began: 'new',
        bot: true,
        queued: '2026-09-08T02:30:00Z',
        finished: '2026-09-08T02:31:00Z',
        endedBy: 'resolved',
      },
    ])
    // 6. Tuesday 9:00: closed and reopened, both times with Beto; waits of two and eight minutes, talks of four
    // and sixteen.
    const six = await write(d, [
      {
        queueId: help.id,
        userId: beto.id,
        began: 'new',
        queued: '2026-09-08T12:00:00Z',
        started: '2026-09-08T12:02:00Z',
        finished: '2026-09-08T12:06:00Z',
        endedBy: 'resolved',
      },
      {
        queueId: help.id,
        userId: beto.id,
        began: 'again',
        queued: '2026-09-08T15:00:00Z',
        started: '2026-09-08T15:08:00Z',
        answered: '2026-09-08T15:10:00Z',
        finished: '2026-09-08T15:24:00Z',
        endedBy: 'resolved',
      },
    ])
    await rate(d, one, ana.id, 3, '2026-09-05T02:20:00Z')
    await rate(d, two, ana.id, 2, '2026-09-06T05:00:00Z')
    await rate(d, three, beto.id, 1, '2026-09-07T14:00:00Z')
    await rate(d, six, beto.id, 3, '2026-09-08T15:30:00Z')
    await rate(d, six, beto.id, 3, '2026-09-08T15:40:00Z')
  })
  const week = { from: '2026-09-04', to: '2026-09-08' }
  const look = (query: object) => d.admin.call(dashboardApi.view, { query: query as never })
  const of = (some: { name: string }[], name: string) => some.find((one) => one.name === name)

  const worked = async () => {
    const seen = await look(week)
    // Tickets 1, 2, 3, 4, 5, 6 and 6 again. Waits: 2, 10, 4, 1, 2, 8. Talks: 10, 30, 6, 20, 3, 4, 16.
    expect(seen.sums).toEqual({
      ...{ came: 7, again: 1, resolved: 6, alone: 1, transferred: 1, returned: 1 },
      ...{
        waits: 6,
        waitSeconds: 27 * 60,
        answers: 2,
        answerSeconds: 13 * 60,
        talks: 7,
        talkSeconds: 89 * 60,
        rated: 5,
        rateSum: 12,
      },
      // Tickets 1 and 2 had one agent each, and their customers did not return.
      ...{ once: 2, nexts: 0, nextSeconds: 0, answerKept: 0, answerLate: 0, resolveKept: 0, resolveLate: 0 },
    })
    expect(seen.wait).toEqual({ median: 2 * 60, ninety: 10 * 60 })
    expect(seen.talk).toEqual({ median: 10 * 60, ninety: 30 * 60 })
    expect(seen.answer).toEqual({ median: 3 * 60, ninety: 10 * 60 })
    expect(seen.series).toEqual([
      { day: '2026-09-04', hour: null, came: 1, resolved: 1 },
      { day: '2026-09-05', hour: null, came: 1, resolved: 0 },
      { day: '2026-09-06', hour: null, came: 0, resolved: 1 },
      { day: '2026-09-07', hour: null, came: 3, resolved: 2 },
      { day: '2026-09-08', hour: null, came: 2, resolved: 2 },
    ])
    expect(of(seen.attendants, ana.name)).toMatchObject({
      resolved: 2,
      transferred: 1,
      talks: 3,
      talkSeconds: 46 * 60,
      waits: 3,
      waitSeconds: 16 * 60,
      rated: 2,
      rateSum: 5,
    })
    expect(of(seen.attendants, beto.name)).toMatchObject({
      resolved: 3,
      returned: 1,
      talks: 4,
      talkSeconds: 43 * 60,
      waits: 3,
      waitSeconds: 11 * 60,
      rated: 3,
      rateSum: 7,
    })
    expect(of(seen.queues, 'Ventas')).toMatchObject({ came: 3, resolved: 2, transferred: 1 })
    expect(of(seen.queues, 'Soporte')).toMatchObject({ came: 2, resolved: 3, returned: 1 })
    // Ticket 1 counts on Friday at 22 and not on Saturday at 2; Sunday has no midnight hour.
    expect(seen.week.filter((one) => one.came)).toEqual([
      expect.objectContaining({ weekday: 1, hour: 10, came: 1 }),
      expect.objectContaining({ weekday: 1, hour: 11, came: 1 }),
      expect.objectContaining({ weekday: 1, hour: 23, came: 1 }),
      expect.objectContaining({ weekday: 2, hour: 9, came: 1 }),
      expect.objectContaining({ weekday: 2, hour: 12, came: 1 }),
      expect.objectContaining({ weekday: 5, hour: 22, came: 1 }),
      expect.objectContaining({ weekday: 6, hour: 23, came: 1 }),
    ])
    expect(seen.week).toContainEqual({ weekday: 7, hour: 1, came: 0, waits: 1, waitSeconds: 600 })
    // Only Beto in support counts, on the second of the two days.
    expect(
      (await look({ from: '2026-09-08', to: '2026-09-08', queueId: help.id, userId: beto.id })).sums,
    ).toMatchObject({ resolved: 2, talks: 2, talkSeconds: 20 * 60, waits: 2, waitSeconds: 10 * 60 })
    const monday = await look({ from: '2026-09-07', to: '2026-09-07', compare: true })
    expect(monday.series).toHaveLength(24)
    expect(monday.series.filter(({ came }) => came)).toEqual([
      { day: '2026-09-07', hour: 10, came: 1, resolved: 1 },
      { day: '2026-09-07', hour: 11, came: 1, resolved: 0 },
      { day: '2026-09-07', hour: 23, came: 1, resolved: 1 },
    ])
    expect(monday.before).toMatchObject({ from: '2026-09-06', to: '2026-09-06', sums: { came: 0, resolved: 1 } })
    expect(monday.before?.series).toHaveLength(24)
    expect(monday.before?.series.filter(({ came, resolved }) => came + resolved)).toMatchObject([{ resolved: 1 }])
    // The comparison days equal a report of those days.
    for (const by of [{}, { queueId: help.id }, { userId: beto.id }]) {
      const { before } = await look({ from: '2026-09-09', to: '2026-09-12', compare: true, ...by })
      const own = await look({ from: before?.from, to: before?.to, ...by })
      expect(own.from).toBe('2026-09-05')
      expect(before?.series).toEqual(own.series)
    }
  }

  it('are calculated from segments and ratings before the sums are built', worked)

  it('are the same when read from the sums', async () => {
    await harness.wide().enqueueJob('figures:sum', {})
    await vi.waitFor(
      async () => {
        const left = await d.db.selectFrom('figureNews').select('id').where('companyId', '=', d.company.id).execute()
        expect(left).toEqual([])
      },
      { timeout: 20_000, interval: 50 },
    )
    await worked()
  })

  it('are returned in the formats that older clients expect', async () => {
    const counted = await d.admin.request<{ counters: object; attendants: object[] }>(
      'GET',
      '/dashboard?date_from=2026-09-04&date_to=2026-09-08',
    )
    expect(counted.body.counters).toEqual({
      supportHappening: 0,
      supportPending: 0,
      supportFinished: 6,
      avgSupportTime: 12.7,
      avgWaitTime: 4.5,
    })
    expect(counted.body.attendants).toContainEqual({
      id: ana.id,
      name: ana.name,
      rating: 2.5,
      avgSupportTime: 15.3,
      tickets: 2,
      online: false,
    })
    expect(counted.body.attendants).toContainEqual(
      expect.objectContaining({ name: 'The admin', rating: null, avgSupportTime: 0, tickets: 0 }),
    )
    const range = 'initialDate=2026-09-04&finalDate=2026-09-08&companyId=99'
    expect((await d.admin.request('GET', `/dashboard/ticketsUsers?${range}`)).body).toEqual({
      data: [
        { nome: beto.name, quantidade: 3 },
        { nome: ana.name, quantidade: 2 },
        { nome: 'The admin', quantidade: 0 },
      ],
    })
    expect((await d.admin.request('GET', `/dashboard/ticketsDay?${range}`)).body).toEqual({
      data: [
        { total: 1, data: '04/09/2026' },
        { total: 1, data: '05/09/2026' },
        { total: 0, data: '06/09/2026' },
        { total: 3, data: '07/09/2026' },
        { total: 2, data: '08/09/2026' },
      ],
      count: 7,
    })
    const { data } = (
      await d.admin.request<{ data: object[] }>(
        'GET',
        '/dashboard/ticketsDay?initialDate=2026-09-08&finalDate=2026-09-08',
      )
    ).body
    expect(data).toHaveLength(24)
    expect(data[9]).toEqual({ total: 1, horario: 9 })
  })

  it('list the tickets behind each number', async () => {
    const talks = await d.admin.call(dashboardApi.behind, { query: { ...week, kind: 'talk', userId: ana.id } as never })
    expect(talks.tickets.map(({ value }) => value / 60)).toEqual([6, 30, 10])
    expect(talks.tickets[0]).toMatchObject({
      contact: { name: 'Sol' },
      queue: { name: 'Ventas' },
      user: { name: ana.name },
    })
    const friday = await d.admin.call(dashboardApi.behind, {
      query: { ...week, kind: 'came', weekday: 5, hour: 22 } as never,
    })
    expect(friday).toMatchObject({ count: 1, hasMore: false })
  })

  it('contain nothing of other companies', async () => {
    const other = await openDesk(harness)
    const seen = await other.admin.call(dashboardApi.view, {
      query: { ...week, userId: ana.id, queueId: sales.id } as never,
    })
    expect(seen).toMatchObject({ sums: { came: 0, resolved: 0 }, attendants: [], queues: [] })
    expect(
      (await other.admin.call(dashboardApi.behind, { query: { ...week, kind: 'came' } as never })).tickets,
    ).toEqual([])
    expect((await (await d.company.user('supervisor')).request('GET', '/dashboard')).body).toMatchObject({
      error: 'ERR_NO_PERMISSION',
    })
  })

  it('show a supervisor only their queues, whatever the query', async () => {
    const olga = await d.createUser('supervisor', [sales])
    const seenBy = (query: object) => olga.call(dashboardApi.view, { query: { ...week, ...query } as never })
    const seen = await seenBy({ compare: true })
    const whole = await look({ ...week, queueId: sales.id })
    expect(seen).toMatchObject({ sums: whole.sums, wait: whole.wait, talk: whole.talk, series: whole.series })
    expect(seen).toMatchObject({ sums: { came: 3, resolved: 2 }, newContacts: 0, week: whole.week })
    expect(seen.queues.map(({ name }) => name)).toEqual(['Ventas'])
    expect(seen.attendants.map(({ name }) => name).sort()).toEqual([ana.name, olga.name].sort())
    for (const query of [{ queueId: help.id }, { userId: beto.id }])
      expect(await seenBy(query)).toMatchObject({ sums: { came: 0, resolved: 0, talks: 0 } })
    // The list behind a number shows the tickets that the supervisor may see now.
    const behind = async (query: object) =>
      (await olga.call(dashboardApi.behind, { query: { ...week, kind: 'talk', ...query } as never })).tickets
    expect(await behind({})).toEqual([])
    await d.db.updateTable('tickets').set({ queueId: sales.id }).where('companyId', '=', d.company.id).execute()
    expect((await behind({})).map(({ value }) => value / 60)).toEqual([6, 30, 10])
    expect(await behind({ queueId: help.id })).toEqual([])
  })

  it('show an agent only the agent’s own numbers', async () => {
    const seenBy = (query: object) => beto.call(dashboardApi.view, { query: { ...week, ...query } as never })
    const own = { sums: { resolved: 3, talkSeconds: 43 * 60, rated: 3 }, newContacts: 0, now: { pending: 0 } }
    const seen = await seenBy({})
    expect(seen).toMatchObject(own)
    expect(seen.attendants.map(({ name }) => name)).toEqual([beto.name])
    expect(seen.queues.map(({ name }) => name)).toEqual(['Soporte'])
    expect(await seenBy({ userId: ana.id })).toMatchObject(own)
    const behind = await beto.call(dashboardApi.behind, { query: { ...week, kind: 'talk', userId: ana.id } as never })
    expect(behind.tickets.filter(({ user }) => user?.id !== beto.id)).toEqual([])
  })
})

it('begin a day at the first of two midnights when clocks are set back, before and after the sums are built', async () => {
  const d = await openDesk(harness)
  const zone = 'America/Havana'
  await d.setSetting('timezone', zone)
  // In this zone clocks go from 1:00 back to 0:00 on Sunday, 1 November 2026: from UTC-4 to UTC-5.
  await write(d, [{ began: 'new', queued: '2026-11-01T03:30:00Z' }])
  await write(d, [{ began: 'new', queued: '2026-11-01T04:30:00Z' }])
  await write(d, [{ began: 'new', queued: '2026-11-01T05:30:00Z' }])
  // A result is cached for a second: a different query avoids the cache.
  const came = async (day: string, look: object = {}) => {
    const query = { from: day, to: day, ...look } as never
    const { tickets } = await d.admin.call(dashboardApi.behind, { query })
    return [(await d.admin.call(dashboardApi.view, { query })).sums.came, tickets.length]
  }
  for (const made of [false, true]) {
    if (made) await updateSums(scopeOf(d), zone)
    const days = ['2026-10-31', '2026-11-01', '2026-11-02'].map((day) => came(day, { hours: made }))
    expect(await Promise.all(days)).toEqual([
      [1, 1],
      [2, 2],
      [0, 0],
    ])
  }
  // Changes since the sums were built count, too.
  await write(d, [{ began: 'new', queued: '2026-11-01T04:40:00Z' }])
  expect([await came('2026-10-31', { compare: true }), await came('2026-11-01', { compare: true })]).toEqual([
    [1, 1],
    [3, 3],
  ])
})

describe('live counting', () => {
  it('follows the ticket through every transition and its deletion', async () => {
    const d = await openDesk(harness)
    // The clock is frozen, so durations are exact, and the zone is chosen so that midnight is not near.
    harness.clock.freeze()
    onTestFinished(harness.clock.resume)
    const hour = harness.clock.now().getUTCHours()
    const zone = hour > 4 && hour < 20 ? 'Europe/London' : 'Pacific/Auckland'
    await d.setSetting('timezone', zone)
    const [ana, beto] = [await d.createUser('admin'), await d.createUser('admin')]
    const { id, customer } = await d.newTicket()
    harness.clock.advance(minutes(2))
    await d.accept(ana, id)
    harness.clock.advance(minutes(1))
    // Only the first message of an agent is a reply; a ticket assigned at once had no wait.
    await d.send(ana, id, 'Buenas')
    harness.clock.advance(minutes(2))
    await d.send(ana, id, 'Dígame')
    await d.putTicket(ana, id, { userId: beto.id, queueId: null })
    await d.send(beto, id, 'Soy Beto')
    await updateSums(scopeOf(d), zone)
    harness.clock.advance(minutes(4))
    const { now, attendants } = await d.admin.call(dashboardApi.view, { query: {} as never })
    expect([now, attendants.find((one) => one.id === beto.id)?.now]).toMatchObject([{ open: 1, pending: 0 }, 1])
    // The current numbers also list their tickets, whatever the days of the query.
    const alive = async (kind: string, query: object = {}) =>
      (
        await d.admin.call(dashboardApi.behind, {
          query: { from: '2001-01-01', to: '2001-01-02', kind, ...query } as never,
        })
      ).tickets
    expect((await alive('open')).map((one) => [one.ticket.id, one.user?.id, Math.round(one.value / 60)])).toEqual([
      [id, beto.id, 4],
    ])
    expect([await alive('pending'), await alive('open', { userId: ana.id })]).toEqual([[], []])
    await d.putTicket(beto, id, { status: 'closed' })
    await customer.says('otra cosa')
    await vi.waitFor(async () =>
      expect((await d.admin.call(dashboardApi.view, { query: {} as never })).sums).toMatchObject({
        came: 2,
        resolved: 1,
        transferred: 1,
        waits: 1,
        talks: 2,
      }),
    )
    const first = (await d.admin.call(dashboardApi.view, { query: {} as never })).sums
    expect([first.answers, Math.round(first.answerSeconds / 60)]).toEqual([1, 3])
    const { sums } = await d.admin.call(dashboardApi.view, { query: { userId: beto.id } as never })
    expect(Math.round(sums.talkSeconds / 60)).toBe(4)
    await d.admin.request('DELETE', `/tickets/${id}`)
    expect((await d.admin.call(dashboardApi.view, { query: {} as never })).sums).toMatchObject({
      came: 1,
      resolved: 0,
      transferred: 0,
      waits: 0,
      talks: 0,
    })
  })

  it('publishes once a second at most, to users who may see reports', async () => {
    const d = await openDesk(harness)
    const agent = await d.createUser('user')
    const [admin, other] = [await d.admin.listen(), await agent.listen()]
    const began = performance.now()
    const tickets = await Promise.all(Array.from({ length: 6 }, () => d.newTicket()))
    const name = `company-${d.company.id}-figures`
    const told = () => admin.received.filter((one) => one.name === name).length
    for (const { id } of tickets.slice(1)) await d.accept(d.admin, id)
    await admin.waitFor(name)
    const soFar = told()
    await d.accept(d.admin, tickets[0]?.id as number)
    // The last event is published after the second in which the changes happened.
    await vi.waitFor(() => expect(told()).toBeGreaterThan(soFar), { timeout: 20_000, interval: 20 })
    await Promise.all([admin.whenCaughtUp(), other.whenCaughtUp()])
    // One event is published at once, and one for each second that passed.
    expect(told()).toBeLessThanOrEqual(2 + (performance.now() - began) / 1000)
    expect(other.received.some((one) => one.name === name)).toBe(false)
  })
})

describe('report sums', () => {
  /** A random history: segments and ratings are added, changed and deleted, some over the night of a clock change. */
  const moment = fc.integer({ min: 0, max: 9 * 24 * 60 }).map((n) => Date.parse('2026-09-01T00:00:00Z') + n * 60_000)
  const one = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('leg' as const),
        at: moment,
        wait: fc.nat(400),
        talk: fc.nat(4000),
        how: fc.nat(7),
        who: fc.nat(2),
        where: fc.nat(2),
        ticket: fc.nat(1),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('change' as const),
        which: fc.nat(30),
        at: moment,
        how: fc.nat(7),
        who: fc.nat(2),
        where: fc.nat(2),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat(30) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('rate' as const),
        at: moment,
        who: fc.nat(2),
        where: fc.nat(2),
        rate: fc.integer({ min: 1, max: 3 }),
        ticket: fc.nat(1),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('more' as const),
        what: fc.constantFrom('answer', 'menu', 'promise'),
        at: moment,
        who: fc.nat(2),
        where: fc.nat(2),
        ticket: fc.nat(1),
      }),
    },
    {
      weight: 4,
      // The ticket gets one tag, or both at once.
      arbitrary: fc.record({
        do: fc.constant('tags' as const),
        what: fc.constantFrom('wear', 'wear', 'take off'),
        ticket: fc.nat(1),
        which: fc.constantFrom([0], [1], [0, 1]),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), ticket: fc.nat(1) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('contact' as const),
        at: moment,
        // A contact is added, merged, unmerged, given another creation time, or deleted.
        what: fc.constantFrom('new', 'new', 'merged', 'apart', 'since', 'gone'),
        which: fc.nat(30),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('sum' as const), zone: fc.boolean() }) },
  )

  it('equal a plain SQL count after any history and any number of builds', async () => {
    const d = await openDesk(harness)
    const scope = scopeOf(d)
    const { companyId } = scope
    const queues = [null, (await d.createQueue()).id, (await d.createQueue()).id]
    const people = [null, (await d.createUser('user')).id, (await d.createUser('user')).id]
    const { contactId: owner } = await d.db
      .selectFrom('tickets')
      .select('contactId')
      .where('id', '=', await write(d, []))
      .executeTakeFirstOrThrow()
    const tagsOf = (names: string[]) => {
      const values = names.map((name) => ({ companyId, name, color: '#112233' })) as never
      return d.db.insertInto('tags').values(values).returning('id').execute()
    }
    const tags = (await tagsOf(['Cobro', 'Viaje'])).map(({ id }) => id)
    const ends = ['resolved', 'transferred', 'returned', 'bot', 'resolved', 'resolved', null, null] as const
    const at = (ms: number) => new Date(ms).toISOString()
    const all = { ...emptyReportFilter, from: '2026-08-30', to: '2026-09-20' }

    const read = async (zone: string, narrowed: object, summed: boolean) => {
      const asked = { ...all, ...narrowed, zone }
      const days = await readDailySums(scope, asked, summed)
      // Events that were added and removed again leave a row of zeros.
      const some = <K>(map: Map<K, Record<string, number>>) =>
        [...map].filter(([, sums]) => Object.values(sums).some(Boolean)).sort()
      return {
        ...{ all: days.all, days: some(days.days), users: some(days.users), queues: some(days.queues) },
        week: (await readHoursOfWeek(scope, asked, summed)).filter((one) => one.came || one.resolved || one.waits),
        spread: await readPercentiles(scope, asked, summed),
        sums: await readSums(scope, asked, summed),
        contacts: await countNewContacts(scope, asked, summed),
        lines: some(await readSumsPerDimension(scope, asked, summed, 'line')),
        tags: await readPartCounts(scope, asked, summed, 'tag', ['tagCame', 'tagResolved']),
        bot: await readPartCounts(scope, asked, summed, 'bot', ['botHad', 'botPassed', 'menuRight']),
      }
    }
    /** Adds, merges or deletes a contact. */
    const meet = async ({ at: ms, what, which }: { at: number; what: string; which: number }, met: number[]) => {
      const id = met[which % Math.max(met.length, 1)] ?? 0
      const change = (values: object) =>
        d.db.updateTable('contacts').set(values).where('companyId', '=', companyId).where('id', '=', id).execute()
      if (what === 'new') {
        const values = { companyId, name: 'Luz', number: '', whatsappId: d.line.id, createdAt: at(ms) } as never
        met.push(
          (await d.db.insertInto('contacts').values(values).returning('id').executeTakeFirstOrThrow()).id as number,
        )
      } else if (what === 'gone')
        await d.db.deleteFrom('contacts').where('companyId', '=', companyId).where('id', '=', id).execute()
      else if (what === 'since') await change({ createdAt: at(ms) })
      else await change({ mergedInto: what === 'merged' ? owner : null })
    }
    const plainContacts = async (zone: string, { from, to }: { from: string; to: string }) => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from contacts where "companyId" = ${companyId} and "mergedInto" is null
          and ("createdAt" at time zone ${zone})::date between ${from}::date and ${to}::date`.execute(d.db)
      return rows[0]?.n
    }
    const plain = async (zone: string) => {
      const { rows } = await sql`
        select (at at time zone ${zone})::date::text as day, sum(resolved)::int as resolved, sum(talk)::int as "talkSeconds" from (
          select "finishedAt" as at, ("endedBy" = 'resolved')::int as resolved,
            coalesce(round(extract(epoch from "finishedAt" - "startedAt")), 0) as talk
          from "ticketTracking" where "companyId" = ${companyId} and "finishedAt" is not null) x
        group by 1 having sum(resolved) + sum(talk) > 0 order by 1`.execute(d.db)
      return rows
    }
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 30 }), async (history) => {
        await d.db.deleteFrom('tickets').where('companyId', '=', companyId).execute()
        await d.db.deleteFrom('contacts').where('companyId', '=', companyId).where('id', '<>', owner).execute()
        let zone = santiago
        const ids: number[] = []
        const met: number[] = []
        const newTicket = () =>
          d.db
            .insertInto('tickets')
            .values({ companyId, contactId: owner, whatsappId: d.line.id, status: 'closed' } as never)
            .returning('id')
            .executeTakeFirstOrThrow()
            .then((row) => row.id)
        const tickets = [await newTicket(), await newTicket()]
        for (const step of history) {
          const ticketId = tickets['ticket' in step ? step.ticket : 0] as number
          const place =
            'who' in step
              ? { queueId: queues[step.where] ?? null, userId: people[step.who] ?? null, whatsappId: d.line.id }
              : { queueId: null, userId: null, whatsappId: null }
          if (step.do === 'forget') {
            await d.db.deleteFrom('tickets').where('id', '=', ticketId).execute()
            tickets[step.ticket] = await newTicket()
          } else if (step.do === 'tags' && step.what === 'wear') {
            const worn = step.which.map((which) => ({ companyId, ticketId, tagId: tags[which] as number }))
            await d.db
              .insertInto('ticketTags')
              .values(worn)
              .onConflict((c) => c.doNothing())
              .execute()
          } else if (step.do === 'tags') {
            const some = step.which.map((which) => tags[which] as number)
            await d.db.deleteFrom('ticketTags').where('ticketId', '=', ticketId).where('tagId', 'in', some).execute()
          } else if (step.do === 'more' && step.what === 'answer') {
            const values = { companyId, ticketId, ...place, askedAt: at(step.at), at: at(step.at + 90_000) }
            await d.db.insertInto('nextAnswers').values(values).execute()
          } else if (step.do === 'more' && step.what === 'menu') {
            const { userId: _, ...there } = place
            const values = { companyId, ticketId, ...there, optionId: null, kind: 'right' as const, at: at(step.at) }
            await d.db.insertInto('menuSteps').values(values).execute()
          } else if (step.do === 'more') {
            const [began, ended] = [at(step.at), at(step.at + 60_000)]
            const times = { minutes: 1, since: began, warnAt: ended, dueAt: ended, endedAt: step.who ? ended : null }
            const values = { companyId, ticketId, ...place, kind: 'answer', ...times } as never
            await d.db.insertInto('ticketGoals').values(values).execute()
          } else if (step.do === 'sum') {
            if (step.zone) zone = zone === santiago ? 'Asia/Kolkata' : santiago
            await updateSums(scope, zone)
          } else if (step.do === 'contact') {
            await meet(step, met)
          } else if (step.do === 'leg') {
            const endedBy = ends[step.how] ?? null
            const started = step.at + step.wait * 1000
            const { id } = await d.db
              .insertInto('ticketTracking')
              .values({
                ...{
                  companyId,
                  ticketId,
                  whatsappId: d.line.id,
                  createdAt: at(step.at),
                  queuedAt: at(step.at),
                  endedBy,
                },
                ...{ queueId: queues[step.where] ?? null, userId: people[step.who] ?? null },
                ...{ began: step.how % 3 === 0 ? ('new' as const) : step.how === 4 ? ('again' as const) : null },
                ...{
                  chatbotAt: step.how === 3 ? at(step.at) : null,
                  startedAt: step.who ? at(started) : null,
                  answeredAt: step.who && step.talk > 900 ? at(started + 60_000) : null,
                },
                finishedAt: endedBy && at(started + step.talk * 1000),
              })
              .onConflict((c) => c.doNothing())
              .returning('id')
              .executeTakeFirst()
              .then((row) => row ?? { id: 0 })
            if (id) ids.push(id)
          } else if (step.do === 'rate') {
            await d.db
              .insertInto('userRatings')
              .values({
                companyId,
                ticketId,
                rate: step.rate,
                createdAt: at(step.at),
                queueId: queues[step.where] ?? null,
                whatsappId: null,
                userId: people[step.who] ?? null,
              })
              .execute()
          } else {
            const id = ids[step.which % Math.max(ids.length, 1)] ?? 0
            if (step.do === 'delete') await d.db.deleteFrom('ticketTracking').where('id', '=', id).execute()
            else
              await d.db
                .updateTable('ticketTracking')
                .set({ queueId: queues[step.where] ?? null, userId: people[step.who] ?? null, createdAt: at(step.at) })
                .where('id', '=', id)
                .execute()
          }
        }
        const isSummed = await hasSums(scope, { zone, tagId: null })
        const isTagSummed = await hasSums(scope, { zone, tagId: tags[0] as number })
        // Changes that are not in the sums yet are counted as well.
        for (const narrowed of isSummed && isTagSummed ? [{}, { tagId: tags[0], userId: people[1] }] : [])
          expect(await read(zone, narrowed, true)).toEqual(await read(zone, narrowed, false))
        const someDays = { from: '2026-09-02', to: '2026-09-08', zone }
        if (isSummed) expect(await countNewContacts(scope, someDays, true)).toBe(await plainContacts(zone, someDays))
        await updateSums(scope, zone)
        const narrowings = [
          {},
          { queueId: queues[1] },
          { userId: people[1] },
          { queueId: queues[2], userId: people[2] },
          { whatsappId: d.line.id },
          { queueId: queues[1], userId: people[2], whatsappId: d.line.id },
          { queueIds: [queues[1], queues[2]], userId: people[1] },
          // A range of whole months, with days before and after them.
          { from: '2026-07-15', to: '2026-10-03' },
          { from: '2026-09-01', to: '2026-09-30', whatsappId: d.line.id, userId: people[1] },
          { from: '2026-09-02', to: '2026-09-09' },
          { tagId: tags[0] },
          { tagId: tags[1], from: '2026-07-15', to: '2026-10-03' },
          { tagId: tags[0], queueId: queues[1], from: '2026-09-02', to: '2026-10-03' },
          { tagId: tags[1], userId: people[1] },
          { tagId: tags[0], whatsappId: d.line.id, from: '2026-09-01', to: '2026-09-30' },
          { tagId: tags[0], queueId: queues[2], userId: people[2] },
          { tagId: tags[1], queueIds: [queues[1], queues[2]], whatsappId: d.line.id },
        ]
        for (const narrowed of narrowings) {
          const found = await read(zone, narrowed, true)
          expect(found).toEqual(await read(zone, narrowed, false))
          expect(found.contacts).toBe(await plainContacts(zone, { ...all, ...narrowed }))
        }
        const days = (await read(zone, {}, true)).days as [string, { resolved: number; talkSeconds: number }][]
        const counted = days.map(([day, { resolved, talkSeconds }]) => ({ day, resolved, talkSeconds }))
        expect(counted.filter((one) => one.resolved + one.talkSeconds > 0)).toEqual(await plain(zone))
        // Sums that are rebuilt from all events are the same.
        const both = async () => [await read(zone, {}, true), await read(zone, { tagId: tags[0] }, true)]
        const before = await both()
        await updateSums(scope, 'UTC')
        await updateSums(scope, zone)
        expect(await both()).toEqual(before)
      }),
      { numRuns: 12 },
    )
  })

  it('are built again where an older release built them without contact counts', async () => {
    const d = await openDesk(harness)
    const scope = scopeOf(d)
    const days = { ...emptyReportFilter, from: '2026-08-01', to: '2026-09-20', zone: santiago }
    const came = async () => (await readSums(scope, days, await hasSums(scope, { zone: santiago, tagId: null }))).came
    await write(d, [{ queued: '2026-09-01T12:00:00Z', began: 'new' }])
    await d.db.insertInto('figureCalendars').values({ companyId: scope.companyId, zone: santiago }).execute()
    expect([await hasSums(scope, { zone: santiago, tagId: null }), await came()]).toEqual([false, 1])
    await updateSums(scope, santiago)
    expect([await hasSums(scope, { zone: santiago, tagId: null }), await came()]).toEqual([true, 1])
  })

  it('are skipped by the next run while the last run still builds them', async () => {
    const d = await openDesk(harness)
    const scope = scopeOf(d)
    await write(d, [{ queued: '2026-09-01T12:00:00Z', began: 'new' }])
    const sum = () => reportJobs(harness.server.deps)['figures:sum']({})
    await scope.transaction(async (busy) => {
      await lockInCompany(busy, 'figures')
      await sum()
      expect(await hasSums(scope, { zone: 'America/Sao_Paulo', tagId: null })).toBe(false)
    })
    await sum()
    expect(await hasSums(scope, { zone: 'America/Sao_Paulo', tagId: null })).toBe(true)
  })

  it('are built for every company, also after a company whose zone is unknown to the database', async () => {
    const [first, next] = [await openDesk(harness), await openDesk(harness)]
    await write(first, [{ queued: '2026-09-01T12:00:00Z', began: 'new' }])
    await first.db
      .insertInto('settings')
      .values({ companyId: first.company.id, key: 'timezone', value: 'America/Ninguna' })
      .onConflict((c) => c.columns(['companyId', 'key']).doUpdateSet({ value: 'America/Ninguna' }))
      .execute()
    onTestFinished(async () => {
      await first.db.deleteFrom('settings').where('companyId', '=', first.company.id).execute()
    })
    await expect(reportJobs(harness.server.deps)['figures:sum']({})).rejects.toThrow('America/Ninguna')
    expect(await hasSums(scopeOf(next), { zone: 'America/Sao_Paulo', tagId: null })).toBe(true)
  })

  it('include the percentiles of durations', () => {
    expect(percentileOf([], 0.5)).toBe(null)
    expect(
      percentileOf(
        [
          { n: 9, seconds: 90 },
          { n: 1, seconds: 600 },
        ],
        0.9,
      ),
    ).toBe(10)
    expect(
      percentileOf(
        [
          { n: 8, seconds: 80 },
          { n: 2, seconds: 1200 },
        ],
        0.9,
      ),
    ).toBe(600)
  })

  it('convert the requested days to a range of dates', () => {
    const today = '2026-11-16'
    expect(resolveDates({}, today)).toEqual({ from: '2026-11-01', to: today })
    expect(resolveDates({ days: 3, from: '2026-01-01' }, today)).toEqual({ from: '2026-11-14', to: today })
    expect(resolveDates({ from: '2026-10-05' }, today)).toEqual({ from: '2026-10-05', to: today })
    expect(resolveDates({ to: '2026-10-05' }, today)).toEqual({ from: '2026-10-01', to: '2026-10-05' })
    expect(resolveDates({ from: '2026-10-05', to: '2026-10-01' }, today)).toEqual({
      from: '2026-10-01',
      to: '2026-10-05',
    })
    expect(resolveDates({ from: '2019-01-01', to: today }, today).from > '2023-10-01').toBe(true)
  })
})
