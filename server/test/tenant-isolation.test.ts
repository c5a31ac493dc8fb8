import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { announcementsApi } from '@recado/contract/announcements'
import { endpoints } from '@recado/contract/api'
import { apiMessagesApi } from '@recado/contract/api-access/api-messages'
import { templatesApi } from '@recado/contract/cloud'
import { companiesApi } from '@recado/contract/companies'
import { contactsApi } from '@recado/contract/contacts'
import type { Endpoint } from '@recado/contract/endpoint'
import { clientEvents } from '@recado/contract/live'
import { plansApi } from '@recado/contract/plans'
import { sandboxApi } from '@recado/contract/sandbox'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findIdSlots, type IdSlot } from '../../contract/test/id-slots.ts'
import { openPool } from '../src/kernel/data/database.ts'
import { makeLog } from '../src/kernel/log.ts'
import {
  canCall,
  composeCall,
  createUserWithSession,
  endpointName,
  type FixtureRow,
  type FixtureRows,
  type FixtureTable,
  insertFixtures,
  isPlatformEntity,
  openOwnerPool,
  platformTables,
  readFixtureTables,
  sampleId,
  sendCall,
  setNextId,
  tableOfEntity,
  type UserRank,
} from './fixtures.ts'
import { closeTestServers, type SocketClient, type TestServer, type TestUser, testServer } from './test-server.ts'
import { waitTimeoutMs } from './wait-timeout.ts'

/**
 * Company B makes every call with the ids of company A. All data of A can be recognized: its ids are in a separate range,
 * and its texts contain a mark.
 */
const rangeOfA = 70_000_000
const rangeOfB = 5_000
const companyMarks = { A: 'Azulejo', B: 'Baldosa' }
/** Matches an id or mark of A. No dash may follow: a uuid may begin with eight such digits. */
const trace = new RegExp(`${companyMarks.A}|(?<![\\w-])7\\d{7}(?![\\w-])`, 'i')
/** The ids and marks of A in a value. */
const traces = (value: unknown) => JSON.stringify(value)?.match(new RegExp(trace, 'gi')) ?? []

type Company = Awaited<ReturnType<TestServer['createCompany']>>
let harness: TestServer
let owner: pg.Pool
let tables: FixtureTable[]
let companyA: Company
let companyB: Company
let ofA: FixtureRows
let agentOfB: TestUser

beforeAll(async () => {
  harness = await testServer()
  owner = openOwnerPool(harness)
  tables = await readFixtureTables(owner)
  await owner.query('update plans set users = 100000, connections = 100000, queues = 100000')
  companyB = await harness.createCompany(`${companyMarks.B} Ltda`)
  agentOfB = await companyB.user('user')
  await inRangeOfA(async () => {
    companyA = await harness.createCompany(`${companyMarks.A} SA`)
    ofA = await insertFixtures(owner, tables, { id: companyA.id, mark: companyMarks.A, person: companyA.admin.id })
    for (const e of endpoints.filter((e) => e.upload && canCall(e, 'admin')))
      await sendCall(companyA.admin, composeCall(e, ofA, companyMarks.A, bodyIds(e, ofA)))
  })
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
})

async function inRangeOfA(work: () => Promise<void>): Promise<void> {
  await setNextId(owner, tables, rangeOfA + ++shifts * 10_000)
  await work()
  await setNextId(owner, tables, rangeOfB + shifts * 10_000)
}
let shifts = 0
const bodyIds = (e: Endpoint, rows: FixtureRows) =>
  findIdSlots(e)
    .filter((s) => s.place === 'body')
    .map((slot) => ({ slot, id: sampleId(rows, slot.entity) }))

/** The company's fixtures for this user. They are created again after a call that may have changed them. */
async function roomOf(
  company: Company,
  person: TestUser,
  e: Endpoint,
  by: UserRank = person.profile,
): Promise<FixtureRows> {
  const rows =
    rooms.get(person) ??
    (await insertFixtures(owner, tables, {
      id: company.id,
      mark: company === companyA ? companyMarks.A : companyMarks.B,
      person: person.id,
    }))
  if (leavesAll(e, by)) rooms.set(person, rows)
  else rooms.delete(person)
  return rows
}
const rooms = new Map<TestUser, FixtureRows>()
/** Whether a call changes nothing: it reads, or is refused for the user's rank. */
const leavesAll = (e: Endpoint, by: UserRank) => e.method === 'GET' || !canCall(e, by)
/** Puts calls that only read first, while all rows exist. */
const readersFirst = <T extends { e: Endpoint }>(some: T[]) => some.toSorted((a, b) => changes(a.e) - changes(b.e))
const changes = (e: Endpoint) => Number(e.method !== 'GET')

/** Waits until jobs that delete files and read sheets are done. */
const waitForJobs = () =>
  vi.waitFor(
    async () =>
      expect((await owner.query('select count(*)::int as n from graphile_worker._private_jobs')).rows[0].n).toBe(0),
    { timeout: 30_000, interval: 50 },
  )

/** All data of A: its rows in every table, and its file names. */
async function readAllData(companyId: number): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const { name } of tables.filter((t) => t.tenant)) {
    found[name] = (
      await owner.query(
        `select to_jsonb(t) as row from "${name}" t where "companyId" = $1 order by to_jsonb(t)::text`,
        [companyId],
      )
    ).rows.map((r) => r.row)
  }
  found.companies = (await owner.query('select to_jsonb(t) as row from companies t where id = $1', [companyId])).rows
  found.disk = readdirSync(join(harness.dataDir, 'files', String(companyId))).sort()
  return found
}

describe('ids of another company', () => {
  let before: Record<string, unknown>
  beforeAll(async () => {
    await waitForJobs()
    await harness.server.switchboard.viewUpdater.poll()
    before = await readAllData(companyA.id)
  })

  it('cover a row of every entity of the contract, and of every tenant table', () => {
    for (const { entity } of endpoints.flatMap(findIdSlots)) expect(sampleId(ofA, entity), entity).toBeTruthy()
    expect(tables.filter((t) => t.tenant && !(before[t.name] as FixtureRow[]).length).map((t) => t.name)).toEqual([])
    expect((before.disk as string[]).length).toBeGreaterThan(1)
  })

  const taking = endpoints.flatMap((e) =>
    findIdSlots(e)
      .filter((s) => !isPlatformEntity(s.entity))
      .map((slot) => ({
        e,
        slot,
        title: `${endpointName(e)} with ${slot.place} ${slot.path.map((s) => (typeof s === 'symbol' ? '*' : s)).join('.')}`,
      })),
  )
  it.each(readersFirst(taking))('are refused or find nothing: $title', async ({ e, slot }) => {
    for (const who of [companyB.admin, agentOfB]) {
      const own = await roomOf(companyB, who, e)
      const id = sampleId(ofA, slot.entity)
      const answer = await sendCall(who, composeCall(e, own, companyMarks.B, [{ slot, id }]))
      refusedOrEmpty(e, slot, who, answer)
    }
  })

  it('leave all data of A unchanged', async () => {
    await waitForJobs()
    expect(await readAllData(companyA.id)).toEqual(before)
  })
})

/** Expects 404, the error that B's rank gets anyway, or (for a secondary id) an answer without data of A. */
function refusedOrEmpty(
  e: Endpoint,
  slot: IdSlot,
  who: TestUser,
  answer: { status: number; body: Record<string, unknown> },
): void {
  expect(traces(answer.body)).toEqual([])
  expect(answer.status).toBeLessThan(500)
  if (!canCall(e, who.profile)) expect(answer.body.error).toBe('ERR_NO_PERMISSION')
  else if (slot.place === 'params')
    expect([answer.status, answer.body]).toEqual([404, { error: expect.stringMatching(/^ERR_/) }])
  else if (answer.body.error !== 'ERR_NO_PERMISSION')
    expect([200, 201, 404, 409], JSON.stringify(answer.body)).toContain(answer.status)
}

/**
 * The same test within one company: an agent makes every call with the ids of a conversation in another queue. The customer
 * and the line are those of the agent's own ticket, so that only visibility is tested.
 */
describe('ids of another queue', () => {
  const mark = 'Cortina'
  let agent: TestUser
  let hidden: FixtureRows
  let before: Record<string, unknown>
  let behind: FixtureTable[]
  const shown = () => ({ contacts: hidden.contacts as FixtureRow, whatsapps: hidden.whatsapps as FixtureRow })
  const isBehind = (entity: string) => behind.some((t) => t.name === tableOfEntity(entity))

  beforeAll(async () => {
    // Tickets and the rows that reference a ticket. Tags are shared: deleting a tag removes it from every ticket. So are
    // saved views, whose members background work finds.
    const shared = ['ticketTags', 'ticketViewMembers']
    behind = tables.filter(
      (t) => t.name === 'tickets' || (!shared.includes(t.name) && t.references.some((r) => r.to === 'tickets')),
    )
    agent = await companyB.user('user')
    const colleague = await companyB.user('user')
    const fixtures = await insertFixtures(owner, tables, {
      id: companyB.id,
      mark: companyMarks.B,
      person: colleague.id,
    })
    const others = Object.entries(fixtures).filter(([name]) => !behind.some((t) => t.name === name))
    await owner.query(`update tickets set status = 'closed' where "companyId" = $1`, [companyB.id])
    hidden = await insertFixtures(
      owner,
      tables,
      { id: companyB.id, mark, person: colleague.id },
      Object.fromEntries(others),
    )
    const { id } = hidden.tickets as FixtureRow
    await owner.query(`update tickets set status = 'closed', "lastMessage" = $2 where id = $1`, [id, mark])
    await owner.query(
      `update messages set body = $2, "mediaPath" = $2, "mediaName" = $2, "mediaType" = 'image', state = 'sent' where "ticketId" = $1`,
      [id, mark],
    )
    before = await allBehind()
  })
  async function allBehind(): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {}
    for (const { name } of behind) {
      const column = name === 'tickets' ? 'id' : 'ticketId'
      // The lane is left out, because it is a tag, which is shared.
      const rows = `select to_jsonb(t) - 'laneId' as row from "${name}" t where "${column}" = $1 order by to_jsonb(t)::text`
      found[name] = (await owner.query(rows, [hidden.tickets?.id])).rows
    }
    return found
  }
  /** The agent's own fixtures, with the same customer on the same line; created again after a call that may change them. */
  async function ownRoom(e: Endpoint): Promise<FixtureRows> {
    const rows = room ?? (await newRoom())
    room = leavesAll(e, agent.profile) ? rows : undefined
    return rows
  }
  let room: FixtureRows | undefined
  async function newRoom(): Promise<FixtureRows> {
    await owner.query(`update tickets set status = 'closed' where "companyId" = $1 and status <> 'closed'`, [
      companyB.id,
    ])
    return insertFixtures(owner, tables, { id: companyB.id, mark: companyMarks.B, person: agent.id }, shown())
  }

  const taking = endpoints
    .filter((e) => canCall(e, 'user'))
    .flatMap((e) => findIdSlots(e).map((slot) => ({ e, slot })))
    .filter(({ slot }) => !isPlatformEntity(slot.entity))
    .map((one) => ({
      ...one,
      title: `${endpointName(one.e)} with ${one.slot.place} ${one.slot.path.map(String).join('.')}`,
    }))

  it('cover a row in every table that references a ticket', () => {
    expect(behind.map((t) => t.name)).toEqual(expect.arrayContaining(['tickets', 'messages', 'ticketNotes']))
    expect(behind.filter((t) => !(before[t.name] as FixtureRow[]).length).map((t) => t.name)).toEqual([])
    expect(JSON.stringify(before)).toContain(mark)
  })

  it.each(readersFirst(taking))('reveal nothing of that conversation: $title', async ({ e, slot }) => {
    const own = await ownRoom(e)
    const answer = await sendCall(
      agent,
      composeCall(e, own, companyMarks.B, [{ slot, id: sampleId(hidden, slot.entity) }]),
    )
    expect(answer.status).toBeLessThan(500)
    expect(JSON.stringify(answer.body)).not.toContain(mark)
    if (slot.place === 'params' && isBehind(slot.entity)) expect(answer.status).toBe(404)
  })

  it('leave the conversation unchanged', async () => {
    expect(await allBehind()).toEqual(before)
  })
})

describe('tenant isolation in the database', () => {
  let asB: pg.Pool
  let ofB: FixtureRows
  beforeAll(async () => {
    ofB = await insertFixtures(owner, tables, { id: companyB.id, mark: companyMarks.B, person: companyB.admin.id })
    await harness.server.switchboard.viewUpdater.poll()
    asB = openPool(harness.databaseUrl, makeLog('silent'), { role: 'recado_app', max: 1 })
    await asB.query("select set_config('app.company_id', $1, false)", [String(companyB.id)])
  })
  afterAll(() => asB.end())

  /** The result of a statement: the affected rows, or the error code. The statement is rolled back. */
  async function attempt(
    pool: pg.Pool,
    text: string,
    values: unknown[] = [],
    first = 'select 1',
  ): Promise<number | string> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query(first)
      return (await client.query(text, values)).rowCount ?? 0
    } catch (error) {
      return (error as { code: string }).code
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  const noRight = '42501'
  const noSuchRow = '23503'

  it('has only tenant tables and platform tables, each with its own access rules', async () => {
    const rights = `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as walled,
        array(select p from unnest(array['SELECT','INSERT','UPDATE','DELETE','TRUNCATE','REFERENCES','TRIGGER']) p where has_table_privilege('recado_app', c.oid, p)) as rights
      from pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relnamespace = 'public'::regnamespace`
    for (const { name, walled, rights: may } of (
      await owner.query<{ name: string; walled: boolean; rights: string[] }>(rights)
    ).rows) {
      if (platformTables.includes(name)) expect([name, may]).toEqual([name, ['SELECT']])
      // TRUNCATE must not be granted: it bypasses row-level security.
      else if (tables.some((t) => t.name === name && (t.tenant || name === 'companies')))
        expect([name, walled, may.includes('TRUNCATE')]).toEqual([name, true, false])
      else expect([name, may]).toEqual([name, []])
    }
  })

  it('lets neither role bypass row-level security', async () => {
    const { rows } = await owner.query(
      "select rolsuper or rolbypassrls or rolcreaterole or rolcanlogin as strong from pg_roles where rolname in ('recado_app', 'recado_platform')",
    )
    expect(rows).toEqual([{ strong: false }, { strong: false }])
    const owned = await owner.query(
      "select relname from pg_class where relowner in (select oid from pg_roles where rolname like 'recado\\_%') and relnamespace = 'public'::regnamespace",
    )
    expect(owned.rows).toEqual([])
  })

  it('has a company in every tenant row', () => {
    const unsure = tables.flatMap((t) =>
      t.columns.filter((c) => c.name === 'companyId' && c.nullable).map(() => t.name),
    )
    expect(unsure).toEqual([])
  })

  it('shows B no row of A, and lets B not change, move or add one', async () => {
    for (const { name } of tables.filter((t) => t.tenant)) {
      const table = `"${name}"`
      expect([
        name,
        (await owner.query(`select 1 from ${table} where "companyId" = $1`, [companyA.id])).rowCount,
      ]).not.toEqual([name, 0])
      expect([name, await attempt(asB, `select 1 from ${table} where "companyId" <> $1`, [companyB.id])]).toEqual([
        name,
        0,
      ])
      expect([name, await attempt(asB, `select 1 from ${table}`)]).not.toEqual([name, 0])
      expect([
        [name, 0],
        [name, noRight],
      ]).toContainEqual([
        name,
        await attempt(asB, `update ${table} set "companyId" = "companyId" where "companyId" = $1`, [companyA.id]),
      ])
      expect([
        [name, 0],
        [name, noRight],
      ]).toContainEqual([name, await attempt(asB, `delete from ${table} where "companyId" = $1`, [companyA.id])])
      expect([
        name,
        await attempt(asB, `update ${table} set "companyId" = $1 where "companyId" = $2`, [companyA.id, companyB.id]),
      ]).toEqual([name, noRight])
      const columns = tables.find((t) => t.name === name)?.columns.map((c) => `"${c.name}"`)
      const copy = `insert into ${table} (${columns}) overriding system value select ${columns} from jsonb_populate_record(null::${table}, $1)`
      expect([name, await attempt(asB, copy, [JSON.stringify({ ...ofB[name], companyId: companyA.id })])]).toEqual([
        name,
        noRight,
      ])
    }
  })

  it('shows B only its own company', async () => {
    expect((await asB.query('select id from companies')).rows).toEqual([{ id: companyB.id }])
    for (const change of [
      'update companies set name = name',
      'update companies set "dueDate" = null',
      'delete from companies',
      'insert into companies (name) values (1)',
    ]) {
      expect([change, await attempt(asB, change)]).toEqual([change, noRight])
    }
    expect(await attempt(asB, `update companies set schedules = '[]' where id = $1`, [companyA.id])).toBe(0)
  })

  it('shows no rows if no company is set', async () => {
    const asNobody = openPool(harness.databaseUrl, makeLog('silent'), { role: 'recado_app', max: 1 })
    for (const { name } of tables.filter((t) => t.tenant || t.name === 'companies'))
      expect([name, await attempt(asNobody, `select 1 from "${name}"`)]).toEqual([name, 0])
    await asNobody.end()
  })

  it('has references between tenant tables only within one company', () => {
    const tenant = (name: string) => tables.find((t) => t.name === name)?.tenant
    const loose = tables
      .filter((t) => t.tenant)
      .flatMap((t) =>
        t.references
          .filter((r) => tenant(r.to) && r.toColumns[r.columns.indexOf('companyId')] !== 'companyId')
          .map((r) => `${t.name} (${r.columns}) -> ${r.to}`),
      )
    expect(loose).toEqual([])
  })

  it('refuses a row of B that references a row of A, whichever role writes it', async () => {
    let tried = 0
    for (const table of tables.filter((t) => t.tenant)) {
      for (const { columns, to, toColumns } of table.references.filter((r) => r.columns.length > 1)) {
        const target = columns.findIndex((c) => c !== 'companyId')
        // Generated columns are filled from other columns, which are tested themselves.
        if (!table.columns.some((c) => c.name === columns[target])) continue
        const one = `select ctid from "${table.name}" where "companyId" = $2 limit 1`
        const text = `update "${table.name}" set "${columns[target]}" = $1 where ctid = (${one})`
        // Background work changes members of views, so it has to wait: the row must not move while it is updated. A's own
        // row is deleted first, so that the refusal does not come from a unique key.
        const aside = `lock table "${table.name}" in exclusive mode; delete from "${table.name}" where "companyId" = ${companyA.id}`
        const ended = await attempt(owner, text, [ofA[to]?.[toColumns[target] as string], companyB.id], aside)
        expect([`${table.name}.${columns[target]}`, ended]).toEqual([`${table.name}.${columns[target]}`, noSuchRow])
        tried++
      }
    }
    expect(tried).toBeGreaterThan(10)
  })
})

describe('platform data', () => {
  it('is hidden from company admins, in lists and on the socket', async () => {
    const superUser = await harness.superUser()
    const socketClient = await companyB.admin.listen()
    const plan = await superUser.call(plansApi.create, { body: { name: 'Only for the platform' } })
    await superUser.call(plansApi.remove, { params: { id: plan.id } })
    await superUser.call(companiesApi.create, {
      body: { name: 'A new customer', email: null, phone: '', planId: null, dueDate: null, recurrence: null },
    })
    const draft = await superUser.call(announcementsApi.create, {
      body: { title: 'Not yet', text: 'A draft', status: false },
    })
    await socketClient.whenCaughtUp()
    // The presence of B's own user and the counts of B's own views, which are published a moment later, are events of B.
    const ownEvents = ['user', 'ticketViewCounts'].map((entity) => `company-${companyB.id}-${entity}`)
    const names = socketClient.received.map((said) => said.name)
    expect(names.filter((name) => !['ready', ...ownEvents].includes(name))).toEqual([])
    expect((await companyB.admin.call(announcementsApi.list)).records.map((r) => r.id)).not.toContain(draft.id)
    expect((await companyB.admin.request('GET', `/announcements/${draft.id}`)).status).toBe(404)
    for (const path of ['/companies', '/companies/list', '/plans'])
      expect((await companyB.admin.request('GET', path)).body).toEqual({ error: 'ERR_NO_PERMISSION' })
  })
})

describe('sockets of another company', () => {
  let socketClients: SocketClient[]
  let own: SocketClient
  beforeAll(async () => {
    socketClients = [await companyB.admin.listen(), await agentOfB.listen()]
    const ids = [...new Set(Object.values(ofA).flatMap((row) => [row.id, row.uuid]))].filter((id) => id !== undefined)
    for (const socketClient of socketClients) {
      for (const join of clientEvents.filter((j) => j.startsWith('join')))
        for (const id of [...ids, 'open', 'pending', 'closed', undefined])
          await socketClient.socket.timeout(waitTimeoutMs).emitWithAck(join, String(id))
    }
    own = await companyA.admin.listen()
  })

  // The call that deletes the company comes last, and calls about passwords publish nothing.
  const acts = endpoints
    // An address book needs a connected phone, a scan needs a displayed QR code, and a template needs an account at
    // Meta: see the tests of these modules.
    .filter(
      (e) => e.access !== 'public' && ![contactsApi.import, sandboxApi.scan, templatesApi.send].includes(e as never),
    )
    .sort((x, y) => Number(x === companiesApi.remove) - Number(y === companiesApi.remove) || changes(x) - changes(y))
  it.each(acts.map((e) => ({ e, title: endpointName(e) })))(
    'receive no event of A when A calls $title',
    async ({ e }) => {
      const superUser = await createUserWithSession(
        harness,
        (
          await harness
            .wide()
            .db.selectFrom('companies')
            .select('id')
            .where('platform', '=', true)
            .executeTakeFirstOrThrow()
        ).id,
        'super',
      )
      await inRangeOfA(async () => {
        const rows = await roomOf(companyA, companyA.admin, e, 'super')
        const byPlatform = e.access === 'super'
        const answer = await sendCall(
          byPlatform ? superUser : companyA.admin,
          composeCall(
            ...([e, rows, byPlatform ? 'platform' : companyMarks.A] as const),
            // In an API message, quotes of the same conversation, cards and files exclude each other, so their ids are
            // left out.
            bodyIds(e, rows).filter(({ slot }) => e !== apiMessagesApi.send || !/message|contact/.test(slot.entity)),
          ),
        )
        // The call that is refused with ids of another company is accepted with own ids, or conflicts with an own row
        // (a second open ticket). This proves that tenant isolation refused it. Example credentials, passwords and
        // authenticator codes are not real, so such a call goes only as far as it can.
        if (e.path === '/queueIntegration/testSession') expect(answer.body.error).toBe('ERR_INTEGRATION_TEST')
        else if (e.path.startsWith('/auth/two-factor') && e.method === 'POST')
          expect(['ERR_CURRENT_PASSWORD', 'ERR_TWO_FACTOR_CODE', 'ERR_PASSKEY']).toContain(answer.body.error)
        else expect([200, 201, 202, 409], JSON.stringify(answer.body)).toContain(answer.status)
      })
      for (const socketClient of socketClients) {
        await socketClient.whenCaughtUp()
        expect(socketClient.received.splice(0).filter((said) => traces(said).length)).toEqual([])
      }
    },
  )

  it('receive nothing while A receives its own events', async () => {
    await own.whenCaughtUp()
    expect(new Set(own.received.filter((said) => traces(said).length).map((said) => said.name)).size).toBeGreaterThan(5)
  })
})
