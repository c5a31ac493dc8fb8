import { endpoints } from '@recado/contract/api'
import { bodyLimitOf, type Endpoint } from '@recado/contract/endpoint'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { topLevelKeys } from '../../contract/test/id-slots.ts'
import { machineSlowness, measureLongestBlock } from './event-loop-block.ts'
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
  type UserRank,
} from './fixtures.ts'
import type { HostileCall } from './hostile-client.ts'
import { bodyShapes, minimalShapeNames } from './hostile-shapes.ts'
import { measureCpuTime, openHostileClient, percentile } from './hostile-worker.ts'
import { makeLargestBody } from './largest-body.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from './test-server.ts'

/**
 * No body of any endpoint blocks the event loop for longer than this, in milliseconds of CPU time, and no other company
 * waits for longer than `maxWaitMs`. The test covers the whole contract: every endpoint, its largest body, every shape.
 */
const maxBlockMs = 50
const maxWaitMs = 250

let harness: TestServer
let owner: pg.Pool
let tables: FixtureTable[]
let bystander: TestUser
const attacker = openHostileClient()
const witness = openHostileClient()

type Caller = { token: string; rows: FixtureRows }
const callers = new Map<UserRank, Caller>()

async function callerFor(e: Endpoint, isNew = false): Promise<Caller> {
  const rank = (['admin', 'super', 'user'] as const).find((one) => canCall(e, one)) ?? 'admin'
  const known = callers.get(rank)
  if (known && !isNew) return known
  // Each caller has its own company, because some endpoints delete it.
  const { id } = rank === 'super' ? await platform() : await harness.createCompany()
  const person = await createUserWithSession(harness, id, rank)
  const made = {
    token: person.token,
    rows: await insertFixtures(owner, tables, { id, mark: 'stalls', person: person.id }),
  }
  callers.set(rank, made)
  return made
}
const platform = () =>
  harness.wide().db.selectFrom('companies').select('id').where('platform', '=', true).executeTakeFirstOrThrow()

beforeAll(async () => {
  harness = await testServer({ trustProxy: true })
  owner = openOwnerPool(harness)
  tables = await readFixtureTables(owner)
  await owner.query('update plans set users = 100000, connections = 100000, queues = 100000')
  bystander = (await harness.createCompany()).admin
})
afterAll(async () => {
  await attacker.close()
  await witness.close()
  await owner.end()
  await closeTestServers()
})

let addresses = 0
function headersOf({ token }: Caller): Record<string, string> {
  addresses++
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    // Each call has a new address: otherwise rate limits by address would refuse it.
    'x-forwarded-for': `203.0.${(addresses >> 8) & 255}.${addresses & 255}`,
  }
}

/** The path of a row that does not exist: the body is parsed all the same. */
const withMissingIds = (path: string) => path.replace(/(?<=\/)\d+(?=\/|$|\?)/g, '2147483647')

function shapedCalls(e: Endpoint, caller: Caller): { name: string; call: HostileCall }[] {
  const { path } = composeCall(e, caller.rows, 'stalls')
  const names = e.body ? Object.keys(bodyShapes) : minimalShapeNames
  return names.map((name) => ({
    name,
    call: {
      method: e.method,
      url: harness.address + withMissingIds(path),
      headers: headersOf(caller),
      shape: { name, bytes: bodyLimitOf(e), keys: topLevelKeys(e.body) },
    },
  }))
}

function largestCall(e: Endpoint, caller: Caller): { name: string; call: HostileCall }[] {
  const honest = composeCall(e, caller.rows, 'stalls')
  if (!e.body || !honest.body || honest.body instanceof FormData) return []
  const body = makeLargestBody(e.body, honest.body, bodyLimitOf(e) * 0.9)
  return [
    {
      name: 'the largest honest body',
      call: {
        method: e.method,
        url: harness.address + honest.path,
        headers: headersOf(caller),
        body: Buffer.from(JSON.stringify(body)),
      },
    },
  ]
}

function queryCalls(e: Endpoint, caller: Caller): { name: string; call: HostileCall }[] {
  const { path } = composeCall(e, caller.rows, 'stalls')
  const keys = topLevelKeys(e.query).length ? topLevelKeys(e.query) : ['x']
  const room = 12_000
  const each = Math.floor(room / keys.length)
  const values: Record<string, string> = {
    'long words': 'x'.repeat(each),
    'lists in JSON': `[${'1,'.repeat(Math.floor(each / 2) - 4)}1]`,
    'deep JSON': '['.repeat(each),
  }
  const asked = Object.entries(values).map(([name, value]) => ({
    name,
    query: keys.map((key) => `${key}=${value}`).join('&'),
  }))
  asked.push({
    name: 'many parameters',
    query: `${keys[0]}=1&`.repeat(Math.floor(room / ((keys[0]?.length ?? 1) + 3))),
  })
  return asked.map(({ name, query }) => ({
    name,
    call: {
      method: 'GET',
      url: `${harness.address}${path}${path.includes('?') ? '&' : '?'}${query}`,
      headers: headersOf(caller),
    },
  }))
}

type NamedCall = { name: string; call: HostileCall }
const slowCalls: Record<string, number> = {}

/** CPU time of the test itself, for making and sending bodies: it shares the thread with the server. */
let ownMicros = 0
function asOwn<T>(work: () => T): T {
  const start = process.threadCpuUsage()
  try {
    return work()
  } finally {
    const { user, system } = process.threadCpuUsage(start)
    ownMicros += user + system
  }
}

/**
 * Judges all bodies of an endpoint together; if that was slow, each alone and again, because the machine may be busy.
 */
async function judge(e: Endpoint, make: (e: Endpoint, caller: Caller) => NamedCall[], isFresh = false): Promise<void> {
  const caller = await callerFor(e, isFresh)
  const calls = asOwn(() => make(e, caller))
  if (!calls.length) return
  let statuses: number[] = []
  const ms = await measureLongestBlock(async () => {
    statuses = await asOwn(() => attacker.send(calls.map(({ call }) => call)))
  })
  if (statuses.includes(401)) callers.clear()
  expect(
    statuses.filter((status) => status >= 500),
    endpointName(e),
  ).toEqual([])
  if (ms <= maxBlockMs) return
  for (const { name } of calls) {
    const times: number[] = []
    for (let n = 0; n < 3; n++) {
      const another = await callerFor(e, isFresh)
      const again = asOwn(() => make(e, another).find((one) => one.name === name))
      times.push(await measureLongestBlock(() => attacker.send(again ? [again.call] : [])))
    }
    const least = Math.min(...times) / machineSlowness()
    if (least > maxBlockMs) slowCalls[`${endpointName(e)}: ${name}`] = Math.round(least)
  }
}

const me = (): HostileCall => ({
  method: 'GET',
  url: `${harness.address}/auth/me`,
  headers: { authorization: `Bearer ${bystander.token}`, accept: 'application/json' },
})
const everyMs = 20

it('does not block other companies with any body or query of any endpoint', { timeout: 600_000 }, async () => {
  const { computed, stop } = measureCpuTime(() => ownMicros)
  await witness.witness(me(), everyMs, computed)
  for (const e of endpoints) await judge(e, e.method === 'GET' ? queryCalls : shapedCalls)
  for (const e of endpoints.filter((one) => one.body)) await judge(e, largestCall, true)
  const waits = await witness.stop()
  stop()
  expect(slowCalls).toEqual({})
  expect(waits.length).toBeGreaterThan(100)
  // The block is measured in the server's CPU time, so that other load on the machine does not count.
  const machine = machineSlowness()
  const computing = waits.map((wait) => wait.computedMs / machine)
  if (process.env.STALLS_LOG)
    console.log(
      percentile(computing, 0.99),
      percentile(
        waits.map((wait) => wait.ms),
        0.5,
      ),
      percentile(
        waits.map((wait) => wait.ms),
        0.99,
      ),
    )
  expect(percentile(computing, 0.99)).toBeLessThan(maxWaitMs)
  // The wait is also measured by the clock, because something other than CPU may block.
  expect(
    percentile(
      waits.map((wait) => wait.ms),
      0.5,
    ),
  ).toBeLessThan(maxWaitMs)
})
