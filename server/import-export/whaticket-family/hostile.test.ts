import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashTablesWithout } from '../../test/company-archive.ts'
import { openOwnerPool } from '../../test/fixtures.ts'
import { closeTestServers, type TestServer, testServer } from '../../test/test-server.ts'
import {
  type DumpCell,
  type DumpTable,
  type DumpTables,
  hashOldPassword,
  makeDumpTable,
  oldPassword,
  writePgDump,
} from '../../test/whaticket-dumps.ts'
import type { ImportOrder } from '../importer.ts'
import { defaultLimits, type ImportLimits } from '../limits.ts'
import { defaultTerms } from '../plan-terms.ts'
import { makeSilentProgress } from '../progress.ts'
import { makeFamilyImporter } from './import.ts'

let harness: TestServer
let owner: pg.Pool
let folder: string
let media: string
let passwordHash: string

beforeAll(async () => {
  harness = await testServer()
  owner = openOwnerPool(harness)
  folder = await mkdtemp(join(tmpdir(), 'recado-hostile-dump-'))
  media = join(folder, 'public')
  await mkdir(join(media, 'company1'), { recursive: true })
  await mkdir(join(media, 'company2'), { recursive: true })
  passwordHash = await hashOldPassword()
})
afterAll(async () => {
  await owner.end()
  await closeTestServers()
  await rm(folder, { recursive: true, force: true })
})

let dumps = 0
const at = (day = 1) => `2026-03-0${day} 12:00:0${dumps % 10}+00`
const dates = () => ({ createdAt: at(), updatedAt: at() })
const rowsOf = (rows: Record<string, DumpCell>[]): DumpTable =>
  makeDumpTable([...new Set(rows.flatMap(Object.keys))].join(' '), rows)

/** Two companies, each with a user, a contact, a line and a ticket. Every dump is of a different installation. */
function twoCompanies(): Record<string, Record<string, DumpCell>[]> {
  const n = ++dumps
  const both = <T>(of: (id: number) => T): T[] => [1, 2].map(of)
  return {
    Companies: both((id) => ({ id, name: `Casa ${n}.${id}`, planId: 1, status: true, ...dates() })),
    Plans: [{ id: 1, name: `Plan ${n}`, users: 10, connections: 10, queues: 10, value: 1 }],
    Settings: both((companyId) => ({ id: companyId, key: 'userRating', value: 'enabled', companyId })),
    Users: both((id) => ({
      ...{ id, name: `Ana ${id}`, email: `ana${id}@casa${n}.test`, passwordHash, profile: 'admin', super: false },
      ...{ companyId: id, createdAt: `2026-01-01 00:00:00.${String(n).padStart(3, '0')}+00` },
    })),
    Whatsapps: both((id) => ({ id, name: 'Principal', companyId: id, ...dates() })),
    Contacts: both((id) => ({ id, name: `Sol ${id}`, number: `549115555000${id}`, companyId: id, ...dates() })),
    Tickets: both((id) => ({
      ...{
        id,
        status: 'closed',
        lastMessage: '',
        contactId: id,
        userId: id,
        whatsappId: id,
        companyId: id,
        ...dates(),
      },
    })),
    Messages: both((id) => ({
      ...{ id: `M${n}${id}`, body: 'hola', ticketId: id, fromMe: false, contactId: id, companyId: id, ...dates() },
    })),
  }
}
type LooseTables = ReturnType<typeof twoCompanies>
const first = (tables: LooseTables, name: string): Record<string, DumpCell> =>
  tables[name]?.[0] as Record<string, DumpCell>

async function dumpOf(change: (tables: LooseTables) => void): Promise<string> {
  const tables = twoCompanies()
  change(tables)
  return fileOf(
    writePgDump(Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rowsOf(rows)])) as DumpTables),
  )
}
async function fileOf(text: string | Buffer): Promise<string> {
  const path = join(folder, `dump-${dumps}-${Math.random()}.sql`)
  await writeFile(path, text)
  return path
}
const scratch = () => join(folder, 'scratch')
const importDump = (path: string, more: Partial<ImportOrder> = {}) =>
  makeFamilyImporter('ticketz')(
    harness.server.deps,
    {
      ...{ path, mediaDir: media, dryRun: false, company: null, name: null, offset: null, scratchDir: scratch() },
      ...{ limits: defaultLimits, terms: defaultTerms, isUpdate: false, ...more },
    },
    makeSilentProgress(),
  )
async function expectRefusal(path: string, words: RegExp, more: Partial<ImportOrder> = {}): Promise<void> {
  const before = await hashTablesWithout(owner, 0)
  await expect(importDump(path, more)).rejects.toThrow(words)
  expect(await hashTablesWithout(owner, 0)).toEqual(before)
  expect(await readdir(scratch())).toEqual([])
}
const companyNamed = (name: string) =>
  harness.wide().db.selectFrom('companies').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
const named = (n: number, id = 1) => companyNamed(`Casa ${n}.${id}`)

describe('a dump from an untrusted sender', () => {
  it('cannot set the plan or the due date of its company', async () => {
    const greedy = (tables: LooseTables) => {
      Object.assign(first(tables, 'Plans'), { users: 2_000_000_000, value: -5 })
      for (const row of tables.Companies ?? []) row.dueDate = '2999-12-31 00:00:00+00'
    }
    await importDump(await dumpOf(greedy))
    const cheap = await harness
      .wide()
      .db.selectFrom('plans')
      .select('id')
      .orderBy('value')
      .orderBy('id')
      .executeTakeFirst()
    const day = (days: number) => new Date(harness.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
    expect(await named(dumps)).toMatchObject({ planId: cheap?.id, dueDate: day(30), platform: false })
    await importDump(await dumpOf(greedy), { terms: { ...defaultTerms, plan: 'completo', dueDate: '2027-02-03' } })
    expect(await named(dumps)).toMatchObject({ planId: 2, dueDate: '2027-02-03' })
    expect(await harness.wide().db.selectFrom('plans').select('id').where('name', 'like', 'Plan %').execute()).toEqual(
      [],
    )
    await expectRefusal(await dumpOf(greedy), /There is no plan Oro/, { terms: { ...defaultTerms, plan: 'Oro' } })
    // With `keepsPlans` the operator trusts the sender: the values of the source are used, within limits.
    await importDump(await dumpOf(greedy), { terms: { ...defaultTerms, keepsPlans: true } })
    const made = await harness
      .wide()
      .db.selectFrom('plans')
      .selectAll()
      .where('name', '=', `Plan ${dumps}`)
      .executeTakeFirst()
    expect(made).toMatchObject({ users: 0, connections: 10 })
    expect((await named(dumps)).dueDate?.slice(0, 4)).toBe(day(365).slice(0, 4))
  })

  it('cannot write into a company imported with another dump, unless the operator declares a later dump', async () => {
    const path = await dumpOf(() => {})
    await importDump(path)
    const n = dumps
    // The forged dump has the same first company and user, and one more admin.
    const text = await readFile(path, 'utf8')
    const eva = [9, 'Eva', 'eva@evil.test', passwordHash, 'admin', 't', 1, at()].join('\t')
    // A function: as a text, a hash with `$1` in it would be a reference to the group.
    const forged = text.replace(/COPY public\."Users".*\n/, (head) => `${head}${eva}\n`)
    const evil = await fileOf(forged)
    await expectRefusal(evil, /came with another dump.*--later/)
    expect(
      await harness.wide().db.selectFrom('users').select('id').where('email', '=', 'eva@evil.test').execute(),
    ).toEqual([])
    const same = await importDump(path)
    expect(same.tallyOf('users')).toMatchObject({ written: 0, there: 2 })
    await importDump(evil, { isUpdate: true })
    const written = await harness
      .wide()
      .db.selectFrom('users')
      .selectAll()
      .where('email', '=', 'eva@evil.test')
      .executeTakeFirst()
    expect(written).toMatchObject({ companyId: (await named(n)).id, super: false })
    // From now on the forged file counts as a known dump, too.
    expect((await importDump(evil)).tallyOf('users')).toMatchObject({ written: 0, there: 3 })
  })

  it('has its rows skipped if they refer to another company of the dump', async () => {
    const path = await dumpOf((tables) => {
      Object.assign(first(tables, 'Users'), { whatsappId: 2 })
      Object.assign(first(tables, 'Tickets'), { userId: 2, isGroup: true })
      const [message] = tables.Messages as [Record<string, DumpCell>]
      Object.assign(message, { contactId: 2, userId: 2 })
      tables.Messages?.push({ ...message, id: 'mine', fromMe: true })
      tables.UserQueues = [{ userId: 1, queueId: 2 }]
      tables.Queues = [{ id: 2, name: 'Ventas', color: '#112233', companyId: 2, ...dates() }]
      tables.Schedules = [{ id: 1, body: 'x', sendAt: at(2), contactId: 2, userId: 2, companyId: 1, ...dates() }]
    })
    const report = await importDump(path)
    const { id } = await named(dumps)
    const { db } = harness.wide()
    const messages = await db
      .selectFrom('messages')
      .select(['userId', 'senderId'])
      .where('companyId', '=', id)
      .execute()
    expect(messages).toEqual([
      { userId: null, senderId: null },
      { userId: null, senderId: null },
    ])
    expect(await db.selectFrom('users').select('whatsappId').where('companyId', '=', id).execute()).toEqual([
      { whatsappId: null },
    ])
    expect(await db.selectFrom('tickets').select('userId').where('companyId', '=', id).execute()).toEqual([
      { userId: null },
    ])
    expect(report.tallyOf('queues of users').written).toBe(0)
    expect(report.tallyOf('scheduled messages').skipped).toEqual({ 'its contact did not come': 1 })
  })

  it('creates no super user, and keeps no password hash that would take minutes to verify at login', async () => {
    const path = await dumpOf((tables) => {
      const [one, two] = tables.Users as [Record<string, DumpCell>, Record<string, DumpCell>]
      Object.assign(one, { super: true, profile: 'superadmin', email: 'no address\r\nBcc: x@y.test' })
      Object.assign(two, { passwordHash: `$2a$31$${'a'.repeat(53)}` })
    })
    await importDump(path)
    const { db } = harness.wide()
    const [one] = await db
      .selectFrom('users')
      .selectAll()
      .where('companyId', '=', (await named(dumps)).id)
      .execute()
    expect(one).toMatchObject({
      super: false,
      profile: 'user',
      email: expect.stringMatching(/^[\w.-]+@moved\.invalid$/),
    })
    const [two] = await db
      .selectFrom('users')
      .selectAll()
      .where('companyId', '=', (await named(dumps, 2)).id)
      .execute()
    expect(two?.passwordHash).toMatch(/^argon2id\$19456\$/)
    expect(
      (await harness.anonymous.request('POST', '/auth/login', { email: two?.email, password: oldPassword })).status,
    ).toBe(401)
  })

  it('cannot exhaust the ticket numbers', async () => {
    await importDump(
      await dumpOf((tables) => {
        Object.assign(first(tables, 'Tickets'), { id: 2_147_483_647 })
        Object.assign(first(tables, 'Messages'), { ticketId: 2_147_483_647 })
      }),
    )
    const { id } = await named(dumps)
    const { rows } = await owner.query(`select nextval('numbers."tickets_${id}"')::int as next`)
    expect(rows[0].next).toBeLessThan(10)
  })

  it('imports files only from the folder of its own company, and no file that is too large', async () => {
    await writeFile(join(media, 'company2', 'foto.txt'), 'of the other one')
    await writeFile(join(media, 'company1', 'grande.txt'), 'x'.repeat(5000))
    await writeFile(join(media, 'company1', 'mia.txt'), 'mine')
    await writeFile(join(folder, 'secreto.txt'), 'of the server')
    await symlink(join(folder, 'secreto.txt'), join(media, 'company1', 'enlace.txt'))
    const places = [
      'company2/foto.txt',
      './company2/foto.txt',
      '../secreto.txt',
      'enlace.txt',
      '/etc/passwd',
      'grande.txt',
    ]
    const path = await dumpOf((tables) => {
      const [message] = tables.Messages as [Record<string, DumpCell>]
      tables.Messages = [...places, 'mia.txt'].map((mediaUrl, n) => ({
        ...{ ...message, id: `F${n}`, mediaUrl, mediaType: 'application' },
      }))
    })
    const limits: ImportLimits = { ...defaultLimits, fileBytes: 4000 }
    const report = await importDump(path, { limits, company: 1 })
    expect(report.tallyOf('files')).toMatchObject({ found: 7, written: 1 })
    const { id } = await named(dumps)
    const kept = await harness
      .wide()
      .db.selectFrom('messages')
      .select(['mediaName', 'mediaPath'])
      .where('companyId', '=', id)
      .where('mediaPath', 'is not', null)
      .execute()
    expect(kept.map(({ mediaName }) => mediaName)).toEqual(['mia.txt'])
  })

  it('is limited in row length, rows, companies and unpacked size, and leaves nothing behind when refused', async () => {
    const limits = (change: Partial<ImportLimits>) => ({ limits: { ...defaultLimits, ...change } })
    const path = await dumpOf(() => {})
    await expectRefusal(path, /more than 1 companies.*--limit companies=/, limits({ companies: 1 }))
    await expectRefusal(path, /more than 1 rows.*--limit tableRows=/, limits({ tableRows: 1 }))
    await expectRefusal(path, /more than 3 rows.*--limit rows=/, limits({ rows: 3 }))
    const bomb = await fileOf(gzipSync(Buffer.alloc(20 * 1024 * 1024, '\n')))
    await expectRefusal(bomb, /more than 1000000 bytes.*--limit bytes=/, limits({ bytes: 1_000_000 }))
    const endless = await fileOf(`INSERT INTO "Users" VALUES (${'1,'.repeat(3 * 1024 * 1024)}`)
    await expectRefusal(endless, /longer than 2000000 bytes.*--limit lineBytes=/, limits({ lineBytes: 2_000_000 }))
  })

  it('prints no control characters to the terminal, and cannot flood the report', async () => {
    const path = await dumpOf((tables) => {
      tables.Contacts = Array.from({ length: 500 }, (_, n) => ({
        ...{ id: n + 10, name: 'x', number: '', channel: `\u001b[2J${n}`, companyId: 1, ...dates() },
      }))
    })
    const report = await importDump(path, { dryRun: true })
    expect(report.lines().join('')).not.toContain('\u001b')
    expect(Object.keys(report.tallyOf('contacts').skipped).length).toBeLessThan(150)
    expect(Object.values(report.tallyOf('contacts').skipped).reduce((a, b) => a + b, 0)).toBe(500)
  })

  it('is imported despite endless menus and ten thousand equal names', async () => {
    const path = await dumpOf((tables) => {
      tables.Queues = [{ id: 1, name: 'Ventas', color: '#112233', companyId: 1, ...dates() }]
      const deep = Array.from({ length: 5000 }, (_, n) => ({
        id: n + 1,
        title: 'x',
        option: 1,
        queueId: 1,
        parentId: n || null,
      }))
      const wide = Array.from({ length: 5000 }, (_, n) => ({
        id: n + 6001,
        title: 'x',
        option: 1,
        queueId: 1,
        parentId: null,
      }))
      tables.QueueOptions = [...deep, ...wide, { id: 20_000, title: 'x', option: 1, queueId: 1, parentId: 20_000 }]
      tables.QuickMessages = Array.from({ length: 3000 }, (_, n) => ({
        ...{ id: n, shortcode: 'hola', message: 'x', userId: 1, companyId: 1, ...dates() },
      }))
    })
    const report = await importDump(path)
    expect(report.tallyOf('quick replies').written).toBe(3000)
    expect(report.tallyOf('queue options').written).toBeLessThan(200)
  })
})
