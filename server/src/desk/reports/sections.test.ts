import { connectionsApi } from '@recado/contract/connections'
import { dashboardApi } from '@recado/contract/dashboard/dashboard'
import { reportSectionsApi } from '@recado/contract/dashboard/report-sections'
import { weekdays } from '@recado/contract/hours/hours'
import { type Calendar, openStateAt } from '@recado/contract/hours/opening'
import { queueOptionsApi } from '@recado/contract/queue-options'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { minutes } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { computeStaffNeeds, countPerMinute, maxAtOncePerQuarter } from './day.ts'
import { readPartCounts } from './parts.ts'
import { emptyReportFilter } from './report-sql.ts'
import { updateSums } from './sums.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const scopeOf = (d: Desk) => new Scope(harness.server.deps, { companyId: d.company.id })
const view = (d: Desk, query: object = {}) => d.admin.call(dashboardApi.view, { query: query as never })
const santiago = 'America/Santiago'

/** Writes hours directly into the row, in the shape that the forms store. */
const weekOf = (startTime: string, endTime: string, days: readonly string[] = weekdays) =>
  weekdays.map((weekdayEn) => ({
    ...{ weekday: weekdayEn, weekdayEn },
    ...(days.includes(weekdayEn) ? { startTime, endTime } : { startTime: '00:00', endTime: '00:00' }),
  }))
async function openFrom(d: Desk, week: object[], holidays: object[] = []): Promise<void> {
  await d.setSetting('scheduleType', 'company')
  await d.db
    .updateTable('companies')
    .set({ schedules: JSON.stringify(week), holidays: JSON.stringify(holidays) } as never)
    .where('id', '=', d.company.id)
    .execute()
}

type SegmentDraft = {
  queued: string
  started?: string
  answered?: string
  finished?: string
  endedBy?: 'resolved' | 'returned' | 'transferred' | 'bot'
  bot?: boolean
  botEnded?: boolean
  began?: 'new' | 'again'
  queueId?: number
  userId?: number
}
async function someTicket(
  d: Desk,
  segments: SegmentDraft[],
  contactId?: number,
): Promise<{ id: number; contactId: number }> {
  const companyId = d.company.id
  const contact =
    contactId ??
    (
      await d.db
        .insertInto('contacts')
        .values({ companyId, name: 'Sol', number: '', whatsappId: d.line.id } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const { id } = await d.db
    .insertInto('tickets')
    .values({ companyId, contactId: contact, whatsappId: d.line.id, status: 'closed' } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const segment of segments)
    await d.db
      .insertInto('ticketTracking')
      .values({
        ...{ companyId, ticketId: id, whatsappId: d.line.id, createdAt: segment.queued, queuedAt: segment.queued },
        ...{ queueId: segment.queueId ?? null, userId: segment.userId ?? null, began: segment.began ?? null },
        ...{
          startedAt: segment.started ?? null,
          answeredAt: segment.answered ?? null,
          finishedAt: segment.finished ?? null,
        },
        ...{
          endedBy: segment.endedBy ?? null,
          chatbotAt: segment.bot ? segment.queued : null,
          botEnded: segment.botEnded ?? null,
        },
      })
      .execute()
  return { id, contactId: contact }
}

describe('reports restricted to opening hours', () => {
  const time = fc
    .tuple(fc.integer({ min: 4, max: 23 }), fc.constantFrom('00', '30'))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`)

  it('count the minutes in which the company is open, in any week and over a clock change', async () => {
    const d = await openDesk(harness)
    await d.setSetting('timezone', santiago)
    const range = fc.record({ weekdayEn: fc.constantFrom(...weekdays), startTime: time, endTime: time })
    await fc.assert(
      fc.asyncProperty(
        fc.array(range, { minLength: 1, maxLength: 8 }),
        fc.array(fc.record({ day: fc.constantFrom('2026-09-04', '2020-09-07', '2026-09-08'), yearly: fc.boolean() })),
        fc.integer({ min: 0, max: 7 * 48 }),
        fc.integer({ min: 1, max: 3 * 48 }),
        async (given, days, from, halves) => {
          const week = given.map((one) => ({ ...one, weekday: '' }))
          const holidays = days.map((one) => ({ ...one, name: '' }))
          await openFrom(d, week, holidays)
          const since = Date.parse('2026-09-02T00:00:00Z') + from * minutes(30)
          const until = since + halves * minutes(30)
          const { rows } = await sql<{ n: number }>`
            select open_seconds(${d.company.id}, null, ${new Date(since)}, ${new Date(until)}) as n`.execute(d.db)
          const calendar: Calendar = { week, holidays, zone: santiago }
          const open = Array.from({ length: halves }, (_, n) =>
            openStateAt(calendar, new Date(since + n * minutes(30))),
          )
          expect(rows[0]?.n).toBe(open.filter((one) => one.open).length * 1800)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('exclude nights, days off and closed queues from waits, replies and talks', async () => {
    const d = await openDesk(harness)
    await d.setSetting('timezone', santiago)
    const ana = await d.createUser('user')
    await openFrom(d, weekOf('09:00', '18:00', weekdays.slice(0, 5)), [{ day: '2026-10-12', name: '', yearly: true }])
    // Friday 9 October, 17:50 in Santiago (UTC-3). Monday is a day off; Ana accepts on Tuesday at 9:10 and closes
    // at 9:30.
    await someTicket(d, [
      {
        ...{ began: 'new', queued: '2026-10-09T20:50:00Z', started: '2026-10-13T12:10:00Z', userId: ana.id },
        ...{ answered: '2026-10-13T12:15:00Z', finished: '2026-10-13T12:30:00Z', endedBy: 'resolved' },
      },
    ])
    const week = { from: '2026-10-09', to: '2026-10-13' }
    const seen = async (query: object) => {
      const { sums, wait, answer, talk } = await view(d, { ...week, ...query })
      return [sums.waitSeconds, wait.median, sums.answerSeconds, answer.median, sums.talkSeconds, talk.median].map(
        (seconds) => (seconds ?? 0) / 60,
      )
    }
    const all = 3 * 24 * 60 + 15 * 60 + 20
    for (const made of [false, true]) {
      if (made) await updateSums(scopeOf(d), santiago)
      expect(await seen({})).toEqual([all, all, all + 5, all + 5, 20, 20])
      expect(await seen({ hours: true })).toEqual([20, 20, 25, 25, 20, 20])
    }
    const { tickets } = await d.admin.call(dashboardApi.behind, {
      query: { ...week, kind: 'wait', hours: true } as never,
    })
    expect(tickets.map(({ value }) => value)).toEqual([20 * 60])
  })
})

describe('reports that follow live events', () => {
  it('measure each later reply from the first message that waited for it', async () => {
    const d = await openDesk(harness)
    const ana = await d.createUser('admin')
    const { id, customer } = await d.newTicket()
    harness.clock.advance(minutes(1))
    await d.accept(ana, id)
    await d.send(ana, id, 'Buenas')
    expect((await view(d)).sums).toMatchObject({ answers: 1, nexts: 0 })
    await d.waitForHandled(await customer.says('tengo una duda'))
    harness.clock.advance(minutes(3))
    await d.waitForHandled(await customer.says('sigo aquí'))
    harness.clock.advance(minutes(2))
    await d.send(ana, id, 'Dígame')
    // A further message is no reply, because nobody waits for it.
    await d.send(ana, id, 'Aquí estoy')
    const { sums, next, before } = await view(d, { compare: true })
    expect(sums).toMatchObject({ answers: 1, nexts: 1 })
    expect([Math.round(sums.nextSeconds / 60), Math.round((next.median ?? 0) / 60)]).toEqual([5, 5])
    expect(before?.sums.nexts).toBe(0)
    const { tickets } = await d.admin.call(dashboardApi.behind, { query: { kind: 'next' } as never })
    expect(tickets.map(({ ticket, user }) => [ticket.id, user?.id])).toEqual([[id, ana.id]])
    await d.admin.request('DELETE', `/tickets/${id}`)
    expect((await view(d)).sums).toMatchObject({ nexts: 0, nextSeconds: 0 })
  })

  it('count first-contact resolution until the customer returns', async () => {
    const d = await openDesk(harness)
    const [ana, beto] = [await d.createUser('admin'), await d.createUser('admin')]
    const one = await d.openTicket(ana)
    await d.putTicket(ana, one.id, { status: 'closed' })
    const two = await d.openTicket(ana)
    await d.putTicket(ana, two.id, { userId: beto.id, queueId: null })
    await d.putTicket(beto, two.id, { status: 'closed' })
    expect((await view(d)).sums).toMatchObject({ resolved: 2, once: 1, transferred: 1 })
    expect((await view(d, { userId: ana.id })).sums.once).toBe(1)
    harness.clock.advance(minutes(5))
    await d.waitForHandled(await one.customer.says('otra vez lo mismo'))
    expect((await view(d, { days: 7 })).sums).toMatchObject({ resolved: 2, once: 0 })
  })

  it('do not count first-contact resolution for two parallel tickets, whichever was closed last', async () => {
    const d = await openDesk(harness)
    const [ana, beto] = [await d.createUser('user'), await d.createUser('user')]
    const at = (clock: string) => `2026-09-${clock}:00Z`
    const { contactId } = await someTicket(d, [
      {
        ...{ began: 'new', queued: at('04T12:00'), started: at('04T12:10'), userId: ana.id },
        ...{ finished: at('05T09:30'), endedBy: 'transferred' },
      },
      {
        ...{ queued: at('05T09:30'), started: at('05T09:30'), userId: beto.id },
        ...{ finished: at('05T10:00'), endedBy: 'resolved' },
      },
    ])
    const alone = { began: 'new', started: at('05T08:05'), finished: at('05T09:00'), endedBy: 'resolved' } as const
    await someTicket(d, [{ ...alone, queued: at('05T08:00'), userId: ana.id }], contactId)
    // A result is cached for a second: a different query avoids the cache.
    const once = async (look: object = {}) =>
      (await view(d, { from: '2026-09-01', to: '2026-09-30', ...look })).sums.once
    expect(await once()).toBe(1)
    await someTicket(d, [{ began: 'new', queued: at('06T12:00') }], contactId)
    expect(await once({ compare: true })).toBe(0)
  })

  it('count where customers choose wrongly in a menu, and where they leave it', async () => {
    const d = await openDesk(harness)
    const [sales, help] = [await d.createQueue('Ventas'), await d.createQueue('Soporte')]
    const row = await d.line.showLine()
    const body = { ...row, queueIds: [sales.id, help.id], greetingMessage: 'Hola' }
    await d.admin.call(connectionsApi.update, { params: { id: d.line.id }, body: body as never })
    const option = (title: string, more: object) =>
      d.admin.call(queueOptionsApi.create, { body: { queueId: help.id, title, message: '', ...more } as never })
    const { id: parentId } = await option('Garantía', {})
    await option('Rota', { parentId, leads: 'end' })
    const talk = async (...words: string[]) => {
      const { customer, id } = await d.newTicket()
      for (const word of words) await d.waitForHandled(await customer.says(word))
      return id
    }
    // One customer goes straight to an agent, one chooses wrongly and reaches the end, and one leaves at the
    // second level of support.
    await talk('1')
    await talk('9', '2', '1', '1')
    const left = await talk('2', '1', 'no sé')
    await d.putTicket(d.admin, left, { status: 'closed' })
    const seen = await d.admin.call(reportSectionsApi.bot, { query: { compare: true } as never })
    expect(seen.counts).toEqual({ had: 3, chose: 3, alone: 1, passed: 1, left: 1 })
    expect(seen.before).toEqual({ had: 0, chose: 0, alone: 0, passed: 0, left: 0 })
    const places = seen.places.map(({ path, right, wrong, left: away }) => [path.join(' › '), right, wrong, away])
    expect(places).toEqual([
      ['Soporte › Garantía', 1, 1, 1],
      ['', 3, 1, 0],
      ['Soporte', 2, 0, 0],
    ])
    expect((await view(d)).sums).toMatchObject({ alone: 1 })
    // Each of these numbers lists its tickets.
    const behind = async (query: object) =>
      (await d.admin.call(dashboardApi.behind, { query: query as never })).tickets.map(({ ticket }) => ticket.id)
    for (const [kind, n] of Object.entries({ botHad: 3, menuFirst: 3, alone: 1, botPassed: 1, botLeft: 1 }))
      expect(await behind({ kind }), kind).toHaveLength(n)
    const top = { noQueue: true, atTop: true }
    expect(await behind({ kind: 'menuAsked', ...top })).toHaveLength(4)
    expect(await behind({ kind: 'menuWrong', ...top })).toHaveLength(1)
    const place = { queueId: help.id, optionId: parentId }
    expect(await behind({ kind: 'menuAsked', ...place })).toHaveLength(2)
    expect(await behind({ kind: 'menuLeft', ...place })).toEqual([left])
    // For a single queue this number is null, because most customers choose before they are in a queue.
    const ofQueue = await d.admin.call(reportSectionsApi.bot, { query: { queueId: help.id } as never })
    expect(ofQueue.counts).toMatchObject({ chose: null, alone: 1, left: 1 })
    const before = await readPartCounts(
      scopeOf(d),
      { ...emptyReportFilter, zone: 'America/Sao_Paulo', ...wholePeriod },
      false,
      'bot',
      ['menuRight', 'menuWrong', 'menuLeft'],
    )
    await updateSums(scopeOf(d), 'America/Sao_Paulo')
    expect((await d.admin.call(reportSectionsApi.bot, { query: { userId: '' } as never })).places).toHaveLength(3)
    const after = await readPartCounts(
      scopeOf(d),
      { ...emptyReportFilter, zone: 'America/Sao_Paulo', ...wholePeriod },
      true,
      'bot',
      ['menuRight', 'menuWrong', 'menuLeft'],
    )
    expect(after).toEqual(before)
  })
})
const wholePeriod = { from: '2020-01-01', to: '2035-01-01' }

describe('report numbers per tag and queue', () => {
  it('include a ticket in any order of events, until the tag or queue is removed from it', async () => {
    const d = await openDesk(harness)
    const scope = scopeOf(d)
    const zone = 'America/Sao_Paulo'
    const { companyId } = scope
    const queue = await d.createQueue('Ventas')
    const tags = await d.db
      .insertInto('tags')
      .values(['Cobro', 'Viaje'].map((name) => ({ companyId, name, color: '#112233' })) as never)
      .returning('id')
      .execute()
    const ids = tags.map(({ id }) => id)
    const days = { from: '2026-09-01', to: '2026-09-30' }
    const step = fc.oneof(
      fc.record({ do: fc.constant('leg' as const), ticket: fc.nat(3), day: fc.integer({ min: 1, max: 28 }) }),
      fc.record({ do: fc.constant('tag' as const), ticket: fc.nat(3), tag: fc.nat(1) }),
      fc.record({ do: fc.constant('untag' as const), ticket: fc.nat(3), tag: fc.nat(1) }),
      fc.record({ do: fc.constant('gone' as const), ticket: fc.nat(3) }),
      fc.record({ do: fc.constant('sum' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (history) => {
        await d.db.deleteFrom('tickets').where('companyId', '=', companyId).execute()
        const tickets = await Promise.all([0, 1, 2, 3].map(() => someTicket(d, [])))
        for (const one of history) {
          if (one.do === 'sum') await updateSums(scope, zone)
          else {
            const ticketId = tickets[one.ticket]?.id as number
            const alive = await d.db.selectFrom('tickets').select('id').where('id', '=', ticketId).executeTakeFirst()
            if (!alive) continue
            if (one.do === 'gone') await d.db.deleteFrom('tickets').where('id', '=', ticketId).execute()
            else if (one.do === 'leg') {
              const at = `2026-09-${String(one.day).padStart(2, '0')}T12:00:00Z`
              await d.db
                .insertInto('ticketTracking')
                .values({
                  ...{ companyId, ticketId, queueId: queue.id, whatsappId: d.line.id, userId: null, began: 'new' },
                  ...{ createdAt: at, queuedAt: at, startedAt: at, finishedAt: at, endedBy: 'resolved' },
                })
                .execute()
            } else {
              const tagId = ids[one.tag] as number
              const worn = d.db.deleteFrom('ticketTags').where('ticketId', '=', ticketId).where('tagId', '=', tagId)
              if (one.do === 'untag') await worn.execute()
              else
                await d.db
                  .insertInto('ticketTags')
                  .values({ companyId, ticketId, tagId })
                  .onConflict((c) => c.doNothing())
                  .execute()
            }
          }
        }
        const read = (summed: boolean) =>
          readPartCounts(scope, { ...emptyReportFilter, ...days, zone }, summed, 'tag', ['tagCame', 'tagResolved'])
        const plain = await read(false)
        await updateSums(scope, zone)
        expect(await read(true)).toEqual(plain)
        const { rows } = await sql<{ partId: number; n: number }>`
          select g."tagId" as "partId", count(*)::int as n from "ticketTracking" k
          join "ticketTags" g on g."companyId" = k."companyId" and g."ticketId" = k."ticketId"
          where k."companyId" = ${companyId} group by 1 order by 1`.execute(d.db)
        expect(plain.filter(({ kind }) => kind === 'tagCame').map(({ partId, n }) => ({ partId, n }))).toEqual(rows)
      }),
      { numRuns: 15 },
    )
    await d.db.deleteFrom('tickets').where('companyId', '=', companyId).execute()
    const made = await someTicket(d, [{ began: 'new', queued: '2026-09-05T12:00:00Z', queueId: queue.id }])
    await d.db
      .insertInto('ticketTags')
      .values({ companyId, ticketId: made.id, tagId: ids[0] as number })
      .execute()
    const seen = await d.admin.call(reportSectionsApi.volumes, { query: { ...days, compare: true } as never })
    expect(seen.tags).toMatchObject([{ name: 'Cobro', came: 1, resolved: 0, before: 0 }])
    expect(seen.queues).toMatchObject([{ name: 'Ventas', came: 1, resolved: 0, before: 0 }])
  })
})

describe('ratings', () => {
  it("are counted by score and day, with the customer's comment after them", async () => {
    const d = await openDesk(harness)
    const ana = await d.createUser('admin')
    await d.setSetting('userRating', 'enabled')
    const { id, customer } = await d.openTicket(ana)
    await d.send(ana, id, 'Listo')
    await d.putTicket(ana, id, { status: 'closed' })
    await d.waitForHandled(await customer.says('1'))
    harness.clock.advance(minutes(2))
    await d.waitForHandled(await customer.says('Me hicieron contar lo mismo tres veces'))
    const look = () => d.admin.call(reportSectionsApi.ratings, { query: { days: 3, compare: true } as never })
    const seen = await look()
    expect([seen.all, seen.before]).toEqual([
      { one: 1, two: 0, three: 0 },
      { one: 0, two: 0, three: 0 },
    ])
    expect(seen.series).toHaveLength(3)
    expect(seen.newest).toMatchObject([
      { rate: 1, comment: 'Me hicieron contar lo mismo tres veces', user: { id: ana.id }, ticket: { id } },
    ])
    await updateSums(scopeOf(d), 'America/Sao_Paulo')
    expect(await look()).toEqual(seen)
  })
})

describe('the hourly view of a day', () => {
  it('shows who was online, their parallel conversations and how many agents were needed', async () => {
    const d = await openDesk(harness)
    const zone = 'America/Sao_Paulo'
    await d.setSetting('timezone', zone)
    const queue = await d.createQueue()
    const [ana, beto] = [await d.createUser('user', [queue]), await d.createUser('user', [queue])]
    const companyId = d.company.id
    const at = (clock: string) => `2026-09-07T${clock}:00-03:00`
    for (const [userId, since, until] of [
      [ana.id, '08:00', '12:00'],
      [beto.id, '10:30', '12:00'],
      [d.admin.id, '08:00', '18:00'],
    ] as const)
      await sql`insert into "userOnline" ("companyId", "userId", since, until)
        values (${companyId}, ${userId}, ${at(since)}, ${at(until)})`.execute(d.db)
    for (const [availability, reason, since, until] of [
      ['available', '', '08:00', '09:30'],
      ['break', 'Almuerzo', '09:30', '10:00'],
      ['away', '', '10:00', '10:15'],
    ])
      await sql`insert into "availabilitySpans" ("companyId", "userId", availability, reason, since, until)
        values (${companyId}, ${ana.id}, ${availability}, ${reason}, ${at(since as string)}, ${at(until as string)})`.execute(
        d.db,
      )
    const had = (userId: number, queued: string, started: string, finished: string) =>
      someTicket(d, [
        {
          ...{ userId, queueId: queue.id, began: 'new', queued: at(queued), started: at(started) },
          ...{ answered: at(started), finished: at(finished), endedBy: 'resolved' },
        },
      ])
    // One conversation at a time: Ana has one from 9 to 10 and the next from 10 to 11, while two others wait for
    // that whole hour.
    await had(ana.id, '09:00', '09:00', '10:00')
    await had(ana.id, '10:00', '10:00', '11:00')
    await had(ana.id, '10:00', '11:00', '11:30')
    await had(beto.id, '10:00', '11:00', '12:00')
    const seen = await d.admin.call(reportSectionsApi.day, { query: { day: '2026-09-07' } as never })
    expect(seen).toMatchObject({ day: '2026-09-07', perPerson: 1, until: 1440 })
    expect(seen.hours.slice(8, 13).map(({ online, needed, load }) => [online, load, needed])).toEqual([
      [1, 0, 0],
      [1, 1, 1],
      [1.5, 3, 3],
      [2, 1.5, 2],
      [0, 0, 0],
    ])
    const line = seen.agents.find((one) => one.id === ana.id)
    expect(line?.online).toEqual([{ from: 480, until: 720 }])
    expect(line?.absences).toEqual([
      { from: 570, until: 600, availability: 'break', reason: 'Almuerzo' },
      { from: 600, until: 615, availability: 'away', reason: '' },
    ])
    expect(line?.atOnce.slice(35, 47)).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0])
    expect(line?.answers.slice(8, 12)).toEqual([0, 1, 1, 1])
    // Only the minutes within the company's hours count.
    await openFrom(d, weekOf('11:00', '18:00'))
    const open = await d.admin.call(reportSectionsApi.day, { query: { day: '2026-09-07', queueId: queue.id } as never })
    expect(open.hours.slice(10, 12)).toMatchObject([
      { open: false, needed: 0 },
      { open: true, needed: 2 },
    ])
    const other = await openDesk(harness)
    expect(
      (await other.admin.call(reportSectionsApi.day, { query: { day: '2026-09-07', userId: ana.id } as never })).agents,
    ).toEqual([])
  })

  it('counts a customer who wrote on Friday and was accepted on Monday as waiting on Friday', async () => {
    const d = await openDesk(harness)
    await d.setSetting('timezone', 'America/Sao_Paulo')
    await openFrom(d, weekOf('09:00', '18:00', weekdays.slice(0, 5)))
    const ana = await d.createUser('user', [await d.createQueue()])
    await someTicket(d, [
      {
        ...{ began: 'new', queued: '2026-09-04T17:00:00-03:00', started: '2026-09-07T09:10:00-03:00' },
        ...{ userId: ana.id, finished: '2026-09-07T09:30:00-03:00', endedBy: 'resolved' },
      },
    ])
    const { hours } = await d.admin.call(reportSectionsApi.day, { query: { day: '2026-09-04' } as never })
    expect([hours[16], hours[17]]).toMatchObject([
      { needed: 0, open: true },
      { needed: 1, load: 1, open: true },
    ])
  })

  it('records when an agent came online and went offline', async () => {
    const d = await openDesk(harness)
    const ana = await d.createUser('user')
    const since = async () =>
      d.db.selectFrom('userOnline').select(['since', 'until']).where('userId', '=', ana.id).orderBy('id').execute()
    const socket = await ana.listen()
    await vi.waitFor(async () => expect(await since()).toMatchObject([{ until: null }]))
    harness.clock.advance(minutes(5))
    await ana.request('PUT', `/users/${ana.id}/availability`, { availability: 'break', reason: 'Almuerzo' })
    harness.clock.advance(minutes(3))
    socket.close()
    await vi.waitFor(async () =>
      expect(
        await d.db.selectFrom('users').select('disconnectedAt').where('id', '=', ana.id).executeTakeFirstOrThrow(),
      ).not.toEqual({ disconnectedAt: null }),
    )
    harness.clock.advance(minutes(2))
    await harness.server.switchboard.timers.poll()
    // The minute in which a browser may come back does not count.
    const [one] = await since()
    const onlineMs = Date.parse(one?.until ?? '') - Date.parse(one?.since ?? '')
    expect(Math.round(onlineMs / minutes(1))).toBe(8)
    const spans = await d.db
      .selectFrom('availabilitySpans')
      .select(['availability', 'reason', 'since', 'until'])
      .where('userId', '=', ana.id)
      .orderBy('id')
      .execute()
    const minutesIn = ({ since, until }: { since: string; until: string | null }) =>
      Math.round((Date.parse(until ?? '') - Date.parse(since)) / minutes(1))
    expect(spans.map((span) => [span.availability, span.reason, minutesIn(span)])).toEqual([
      ['available', '', 5],
      ['break', 'Almuerzo', 3],
    ])
  })

  it('calculates overlaps and needed agents', () => {
    const spans = [
      { from: -30, until: 2 },
      { from: 1, until: 3.2 },
      { from: 1438, until: 2000 },
    ]
    expect([...countPerMinute(spans).slice(0, 5), ...countPerMinute(spans).slice(-3)]).toEqual([1, 2, 1, 1, 0, 0, 1, 1])
    const quarters = maxAtOncePerQuarter([
      ...spans,
      { from: 14, until: 15 },
      { from: 15, until: 15.5 },
      { from: 15.5, until: 16 },
    ])
    expect([...quarters.slice(0, 3), ...quarters.slice(-2)]).toEqual([2, 1, 0, 0, 1])
    const always = Array.from({ length: 1440 }, () => true)
    const four = [1, 2, 3, 4].map((n) => ({ from: 600, until: 660 + n * 0 }))
    const { hours, perPerson } = computeStaffNeeds(
      { inHand: new Map([[1, four]]), waiting: four.slice(0, 2) },
      countPerMinute([{ from: 540, until: 720 }]),
      always,
      1440,
    )
    // One agent has four conversations in parallel and two wait: half an agent more is needed.
    expect(perPerson).toBe(4)
    expect(hours[10]).toMatchObject({ load: 6, needed: 2, online: 1 })
  })
})

describe('a supervisor who reads reports', () => {
  it('reads the same reports for their own queues, and nothing of other queues', async () => {
    const d = await openDesk(harness)
    const [sales, cash] = [await d.createQueue('Ventas'), await d.createQueue('Cobros')]
    const olga = await d.createUser('supervisor', [sales])
    const [ana, beto] = [await d.createUser('user', [sales]), await d.createUser('user', [cash])]
    const companyId = d.company.id
    await d.setSetting('timezone', 'America/Sao_Paulo')
    const days = { from: '2026-09-07', to: '2026-09-07' }
    const at = (clock: string) => `2026-09-07T${clock}:00-03:00`
    const had = async (queueId: number, userId: number, rate: number) => {
      const made = await someTicket(d, [
        { began: 'new', bot: true, queueId, queued: at('09:00'), finished: at('09:05'), endedBy: 'bot' },
        {
          ...{ queueId, userId, queued: at('09:05'), started: at('09:10'), answered: at('09:11') },
          ...{ finished: at('10:00'), endedBy: 'resolved' },
        },
      ])
      await d.db.updateTable('tickets').set({ queueId }).where('id', '=', made.id).execute()
      const rating = { companyId, ticketId: made.id, userId, queueId, whatsappId: d.line.id }
      await d.db
        .insertInto('userRatings')
        .values({ ...rating, rate, createdAt: at('10:05') })
        .execute()
      await sql`insert into "userOnline" ("companyId", "userId", since, until)
        values (${companyId}, ${userId}, ${at('08:00')}, ${at('12:00')})`.execute(d.db)
      const name = `Campaña ${queueId}`
      await d.db
        .insertInto('campaigns')
        .values({ companyId, name, status: 'FINALIZADA', startedAt: at('08:00'), queueId } as never)
        .execute()
      return made.id
    }
    const mine = await had(sales.id, ana.id, 3)
    const theirs = await had(cash.id, beto.id, 1)
    const tags = await d.db
      .insertInto('tags')
      .values(['Cobro', 'Viaje'].map((name) => ({ companyId, name, color: '#112233' })) as never)
      .returning('id')
      .execute()
    await d.db
      .insertInto('ticketTags')
      .values([theirs, mine].map((ticketId, n) => ({ companyId, ticketId, tagId: tags[n]?.id as number })))
      .execute()
    for (const query of [days, { ...days, queueId: sales.id }] as never[]) {
      const bot = await olga.call(reportSectionsApi.bot, { query })
      expect(bot.counts).toEqual({ had: 1, chose: null, alone: 0, passed: 1, left: 0 })
      const ratings = await olga.call(reportSectionsApi.ratings, { query })
      expect(ratings.all).toEqual({ one: 0, two: 0, three: 1 })
      expect(ratings.newest.map(({ ticket }) => ticket.id)).toEqual([mine])
      const volumes = await olga.call(reportSectionsApi.volumes, { query })
      expect(volumes.queues.map(({ name }) => name)).toEqual(['Ventas'])
      expect(volumes.tags.map(({ name }) => name)).toEqual(['Viaje'])
      const day = await olga.call(reportSectionsApi.day, { query })
      expect(day.agents.map(({ id }) => id)).toEqual([ana.id])
      expect(day.hours[9]).toMatchObject({ online: 1, needed: 1 })
      const { campaigns } = await olga.call(reportSectionsApi.campaigns, { query })
      expect(campaigns.map(({ name }) => name)).toEqual([`Campaña ${sales.id}`])
    }
    // The result is the same whatever queue the supervisor requests.
    const other = { ...days, queueId: cash.id } as never
    expect((await olga.call(reportSectionsApi.bot, { query: other })).counts.had).toBe(0)
    expect(await olga.call(reportSectionsApi.ratings, { query: other })).toMatchObject({
      all: { one: 0, two: 0, three: 0 },
      newest: [],
    })
    expect((await olga.call(reportSectionsApi.day, { query: other })).agents).toEqual([])
    expect((await olga.call(reportSectionsApi.campaigns, { query: other })).campaigns).toEqual([])
    // The supervisor sees only lines that lead to their queues.
    const linesOf = async (look: object) => (await olga.call(reportSectionsApi.lines, { query: look as never })).lines
    expect(await linesOf({})).toEqual([])
    await d.db.insertInto('whatsappQueues').values({ companyId, whatsappId: d.line.id, queueId: sales.id }).execute()
    expect((await linesOf({ days: 3 })).map(({ id }) => id)).toEqual([d.line.id])
    // A ticket that the supervisor no longer sees is still counted, but not listed.
    await d.db.updateTable('tickets').set({ queueId: cash.id }).where('id', '=', mine).execute()
    expect(await olga.call(reportSectionsApi.ratings, { query: { ...days, hours: true } as never })).toMatchObject({
      all: { one: 0, two: 0, three: 1 },
      newest: [],
    })
    // An agent reads only their own numbers.
    const own = await beto.call(reportSectionsApi.ratings, { query: { ...days, userId: ana.id } as never })
    expect([own.all, own.newest.map(({ ticket }) => ticket.id)]).toEqual([{ one: 1, two: 0, three: 0 }, [theirs]])
    const line = await beto.call(reportSectionsApi.day, { query: days as never })
    expect(line.agents.map(({ id }) => id)).toEqual([beto.id])
    for (const path of ['bot', 'volumes', 'campaigns', 'lines'])
      expect((await beto.request('GET', `/dashboard/${path}`)).body, path).toMatchObject({ error: 'ERR_NO_PERMISSION' })
  })
})

describe('campaign and line reports', () => {
  it('show the results of the company, and nothing of other companies', async () => {
    const d = await openDesk(harness)
    const companyId = d.company.id
    await d.db
      .insertInto('campaigns')
      .values({
        ...{ companyId, name: 'Primavera', status: 'FINALIZADA', startedAt: '2026-09-10T12:00:00Z' },
        counts: JSON.stringify({ sent: 10, delivered: 9, read: 6, answered: 3, failed: 1, stopped: 1 }),
      } as never)
      .execute()
    const days = { from: '2026-09-01', to: '2026-09-30' }
    const { campaigns } = await d.admin.call(reportSectionsApi.campaigns, { query: days as never })
    expect(campaigns).toMatchObject([{ name: 'Primavera', sent: 10, read: 6, answered: 3, failed: 1 }])
    await sql`insert into "lineUp" ("companyId", "whatsappId", since, until) values
      (${companyId}, ${d.line.id}, '2026-09-01T03:00:00Z', '2026-09-16T03:00:00Z'),
      (${companyId}, ${d.line.id}, '2026-09-19T03:00:00Z', '2026-10-02T03:00:00Z')`.execute(d.db)
    const { lines } = await d.admin.call(reportSectionsApi.lines, { query: days as never })
    expect(lines).toMatchObject([{ id: d.line.id, status: 'CONNECTED', up: 0.9, drops: 1, waiting: 0 }])
    const other = await openDesk(harness)
    const theirs = await other.admin.call(reportSectionsApi.campaigns, { query: days as never })
    expect(theirs.campaigns).toEqual([])
    const names = (await other.admin.call(reportSectionsApi.lines, { query: days as never })).lines.map(({ id }) => id)
    expect(names).toEqual([other.line.id])
    expect((await (await d.company.user('user')).request('GET', '/dashboard/bot')).body).toMatchObject({
      error: 'ERR_NO_PERMISSION',
    })
  })
})
