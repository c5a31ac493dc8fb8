import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openOwnerPool } from '../../test/fixtures.ts'
import { closeTestServers, type TestServer, testServer } from '../../test/test-server.ts'
import { makeDumpTable, makeTicketzTables, writePgDump } from '../../test/whaticket-dumps.ts'

let harness: TestServer
let owner: pg.Pool
let folder: string
beforeAll(async () => {
  harness = await testServer()
  owner = openOwnerPool(harness)
  folder = await mkdtemp(join(tmpdir(), 'recado-killed-'))
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
  await rm(folder, { recursive: true, force: true })
})

const people = 60
const chats = 120
const messageCount = 3000

/** A company large enough to be imported in several batches. */
async function manyOf(): Promise<string> {
  const tables = await makeTicketzTables(harness.clock.now())
  const at = (i: number) =>
    new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString().replace('T', ' ').replace('Z', '+00')
  const each = <T>(count: number, of: (i: number) => T) => Array.from({ length: count }, (_, i) => of(i + 1))
  tables.Contacts = makeDumpTable(
    'id name number email isGroup companyId createdAt updatedAt',
    each(people, (id) => ({
      id,
      name: `Cliente ${id}`,
      number: `5491150${1000 + id}`,
      email: '',
      isGroup: false,
      companyId: 1,
      createdAt: at(id),
      updatedAt: at(id),
    })),
  )
  tables.Tickets = makeDumpTable(
    'id status lastMessage contactId userId createdAt updatedAt whatsappId isGroup unreadMessages companyId',
    each(chats, (id) => ({
      id,
      status: 'closed',
      lastMessage: 'fin',
      contactId: 1 + (id % people),
      userId: 1,
      createdAt: at(id),
      updatedAt: at(id),
      whatsappId: 1,
      isGroup: false,
      unreadMessages: 0,
      companyId: 1,
    })),
  )
  tables.Messages = makeDumpTable(
    'id body ack read mediaType ticketId createdAt updatedAt fromMe isDeleted companyId',
    each(messageCount, (i) => ({
      id: `K${i}`,
      body: `palabra ${i}`,
      ack: 3,
      read: true,
      mediaType: 'conversation',
      ticketId: 1 + (i % chats),
      createdAt: at(i),
      updatedAt: at(i),
      fromMe: i % 2 === 0,
      isDeleted: false,
      companyId: 1,
    })),
  )
  const path = join(folder, 'dump.sql')
  await writeFile(path, writePgDump(tables))
  return path
}

/** Runs the real command in a separate process. */
function run(path: string) {
  const { appSecret, dataDir } = harness.config
  const env = { ...process.env, DATABASE_URL: harness.databaseUrl, DATA_DIR: dataDir, APP_SECRET: appSecret }
  const program = new URL('../import.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, 'ticketz', path, '--report', join(folder, 'report.json')], { env })
  const said: string[] = []
  for (const out of [child.stdout, child.stderr]) out.on('data', (text) => said.push(String(text)))
  return { child, said, ended: once(child, 'exit') as Promise<[number | null]> }
}

it('resumes a killed import where it stopped, with nothing lost or duplicated', async () => {
  const path = await manyOf()
  // The process waits at each of these rows for a lock that the test holds, and is killed there.
  const places = [
    `contacts for each row when (new.number = '5491150${1000 + people}')`,
    `messages for each row when (new.wid = 'K${messageCount - 300}')`,
  ]
  for (const [n, place] of places.entries())
    await owner.query(`
      create function stand_${n}() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock(77, ${n}); return new; end $$;
      create trigger stand_${n} before insert on ${place} execute function stand_${n}()`)
  for (const [n] of places.entries()) {
    const holder = await owner.connect()
    try {
      await holder.query('select pg_advisory_lock(77, $1)', [n])
      const { child, ended, said } = run(path)
      const stands = async () => {
        const waits = "select from pg_locks where locktype = 'advisory' and classid = 77 and objid = $1 and not granted"
        expect((await owner.query(waits, [n])).rowCount, said.join('')).toBe(1)
      }
      await vi.waitFor(stands, { interval: 50, timeout: 120_000 })
      child.kill('SIGKILL')
      await ended
    } finally {
      await holder.query('select pg_advisory_unlock(77, $1)', [n])
      holder.release()
    }
  }
  const last = run(path)
  expect(await last.ended, last.said.join('')).toEqual([0, null])
  const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
  // The import had committed every batch before the last one.
  expect(report.rows.messages).toMatchObject({ found: messageCount, written: 1000, there: 2000 })
  expect(report.rows.tickets).toMatchObject({ found: chats, there: chats })
  const { db } = harness.wide()
  const wids = await db.selectFrom('messages').select('wid').where('wid', 'like', 'K%').orderBy('id').execute()
  expect(wids.map(({ wid }) => wid)).toEqual(Array.from({ length: messageCount }, (_, i) => `K${i + 1}`))
  const numbers = await db.selectFrom('tickets').select('number').orderBy('number').execute()
  expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: chats }, (_, i) => i + 1))
  expect(await db.selectFrom('contacts').select('id').execute()).toHaveLength(people)
  expect(await db.selectFrom('companies').select('name').where('name', 'like', 'Empresa Uno%').execute()).toHaveLength(
    1,
  )
  // The sort files of the killed processes are deleted, too.
  expect(await readdir(join(harness.dataDir, 'moving'))).toEqual([])
})
