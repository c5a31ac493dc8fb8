import { randomUUID } from 'node:crypto'
import { api } from '@recado/contract/api'
import type { Endpoint } from '@recado/contract/endpoint'
import { FlowDocument } from '@recado/contract/flows/flow-document'
import { type Profile, rules } from '@recado/contract/rules'
import type pg from 'pg'
import { escapeLiteral } from 'pg'
import type { z } from 'zod'
import { anyElement, findIdSlots, type IdSlot, topLevelKeys, walkSchema } from '../../contract/test/id-slots.ts'
import { makeSessions } from '../src/accounts/sessions.ts'
import { openPool } from '../src/kernel/data/database.ts'
import { makeLog } from '../src/kernel/log.ts'
import type { HttpCaller } from './http-caller.ts'
import { fillPath, makeCaller, type TestServer } from './test-server.ts'
import { tinyPng } from './upload.ts'

/**
 * Fixtures for the tests that cover the whole contract: a row in every table for a company, and a call to every endpoint.
 * Rows are generated from the database catalog, so a new table gets its fixture automatically.
 */

// ---- tables

type FixtureColumn = { name: string; type: string; nullable: boolean; filled: boolean; allowed: string[] }
type FixtureReference = { columns: string[]; to: string; toColumns: string[] }
export type FixtureTable = {
  name: string
  columns: FixtureColumn[]
  references: FixtureReference[]
  tenant: boolean
  sequence: string | null
}
export type FixtureRow = Record<string, unknown>

/** Tables of the platform: every company may read them, none may write them. */
export const platformTables = ['plans', 'helps', 'announcements', 'platformSettings', 'messagePrices']

const columnsQuery = `
  select c.table_name as "table", c.column_name as name, c.udt_name as type, c.is_nullable = 'YES' as nullable,
         c.column_default is not null or c.is_identity = 'YES' as filled,
         coalesce((select pg_get_constraintdef(k.oid) from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
                   where k.conrelid = format('%I', c.table_name)::regclass and k.contype = 'c' and a.attname = c.column_name limit 1), '') as "check"
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name not like 'kysely%'
    -- What the database computes nobody writes.
    and c.is_generated = 'NEVER'
  order by c.table_name, c.ordinal_position`
const referencesQuery = `
  select f.relname as "table", t.relname as "to",
         (select array_agg(a.attname::text order by n) from unnest(k.conkey) with ordinality u(num, n) join pg_attribute a on a.attrelid = f.oid and a.attnum = u.num) as columns,
         (select array_agg(a.attname::text order by n) from unnest(k.confkey) with ordinality u(num, n) join pg_attribute a on a.attrelid = t.oid and a.attnum = u.num) as "toColumns"
  from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
  where k.contype = 'f' and f.relnamespace = 'public'::regnamespace`

/** The id sequences of the tables. */
const sequencesQuery = `
  select c.table_name as "table", pg_get_serial_sequence(format('%I', c.table_name), 'id') as name
  from information_schema.columns c where c.table_schema = 'public' and c.column_name = 'id' and c.is_identity = 'YES'`

/** The tables from the database catalog; referenced tables come first. */
export async function readFixtureTables(owner: pg.Pool): Promise<FixtureTable[]> {
  const sequences = new Map(
    (await owner.query<{ table: string; name: string }>(sequencesQuery)).rows.map((r) => [r.table, r.name]),
  )
  const columns = (await owner.query<Omit<FixtureColumn, 'allowed'> & { table: string; check: string }>(columnsQuery))
    .rows
  const references = (await owner.query<FixtureReference & { table: string }>(referencesQuery)).rows
  const found = [...new Set(columns.map((c) => c.table))].map((name): FixtureTable => {
    const own = columns.filter((c) => c.table === name)
    return {
      name,
      columns: own.map(({ check, ...c }) => ({
        ...c,
        allowed: [...check.matchAll(/'([^']*)'::text/g)].map(([, word]) => word as string),
      })),
      references: references.filter((r) => r.table === name),
      sequence: sequences.get(name) ?? null,
      tenant: own.some((c) => c.name === 'companyId') && !platformTables.includes(name),
    }
  })
  return sortByReferences(found)
}

/** Connects as the database owner; close this pool before the server. */
export const openOwnerPool = (h: TestServer) => openPool(h.databaseUrl, makeLog('silent'), { max: 2 })

// ---- rows

const flowDraft = JSON.stringify(FlowDocument.parse({ kind: 'rule', triggers: [], first: null, steps: [] }))

/** Values that a row needs in addition to those that its columns require. */
const requiredValues: Record<string, FixtureRow> = {
  plans: { users: 100_000, connections: 100_000, queues: 100_000 },
  announcements: { status: true },
  messagePrices: { id: true, lists: '[]' },
  quickMessages: { geral: false },
  // The worker does not take it away.
  ticketViewChanges: { lookAt: '2099-01-01T00:00:00Z' },
  flowEvents: { lookAt: '2099-01-01T00:00:00Z', kind: 'person' },
  ticketViews: { order: 'newest', audience: 'all', conditions: '{"match":"all","of":[]}', fillBefore: null },
  // The ticket is open, with a failed outgoing message and a missing file, so that most actions are possible. The
  // database assigns the number.
  tickets: { status: 'open', number: null },
  messages: { fromMe: true, state: 'failed', mediaState: 'failed', mediaKey: '{}' },
  // Lines use the sandbox phone: other providers, and an AI, would call external services.
  whatsapps: { provider: 'sandbox', promptId: null, integrationId: null },
  // The recorded request has the format of each kind of integration, so that the call can be repeated.
  machineCalls: { asked: '{"id":"msg_1","message":{"text":"hola"}}' },
  // The import is that of a sheet with these columns.
  macros: { audience: 'all', steps: '[]' },
  // Finished steps, so that no process works on the row.
  macroRuns: { state: 'done', steps: '[{"kind":"resolve"}]', results: '[{"undo":null}]' },
  // A finished batch, so that no process works on the row.
  ticketBatches: { state: 'done', action: '{"kind":"resolve"}', done: 1 },
  // A flow that nothing starts, with a finished run, so that no process works on them.
  flows: { draft: flowDraft, revision: 1, active: false },
  flowVersions: { document: flowDraft },
  flowTriggers: { kind: 'person' },
  flowTimers: { kind: 'person', trigger: '{}', nextAt: new Date('2100-01-01') },
  flowRuns: { position: '{}', state: 'failed' },
  flowTests: { scene: '{}', entries: '[]', trace: '[]' },
  flowDryRuns: { state: 'done', document: flowDraft, result: '{}' },
  listImports: { headers: '["nome", "numero"]' },
  // The entry is already processed, so that no process works on the row.
  journal: { processedAt: new Date() },
  contactErasures: { state: 'done' },
  // The database has already counted the existing rows.
  tallies: { n: 0 },
  ticketTallies: { n: 0 },
  webhookEvents: { type: 'test', state: 'done' },
}

/** References of a table that have no foreign key. */
const softReferences: Record<string, Record<string, string>> = {
  messages: { whatsappId: 'whatsapps', contactId: 'contacts' },
  deletedContacts: { contactId: 'contacts' },
}

let lastSequence = 0
/** A value of the column's type; texts contain the mark, so that they are recognized anywhere. */
function sampleValue(column: FixtureColumn, mark: string): unknown {
  if (column.allowed.length) return column.allowed[0]
  if (column.type === 'text') return `${mark}-${++lastSequence}`
  if (column.type === 'uuid') return randomUUID()
  if (column.type === 'bool') return false
  if (column.type === 'jsonb' || column.type === 'json') return '{}'
  if (column.type === 'tsvector') return mark
  if (column.type === 'timestamptz' || column.type === 'date') return new Date(Date.now() + 86_400_000)
  if (column.type.startsWith('_')) return []
  if (/^(int|float|numeric)/.test(column.type)) return 1
  throw new Error(`fixtures.ts does not know how to fill a ${column.type} (${column.name})`)
}

export type FixtureRows = Record<string, FixtureRow>

/**
 * Inserts one row in every table for this company. References to users point at `person`, so that this user may change the
 * rows. Ids are drawn first, so that all rows go in one message: the tests call this hundreds of times.
 */
export async function insertFixtures(
  owner: pg.Pool,
  tables: FixtureTable[],
  company: { id: number; mark: string; person: number },
  /** Existing rows to use instead of new ones. */
  shared: FixtureRows = {},
): Promise<FixtureRows> {
  const given = tables.filter((t) => t.name !== 'companies' && !shared[t.name])
  const draws = given.filter((t) => t.sequence).map((t) => `nextval('${t.sequence}')::int as "${t.name}"`)
  const drawn = (await owner.query(`select (select id from companies where platform) as companies, ${draws}`))
    .rows[0] as Record<string, number>
  const rows: FixtureRows = { ...shared, companies: { id: company.id } }
  const texts: string[] = []
  for (const table of given) {
    const ours = platformTables.includes(table.name)
    const values = rowValues(table, ours ? { id: drawn.companies as number, mark: 'Platform' } : company, {
      ...rows,
      users: { companyId: company.id, id: company.person },
    })
    if (table.sequence) values.id = drawn[table.name]
    rows[table.name] = values
    const names = Object.keys(values)
    const what = names.length
      ? `(${names.map((n) => `"${n}"`)}) overriding system value values (${names.map((n) => sqlLiteral(values[n]))})`
      : 'default values'
    texts.push(`insert into "${table.name}" ${what} on conflict do nothing returning *`)
  }
  const results = (await owner.query(texts.join(';\n'))) as unknown as pg.QueryResult<FixtureRow>[]
  for (const [i, table] of given.entries()) {
    // A user has only one such row (a session), or the platform has, and it already exists.
    const whose = table.columns.some((c) => c.name === 'companyId') ? `"companyId" = ${company.id}` : 'true'
    rows[table.name] =
      results[i]?.rows[0] ?? (await owner.query(`select * from "${table.name}" where ${whose} limit 1`)).rows[0]
  }
  return rows
}

/** Whether this is a nullable reference to a table that refers back. */
const isDeferrable = (table: FixtureTable, { columns, to }: FixtureReference, all: FixtureTable[]) =>
  all.some((t) => t.name === to && t.references.some((r) => r.to === table.name)) &&
  columns.every((name) => name === 'companyId' || table.columns.some((c) => c.name === name && c.nullable))

function sortByReferences(tables: FixtureTable[]): FixtureTable[] {
  const placed: FixtureTable[] = []
  const waiting = [...tables]
  const isThere = (name: string) => placed.some((t) => t.name === name)
  while (waiting.length) {
    const ready = waiting.findIndex((t) => t.references.every((r) => isThere(r.to) || r.to === t.name))
    const at =
      ready < 0
        ? waiting.findIndex((t) => t.references.every((r) => isThere(r.to) || isDeferrable(t, r, tables)))
        : ready
    if (at < 0) throw new Error('fixtures.ts: tables refer to each other in a circle')
    placed.push(...waiting.splice(at, 1))
  }
  return placed
}

function rowValues(table: FixtureTable, company: { id: number; mark: string }, known: FixtureRows): FixtureRow {
  const values: FixtureRow = {}
  for (const column of table.columns)
    if (!column.nullable && !column.filled) values[column.name] = sampleValue(column, company.mark)
  // A generated reference column cannot be written.
  for (const { columns, to, toColumns } of table.references.filter((r) => r.to !== table.name))
    for (const [i, column] of columns.entries())
      if (table.columns.some((c) => c.name === column)) values[column] = known[to]?.[toColumns[i] as string]
  for (const [column, to] of Object.entries(softReferences[table.name] ?? {})) values[column] = known[to]?.id
  if (table.columns.some((c) => c.name === 'companyId')) values.companyId = company.id
  return { ...values, ...requiredValues[table.name] }
}

function sqlLiteral(value: unknown): string {
  if (Array.isArray(value)) return "'{}'"
  return value === null || value === undefined
    ? 'null'
    : escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}

/** Sets the first id of new rows: each company can have its own range, so that an id identifies its company. */
export async function setNextId(owner: pg.Pool, tables: FixtureTable[], start: number): Promise<void> {
  const counted = tables.filter((t) => t.sequence && !platformTables.includes(t.name))
  await owner.query(`select ${counted.map((t) => `setval('${t.sequence}', ${start})`)}`)
}

// ---- entities of the contract

/** The table of an entity whose name is not the entity's plural. `ticket.uuid` means that column. */
const tableByEntity: Record<string, string> = {
  ticketBatch: 'ticketBatches',
  connection: 'whatsapps',
  extraInfo: 'contactFields',
  integration: 'queueIntegrations',
  note: 'ticketNotes',
}
/**
 * The plurals of the contract: the name of the section in `api`. The `plural` of `crud` cannot be used, because older
 * clients read several lists under `records`.
 */
const pluralByEntity = new Map(
  Object.entries(api).flatMap(([plural, section]) => ('record' in section ? [[section.record.entity, plural]] : [])),
)
/** The table of an entity. Entities without a section of their own (a message, a note) get an "s". */
export function tableOfEntity(entity: string): string {
  const name = entity.split('.')[0] as string
  return tableByEntity[name] ?? pluralByEntity.get(name) ?? `${name}s`
}
export const isPlatformEntity = (entity: string) => platformTables.includes(tableOfEntity(entity))

/** The id of the company's fixture row. An entity without a row fails the tests: name its table in `tableByEntity`. */
export function sampleId(rows: FixtureRows, entity: string): number | string {
  const id = rows[tableOfEntity(entity)]?.[entity.split('.')[1] ?? 'id']
  if (typeof id !== 'number' && typeof id !== 'string')
    throw new Error(`fixtures.ts: no sample of the entity "${entity}" (looked in ${tableOfEntity(entity)})`)
  return id
}

// ---- calls

export const endpointName = (e: Endpoint) => `${e.method} ${e.path}`
export type ComposedCall = { method: string; path: string; body: unknown }
type FilledSlot = { slot: IdSlot; id: unknown }

/** A valid call: the endpoint's example with ids of these rows; `instead` replaces some of the ids. */
export function composeCall(e: Endpoint, rows: FixtureRows, mark: string, instead: FilledSlot[] = []): ComposedCall {
  const example = withUniqueNames(structuredClone(e.example ?? {}), mark)
  const body = example as Record<string, unknown>
  const params: Record<string, unknown> = Object.fromEntries(
    topLevelKeys(e.params).map((key) => [key, body[key] ?? acceptedPathWord(e, key)]),
  )
  const query: Record<string, unknown> = Object.fromEntries(
    topLevelKeys(e.query).flatMap((key) => (key in requiredQueryValues ? [[key, requiredQueryValues[key]]] : [])),
  )
  const parts = { params, query, body }
  for (const slot of findIdSlots(e)) {
    // An id that is missing in the example is left out, unless it is required.
    const needed = slot.place === 'query' && !e.query?.safeParse(query).success
    if (needed || slot.place === 'params' || (slot.place === 'body' && readAtPath(body, slot.path) != null))
      putAtSlot(parts[slot.place], slot, sampleId(rows, slot.entity))
  }
  for (const { slot, id } of instead) putAtSlot(parts[slot.place], slot, id)
  return {
    method: e.method,
    path: fillPath(e.path, params) + toQueryString(query),
    body: e.upload ? toFormData(e.upload, body, fileByPath[e.path]) : e.body ? body : undefined,
  }
}

export const sendCall = (who: HttpCaller, call: ComposedCall) =>
  who.request<Record<string, unknown>>(call.method, call.path, call.body)

/** Required query values. */
const requiredQueryValues: Record<string, string> = {
  ...{ with: '5491155550001', endpoint: 'https://push.example/browser/1', months: '12' },
}

/** Adds a mark to names and addresses that must be unique. */
function withUniqueNames(value: unknown, mark: string): unknown {
  if (Array.isArray(value)) return value.map((v) => withUniqueNames(v, mark))
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, v]) => {
      if (typeof v === 'string' && /^(name|title|shortcode)$/.test(key))
        return [key, `${v.slice(0, 20)} ${mark}-${++lastSequence}`]
      if (typeof v === 'string' && key === 'email') return [key, `${mark}-${++lastSequence}@desk.test`.toLowerCase()]
      if (typeof v === 'string' && key === 'color') return [key, `#${(++lastSequence).toString(16).padStart(6, '0')}`]
      return [key, withUniqueNames(v, mark)]
    }),
  )
}

/** A valid value for a path parameter: the first of the allowed values, a number, or any text. */
function acceptedPathWord(e: Endpoint, key: string): string {
  let word = 'x'
  walkSchema(e.params as z.ZodType, (schema, path) => {
    const entries = (schema.def as { entries?: Record<string, string> }).entries
    if (path[0] === key && entries) word = Object.values(entries)[0] as string
    if (path[0] === key && (schema.def as { type: string }).type === 'number') word = '1'
    return undefined
  })
  return word
}

function readAtPath(value: unknown, path: IdSlot['path']): unknown {
  if (!path.length) return value
  const [step, ...rest] = path
  if (step === anyElement) return Array.isArray(value) ? readAtPath(value[0], rest) : undefined
  return value && typeof value === 'object' ? readAtPath(Reflect.get(value, step as string), rest) : undefined
}

function putAtSlot(target: Record<string, unknown>, slot: IdSlot, id: unknown): void {
  let at: Record<string, unknown> = target
  const steps = slot.path
  steps.forEach((step, i) => {
    if (step === anyElement) return
    if (i === steps.length - 1) at[step] = slot.many ? [id] : id
    else if (steps[i + 1] === anyElement) {
      const list = Array.isArray(at[step]) && at[step].length ? at[step] : [{}]
      at[step] = list
      at = list[0]
    } else {
      at[step] ??= {}
      at = at[step] as Record<string, unknown>
    }
  })
}

const toQueryString = (query: Record<string, unknown>) => {
  const given = Object.entries(query).map(([key, v]): [string, string] => [
    key,
    Array.isArray(v) ? JSON.stringify(v) : String(v),
  ])
  return given.length ? `?${new URLSearchParams(given)}` : ''
}

const csvFile = new File(['Nome;Telefone\nAna;5491155550000\n'], 'list.csv', { type: 'text/csv' })
/** Files for endpoints that do not accept a picture. */
const fileByPath: Record<string, File> = {
  '/contacts/upload-file': csvFile,
  '/contact-lists/:id/upload': csvFile,
  '/prompt/:promptId/knowledge/files': csvFile,
  '/contact-lists/:id/imports': csvFile,
}
const pngFile = new File([tinyPng], 'dot.png', { type: 'image/png' })
function toFormData(field: string, fields: Record<string, unknown>, file = pngFile): FormData {
  const form = new FormData()
  const asText = (v: unknown) => (v !== null && typeof v === 'object' ? JSON.stringify(v) : String(v))
  for (const [key, value] of Object.entries(fields)) for (const v of [value].flat()) form.append(key, asText(v))
  form.append(field, file)
  return form
}

// ---- people

export type UserRank = Profile | 'super'
export const userRanks: UserRank[] = ['user', 'supervisor', 'admin', 'super']

/** Whether a user of this rank may call the endpoint, by the contract's own tables. */
export function canCall(e: Endpoint, rank: UserRank): boolean {
  if (e.access === 'public' || e.access === 'session') return true
  if (e.access === 'super') return rank === 'super'
  return (rules[e.access] as readonly Profile[]).includes(rank === 'super' ? 'admin' : rank)
}

export type UserWithSession = HttpCaller & { id: number; companyId: number; token: string }

/** A new user with an open session. No password is hashed, which would be slow. */
export async function createUserWithSession(
  h: TestServer,
  companyId: number,
  rank: UserRank,
): Promise<UserWithSession> {
  const sessions = makeSessions(h.server.deps)
  const profile = rank === 'super' ? 'admin' : rank
  const row = await h
    .wide()
    .db.insertInto('users')
    .values({
      companyId,
      name: `The ${rank}`,
      email: `${randomUUID()}@desk.test`,
      passwordHash: '',
      profile,
      super: rank === 'super',
      allTicket: 'desabled',
      whatsappId: null,
      language: null,
    })
    .returning(['id', 'companyId', 'passwordHash', 'credentialVersion'])
    .executeTakeFirstOrThrow()
  const opened = await sessions.open(row, 'computer')
  if (!opened) throw new Error('nobody came in')
  const visit = await sessions.loadAuthContext(opened.id)
  if (!visit) throw new Error('the session of a newcomer did not open')
  const token = await sessions.accessToken(visit.actor)
  return { ...makeCaller(h.address, token), id: row.id, companyId, token }
}
