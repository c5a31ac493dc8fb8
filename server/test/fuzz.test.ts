import { endpoints } from '@recado/contract/api'
import type { Endpoint } from '@recado/contract/endpoint'
import { errorCatalog } from '@recado/contract/error-catalog'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findNumberSlots, topLevelKeys } from '../../contract/test/id-slots.ts'
import { contentTypeForFile } from '../src/kernel/http/routes.ts'
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
import { type OddRequest, oddRequest } from './odd-requests.ts'
import { closeTestServers, makeCaller, type TestServer, testServer } from './test-server.ts'

/** Whatever is sent to any path, the answer is a code of the catalogue and never a 5xx. */
let harness: TestServer
let owner: pg.Pool
let tables: FixtureTable[]
let company: number
let platform: number

const callers = ['nobody', 'user', 'admin', 'super'] as const
type CallerName = (typeof callers)[number]
/** The total number of requests for all endpoints together. */
const totalRequests = 6200
const fuzzOptions = {
  seed: Number(process.env.FUZZ_SEED ?? 600),
  numRuns: Number(process.env.FUZZ_RUNS ?? Math.ceil(totalRequests / endpoints.length)),
  interruptAfterTimeLimit: 120_000,
  // Some reporters leave out the cause of an error, so the failing answer is included in the message.
  includeErrorInReport: true,
}

beforeAll(async () => {
  // Calls come from different addresses: otherwise rate limits would refuse them.
  harness = await testServer({ trustProxy: true })
  owner = openOwnerPool(harness)
  tables = await readFixtureTables(owner)
  platform = (
    await harness.wide().db.selectFrom('companies').select('id').where('platform', '=', true).executeTakeFirstOrThrow()
  ).id
  await owner.query('update plans set users = 100000, connections = 100000, queues = 100000')
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
})

// ---- users, who may end their own session, account or company by the calls they send

const tokens = new Map<CallerName, { token: string; rows: FixtureRows; id: number }>()
async function tokenOf(who: CallerName): Promise<{ token?: string; rows: FixtureRows }> {
  const known = tokens.get(who)
  if (known) return known
  if (
    !(await harness
      .wide()
      .db.selectFrom('companies')
      .select('id')
      .where('id', '=', company)
      .where('status', '=', true)
      .executeTakeFirst())
  ) {
    company = (await harness.createCompany()).id
  }
  const home = who === 'super' ? platform : company
  const person = await createUserWithSession(harness, home, who === 'nobody' ? 'user' : (who as UserRank))
  // The platform has another super user, so this one may delete itself.
  const made = {
    id: person.id,
    token: who === 'nobody' ? '' : person.token,
    rows: await insertFixtures(owner, tables, { id: home, mark: 'fuzz', person: person.id }),
  }
  tokens.set(who, made)
  return made
}

async function leave(who: CallerName): Promise<void> {
  const id = tokens.get(who)?.id
  // A job of the call may hold rows that refer to the user: after a deadlock the deletion is repeated.
  await vi.waitFor(() => owner.query('delete from users where id = $1', [id]), { timeout: 10_000 })
  tokens.delete(who)
}

// ---- input

/** Every position in a value that can be replaced: keys of objects and elements of lists, also missing ones. */
function mutablePositions(value: unknown, known: string[] = []): { set: (to: unknown) => void }[] {
  if (!value || typeof value !== 'object') return []
  const keys = [...new Set([...Object.keys(value), ...known])]
  return keys.flatMap((key) => [
    { set: (to: unknown) => Reflect.set(value, key, to) },
    ...mutablePositions(Reflect.get(value, key)),
  ])
}

type FuzzRequest = { path: string; init: RequestInit & { headers: Record<string, string> } }
function composeRequest(e: Endpoint, rows: FixtureRows, input: OddRequest): FuzzRequest {
  const call = composeCall(e, rows, 'fuzz')
  const [address = '', given] = call.path.split('?')
  const parts = address.split('/')
  const spots = e.path.split('/').flatMap((part, i) => (part.startsWith(':') ? [i] : []))
  if (input.params && spots.length)
    parts[spots[input.params.at % spots.length] as number] = encodeUrlValue(input.params.to)
  const keys = topLevelKeys(e.query)
  const query = input.query.map(
    ([key, value], i) => `${encodeURIComponent(`${keys[i % keys.length] ?? ''}${key}`)}=${encodeUrlValue(value)}`,
  )
  const asked = [...(given ? [given] : []), ...query].join('&')
  return { path: parts.join('/') + (asked && `?${asked}`), init: { method: e.method, ...payload(e, call.body, input) } }
}
/** A value encoded for a URL. Escaped text stays as it is, and the length stays within the server's limit. */
function encodeUrlValue(value: unknown): string {
  const text = typeof value === 'string' ? value.slice(0, 3000).toWellFormed() : (JSON.stringify(value) ?? '')
  return text.startsWith('%') ? text : encodeURIComponent(text)
}

function payload(
  e: Endpoint,
  honest: unknown,
  input: OddRequest,
): { headers: Record<string, string>; body?: string | FormData } {
  if (e.method === 'GET') return { headers: {} }
  if (input.kind === 'raw') return { headers: { 'content-type': input.raw.type }, body: input.raw.text }
  if (input.kind === 'multipart' || honest instanceof FormData) {
    const form = honest instanceof FormData ? honest : new FormData()
    for (const { at, to } of input.changes)
      form.append(
        ['id', 'file', 'files', 'name', '__proto__'][at % 5] as string,
        typeof to === 'string' ? to.toWellFormed() : (JSON.stringify(to) ?? ''),
      )
    if (input.changes.length > 1)
      form.append(e.upload ?? 'file', new Blob([JSON.stringify(input.whole)]), '../\u0000"x.svg')
    return { headers: {}, body: form }
  }
  const body = input.kind === 'whole' ? structuredClone(input.whole) : structuredClone(honest ?? {})
  if (input.kind === 'mutated') {
    for (const { at, to } of input.changes) {
      const all = mutablePositions(body, topLevelKeys(e.body))
      all[at % (all.length || 1)]?.set(structuredClone(to))
    }
  }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) ?? '' }
}

/** Mostly callers who pass the guards, because the code behind the guards is under test. */
const callerOf = (e: Endpoint) =>
  fc.oneof(
    ...callers.map((who) => ({
      weight: who === 'nobody' ? (e.access === 'public' ? 4 : 1) : canCall(e, who) ? 8 : 1,
      arbitrary: fc.constant(who),
    })),
  )

let addresses = 0
async function sendAndCheck(who: CallerName, e: Endpoint, input: OddRequest): Promise<void> {
  const { token, rows } = await tokenOf(who)
  const { path, init } = composeRequest(e, rows, input)
  addresses++
  const headers = {
    accept: 'application/json',
    ...init.headers,
    'x-forwarded-for': `203.0.${(addresses >> 8) & 255}.${addresses & 255}`,
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(harness.address + path, { ...init, headers })
  const text = await response.text()
  const reply = `${who}: ${e.method} ${path.slice(0, 300)} -> ${response.status} ${text.slice(0, 300)}`
  const files = e.stream ?? (e.file && [contentTypeForFile(e.file)])
  const types = response.ok && files ? files : ['application/json']
  const said = response.headers.get('content-type') ?? ''
  expect(
    types.some((type) => said.startsWith(type)),
    reply,
  ).toBe(true)
  if (response.status >= 400) expect(Object.keys(errorCatalog), reply).toContain(JSON.parse(text).error)
  expect(response.status, reply).toBeLessThan(500)
  // A caller who lost access or changed the fixtures is replaced. A caller who only lacks the permission for the
  // endpoint is kept.
  const isOut =
    [401, 402, 403].includes(response.status) && (who === 'nobody' ? e.access === 'public' : canCall(e, who))
  if (isOut || (e.method !== 'GET' && response.status < 300)) await leave(who)
}

describe('malformed input', () => {
  it.each(endpoints.map((e) => ({ e, title: endpointName(e) })))('never causes a 5xx: $title', async ({ e }) => {
    await fc.assert(
      fc.asyncProperty(callerOf(e), oddRequest, (who, input) => sendAndCheck(who, e, input)),
      fuzzOptions,
    )
  })
})

describe('numbers at their limits', () => {
  const cases = endpoints.flatMap((e) => findNumberSlots(e).map((slot) => ({ e, slot })))
  const titleOf = ({ e, slot }: (typeof cases)[number]) =>
    `${endpointName(e)} ${slot.place}.${slot.path.map((step) => step.toString()).join('.')}`

  it.each(cases.map((one) => ({ ...one, title: titleOf(one) })))('never cause a 5xx: $title', async ({ e, slot }) => {
    const who = (['super', 'admin', 'user'] as const).find((rank) => canCall(e, rank)) ?? 'nobody'
    for (const limit of slot.limits) {
      const { token, rows } = await tokenOf(who)
      const call = composeCall(e, rows, 'limit', [{ slot: { ...slot, entity: '', many: false }, id: limit }])
      const answer = await makeCaller(harness.address, token || undefined).request(call.method, call.path, call.body)
      expect(answer.status, JSON.stringify([call, answer.body]).slice(0, 600)).toBeLessThan(500)
      if (call.method !== 'GET' && answer.status < 300) await leave(who)
    }
  })
})

it('is refused with the same error in an endless URL', async () => {
  const response = await fetch(`${harness.address}/tags?searchParam=${'x'.repeat(70_000)}`)
  expect([response.status, await response.json()]).toEqual([431, { error: 'ERR_SYNTAX' }])
})

describe('malformed requests that once failed', () => {
  const raw = (path: string, type: string, body: string) => async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': type }
    const response = await fetch(harness.address + path, { method: 'POST', headers, body })
    return { status: response.status, body: await response.json() }
  }
  const json = (path: string, body: unknown) => raw(path, 'application/json', JSON.stringify(body))
  const person = { name: 'Ana', email: 'ana@fuzz.test', password: 'a-password' }
  const refused = (status: number, error: string) => ({ status, body: { error } })

  it.each([
    ['an escape that is none', raw('/users/%E0%A4%A', 'application/json', '{}'), refused(400, 'ERR_SYNTAX')],
    [
      'an object that poses as text',
      json('/users', { ...person, active: { toString: 1, valueOf: 1 } }),
      refused(400, 'ERR_VALIDATION'),
    ],
    [
      'a form without a boundary',
      raw('/quick-messages/1/media-upload', 'multipart/form-data', ''),
      refused(400, 'ERR_SYNTAX'),
    ],
    [
      'a form that ends too early',
      raw('/quick-messages/1/media-upload', 'multipart/form-data; boundary=x', '--x\r\n'),
      refused(400, 'ERR_SYNTAX'),
    ],
    [
      'nesting without end',
      raw('/files', 'application/json', `{"options":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
      refused(400, 'ERR_VALIDATION'),
    ],
    ['a NUL', json('/tags', { name: 'a\u0000bc', color: '' }), refused(400, 'ERR_VALIDATION')],
    [
      'a text about NUL',
      json('/tags', { name: 'a\\u0000bc', color: '' }),
      { status: 200, body: { name: 'a\\u0000bc' } },
    ],
    ['half an emoji', json('/tags', { name: 'cut \ud83d', color: '' }), { status: 200, body: { name: 'cut \ufffd' } }],
  ])('is answered with the expected code: %s', async (_, shot, answer) => {
    const { token } = await tokenOf('admin')
    expect(await shot(token as string)).toMatchObject(answer)
  })

  it('replaces a lone surrogate in stored JSON', async () => {
    const { token } = await tokenOf('admin')
    const schedules = [{ weekday: 'Mon\ud83d', weekdayEn: 'monday', startTime: '', endTime: '' }]
    const answer = await makeCaller(harness.address, token).request('PUT', `/companies/${company}/schedules`, {
      schedules,
    })
    expect(answer).toMatchObject({ status: 200, body: { schedules: [{ weekday: 'Mon\ufffd' }] } })
  })
})
