import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOwnerPool } from './fixtures.ts'
import { closeTestServers, type TestServer, testServer } from './test-server.ts'

/** Tenant tables that are not distributed by company but stay on one node (with Citus: reference tables), and why. */
const undistributedTables: Record<string, string> = {
  users: 'who logs in says an address, and no company: it is one person’s in the whole house',
  sessions: 'found by the token that somebody brings',
  furtherSessions: 'as sessions',
  invitations: 'of people',
  passwordResets: 'of people',
  secondFactors: 'of people',
  passkeys: 'of people: found by what a browser brings',
  pushSubscriptions: 'a browser is one, whoever of whichever company uses it',
  apiKeys: 'found by the key that a program brings',
  whatsapps: 'found by the token that a program brings, which nobody else may have chosen',
  cloudLines: 'found by the address that Meta calls',
  announcements: 'of the platform; the company says whose folder has its file',
  invoices: 'the platform’s books',
  charges: 'the platform’s books: found by the number that a bank calls with',
  // Lines reference these tables.
  queues: 'few, and lines refer to them',
  prompts: 'few, and lines refer to them',
  queueIntegrations: 'few, and lines refer to them',
}
/** Tables without a company. */
const platform = [
  ...['backups', 'companies', 'helps', 'kysely_migration', 'kysely_migration_lock', 'liveWords', 'moneySettings'],
  ...['payments', 'plans', 'platformSecrets', 'platformSettings', 'webVersion', 'messagePrices'],
]
let harness: TestServer
let db: pg.Pool
beforeAll(async () => {
  harness = await testServer()
  db = openOwnerPool(harness)
})
afterAll(async () => {
  await db.end()
  await closeTestServers()
})

const tenantTables = `
  select c.oid, c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and exists (
    select from pg_attribute a where a.attrelid = c.oid and a.attname = 'companyId' and a.attnotnull and not a.attisdropped)`
const queryNames = async (text: string): Promise<string[]> =>
  (await db.query<{ it: string }>(text)).rows.map(({ it }) => it)
const distributed = async () =>
  (await queryNames(`select name as it from (${tenantTables}) t`)).filter((name) => !(name in undistributedTables))

/** Keys of distributed tables whose first column is not the company. */
const strayKeys = async () =>
  (
    await db.query<{ table: string; key: string }>(`
      select t.name as "table", i.indexrelid::regclass::text as key
      from (${tenantTables}) t join pg_index i on i.indrelid = t.oid and (i.indisunique or i.indisexclusion)
      where pg_get_indexdef(i.indexrelid, 1, true) <> '"companyId"' order by 2`)
  ).rows
    .filter(({ table }) => !(table in undistributedTables))
    .map(({ key }) => key)
    .sort()

describe('every tenant table', () => {
  it('is declared as distributed by company, or as kept on one node with a reason', async () => {
    const all = await queryNames(
      `select relname as it from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    )
    const tenants = await queryNames(`select name as it from (${tenantTables}) t`)
    expect(all.filter((name) => !tenants.includes(name)).sort()).toEqual([...platform].sort())
    for (const name of Object.keys(undistributedTables)) expect(tenants).toContain(name)
  })

  it('has a primary key, and all its keys begin with the company', async () => {
    expect(await strayKeys()).toEqual([])
    const without = await queryNames(`
      select t.name as it from (${tenantTables}) t
      where not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary) order by 1`)
    // This table has no primary key, because part of its key may be null: user requests have no API key (migration
    // 0121).
    expect(without).toEqual(['apiCalls'])
  })

  it('references other tables together with the company; a reference table never references a distributed table', async () => {
    const { rows } = await db.query<{ from: string; to: string; columns: string[]; toColumns: string[] }>(`
      select f.relname as "from", t.relname as "to",
        (select array_agg(a.attname::text order by n) from unnest(k.conkey) with ordinality u (num, n) join pg_attribute a on a.attrelid = f.oid and a.attnum = u.num) as columns,
        (select array_agg(a.attname::text order by n) from unnest(k.confkey) with ordinality u (num, n) join pg_attribute a on a.attrelid = t.oid and a.attnum = u.num) as "toColumns"
      from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
      where k.contype = 'f' and f.relnamespace = 'public'::regnamespace`)
    const spread = new Set(await distributed())
    const carries = ({ to, columns, toColumns }: (typeof rows)[number]) =>
      columns[0] === 'companyId' && toColumns[0] === (to === 'companies' ? 'id' : 'companyId')
    expect(rows.filter((row) => spread.has(row.from) && !carries(row))).toEqual([])
    expect(rows.filter((row) => !spread.has(row.from) && spread.has(row.to))).toEqual([])
  })
})
