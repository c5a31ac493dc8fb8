import { type DryRun, flowsApi } from '@recado/contract/flows/flows'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { openOwnerPool } from '../../../test/fixtures.ts'
import { insertPastMessages } from '../../../test/past-messages.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { days, hours, minutes } from '../../kernel/clock.ts'

let harness: TestServer
let desk: Desk
let owner: pg.Pool
/** Noon in the company's time zone, so that some hours ago is today. */
let now: number
beforeAll(async () => {
  harness = await testServer()
  harness.clock.freeze()
  owner = openOwnerPool(harness)
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
})
beforeEach(async () => {
  desk = await openDesk(harness)
  now = harness.clock.now().getTime()
  // The zone in which it is noon now.
  const hour = harness.clock.now().getUTCHours()
  await desk.setSetting('timezone', `Etc/GMT${hour >= 12 ? '+' : '-'}${Math.abs(hour - 12)}`)
})

/** A document as a screen sends it. */
type Draft = {
  kind: 'rule'
  triggers: object[]
  conditions?: object
  first: string
  steps: object[]
  limits?: object
}
const rule = (more: Partial<Draft> = {}): Draft => ({
  kind: 'rule',
  triggers: [{ kind: 'message' }],
  first: 'a',
  steps: [
    { kind: 'priority', id: 'a', priority: 'high', next: 'b' },
    { kind: 'end', id: 'b' },
  ],
  ...more,
})
const start = (document: Draft, flowId: number | null = null, by: TestUser = desk.admin): Promise<DryRun> =>
  by.call(flowsApi.dryRun, { body: { document, flowId } })
const show = (id: number): Promise<DryRun> => desk.admin.call(flowsApi.dryRunResult, { params: { id } })
const waitUntilOver = (id: number): Promise<DryRun> =>
  vi.waitFor(
    async () => {
      const run = await show(id)
      expect(run.state).not.toBe('running')
      return run
    },
    { timeout: 30_000, interval: 20 },
  )
const dryRun = async (document: Draft, flowId: number | null = null) =>
  waitUntilOver((await start(document, flowId)).id)

/** A conversation of the past. `closedAt`: it ended so long ago. */
async function insertTicket({
  ago,
  closedAgo,
  queueId = null,
  name = 'Sol',
}: {
  ago: number
  closedAgo?: number
  queueId?: number | null
  name?: string
}) {
  const { rows } = await owner.query<{ contactId: number; ticketId: number }>(
    `with c as (insert into contacts ("companyId", name, number) values ($1, $6, floor(random() * 1e12)::text) returning id),
      t as (insert into tickets ("companyId", "contactId", "whatsappId", "queueId", status, "createdAt") select $1, c.id, $2, $3, $4, $5 from c returning id, "contactId")
     select id as "ticketId", "contactId" from t`,
    [desk.company.id, desk.line.id, queueId, closedAgo === undefined ? 'open' : 'closed', new Date(now - ago), name],
  )
  const ticket = rows[0] as { contactId: number; ticketId: number }
  await owner.query(
    `insert into "ticketTracking" ("companyId", "ticketId", "queueId", "createdAt", "queuedAt", "startedAt", began, "finishedAt", "endedBy", "userId")
     values ($1, $2, $3, $4, $4, $4::timestamptz + interval '10 minutes', 'new', $5, $6, $7)`,
    [
      ...[desk.company.id, ticket.ticketId, queueId, new Date(now - ago)],
      ...(closedAgo === undefined ? [null, null] : [new Date(now - closedAgo), 'resolved']),
      desk.admin.id,
    ],
  )
  return ticket
}
let lastWid = 0
async function insertMessage(
  { contactId, ticketId }: { contactId: number; ticketId: number },
  ago: number,
  body: string,
  more: { fromMe?: boolean; bot?: string } = {},
) {
  await owner.query(
    `insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, bot, "createdAt", "storedAt")
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [
      ...[desk.company.id, ticketId, contactId, desk.line.id, `past-${++lastWid}`, more.fromMe ?? false, body],
      ...[more.bot ?? null, new Date(now - ago)],
    ],
  )
}
/** The counts of days with any, by how many days ago they are. */
const countsOf = ({ days: all }: DryRun, key: 'n' | 'published' = 'n') =>
  Object.fromEntries(all.flatMap((day, n) => (day[key] ? [[all.length - 1 - n, day[key]]] : [])))

describe('a dry run', () => {
  it('finds the messages that would have started a flow, by day, with the path of each', async () => {
    const [one, two] = [
      await insertTicket({ ago: days(20), name: 'Sol' }),
      await insertTicket({ ago: days(20), name: 'Mar' }),
    ]
    await insertMessage(two, days(40), '¿precio?')
    await insertMessage(one, days(9), '¿Qué precio tiene?')
    await insertMessage(two, days(3), 'buenas')
    await insertMessage(two, days(3) - 60_000, 'PRECIO por favor')
    await insertMessage(one, hours(1), 'el precio')
    await insertMessage(one, minutes(50), 'El precio es 5', { fromMe: true })
    const document = rule({ triggers: [{ kind: 'message', words: { words: ['precio'] } }] })
    const started = await start(document)
    expect(started).toMatchObject({ state: 'running', daysDone: 0, isCapped: false, unknownTriggers: [] })
    expect(started.days).toHaveLength(30)
    const run = await waitUntilOver(started.id)
    expect(run).toMatchObject({ state: 'done', daysDone: 30, isCapped: false, excluded: [] })
    expect(countsOf(run)).toEqual({ 0: 1, 3: 1, 9: 1 })
    expect(run.days.every(({ published }) => published === null)).toBe(true)
    expect(run.hits.map(({ text, contact, ticket, path }) => [text, contact.name, ticket.id, path])).toEqual([
      ['el precio', 'Sol', one.ticketId, ['a']],
      ['PRECIO por favor', 'Mar', two.ticketId, ['a']],
      ['¿Qué precio tiene?', 'Sol', one.ticketId, ['a']],
    ])
    expect(run.hits[0]?.at).toBe(new Date(now - hours(1)).toISOString())
  })

  it('changes nothing and sends nothing', async () => {
    const ticket = await insertTicket({ ago: days(2) })
    await insertMessage(ticket, days(1), 'hola')
    const run = await dryRun(
      rule({
        first: 'a',
        steps: [
          { kind: 'say', id: 'a', text: 'Hola', next: 'b' },
          { kind: 'resolve', id: 'b' },
        ],
      }),
    )
    expect(run.hits.map(({ path }) => path)).toEqual([['a', 'b']])
    expect(await desk.showTicket(ticket.ticketId)).toMatchObject({ status: 'open', priority: 'normal' })
    expect(
      await desk.db.selectFrom('messages').select('id').where('ticketId', '=', ticket.ticketId).execute(),
    ).toHaveLength(1)
    const runs = await desk.db.selectFrom('flowRuns').select('id').where('companyId', '=', desk.company.id).execute()
    expect(runs).toEqual([])
  })

  it('evaluates conditions with the queue, person and status of that moment, and counts which one excluded', async () => {
    const [before, after] = [await desk.createQueue(), await desk.createQueue()]
    const moved = await insertTicket({ ago: days(5), closedAgo: days(3), queueId: before.id })
    await insertMessage(moved, days(5) - 1000, 'hola')
    await insertMessage(moved, days(4), '¿hay alguien?')
    // The message in the closed ticket was an answer to a rating question.
    await insertMessage(moved, days(2), '5')
    await owner.query('update tickets set "queueId" = $1, "userId" = null where id = $2', [after.id, moved.ticketId])
    const inQueue = (queueId: number) => ({ field: 'queue' as const, in: [queueId] })
    const of = async (...conditions: object[]) => dryRun(rule({ conditions: { match: 'all', of: conditions } }))
    expect(countsOf(await of(inQueue(before.id)))).toEqual({ 4: 1, 5: 1 })
    expect(await of(inQueue(after.id))).toMatchObject({ hits: [], excluded: [{ reason: 'queue', n: 2 }] })
    expect(countsOf(await of({ field: 'status', in: ['open'] }))).toEqual({ 4: 1 })
    expect(countsOf(await of({ field: 'user', in: [null] }))).toEqual({ 5: 1 })
    const first = await of({ field: 'firstMessage' }, { field: 'words', words: ['hola'] })
    expect(countsOf(first)).toEqual({ 5: 1 })
    expect(first.excluded).toEqual([{ reason: 'firstMessage', n: 1 }])
  })

  it('applies the limits from the oldest day on, and counts what they exclude', async () => {
    const [one, two] = [await insertTicket({ ago: days(9) }), await insertTicket({ ago: days(9) })]
    for (const ago of [days(6), days(6) - hours(1), days(5) - hours(2), days(1)]) await insertMessage(one, ago, 'hola')
    await insertMessage(two, days(6) - hours(2), 'hola')
    const perContact = await dryRun(rule({ limits: { hoursPerContact: 48 } }))
    expect(countsOf(perContact)).toEqual({ 1: 1, 6: 2 })
    expect(perContact.excluded).toEqual([{ reason: 'hoursPerContact', n: 2 }])
    expect(countsOf(await dryRun(rule({ limits: { runsPerDay: 1 } })))).toMatchObject({ 1: 1, 6: 1 })
    await insertMessage(two, days(6) - hours(1), 'Cerramos', { fromMe: true, bot: 'hours' })
    await insertMessage(two, days(6) - hours(1) - minutes(10), 'bueno')
    const paused = await dryRun(rule({ limits: { pauseMinutes: 30 } }))
    expect(paused.excluded).toEqual([{ reason: 'pauseMinutes', n: 1 }])
  })

  it('compares with the published version', async () => {
    const ticket = await insertTicket({ ago: days(9) })
    await insertMessage(ticket, days(3), 'hola')
    await insertMessage(ticket, days(2), 'adiós')
    const words = (word: string) => rule({ triggers: [{ kind: 'message', words: { words: [word] } }] })
    const { id, revision } = await desk.admin.call(flowsApi.create, {
      body: { name: 'Regla', document: words('hola') },
    })
    expect((await dryRun(words('adiós'), id)).days.every(({ published }) => published === null)).toBe(true)
    await desk.admin.call(flowsApi.publish, { params: { id }, body: { revision } })
    const run = await dryRun(words('adiós'), id)
    expect([countsOf(run), countsOf(run, 'published')]).toEqual([{ 2: 1 }, { 3: 1 }])
    expect(run.days.every(({ published }) => published !== null)).toBe(true)
  })

  it('finds tickets that were opened, resolved and rated, missed goals and silence', async () => {
    const { companyId, ticketId, contactId } = {
      companyId: desk.company.id,
      ...(await insertTicket({ ago: days(8), closedAgo: days(4) })),
    }
    await insertMessage({ ticketId, contactId }, days(7), '¿Le parece?', { fromMe: true })
    await insertMessage({ ticketId, contactId }, days(5), 'sí')
    await insertMessage({ ticketId, contactId }, days(5) - 1000, 'Gracias', { fromMe: true })
    await owner.query(
      `insert into "userRatings" ("companyId", "ticketId", rate, scale, score, "createdAt") values ($1, $2, 3, 10, 9, $3)`,
      [companyId, ticketId, new Date(now - days(3))],
    )
    await owner.query(
      `insert into "ticketGoals" ("companyId", "ticketId", kind, minutes, since, "warnAt", "dueAt", "lateAt", "endedAt") values ($1, $2, 'answer', 5, $3, $3, $3, $3, $3)`,
      [companyId, ticketId, new Date(now - days(6))],
    )
    const of = async (...triggers: object[]) => countsOf(await dryRun(rule({ triggers })))
    expect(await of({ kind: 'ticketOpened' })).toEqual({ 8: 1 })
    expect(await of({ kind: 'resolved' })).toEqual({ 4: 1 })
    expect(await of({ kind: 'rated', from: 9 })).toEqual({ 3: 1 })
    expect(await of({ kind: 'rated', to: 8 })).toEqual({})
    expect(await of({ kind: 'goalMissed' })).toEqual({ 6: 1 })
    // After the last message the ticket was closed before the time was over.
    expect(await of({ kind: 'silent', minutes: 1440 })).toEqual({ 6: 1 })
    expect(await of({ kind: 'silent', minutes: 2880 })).toEqual({})
    expect(await of({ kind: 'ticketOpened' }, { kind: 'resolved' })).toEqual({ 4: 1, 8: 1 })
  })

  it('names the triggers that are not stored in the past', async () => {
    const run = await dryRun(rule({ triggers: [{ kind: 'tagged' }, { kind: 'person' }, { kind: 'ticketOpened' }] }))
    expect(run.unknownTriggers).toEqual(['tagged', 'person'])
  })

  it('shows only the newest of many, and counts all', async () => {
    const ticket = await insertTicket({ ago: days(9) })
    await owner.query(
      `insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt", "storedAt")
       select $1, $2, $3, $4, 'many-' || $2::int || '-' || n, false, 'Mensaje ' || n, $5::timestamptz + n * interval '1 second', $5::timestamptz + n * interval '1 second' from generate_series(1, 120) n`,
      [desk.company.id, ticket.ticketId, ticket.contactId, desk.line.id, new Date(now - days(1))],
    )
    const run = await dryRun(rule())
    expect(countsOf(run)).toEqual({ 1: 120 })
    expect(run.hits).toHaveLength(50)
    expect(run.hits[0]?.text).toBe('Mensaje 120')
  })

  it('publishes its progress to its author, who alone sees it', async () => {
    const other = await desk.createUser('admin')
    const [mine, theirs] = [await desk.admin.listen(), await other.listen()]
    const { id } = await start(rule())
    const topic = `company-${desk.company.id}-flowDryRun`
    await vi.waitFor(() => expect(mine.received.filter(({ name }) => name === topic)).toHaveLength(30), {
      timeout: 10_000,
    })
    const progress = mine.received
      .filter(({ name }) => name === topic)
      .map(({ payload }) => (payload.dryRun as DryRun).daysDone)
    expect(progress).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
    await theirs.whenCaughtUp()
    expect(theirs.received.filter(({ name }) => name === topic)).toEqual([])
    const foreign = await other.request('GET', `/flows/dry-runs/${id}`)
    expect(foreign).toMatchObject({ status: 404, body: { error: 'ERR_NO_FLOWDRYRUN_FOUND' } })
    expect(await other.request('DELETE', `/flows/dry-runs/${id}`)).toMatchObject({ status: 404 })
    for (const socket of [mine, theirs]) socket.close()
  })

  it('stops when its author says so, and when the same user starts another one', async () => {
    const before = await start(rule())
    const after = await start(rule())
    expect((await waitUntilOver(before.id)).state).not.toBe('running')
    await desk.admin.call(flowsApi.stopDryRun, { params: { id: after.id } })
    expect(['stopped', 'done']).toContain((await show(after.id)).state)
  })

  it('stores no credentials of calls', async () => {
    const { id } = await start(
      rule({
        steps: [
          {
            kind: 'call',
            id: 'a',
            url: 'https://api.example/x',
            headers: [{ name: 'authorization', value: 'secreto' }],
            next: 'b',
            otherwise: 'b',
          },
          { kind: 'end', id: 'b' },
        ],
      }),
    )
    const row = await desk.db
      .selectFrom('flowDryRuns')
      .selectAll()
      .where('id', '=', id)
      .where('companyId', '=', desk.company.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('secreto')
  })

  it('refuses a flow of another company, and people who may not edit flows', async () => {
    const other = await openDesk(harness)
    const { id } = await other.admin.call(flowsApi.create, { body: { name: 'Ajena', document: rule() } })
    const refused = await desk.admin.request('POST', '/flows/dry-runs', { document: rule(), flowId: id })
    expect(refused).toMatchObject({ status: 404, body: { error: 'ERR_NO_FLOW_FOUND' } })
    const agent = await desk.createUser('user')
    expect(await agent.request('POST', '/flows/dry-runs', { document: rule() })).toMatchObject({
      body: { error: 'ERR_NO_PERMISSION' },
    })
  })
})

describe('a dry run over many messages', () => {
  const document = rule({
    triggers: [{ kind: 'message', words: { words: ['precio'] } }],
    conditions: { match: 'all', of: [{ field: 'status', in: ['pending'] }] },
    limits: { hoursPerContact: 240 },
  })
  async function countStatements(): Promise<number> {
    const statements = vi.spyOn(pg.Client.prototype, 'query')
    await dryRun(document)
    const texts = statements.mock.calls.map(([given]) =>
      typeof given === 'string' ? given : Reflect.get(given as object, 'text'),
    )
    statements.mockRestore()
    return texts.filter((text) =>
      /from messages|"ticketTracking"|from tickets|join tickets|from contacts/.test(String(text)),
    ).length
  }

  it('asks no more for many messages of a day than for a few', async () => {
    await insertPastMessages(owner, desk, { now, count: 100, tickets: 50 })
    const few = await countStatements()
    desk = await openDesk(harness)
    await insertPastMessages(owner, desk, { now, count: 400, tickets: 50 })
    expect(await countStatements()).toBeLessThanOrEqual(few + 2)
  })
})
