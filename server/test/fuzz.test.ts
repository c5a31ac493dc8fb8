import { endpoints } from '@recado/contract/api'
import { catalogue } from '@recado/contract/catalogue'
import type { Endpoint } from '@recado/contract/kit'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keysOf } from '../../contract/test/slots.ts'
import { fileTypeOf } from '../src/kernel/http/http.ts'
import {
  compose,
  furnish,
  mayCall,
  nameOf,
  newcomer,
  openOwner,
  type Rank,
  type Rows,
  readTables,
  type Table,
} from './furniture.ts'
import { caller, closeHouses, type House, house } from './house.ts'
import { type Odd, odd } from './oddities.ts'

/** Whatever is sent to whatever address, the answer is one of the catalogue and never a 5xx. */
let h: House
let owner: pg.Pool
let tables: Table[]
let company: number
let platform: number

const callers = ['nobody', 'user', 'admin', 'super'] as const
type Who = (typeof callers)[number]
/** So many in all, however many endpoints there are; with those of guards and walls more than ten thousand a run. */
const shots = 6200
const bounds = {
  seed: Number(process.env.FUZZ_SEED ?? 600),
  numRuns: Number(process.env.FUZZ_RUNS ?? Math.ceil(shots / endpoints.length)),
  interruptAfterTimeLimit: 120_000,
  // Some reporters leave out the cause of an error: the answer that broke the property belongs in the message.
  includeErrorInReport: true,
}

beforeAll(async () => {
  // Every call can come from another address: limits would answer instead of what is tested.
  h = await house({ trustProxy: true })
  owner = openOwner(h)
  tables = await readTables(owner)
  platform = (
    await h.wide().db.selectFrom('companies').select('id').where('platform', '=', true).executeTakeFirstOrThrow()
  ).id
  await owner.query('update plans set users = 100000, connections = 100000, queues = 100000')
})
afterAll(async () => {
  await owner.end()
  await closeHouses()
})

// ---- people, who may end their own session, their account or their company by what they send

const tokens = new Map<Who, { token: string; rows: Rows; id: number }>()
async function tokenOf(who: Who): Promise<{ token?: string; rows: Rows }> {
  const known = tokens.get(who)
  if (known) return known
  if (
    !(await h
      .wide()
      .db.selectFrom('companies')
      .select('id')
      .where('id', '=', company)
      .where('status', '=', true)
      .executeTakeFirst())
  ) {
    company = (await h.company()).id
  }
  const home = who === 'super' ? platform : company
  const person = await newcomer(h, home, who === 'nobody' ? 'user' : (who as Rank))
  // The platform keeps another super user whatever this one does.
  const made = {
    id: person.id,
    token: who === 'nobody' ? '' : person.token,
    rows: await furnish(owner, tables, { id: home, mark: 'fuzz', person: person.id }),
  }
  tokens.set(who, made)
  return made
}

async function leave(who: Who): Promise<void> {
  await owner.query('delete from users where id = $1', [tokens.get(who)?.id])
  tokens.delete(who)
}

// ---- input

/** Every place of a value that can be replaced: keys of objects and elements of lists, also those that are not there yet. */
function places(value: unknown, known: string[] = []): { set: (to: unknown) => void }[] {
  if (!value || typeof value !== 'object') return []
  const keys = [...new Set([...Object.keys(value), ...known])]
  return keys.flatMap((key) => [
    { set: (to: unknown) => Reflect.set(value, key, to) },
    ...places(Reflect.get(value, key)),
  ])
}

type Shot = { path: string; init: RequestInit & { headers: Record<string, string> } }
function aim(e: Endpoint, rows: Rows, input: Odd): Shot {
  const call = compose(e, rows, 'fuzz')
  const [address = '', given] = call.path.split('?')
  const parts = address.split('/')
  const spots = e.path.split('/').flatMap((part, i) => (part.startsWith(':') ? [i] : []))
  if (input.params && spots.length) parts[spots[input.params.at % spots.length] as number] = word(input.params.to)
  const keys = keysOf(e.query)
  const query = input.query.map(
    ([key, value], i) => `${encodeURIComponent(`${keys[i % keys.length] ?? ''}${key}`)}=${word(value)}`,
  )
  const asked = [...(given ? [given] : []), ...query].join('&')
  return { path: parts.join('/') + (asked && `?${asked}`), init: { method: e.method, ...payload(e, call.body, input) } }
}
/** As it stands in an address; what is already escaped (or tries to be) stays, and no line grows past what a server reads. */
function word(value: unknown): string {
  const text = typeof value === 'string' ? value.slice(0, 3000).toWellFormed() : (JSON.stringify(value) ?? '')
  return text.startsWith('%') ? text : encodeURIComponent(text)
}

function payload(
  e: Endpoint,
  honest: unknown,
  input: Odd,
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
      const all = places(body, keysOf(e.body))
      all[at % (all.length || 1)]?.set(structuredClone(to))
    }
  }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) ?? '' }
}

/** Mostly those who get past the guards; what stands behind them is what can break. */
const callerOf = (e: Endpoint) =>
  fc.oneof(
    ...callers.map((who) => ({
      weight: who === 'nobody' ? (e.access === 'public' ? 4 : 1) : mayCall(e, who) ? 8 : 1,
      arbitrary: fc.constant(who),
    })),
  )

let addresses = 0
async function shoot(who: Who, e: Endpoint, input: Odd): Promise<void> {
  const { token, rows } = await tokenOf(who)
  const { path, init } = aim(e, rows, input)
  addresses++
  const headers = {
    accept: 'application/json',
    ...init.headers,
    'x-forwarded-for': `203.0.${(addresses >> 8) & 255}.${addresses & 255}`,
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(h.address + path, { ...init, headers })
  const text = await response.text()
  const reply = `${who}: ${e.method} ${path.slice(0, 300)} -> ${response.status} ${text.slice(0, 300)}`
  const files = e.stream ?? (e.file && [fileTypeOf(e.file)])
  const types = response.ok && files ? files : ['application/json']
  const said = response.headers.get('content-type') ?? ''
  expect(
    types.some((type) => said.startsWith(type)),
    reply,
  ).toBe(true)
  if (response.status >= 400) expect(Object.keys(catalogue), reply).toContain(JSON.parse(text).error)
  expect(response.status, reply).toBeLessThan(500)
  // Whoever shot themselves in the foot, or changed the furniture, begins anew; who may not call is who they were.
  const isOut =
    [401, 402, 403].includes(response.status) && (who === 'nobody' ? e.access === 'public' : mayCall(e, who))
  if (isOut || (e.method !== 'GET' && response.status < 300)) await leave(who)
}

describe('malformed input never breaks', () => {
  it.each(endpoints.map((e) => ({ e, title: nameOf(e) })))('$title', async ({ e }) => {
    await fc.assert(
      fc.asyncProperty(callerOf(e), odd, (who, input) => shoot(who, e, input)),
      bounds,
    )
  })
})

it('an address without end is refused in the same words', async () => {
  const response = await fetch(`${h.address}/tags?searchParam=${'x'.repeat(70_000)}`)
  expect([response.status, await response.json()]).toEqual([431, { error: 'ERR_SYNTAX' }])
})

describe('what broke once', () => {
  const raw = (path: string, type: string, body: string) => async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': type }
    const response = await fetch(h.address + path, { method: 'POST', headers, body })
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
  ])('%s', async (_, shot, answer) => {
    const { token } = await tokenOf('admin')
    expect(await shot(token as string)).toMatchObject(answer)
  })

  it('half an emoji in what is kept as JSON', async () => {
    const { token } = await tokenOf('admin')
    const schedules = [{ weekday: 'Mon\ud83d', weekdayEn: 'monday', startTime: '', endTime: '' }]
    const answer = await caller(h.address, token).ask('PUT', `/companies/${company}/schedules`, { schedules })
    expect(answer).toMatchObject({ status: 200, body: { schedules: [{ weekday: 'Mon\ufffd' }] } })
  })
})
