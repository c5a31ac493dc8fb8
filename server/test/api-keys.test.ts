import { endpoints } from '@recado/contract/api'
import { type ApiKeyWrite, apiKeysApi } from '@recado/contract/api-access/api-keys'
import { type Endpoint, keyScopes } from '@recado/contract/endpoint'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findIdSlots } from '../../contract/test/id-slots.ts'
import { addMs, days } from '../src/kernel/clock.ts'
import {
  composeCall,
  endpointName,
  type FixtureRows,
  type FixtureTable,
  insertFixtures,
  openOwnerPool,
  readFixtureTables,
  sampleId,
  sendCall,
} from './fixtures.ts'
import type { HttpCaller } from './http-caller.ts'
import { closeTestServers, makeCaller, type TestServer, type TestUser, testServer } from './test-server.ts'

/** Tests every endpoint of the contract with API keys: its scope, company, lines, and expiry. */
let harness: TestServer
let owner: pg.Pool
let tables: FixtureTable[]
const companyMarks = { ours: 'Baldosa', theirs: 'Azulejo' }
let admin: TestUser
let rows: FixtureRows
let otherCompanyRows: FixtureRows
const keys: Record<'whole' | 'bound' | 'revoked' | 'over', HttpCaller> = {} as never
const callersWithoutScope: Partial<Record<string, HttpCaller>> = {}

beforeAll(async () => {
  harness = await testServer()
  owner = openOwnerPool(harness)
  tables = await readFixtureTables(owner)
  await owner.query('update plans set users = 100000, connections = 100000, queues = 100000')
  const other = await harness.createCompany()
  otherCompanyRows = await insertFixtures(owner, tables, {
    id: other.id,
    mark: companyMarks.theirs,
    person: other.admin.id,
  })
  admin = (await harness.createCompany()).admin
  rows = await insertFixtures(owner, tables, { id: admin.companyId, mark: companyMarks.ours, person: admin.id })
  // This line is not the one that the calls are about.
  const elsewhere = (
    await insertFixtures(owner, tables, { id: admin.companyId, mark: companyMarks.ours, person: admin.id })
  ).whatsapps
  keys.whole = await createKeyCaller({})
  keys.bound = await createKeyCaller({ whatsappIds: [Number(elsewhere?.id)] })
  keys.over = await createKeyCaller({ expiresAt: addMs(harness.clock.now(), days(1)).toISOString() })
  keys.revoked = await createKeyCaller({}, true)
  for (const scope of keyScopes)
    callersWithoutScope[scope] = await createKeyCaller({ scopes: keyScopes.filter((one) => one !== scope) })
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
})

async function createKeyCaller(more: Partial<ApiKeyWrite>, revoked = false): Promise<HttpCaller> {
  const body = { name: 'Walls', scopes: [...keyScopes], whatsappIds: [], expiresAt: null, ...more }
  const { id, key } = await admin.call(apiKeysApi.create, { body })
  if (revoked) await admin.call(apiKeysApi.revoke, { params: { id } })
  return makeCaller(harness.address, key)
}
const closed = endpoints.filter((e) => e.access !== 'public')
const open = closed.filter((e) => e.key).map((e) => ({ e, title: endpointName(e) }))
const tryWith = (key: HttpCaller | undefined, e: Endpoint) =>
  sendCall(key as HttpCaller, composeCall(e, rows, companyMarks.ours))
const noScope = { status: 403, body: { error: 'ERR_API_KEY_SCOPE' } }
const noKey = { status: 401, body: { error: 'ERR_API_KEY' } }

it('finds endpoints with a scope to test', () => {
  expect(open.map(({ e }) => e.key)).toEqual(expect.arrayContaining(['send', 'messages', 'contacts', 'tickets']))
  expect(open.length).toBeGreaterThan(25)
  // Endpoints that accept a connection's token are limited to its line.
  for (const e of endpoints.filter((one) => one.token))
    expect([endpointName(e), e.lines, e.key]).toEqual([endpointName(e), true, expect.any(String)])
})

it('refuses every key for endpoints without a scope', async () => {
  for (const e of closed.filter((one) => !one.key))
    expect([endpointName(e), await tryWith(keys.whole, e)]).toMatchObject([endpointName(e), noScope])
})

describe.each(open)('$title', ({ e }) => {
  it('can be called only with its scope, for all lines or for the key’s lines, while the key is valid', async () => {
    expect(await tryWith(callersWithoutScope[e.key as string], e)).toMatchObject(noScope)
    expect(await tryWith(keys.revoked, e)).toMatchObject(noKey)
    if (!e.lines) expect(await tryWith(keys.bound, e)).toMatchObject(noScope)
    // A company may have only a few webhooks, and each set of fixtures adds one.
    await owner.query('delete from webhooks where "companyId" = $1', [admin.companyId])
    const fresh = await insertFixtures(owner, tables, {
      id: admin.companyId,
      mark: companyMarks.ours,
      person: admin.id,
    })
    const passed = await sendCall(keys.whole, composeCall(e, fresh, companyMarks.ours))
    expect(passed.status).toBeLessThan(500)
    expect([401, 402, 403]).not.toContain(passed.status)
    if (e.example) expect(passed.body.error).not.toBe('ERR_VALIDATION')
  })

  it('returns no data of another company, and no data of a line that the key does not include', async () => {
    for (const slot of findIdSlots(e)) {
      const answer = await sendCall(
        keys.whole,
        composeCall(e, rows, companyMarks.ours, [{ slot, id: sampleId(otherCompanyRows, slot.entity) }]),
      )
      expect(answer.status).toBeLessThan(500)
      expect(JSON.stringify(answer.body)).not.toContain(companyMarks.theirs)
      if (slot.place === 'params') expect(answer.status).toBe(404)
      if (!e.lines) continue
      const elsewhere = await sendCall(
        keys.bound,
        composeCall(e, rows, companyMarks.ours, [{ slot, id: sampleId(rows, slot.entity) }]),
      )
      const isOfLine = slot.entity === 'connection' || slot.entity === 'message'
      if (isOfLine && e.method === 'GET' && slot.place === 'query')
        expect(elsewhere).toMatchObject({ status: 200, body: { messages: [] } })
      else if (isOfLine) expect(elsewhere.status).toBe(404)
    }
  })
})

it('refuses expired keys', async () => {
  harness.clock.advance(days(2))
  for (const { e } of open)
    expect([endpointName(e), await tryWith(keys.over, e)]).toMatchObject([endpointName(e), noKey])
})
