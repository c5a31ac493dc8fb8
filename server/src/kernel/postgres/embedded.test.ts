import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openPool } from '../data/database.ts'
import { migrateDatabase } from '../data/migrate.ts'
import { makeLog } from '../log.ts'
import { startPostgres } from './embedded.ts'

const root = mkdtempSync(join(tmpdir(), 'recado-pg-'))
const dataDir = join(root, 'postgres')
// If the test runs as root, the server runs as another user, who needs access to this folder.
chmodSync(root, 0o711)
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function sql(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client.query(statement).finally(() => client.end())
}

/** How long a process may take to start on a loaded machine. */
const startWithin = { timeout: 60_000 }

const postmaster = () => Number(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])

test('keeps rows when the database server is killed, and restarts it', async () => {
  const said: string[] = []
  const db = await startPostgres({ dataDir, log: (line) => said.push(line) })
  expect(db.isAdopted).toBe(false)
  await sql(db.url, 'create table kept (n int); insert into kept values (1), (2)')

  process.kill(postmaster(), 'SIGKILL')
  await expect.poll(() => sql(db.url, 'select 1').catch(() => null)).not.toBeNull()
  expect((await sql(db.url, 'select n from kept order by n')).rows).toEqual([{ n: 1 }, { n: 2 }])
  expect(said).toEqual(['PostgreSQL ended unexpectedly (SIGKILL); starting it again'])

  await db.stop()
  expect(existsSync(join(dataDir, 'cluster/postmaster.pid'))).toBe(false)
  await expect(sql(db.url, 'select 1')).rejects.toThrow()
})

test('joins a running server on a second start, and leaves it running', async () => {
  const first = await startPostgres({ dataDir })
  const second = await startPostgres({ dataDir })
  expect([first.isAdopted, second.isAdopted]).toEqual([false, true])
  await second.stop()
  expect((await sql(first.url, 'select count(*)::int as n from kept')).rows).toEqual([{ n: 2 }])
  // Only the owner restarts a killed server; the other process reconnects, and still leaves it running at the end.
  const third = await startPostgres({ dataDir })
  process.kill(postmaster(), 'SIGKILL')
  await expect.poll(() => sql(third.url, 'select 1').catch(() => null)).not.toBeNull()
  await third.stop()
  expect((await sql(first.url, 'select count(*)::int as n from kept')).rows).toEqual([{ n: 2 }])
  await first.stop()
})

test('takes over a database server whose parent process died, and stops it at the end', async () => {
  const module = join(import.meta.dirname, 'embedded.ts')
  const script = `import { startPostgres } from ${JSON.stringify(module)}
    await startPostgres({ dataDir: ${JSON.stringify(dataDir)} })
    console.log('up'); setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', script])
  await once(parent.stdout, 'data')
  const pid = postmaster()
  parent.kill('SIGKILL')
  await once(parent, 'exit')

  const heir = await startPostgres({ dataDir })
  expect(heir.isAdopted).toBe(true)
  expect(postmaster()).toBe(pid)
  // The adopted server is supervised like a child process.
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => sql(heir.url, 'select 1').catch(() => null)).not.toBeNull()
  expect(postmaster()).not.toBe(pid)
  await heir.stop()
  expect(existsSync(join(dataDir, 'cluster/postmaster.pid'))).toBe(false)
})

test('prints the initial password, and stops the database when it is stopped during startup', async () => {
  const main = join(import.meta.dirname, '../../main.ts')
  const env = { ...process.env, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', DATABASE_URL: '', ADMIN_PASSWORD: '' }
  const server = spawn(process.execPath, [main], { env })
  let said = ''
  server.stdout.on('data', (words) => (said += words))
  const ended = once(server, 'exit')
  await expect.poll(() => existsSync(join(dataDir, 'cluster/postmaster.pid')), startWithin).toBe(true)
  const beside = await startPostgres({ dataDir })
  // The tables exist, but the app is not ready yet.
  await expect.poll(() => sql(beside.url, 'select from users').catch(() => null), startWithin).not.toBeNull()
  await beside.stop()
  server.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(said).toMatch(/Password {6}\S{12,}/)
  expect(existsSync(join(dataDir, 'cluster/postmaster.pid'))).toBe(false)
}, 150_000)

test('stops its database also when the server does not close in time', async () => {
  const main = join(import.meta.dirname, '../../main.ts')
  const env = { ...process.env, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', DATABASE_URL: '', LOG_LEVEL: 'silent' }
  const server = spawn(process.execPath, [main], { env })
  const ended = once(server, 'exit')
  const address = await new Promise<string>((resolve) => {
    let output = ''
    server.stdout.on('data', (piece) => {
      output += piece
      const found = /running at (\S+)\s/.exec(output)
      if (found?.[1]) resolve(found[1])
    })
  })
  const beside = await startPostgres({ dataDir })
  const client = new pg.Client({ connectionString: beside.url })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin; lock table users in access exclusive mode')
  const login = fetch(`${address}/auth/login`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ email: 'nobody@recado.test', password: 'a-Good-passw0rd' }),
  }).catch(() => null)
  const isLoginBlocked = `select from pg_locks where not granted and relation = 'users'::regclass`
  await expect.poll(async () => (await client.query(isLoginBlocked)).rowCount, startWithin).toBeGreaterThan(0)
  server.kill('SIGTERM')
  expect(await ended).toEqual([1, null])
  expect(existsSync(join(dataDir, 'cluster/postmaster.pid'))).toBe(false)
  await login
  await client.end().catch(() => {})
  await beside.stop()
}, 150_000)

test('shares one database server when several processes start at the same moment on an empty folder', async () => {
  const folder = { dataDir: join(root, 'rivals'), isDurable: false }
  const both = await Promise.all([startPostgres(folder), startPostgres(folder)])
  expect(both.filter((db) => !db.isAdopted)).toHaveLength(1)
  await Promise.all(both.map((db) => sql(db.url, 'select 1')))
  await Promise.all(both.map((db) => db.stop()))
})

test('works in a folder whose path is too long for a socket and has non-ASCII characters', async () => {
  const deep = join(root, 'a-long-name-'.repeat(8), 'and a space')
  mkdirSync(deep, { recursive: true })
  const db = await startPostgres({ dataDir: deep, isDurable: false })
  expect((await sql(db.url, 'show fsync')).rows).toEqual([{ fsync: 'off' }])
  expect((await sql(db.url, `select upper('ñandú') as up`)).rows).toEqual([{ up: 'ÑANDÚ' }])
  await db.stop()
})

test('logs in as an ordinary role, which takes over the objects of the earlier superuser', async () => {
  const folder = { dataDir: join(root, 'before'), isDurable: false }
  const first = await startPostgres(folder)
  const may = `select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls as much from pg_roles where rolname = current_user`
  expect((await sql(first.url, may)).rows).toEqual([{ much: false }])
  for (const action of [`copy (select 1) to program 'true'`, `select pg_read_file('PG_VERSION')`, 'create role more'])
    await expect(sql(first.url, action)).rejects.toThrow(/permission denied|must have/)
  const master = first.url.replace('//recado@', '//postgres@')
  const elsewhere = master.replace('/recado?', '/postgres?')
  await sql(elsewhere, 'drop database recado')
  await sql(elsewhere, 'create database recado')
  const before = openPool(master, makeLog('silent'), { max: 2 })
  await migrateDatabase(before)
  await before.query(`insert into companies (name) values ('Older')`)
  await before.end()
  await first.stop()

  const both = await Promise.all([startPostgres(folder), startPostgres(folder)])
  const { url } = both[0]
  const left = `
    select o.relname::text as name from pg_class o join pg_namespace n on n.oid = relnamespace
      where nspname in ('public', 'graphile_worker') and relowner = 'postgres'::regrole
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = o.oid and d.deptype = 'e')
    union all select o.proname::text from pg_proc o join pg_namespace n on n.oid = pronamespace
      where nspname in ('public', 'graphile_worker') and proowner = 'postgres'::regrole
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = o.oid and d.deptype = 'e')
    union all select nspname::text from pg_namespace where nspname = 'graphile_worker' and nspowner = 'postgres'::regrole`
  expect((await sql(url, left)).rows).toEqual([])
  const after = openPool(url, makeLog('silent'), { max: 2 })
  await migrateDatabase(after)
  await after.query(`select graphile_worker.add_job('event', '{}'::json)`)
  expect((await after.query('select name from companies')).rows).toEqual([{ name: 'Older' }])
  await after.query('alter table companies add column later int')
  await after.end()
  await Promise.all(both.map((db) => db.stop()))
})

test('starts with the login of deploy/database.sh, which owns only its own database', async () => {
  const db = await startPostgres({ dataDir: join(root, 'compose'), isDurable: false })
  const superuserUrl = db.url.replace('//recado@', '//postgres@').replace('/recado?', '/postgres?')
  await sql(superuserUrl, 'drop database recado')
  for (const role of ['recado', 'recado_app', 'recado_platform']) await sql(superuserUrl, `drop role ${role}`)
  const script = readFileSync(new URL('../../../../deploy/database.sh', import.meta.url), 'utf8')
  const statements = /<<'SQL'\n(.*)\nSQL/s.exec(script)?.[1]?.split(';\n') ?? []
  expect(statements.length).toBeGreaterThan(5)
  for (const statement of statements) await sql(superuserUrl, statement.replace(":'password'", "'a-secret'"))

  const pool = openPool(db.url, makeLog('silent'), { max: 2 })
  await migrateDatabase(pool)
  await pool.query(`insert into companies (name) values ('First')`)
  const { rows } = await pool.query(
    `select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication as much from pg_roles where rolname = current_user`,
  )
  expect(rows).toEqual([{ much: false }])
  for (const action of [`copy (select 1) to program 'true'`, `select pg_read_file('PG_VERSION')`, 'create role more'])
    await expect(pool.query(action)).rejects.toThrow(/permission denied|must have/)
  await pool.end()
  await expect(sql(db.url.replace('/recado?', '/postgres?'), 'select 1')).rejects.toThrow(/permission denied/)
  await db.stop()
})
