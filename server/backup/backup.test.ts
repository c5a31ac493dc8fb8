import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { messagesApi } from '@recado/contract/messages'
import { ticketsApi } from '@recado/contract/tickets'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../src/kernel/clock.ts'
import { makeVault } from '../src/kernel/crypto.ts'
import { openPool } from '../src/kernel/data/database.ts'
import { Scope } from '../src/kernel/data/scope.ts'
import { makeFiles } from '../src/kernel/files/files.ts'
import { scheduleFileRemoval } from '../src/kernel/files/media.ts'
import { makeLog } from '../src/kernel/log.ts'
import { openServer } from '../src/server.ts'
import { insertFixtures, openOwnerPool, readFixtureTables } from '../test/fixtures.ts'
import { withDatabaseName } from '../test/global-setup.ts'
import { closeTestServers, makeCaller, password, type TestServer, testServer } from '../test/test-server.ts'
import { sendForm, tinyPng } from '../test/upload.ts'
import { createBackup, deleteOldBackups } from './create-backup.ts'
import { checkBackup } from './read-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { checksumTable, readBackupTables as ourTables } from './tables.ts'

const phrase = 'ocho perros y un río ñ'
let harness: TestServer
let owner: pg.Pool
let folder: string
let file: string
let contentBefore: Awaited<ReturnType<typeof everythingIn>>
/** The target of the restore. */
let target: Awaited<ReturnType<typeof emptyPlace>>
let company: Awaited<ReturnType<TestServer['createCompany']>>
let line: Awaited<ReturnType<TestServer['openLine']>>

const filesAt = (dataDir: string, secret: string) =>
  makeFiles({ dataDir, uploadLimit: 1024 * 1024, diskReservePercent: 0 }, makeVault(secret), systemClock)
const placeOf = (of: TestServer) => ({
  databaseUrl: of.databaseUrl,
  files: of.server.deps.files,
  appSecret: of.config.appSecret,
})

/** An empty database and an empty folder, as the target of a restore. */
async function emptyPlace(secret = harness.config.appSecret) {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await harness.adminPool.query(`create database ${name} owner recado`)
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-restored-'))
  cleanups.push(async () => {
    await harness.adminPool.query(`drop database ${name} with (force)`)
    await rm(dataDir, { recursive: true, force: true })
  })
  return { databaseUrl: withDatabaseName(harness.databaseUrl, name), dataDir, files: filesAt(dataDir, secret) }
}
const cleanups: (() => Promise<void>)[] = []

async function bringBack(target: Awaited<ReturnType<typeof emptyPlace>>, from = file, options = {}) {
  const { house: head } = await checkBackup(from, phrase)
  return restoreBackup(target, phrase, from, head, options)
}

/** Row counts and checksums of every table, and every file with its bytes. */
async function everythingIn(databaseUrl: string, files: ReturnType<typeof filesAt>) {
  const pool = openPool(databaseUrl, makeLog('silent'), { max: 1 })
  const client = await pool.connect()
  const sums: Record<string, unknown> = {}
  for (const table of await ourTables(client)) sums[table.name] = await checksumTable(client, table)
  const { rows: counters } = await client.query(
    `select schemaname, sequencename, last_value from pg_sequences where schemaname in ('public', 'numbers') order by 1, 2`,
  )
  const { rows: things } = await client.query(
    `select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) as thing from pg_constraint where connamespace = 'public'::regnamespace
     union all select pg_get_indexdef(indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace
     union all select tgrelid::regclass || ' ' || tgname || tgenabled::text from pg_trigger where not tgisinternal
     union all select relname || relrowsecurity::text || relforcerowsecurity::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  client.release()
  await pool.end()
  const content: Record<string, string> = {}
  for await (const { companyId, name } of files.listAll())
    content[`${companyId}/${name}`] = await text(files.read(companyId, name))
  return { sums, counters, things, content }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recado-backups-'))
  harness = await testServer({ backup: { folder: join(folder, 'nightly'), passphrase: phrase, hour: 4, keepCount: 2 } })
  owner = openOwnerPool(harness)
  file = join(folder, 'recado-202601010101.backup')
  target = await emptyPlace()
  company = await harness.createCompany('Casa Sol')
  line = await harness.openLine(company, { name: 'Ventas' })
  await line.customer('5491155550001', 'Sol Ñandú').says('hola \\ \t \u2028 ¿están? 👋')
  const ticket = await vi.waitFor(async () => {
    const { tickets } = await company.admin.call(ticketsApi.list, { query: { status: 'pending', showAll: 'true' } })
    if (!tickets[0]) throw new Error('no ticket yet')
    return tickets[0]
  })
  await company.admin.call(ticketsApi.update, {
    params: { id: ticket.id },
    body: { status: 'open', userId: company.admin.id },
  })
  const sent = await sendForm(company.admin, `/messages/${ticket.id}`, {
    medias: [[tinyPng, 'casa.png']],
    body: ['mira'],
  })
  expect(sent.status).toBe(200)
  const tables = await readFixtureTables(owner)
  for (const mark of ['Uno', 'Dos']) {
    const other = await harness.createCompany()
    await insertFixtures(owner, tables, { id: other.id, mark, person: other.admin.id })
  }
  // A scheduled job, which must exist after the restore.
  await new Scope(harness.server.deps, { companyId: company.id }).enqueueJob(
    'files:remove',
    { companyId: company.id, names: [] },
    { runAt: new Date(Date.now() + 86_400_000), key: 'waits' },
  )
})
afterAll(async () => {
  for (const gone of cleanups) await gone()
  await owner?.end()
  await closeTestServers()
  await rm(folder, { recursive: true, force: true })
})

describe('a backup', () => {
  it('restores the same working installation into an empty database and folder', async () => {
    await harness.server.switchboard.close()
    await vi.waitFor(async () => {
      const { rows } = await owner.query(`select from messages where state = 'queued'`)
      if (rows.length > 4) throw new Error('still sending')
    })
    contentBefore = await everythingIn(harness.databaseUrl, harness.server.deps.files)
    const made = await createBackup(placeOf(harness), phrase, file)
    expect(await everythingIn(harness.databaseUrl, harness.server.deps.files)).toEqual(contentBefore)
    expect(made).toMatchObject({
      files: Object.keys(contentBefore.content).length,
      tables: Object.keys(contentBefore.sums).length,
    })
    expect(made.files).toBeGreaterThan(0)
    // Nothing in the backup can be read without the passphrase.
    const bytes = await readFile(file)
    for (const word of ['Casa Sol', harness.config.appSecret, 'companies', company.admin.email])
      expect(bytes.includes(word), word).toBe(false)
    expect((await stat(file)).mode & 0o077).toBe(0)

    const seen = await bringBack(target)
    expect(seen.rows).toBe(made.rows)
    expect(await everythingIn(target.databaseUrl, target.files)).toEqual(contentBefore)

    const config = { ...harness.config, dataDir: target.dataDir }
    const again = await openServer(config, target.databaseUrl, makeLog('silent'), systemClock, { crontab: '' })
    try {
      const anyone = makeCaller(again.address)
      const { body } = await anyone.request<{ token: string }>('POST', '/auth/login', {
        email: company.admin.email,
        password,
      })
      const admin = makeCaller(again.address, body.token)
      const { tickets } = await admin.call(ticketsApi.list, { query: { status: 'open', showAll: 'true' } })
      expect(tickets[0]?.contact?.name).toBe('Sol Ñandú')
      const ticketId = tickets[0]?.id as number
      const { messages } = await admin.call(messagesApi.list, { params: { ticketId }, query: {} })
      expect(messages.map(({ body }) => body)).toContain('hola \\ \t \u2028 ¿están? 👋')
      const picture = messages.find(({ mediaUrl }) => mediaUrl)?.mediaUrl as string
      const answer = await fetch(new URL(picture, again.address))
      expect(Buffer.from(await answer.arrayBuffer()).equals(tinyPng)).toBe(true)
      const { rows } = await again.deps.database.platformPool.query<{ number: number }>(
        `insert into tickets ("companyId", "contactId", "whatsappId", status) select "companyId", "contactId", "whatsappId", 'closed' from tickets where id = $1 returning number`,
        [ticketId],
      )
      expect(rows[0]?.number).toBe((tickets[0]?.number as number) + 1)
    } finally {
      await again.close()
    }
    const there = openPool(target.databaseUrl, makeLog('silent'), { max: 1 })
    const { rows: jobs } = await there.query(
      `select task_identifier, key, run_at > now() + interval '1 hour' as later from graphile_worker.jobs where key = 'waits'`,
    )
    await there.end()
    expect(jobs).toEqual([{ task_identifier: 'files:remove', key: 'waits', later: true }])
  })

  it('is a snapshot of a running installation: it contains every file it names, even a file deleted meanwhile', async () => {
    const busy = await testServer()
    const sol = await busy.createCompany()
    const { deps } = busy.server
    const scope = new Scope(deps, { companyId: sol.id })
    const pool = openOwnerPool(busy)
    const kept: string[] = []
    for (let n = 0; n < 30; n++) {
      const got = await deps.files.receive(Readable.from([Buffer.from(`file ${n}`)]), `${n}.txt`)
      const { mediaPath } = await deps.files.store(sol.id, got)
      kept.push(mediaPath)
      await pool.query(
        `insert into "quickMessages" ("companyId", "userId", shortcode, message, "mediaPath", "mediaName") values ($1, $2, $3, '', $4, $3)`,
        [sol.id, sol.admin.id, `q${n}`, mediaPath],
      )
    }
    // Deletes and writes begin as soon as the first table is read.
    let actions: Promise<unknown> | undefined
    const deleteAll = () =>
      Promise.all(
        kept.map((mediaPath, n) =>
          scope.transaction(async (tx) => {
            await tx.db.deleteFrom('quickMessages').where('mediaPath', '=', mediaPath).execute()
            await scheduleFileRemoval(tx, [mediaPath])
            await tx.db
              .insertInto('tags')
              .values({ companyId: sol.id, name: `late ${n}`, color: '#112233' })
              .execute()
          }),
        ),
      )
    const made = join(folder, 'busy.backup')
    await createBackup(placeOf(busy), phrase, made, (what) => {
      actions ??= what === 'tables' ? deleteAll() : undefined
    })
    await actions
    const place = await emptyPlace(busy.config.appSecret)
    await bringBack(place, made)
    const there = openPool(place.databaseUrl, makeLog('silent'), { max: 1 })
    const { rows } = await there.query<{ mediaPath: string }>('select "mediaPath" from "quickMessages"')
    const { rows: tags } = await there.query('select from tags')
    await there.end()
    expect(rows.map((row) => row.mediaPath).sort()).toEqual(kept.sort())
    expect(tags).toEqual([])
    for (const name of kept) expect(await text(place.files.read(sol.id, name))).toMatch(/^file \d+$/)
    // After the backup the files are deleted.
    await pool.query(`update graphile_worker._private_jobs set run_at = now()`)
    await vi.waitFor(async () => {
      expect(await readdir(join(busy.dataDir, 'files', String(sol.id)))).toEqual([])
    })
    await pool.end()
    await busy.close()
  })

  it('is refused before anything is written if it was modified, truncated or opened with another passphrase', async () => {
    const place = await emptyPlace()
    const said = async (change: (copy: string) => Promise<void>, words = phrase) => {
      const copy = join(folder, 'touched.backup')
      await copyFile(file, copy)
      await change(copy)
      return checkBackup(copy, words).then(
        () => 'whole',
        (error: Error) => error.message,
      )
    }
    const { size } = await stat(file)
    const flip = (at: number) => async (copy: string) => {
      const bytes = await readFile(copy)
      bytes[at] = (bytes[at] as number) ^ 1
      await writeFile(copy, bytes)
    }
    expect(await said(async () => {})).toBe('whole')
    expect(await said(async () => {}, 'otras palabras, otras')).toMatch(/passphrase is another/)
    expect(await said(flip(3))).toMatch(/no backup/)
    expect(await said(flip(20))).toMatch(/passphrase is another/)
    expect(await said(flip(size - 40))).toMatch(/damaged/)
    expect(await said((copy) => truncate(copy, size - 1))).toMatch(/ends in the middle/)
    expect(await said((copy) => truncate(copy, 10))).toMatch(/no backup/)
    expect(await said((copy) => appendFile(copy, 'x'))).toMatch(/behind its end/)
    for await (const _ of place.files.listAll()) throw new Error('something was written')
  })

  it('overwrites existing data only on request, and never while a server runs', async () => {
    await expect(bringBack(target)).rejects.toThrow(/--replace/)
    const pool = openPool(target.databaseUrl, makeLog('silent'), { max: 1 })
    await pool.query('delete from messages')
    await expect(bringBack(target, file, { replace: true })).rejects.toThrow(/stop it first/)
    await pool.end()
    // The database lists a connection for a moment after it was closed.
    await vi.waitFor(async () => {
      const { rows } = await harness.adminPool.query('select from pg_stat_activity where datname = $1', [
        new URL(target.databaseUrl).pathname.slice(1),
      ])
      if (rows.length) throw new Error('somebody is still there')
    })
    await bringBack(target, file, { replace: true })
    const there = await everythingIn(target.databaseUrl, target.files)
    expect(there).toEqual(contentBefore)
  })

  it('keeps the newest backups on rotation, and leaves other files alone', async () => {
    const many = await mkdtemp(join(folder, 'many-'))
    for (const name of [
      'recado-202601010400.backup',
      'recado-202601020400.backup',
      'recado-202601030400.backup',
      'mine.txt',
    ])
      await writeFile(join(many, name), '')
    expect(await deleteOldBackups(many, 2)).toEqual(['recado-202601010400.backup'])
    expect((await readdir(many)).sort()).toEqual([
      'mine.txt',
      'recado-202601020400.backup',
      'recado-202601030400.backup',
    ])
  })
})

describe('the nightly backup', () => {
  const last = async () => (await owner.query('select file, error from backups order by id')).rows.at(-1)
  const health = async () => (await harness.anonymous.request<{ backup: unknown }>('GET', '/readyz')).body.backup
  /** A long timeout, because the backup runs in a separate process and the machine may be busy. */
  const aProcess = { timeout: 300_000, interval: 100 }
  const make = () => new Scope(harness.server.deps, { companyId: 0, wide: true }).enqueueJob('backup:make', {})

  it('is created by the server, appears in the metrics, and reports a failure', async () => {
    await owner.query('delete from backups')
    expect(await health()).toEqual({ lastAt: null, ok: true })
    await make()
    const { file: made } = await vi.waitFor(async () => {
      const found = await last()
      if (!found) throw new Error('not yet')
      return found
    }, aProcess)
    expect((await checkBackup(made, phrase)).summary.rows).toBeGreaterThan(100)
    expect(await health()).toEqual({ lastAt: expect.any(String), ok: true })

    await rm(join(folder, 'nightly'), { recursive: true })
    await writeFile(join(folder, 'nightly'), 'somebody put a file here')
    await make()
    await vi.waitFor(async () => expect((await last())?.error).toMatch(/EEXIST|ENOTDIR/), aProcess)
    expect(await health()).toEqual({ lastAt: expect.any(String), ok: false })
    const metrics = await (await fetch(`${harness.address}/metrics`)).text()
    expect(metrics).toMatch(/^backup_failed 1$/m)
    expect(metrics).toMatch(/^backup_last_success_seconds 1\d{9}/m)
    const mail = await vi.waitFor(async () => {
      const [name] = await readdir(join(harness.dataDir, 'mail'))
      return readFile(join(harness.dataDir, 'mail', String(name)), 'utf8')
    })
    expect(mail).toMatch(/copia de seguridad de esta noche no se hizo[\s\S]*(EEXIST|ENOTDIR)/)
  })
})

describe('npm run backup, npm run restore', () => {
  async function run(script: string, args: string[], env: Record<string, string>) {
    const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
      env: { ...process.env, BACKUP_PASSPHRASE: phrase, APP_SECRET: '', DATABASE_URL: '', ...env },
    })
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code, said: out + err }
  }

  it('move an installation from a DATABASE_URL into the embedded database of npm start', async () => {
    const to = await mkdtemp(join(folder, 'by-hand-'))
    const made = await run('backup.ts', ['--to', to, '--keep', '3'], {
      DATABASE_URL: harness.databaseUrl,
      DATA_DIR: harness.dataDir,
      APP_SECRET: harness.config.appSecret,
    })
    expect(made).toMatchObject({ code: 0, said: expect.stringMatching(/read back and whole/) })
    const backup = join(to, String(await readdir(to)))
    const dataDir = await mkdtemp(join(tmpdir(), 'recado-new-'))
    cleanups.push(() => rm(dataDir, { recursive: true, force: true }))
    const other = await run('restore.ts', [backup], { DATA_DIR: dataDir, APP_SECRET: 'x'.repeat(40) })
    expect(other).toMatchObject({ code: 1, said: expect.stringMatching(/APP_SECRET is another/) })
    expect(await readdir(dataDir)).toEqual([])
    const restored = await run('restore.ts', [backup], { DATA_DIR: dataDir })
    expect(restored).toMatchObject({ code: 0, said: expect.stringMatching(/Restored, counted and summed/) })
    expect((await readFile(join(dataDir, 'app-secret'), 'utf8')).trim()).toBe(harness.config.appSecret)
    const replaced = await run('restore.ts', [backup, '--replace'], { DATA_DIR: dataDir })
    expect(replaced).toMatchObject({
      code: 0,
      said: expect.stringMatching(/is kept in .*before-restore-[\s\S]*Restored/),
    })
    expect((await readdir(dataDir)).filter((name) => name.startsWith('before-restore'))).toEqual([])
  })
})
