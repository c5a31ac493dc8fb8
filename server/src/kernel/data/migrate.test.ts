import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { openServer } from '../../server.ts'
import { makeLog } from '../log.ts'
import { openPool } from './database.ts'
import { migrateDatabase } from './migrate.ts'

const migrations = join(import.meta.dirname, '../../../migrations')
let harness: TestServer
let owner: pg.Pool
beforeAll(async () => {
  harness = await testServer()
  owner = openPool(harness.databaseUrl, makeLog('silent'), { max: 2 })
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
})

/** Tables, columns, indexes, constraints, policies, grants and functions, as one text. */
async function shape(): Promise<string> {
  const parts = await Promise.all([
    owner.query(
      `select table_name, column_name, data_type, column_default, is_nullable from information_schema.columns where table_schema = 'public' order by 1, 2`,
    ),
    owner.query(`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
    owner.query(
      `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    ),
    owner.query(
      `select tablename, policyname, roles::text, cmd, qual, with_check from pg_policies where schemaname = 'public' order by 1, 2`,
    ),
    owner.query(
      `select grantee, table_name, privilege_type from information_schema.role_table_grants where table_schema = 'public' order by 1, 2, 3`,
    ),
    owner.query(
      `select proname, prosrc, prosecdef, proacl::text from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    ),
  ])
  return JSON.stringify(parts.map((p) => p.rows))
}
const rows = async () =>
  (
    await owner.query(
      `select (select json_agg(p order by id) from plans p)::text as plans, (select json_agg(c order by id) from companies c)::text as companies, (select json_agg(u order by id) from users u)::text as users, (select count(*) from kysely_migration) as ran`,
    )
  ).rows[0]

describe('restart on an existing database', () => {
  it('does not run renamed migrations again', async () => {
    const names = async () =>
      (await owner.query(`select name from kysely_migration order by name`)).rows.map(({ name }) => name as string)
    const [before, data, now] = [await shape(), await rows(), await names()]
    expect(now).toContain('0001-companies-people-and-plain-records')
    const former = ['house', 'desk', 'automation', 'linked-lines', 'cloud-lines', 'leftovers', 'pacing', 'search']
    for (const [n, name] of [...former, 'group-names', 'history', 'real-lines'].entries()) {
      const number = String(n + 1).padStart(4, '0')
      await owner.query(`update kysely_migration set name = $1 where name like $2`, [
        `${number}-${name}`,
        `${number}-%`,
      ])
    }
    for (const name of ['0013-who-asks', '0014-search-in-one', '0015-search-sorted', '0016-ways'])
      await owner.query(`update kysely_migration set name = $1 where name like $2`, [name, `${name.slice(0, 5)}%`])
    expect(await names()).not.toContain('0001-companies-people-and-plain-records')
    await Promise.all([migrateDatabase(owner), migrateDatabase(owner)])
    expect(await names()).toEqual(now)
    expect(await shape()).toBe(before)
    expect(await rows()).toEqual(data)
  })

  it('runs a later migration with a lower number', async () => {
    const before = await shape()
    const late = '0015-sort-new-messages-in-later'
    await owner.query(`delete from kysely_migration where name = $1`, [late])
    await migrateDatabase(owner)
    expect((await owner.query(`select 1 from kysely_migration where name = $1`, [late])).rowCount).toBe(1)
    expect(await shape()).toBe(before)
  })

  it('starts beside the next release while its migrations only add, and not after a migration that removes something', async () => {
    const before = await shape()
    await owner.query(`insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', '')`)
    await migrateDatabase(owner)
    expect(await shape()).toBe(before)
    await owner.query(`comment on table kysely_migration is '9999-of-tomorrow'`)
    await expect(migrateDatabase(owner)).rejects.toThrow(/newer Recado.*9999-of-tomorrow/)
    await owner.query(`comment on table kysely_migration is null`)
    await owner.query(`delete from kysely_migration where name = '9999-of-tomorrow'`)
  })

  it('changes nothing on an up-to-date database, also when two processes start at once', async () => {
    const [before, data] = [await shape(), await rows()]
    await Promise.all([migrateDatabase(owner), migrateDatabase(owner)])
    const config = {
      ...harness.config,
      port: 0,
      adminEmail: 'someone-else@recado.test',
      adminPassword: 'another-passw0rd',
    }
    const second = await openServer(config, harness.databaseUrl, makeLog('silent'))
    expect(second.firstAdmin).toBeNull()
    expect((await fetch(`${second.address}/readyz`)).status).toBe(200)
    await second.close()
    expect(await shape()).toBe(before)
    expect(await rows()).toEqual(data)
  })

  it('accepts earlier sessions and secrets with the same app secret', async () => {
    const { admin } = await harness.createCompany()
    const second = await openServer(
      { ...harness.config, port: 0 },
      harness.databaseUrl,
      makeLog('silent'),
      harness.clock,
    )
    const me = (address: string) => fetch(`${address}/auth/me`, { headers: { authorization: `Bearer ${admin.token}` } })
    expect((await me(second.address)).status).toBe(200)
    await second.close()
    const stranger = await openServer(
      { ...harness.config, port: 0, appSecret: randomBytes(32).toString('hex') },
      harness.databaseUrl,
      makeLog('silent'),
      harness.clock,
    )
    expect((await me(stranger.address)).status).toBe(403)
    await stranger.close()
  })

  it('creates plans 1 and 2, the platform company and its super user on the first run', async () => {
    expect(harness.server.firstAdmin).toEqual({ email: harness.config.adminEmail, password: null })
    const { rows: plans } = await owner.query('select id from plans where id < 3 order by id')
    expect(plans).toEqual([{ id: 1 }, { id: 2 }])
    const { rows: people } = await owner.query(
      'select u.email, u.super, u.profile, c.platform, c."dueDate" from users u join companies c on c.id = u."companyId" where c.platform',
    )
    expect(people).toEqual([
      { email: harness.config.adminEmail, super: true, profile: 'admin', platform: true, dueDate: null },
    ])
  })

  it('prints a generated password once if none was given', async () => {
    const fresh = await testServer({ adminPassword: undefined })
    const { firstAdmin } = fresh.server
    expect(firstAdmin?.password).toMatch(/^[\w-]{16}$/)
    const entered = await fresh.anonymous.request('POST', '/auth/login', {
      email: firstAdmin?.email,
      password: firstAdmin?.password,
    })
    expect(entered.status).toBe(200)
  })
})

describe('row-level security', () => {
  /** Runs `work` as a database role, on a temporary connection. */
  async function as<T>(role: string, company: number | null, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: harness.databaseUrl })
    await client.connect()
    try {
      await client.query(`set role ${role}`)
      if (company !== null) await client.query(`select set_config('app.company_id', $1, false)`, [String(company)])
      return await work(client)
    } finally {
      await client.end()
    }
  }

  it('covers every table with a company, and none of the app’s roles can bypass it', async () => {
    const { rows: roles } = await owner.query(
      `select rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb from pg_roles where rolname in ('recado_app', 'recado_platform') order by 1`,
    )
    const plain = { rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false, rolcreatedb: false }
    expect(roles).toEqual([
      { rolname: 'recado_app', ...plain },
      { rolname: 'recado_platform', ...plain },
    ])
    const { rows: open } = await owner.query(`
      select distinct c.table_name from information_schema.columns c join pg_class t on t.oid = format('%I', c.table_name)::regclass
      where c.table_schema = 'public' and c.column_name = 'companyId' and t.relkind = 'r' and not (t.relrowsecurity and t.relforcerowsecurity)`)
    // Platform announcements are read by everybody; their company only decides which folder holds the image.
    expect(open.map((r) => r.table_name)).toEqual(['announcements'])
    const { rows: owned } = await owner.query(
      `select tablename from pg_tables where schemaname = 'public' and tableowner in ('recado_app', 'recado_platform')`,
    )
    expect(owned).toEqual([])
  })

  it('shows one company at a time, and no rows before a company is set', async () => {
    const [a, b] = [await harness.createCompany(), await harness.createCompany()]
    const ids = (client: pg.Client) =>
      client.query('select distinct "companyId" as c from users order by 1').then((r) => r.rows.map((row) => row.c))
    expect(await as('recado_app', null, ids)).toEqual([])
    expect(await as('recado_app', a.id, ids)).toEqual([a.id])
    expect(await as('recado_app', b.id, (c) => c.query('select id from companies').then((r) => r.rows))).toEqual([
      { id: b.id },
    ])
    expect((await as('recado_platform', null, ids)).length).toBeGreaterThan(2)
    await as('recado_app', a.id, async (client) => {
      expect((await client.query(`update users set name = 'hacked' where id = ${b.admin.id}`)).rowCount).toBe(0)
      expect((await client.query(`delete from users where id = ${b.admin.id}`)).rowCount).toBe(0)
      await expect(
        client.query(`insert into tags ("companyId", name, color) values (${b.id}, 'x', '#fff')`),
      ).rejects.toThrow(/row-level security/)
    })
  })

  it('refuses statements that the tenant role may not execute', async () => {
    const { id, admin } = await harness.createCompany()
    for (const statement of [
      'alter table users disable row level security',
      'drop policy tenant on users',
      'create table mine (n int)',
      'update companies set "dueDate" = null',
      'update companies set "planId" = 1',
      `insert into companies (name) values ('x')`,
      `update plans set users = 1000`,
      `insert into sessions ("userId", "companyId", id, "rotatedAt", "expiresAt") values (${admin.id}, ${id}, gen_random_uuid(), now(), now())`,
      'update sessions set generation = 5',
      `update "passwordResets" set tries = 0`,
      `select open_numbers(1, 1)`,
      `drop sequence numbers.tickets_${id}`,
      'select * from graphile_worker._private_jobs',
      'select * from kysely_migration',
      'truncate users',
    ]) {
      await as('recado_app', id, async (client) => {
        await expect(client.query(statement), statement).rejects.toThrow(/permission denied|must be owner/)
      })
    }
  })

  it('allows no row to reference a row of another company', async () => {
    const [a, b] = [await harness.createCompany(), await harness.createCompany()]
    await expect(
      owner.query(`insert into tags ("companyId", name, color, "userId") values (${a.id}, 'x', '#fff', ${b.admin.id})`),
    ).rejects.toThrow(/foreign key/)
    // Every reference between tenant tables includes the company.
    const { rows: loose } = await owner.query(`
      select con.conrelid::regclass::text as "from", con.confrelid::regclass::text as "to" from pg_constraint con
      where con.contype = 'f' and con.connamespace = 'public'::regnamespace
        and exists (select 1 from pg_attribute x where x.attrelid = con.conrelid and x.attname = 'companyId')
        and exists (select 1 from pg_attribute x where x.attrelid = con.confrelid and x.attname = 'companyId')
        and not exists (select 1 from unnest(con.conkey) k join pg_attribute x on x.attrelid = con.conrelid and x.attnum = k where x.attname = 'companyId')`)
    expect(loose).toEqual([])
  })

  it('does not leak data of one call into the next on the same connection', async () => {
    const companies = await Promise.all([1, 2, 3].map(() => harness.createCompany()))
    await Promise.all(companies.map((c, n) => c.admin.request('POST', '/tags', { name: `of company ${n}` })))
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const { body } = await (companies[n % 3] as (typeof companies)[number]).admin.request<{
          tags: { name: string }[]
        }>('GET', '/tags')
        return body.tags.map((t) => t.name).join() === `of company ${n % 3}`
      }),
    )
    expect(answers.every(Boolean)).toBe(true)
  })
})

it('numbers tickets that are older than ticket numbers, per company', async () => {
  const { db } = harness.wide()
  const tickets = async (companyId: number, count: number) => {
    const contact = await sql<{ id: number }>`
      insert into contacts ("companyId", name, number) values (${companyId}, 'Ana', '5511900000000') returning id`.execute(
      db,
    )
    for (let i = 0; i < count; i++)
      await sql`insert into tickets ("companyId", "contactId", status) values (${companyId}, ${contact.rows[0]?.id}, 'closed')`.execute(
        db,
      )
  }
  const numbers = async (companyId: number) =>
    (await db.selectFrom('tickets').select('number').where('companyId', '=', companyId).orderBy('id').execute()).map(
      (row) => row.number,
    )
  const [a, b, c] = [await harness.createCompany(), await harness.createCompany(), await harness.createCompany()]
  await tickets(a.id, 3)
  await tickets(b.id, 2)
  await owner.query(`
    drop trigger numbered on tickets; drop trigger opens_numbers on companies; drop trigger drops_numbers on companies;
    drop function number_ticket, company_opens_numbers, company_drops_numbers, open_numbers;
    drop schema numbers cascade; alter table tickets drop number`)
  await owner.query(await readFile(join(migrations, '0055-number-tickets-per-company.sql'), 'utf8'))
  for (const { id } of [a, b, c]) await tickets(id, 1)
  expect(await numbers(a.id)).toEqual([1, 2, 3, 4])
  expect(await numbers(b.id)).toEqual([1, 2, 3])
  expect(await numbers(c.id)).toEqual([1])
  const sequences = () =>
    owner.query(`select 1 from pg_sequences where schemaname = 'numbers' and sequencename = 'tickets_${a.id}'`)
  expect((await sequences()).rowCount).toBe(1)
  await db.deleteFrom('companies').where('id', '=', a.id).execute()
  expect((await sequences()).rowCount).toBe(0)
})
