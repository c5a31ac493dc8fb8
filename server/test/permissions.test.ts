import { endpoints } from '@recado/contract/api'
import type { Endpoint } from '@recado/contract/endpoint'
import { planFlags } from '@recado/contract/endpoint'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  canCall,
  composeCall,
  createUserWithSession,
  endpointName,
  type FixtureRows,
  type FixtureTable,
  insertFixtures,
  openOwnerPool,
  readFixtureTables,
  sendCall,
  type UserRank,
  type UserWithSession,
  userRanks,
} from './fixtures.ts'
import { closeTestServers, makeCaller, type TestServer, testServer } from './test-server.ts'

/** Every endpoint of the contract at every guard: session, payment, rank and plan, each with its own error. */
let harness: TestServer
let owner: pg.Pool
let tables: FixtureTable[]
let platform: number
const companyIdByStanding = { paid: 0, expired: 0, inactive: 0, poor: 0 }

beforeAll(async () => {
  harness = await testServer()
  owner = openOwnerPool(harness)
  tables = await readFixtureTables(owner)
  const { db } = harness.wide()
  platform = (await db.selectFrom('companies').select('id').where('platform', '=', true).executeTakeFirstOrThrow()).id
  await owner.query('update plans set users = 100000, connections = 100000, queues = 100000')
  const off = planFlags.map((flag) => `"${flag}"`)
  const poor = (
    await owner.query(
      `insert into plans (name, users, ${off}) values ('Nothing', 100000, ${off.map(() => 'false')}) returning id`,
    )
  ).rows[0].id
  const company = { planId: 2, dueDate: null, trialExpiration: null, recurrence: null, referrerId: null, email: null }
  const open = async (more: object) =>
    (
      await db
        .insertInto('companies')
        .values({ name: `Guarded ${Math.random()}`, ...company, ...more })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  companyIdByStanding.paid = await open({})
  companyIdByStanding.expired = await open({ dueDate: '2020-01-31' })
  companyIdByStanding.inactive = await open({ status: false })
  companyIdByStanding.poor = await open({ planId: poor })
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
})

/**
 * A call with ids of the caller's own company and, where possible, of the caller. If a call may have changed data, the next
 * caller is a new user with new rows, because some calls end a session or delete rows that the next call needs.
 */
async function callAs(e: Endpoint, rank: UserRank, companyId = homeOf(rank)) {
  const key = `${rank} of ${companyId}`
  const guest = reusableCallers.get(key) ?? (await invite(rank, companyId))
  const answer = await sendCall(guest.who, composeCall(e, guest.rows, `guard${companyId}`))
  if (leavesAll(e, rank, companyId) || isRolledBack(answer.status)) reusableCallers.set(key, guest)
  else {
    reusableCallers.delete(key)
    // A change of many tickets goes on after its call, and would deadlock with the deletion.
    await vi.waitFor(async () => expect(await countRunningBatches(guest.who.id)).toBe(0), { timeout: 10_000 })
    // Delete the user: publishing to a company with a thousand admins would be slow.
    // A job of the call may hold rows that refer to the user: after a deadlock the deletion is repeated.
    await vi.waitFor(() => owner.query('delete from users where id = $1', [guest.who.id]), { timeout: 10_000 })
  }
  return answer
}
const countRunningBatches = async (userId: number): Promise<number> =>
  (await owner.query(`select from "ticketBatches" where "userId" = $1 and state = 'running'`, [userId])).rowCount ?? 0
const homeOf = (rank: UserRank) => (rank === 'super' ? platform : companyIdByStanding.paid)
/** Whether the caller can be reused: the call only reads, or is refused. */
const leavesAll = (e: Endpoint, rank: UserRank, companyId: number) =>
  e.method === 'GET' ||
  !canCall(e, rank) ||
  companyId === companyIdByStanding.expired ||
  companyId === companyIdByStanding.inactive ||
  (companyId === companyIdByStanding.poor && e.plan !== undefined)
/** An error rolls back what the call did: its caller and rows are reused, unless the session itself was refused. */
const isRolledBack = (status: number) => status >= 400 && !ofTheSession.includes(status)
type CallerWithRows = { who: UserWithSession; rows: FixtureRows }
const reusableCallers = new Map<string, CallerWithRows>()
async function invite(rank: UserRank, companyId: number): Promise<CallerWithRows> {
  const who = await createUserWithSession(harness, companyId, rank)
  const rows = await insertFixtures(owner, tables, { id: companyId, mark: 'guard', person: who.id })
  return { who, rows: { ...rows, users: { ...rows.users, id: who.id } } }
}

const titledEndpoints = endpoints.map((e) => ({ e, title: endpointName(e) }))
const closed = titledEndpoints.filter(({ e }) => e.access !== 'public')
/** Sorts calls that read first, while all rows exist. */
const readersFirst = (some: typeof titledEndpoints) => some.toSorted((a, b) => changes(a.e) - changes(b.e))
const changes = (e: Endpoint) => Number(e.method !== 'GET')
/** Status codes that only the session check returns. */
const ofTheSession = [401, 403]

describe('without a session', () => {
  let rows: FixtureRows
  beforeAll(async () => {
    rows = await insertFixtures(owner, tables, {
      id: companyIdByStanding.paid,
      mark: 'guard',
      person: (await createUserWithSession(harness, companyIdByStanding.paid, 'user')).id,
    })
  })

  it.each(closed)('$title is refused', async ({ e }) => {
    expect(await sendCall(harness.anonymous, composeCall(e, rows, 'nobody'))).toMatchObject({
      status: 401,
      body: { error: 'ERR_SESSION_EXPIRED' },
    })
    // Ids are parsed after the session check: Whaticket-compatible clients request /companies/undefined before they
    // log in.
    expect(await harness.anonymous.request(e.method, e.path.replace(/:\w+/g, 'undefined'))).toMatchObject({
      status: 401,
      body: { error: 'ERR_SESSION_EXPIRED' },
    })
  })

  it.each(closed)('$title asks the client to refresh its session when the token is invalid', async ({ e }) => {
    const call = composeCall(e, rows, 'stale')
    expect(await sendCall(makeCaller(harness.address, stale), call)).toMatchObject(refresh)
    // Routes that accept a connection's token treat any other token as an invalid one of that kind.
    const rubbish = e.token ? { status: 401, body: { error: 'ERR_API_KEY' } } : refresh
    expect(await sendCall(makeCaller(harness.address, 'rubbish'), call)).toMatchObject(rubbish)
  })
  const refresh = { status: 403, body: { error: 'ERR_TOKEN_EXPIRED' } }
  /** An expired token with another signature. */
  const stale =
    'eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiJ4IiwiZXhwIjoxNjAwMDAwMDAwfQ.6Gx1S0Lyq0tY3tqlbBq6Vv4WQ0Iu2bXn2fC3Vw6s0mA'

  it.each(titledEndpoints.filter(({ e }) => e.access === 'public'))('$title is public', async ({ e }) => {
    const answer = await sendCall(harness.anonymous, composeCall(e, rows, 'guest'))
    expect(answer.status).toBeLessThan(500)
    expect(answer.body.error).not.toBe('ERR_NO_PERMISSION')
    // Only session routes may answer with a session error.
    if (ofTheSession.includes(answer.status)) expect(e.path).toMatch(/^\/auth\//)
  })
})

describe.each(userRanks)('as %s', (rank) => {
  it.each(readersFirst(titledEndpoints.filter(({ e }) => canCall(e, rank))))(
    '$title passes the permission check',
    async ({ e }) => {
      const answer = await callAs(e, rank)
      expect(answer.status).toBeLessThan(500)
      expect(['ERR_NO_PERMISSION', 'ERR_PLAN_FEATURE', 'ERR_NOT_FOUND', 'ERR_SYNTAX']).not.toContain(answer.body.error)
      // The example of the endpoint is valid without changes.
      if (e.example) expect(answer.body.error).not.toBe('ERR_VALIDATION')
      if (e.access !== 'public') expect(ofTheSession).not.toContain(answer.status)
      expect(answer.headers.get('cache-control')).toBe('no-store')
    },
  )

  it.each(titledEndpoints.filter(({ e }) => !canCall(e, rank)))(
    '$title is refused, and the session continues',
    async ({ e }) => {
      expect(await callAs(e, rank)).toMatchObject({ status: 400, body: { error: 'ERR_NO_PERMISSION' } })
    },
  )
})

describe('a company that has not paid', () => {
  it.each(closed)('can call only endpoints that are open when payment has expired: $title', async ({ e }) => {
    const answer = await callAs(e, 'admin', companyIdByStanding.expired)
    if (e.whenExpired) expect(answer.status).not.toBe(402)
    else expect(answer).toMatchObject({ status: 402, body: { error: 'ERR_SUBSCRIPTION_EXPIRED' } })
  })
})

describe('a deactivated company', () => {
  it.each(closed.filter(({ e }) => e.whenExpired !== true))('is refused at $title', async ({ e }) => {
    expect(await callAs(e, 'admin', companyIdByStanding.inactive)).toMatchObject({
      status: 402,
      body: { error: 'ERR_COMPANY_INACTIVE' },
    })
  })
})

describe('a company whose plan has no optional features', () => {
  it.each(readersFirst(closed.filter(({ e }) => canCall(e, 'admin'))))(
    'can call only endpoints without a plan feature: $title',
    async ({ e }) => {
      const answer = await callAs(e, 'admin', companyIdByStanding.poor)
      if (e.plan) expect(answer).toMatchObject({ status: 402, body: { error: 'ERR_PLAN_FEATURE' } })
      else expect(answer.body.error).not.toBe('ERR_PLAN_FEATURE')
    },
  )
})
