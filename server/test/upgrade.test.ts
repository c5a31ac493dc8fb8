import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { authApi } from '@recado/contract/auth'
import { messagesApi } from '@recado/contract/messages'
import { sandboxApi } from '@recado/contract/sandbox'
import { settingsApi } from '@recado/contract/settings'
import { ticketsApi } from '@recado/contract/tickets'
import pg from 'pg'
import { from as copyIn } from 'pg-copy-streams'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { systemClock } from '../src/kernel/clock.ts'
import { readConfig } from '../src/kernel/config.ts'
import { openPool } from '../src/kernel/data/database.ts'
import { migrateDatabase } from '../src/kernel/data/migrate.ts'
import { makeLog } from '../src/kernel/log.ts'
import { openServer, type RunningServer } from '../src/server.ts'
import { asAppLogin, withDatabaseName } from './global-setup.ts'
import type { HttpCaller } from './http-caller.ts'
import { makeCaller, password } from './test-server.ts'

/**
 * The first published schema: three migrations, under their original names and in their original form.
 * `first-schema/data.sql` is the data of a server of that day after users and customers had used it.
 */
const steps = [
  {
    before: '0001-house',
    now: '0001-companies-people-and-plain-records',
    sha256: '522c9428105992120a876b2d3349862114161f7e55126b534a67b9a7c70acfdb',
  },
  {
    before: '0002-desk',
    now: '0002-lines-journal-contacts-and-messages',
    sha256: 'a0daf60fe2d2b0373d1faf07feee2d8f136a5934ea4f7b31f0e1bb6d7549a9ef',
  },
  {
    before: '0003-automation',
    now: '0003-menus-hours-and-ratings',
    sha256: '71b5fff7488e9d507c70354405818196fb3fb0b440f1af520336063f2d6f2cab',
  },
]
const appSecret = 'the-secret-of-the-first-landed-house-1234'

let runningServer: RunningServer
let admin: HttpCaller
let agent: HttpCaller
let server: pg.Pool
let dataDir: string | undefined
const name = `t_${randomUUID().replaceAll('-', '')}`
const url = inject('databaseUrl')

beforeAll(async () => {
  server = openPool(withDatabaseName(url, 'postgres'), makeLog('silent'), { max: 1 })
  await server.query(`create database ${name} owner recado`)
  const owner = openPool(asAppLogin(withDatabaseName(url, name)), makeLog('silent'), { max: 2 })
  await migrateDatabase(
    owner,
    steps.map(({ now }) => now),
  )
  for (const { before, now } of steps)
    await owner.query('update kysely_migration set name = $1 where name = $2', [before, now])
  await owner.end()
  await fill()
  dataDir = await mkdtemp(join(tmpdir(), 'recado-upgraded-'))
  const config = { ...readConfig({ DATA_DIR: dataDir, APP_SECRET: appSecret, PORT: '0' }), whatsappUrl: '' }
  runningServer = await openServer(config, asAppLogin(withDatabaseName(url, name)), makeLog('silent'), systemClock, {
    crontab: '',
  })
  const login = async (email: string) => {
    const { token } = await makeCaller(runningServer.address).call(authApi.login, { body: { email, password } })
    return makeCaller(runningServer.address, token)
  }
  admin = await login('ana@casasol.example')
  agent = await login('beto@casasol.example')
})
afterAll(async () => {
  await runningServer?.close()
  await server.query(`drop database ${name} with (force)`)
  await server.end()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

/** Loads the data like a dump: without checks per row. */
async function fill(): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabaseName(url, name) })
  await client.connect()
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(format('%I', tablename), ', ') as names from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
  )
  await client.query(`truncate ${rows[0]?.names}`)
  const text = await readFile(new URL('first-schema/data.sql', import.meta.url), 'utf8')
  for (const [, copy, lines] of text.matchAll(/^(COPY .*? FROM stdin);\n([\s\S]*?)^\\\.$/gm))
    await pipeline(Readable.from([lines]), client.query(copyIn(String(copy))))
  for (const [statement] of text.matchAll(/^select setval.*$/gm)) await client.query(statement)
  await client.end()
}

const ticketsIn = async (status: string, by = admin) =>
  (await by.call(ticketsApi.list, { query: { status, showAll: 'true' } as never })).tickets

describe('a database of the first published schema, started by this release', () => {
  it('starts with migrations that were not rewritten', async () => {
    for (const { now, sha256 } of steps) {
      const step = await readFile(new URL(`../migrations/${now}.sql`, import.meta.url))
      expect([now, createHash('sha256').update(step).digest('hex')]).toEqual([now, sha256])
    }
  })

  it('has the tables, keys, indexes, triggers, policies and functions of a new database', async () => {
    const shape = async (database: string) => {
      const pool = openPool(withDatabaseName(url, database), makeLog('silent'), { max: 1 })
      const { rows } = await pool.query<{ thing: string }>(`
        select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull::text || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as thing
          from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
          where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        union all select conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
        union all select pg_get_indexdef(indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace
        union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
        union all select relname || relrowsecurity::text || relforcerowsecurity::text || coalesce(relacl::text, '') from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        union all select tablename || ' ' || policyname || ' ' || roles::text || ' ' || coalesce(qual, '') || coalesce(with_check, '') from pg_policies
        union all select pg_get_functiondef(p.oid) || p.proowner::regrole::text || coalesce(p.proacl::text, '') from pg_proc p where pronamespace = 'public'::regnamespace and p.prokind = 'f'
          and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
        order by 1`)
      await pool.end()
      return rows.map(({ thing }) => thing)
    }
    expect(await shape(name)).toEqual(await shape('recado_template'))
  })

  it('shows the same users the same tickets and conversations', async () => {
    const [open] = await ticketsIn('open')
    expect(open).toMatchObject({
      number: 2,
      contact: { name: 'Sol Ñandú', number: '5491155550001' },
      lastMessage: 'una cosa más',
      tags: [{ name: 'VIP' }],
      user: { name: 'Ana' },
    })
    expect((await ticketsIn('pending')).map(({ contact, number }) => [contact?.name, number])).toEqual([
      ['Luz', 4],
      ['Río Bravo', 3],
    ])
    expect((await ticketsIn('closed')).map(({ number }) => number)).toEqual([1])
    const { messages } = await admin.call(messagesApi.list, { params: { ticketId: open?.id as number }, query: {} })
    const said = messages.map(({ body, fromMe, mediaType }) => [fromMe ? 'Ana' : 'Sol', body || mediaType])
    expect(said).toEqual([
      ['Sol', 'hola, ¿están?'],
      ['Sol', 'es por la reserva'],
      ['Sol', 'image'],
      ['Ana', 'Hola Sol, ya la busco'],
      ['Sol', 'una cosa más'],
    ])
    expect(messages[0]).toMatchObject({ reactions: [expect.objectContaining({ emoji: '👍' })] })
    expect(messages[1]?.quotedMsg).toMatchObject({ body: 'hola, ¿están?' })
    const settings = new Map((await admin.call(settingsApi.list)).map(({ key, value }) => [key, value]))
    expect([settings.get('userRating'), settings.get('timezone')]).toEqual([
      'enabled',
      'America/Argentina/Buenos_Aires',
    ])
    const found = await admin.call(ticketsApi.list, { query: { searchParam: 'reserva', showAll: 'true' } as never })
    expect(found.tickets.length).toBeGreaterThan(0)
    expect((await ticketsIn('pending', agent)).length).toBeLessThanOrEqual(2)
  })

  it('continues: a customer writes, and their ticket gets the next number', async () => {
    const [open] = await ticketsIn('open')
    const whatsappId = open?.whatsappId as number
    await admin.call(sandboxApi.send, {
      params: { whatsappId },
      body: { from: '5491155550009', name: 'Mar', body: 'soy nueva' } as never,
    })
    const mar = await vi.waitFor(async () => {
      const ticket = (await ticketsIn('pending')).find(({ contact }) => contact?.name === 'Mar')
      if (!ticket) throw new Error('not yet')
      return ticket
    })
    expect(mar).toMatchObject({ number: 5, lastMessage: 'soy nueva' })
  })
})
