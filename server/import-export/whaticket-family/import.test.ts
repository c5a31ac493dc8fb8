import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOwnerPool, readFixtureTables } from '../../test/fixtures.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'
import { tinyPng } from '../../test/upload.ts'
import {
  type DumpTables,
  makeTicketzTables,
  makeWhaticketTables,
  oldPassword,
  textWithOddCharacters,
  writeMysqlDump,
  writePgDump,
} from '../../test/whaticket-dumps.ts'
import type { ImportOrder } from '../importer.ts'
import { defaultLimits } from '../limits.ts'
import { defaultTerms } from '../plan-terms.ts'
import { makeSilentProgress } from '../progress.ts'
import { makeFamilyImporter } from './import.ts'

let harness: TestServer
let folder: string
let media: string
beforeAll(async () => {
  harness = await testServer()
  folder = await mkdtemp(join(tmpdir(), 'recado-dumps-'))
  media = join(folder, 'public')
  await mkdir(join(media, 'media/1/3'), { recursive: true })
  await writeFile(join(media, 'media/1/3/foto.png'), tinyPng)
  await writeFile(join(media, '1717000000000_nota.txt'), 'uma nota')
})
afterAll(async () => {
  await closeTestServers()
  await rm(folder, { recursive: true, force: true })
})

let fileCount = 0
const dumpOf = async (text: string | Buffer): Promise<string> => {
  const path = join(folder, `dump-${++fileCount}.sql`)
  await writeFile(path, text)
  return path
}
const importDump = (kind: 'ticketz' | 'whaticket', path: string, more: Partial<ImportOrder> = {}) =>
  makeFamilyImporter(kind)(
    harness.server.deps,
    {
      ...{
        path,
        mediaDir: media,
        dryRun: false,
        company: null,
        name: null,
        offset: null,
        scratchDir: join(folder, 'scratch'),
      },
      ...{ limits: defaultLimits, terms: defaultTerms, isUpdate: false, ...more },
    },
    makeSilentProgress(),
  )

/** A checksum of every row of every table, to verify that nothing changed. */
async function hashAllTables(): Promise<Record<string, string | null>> {
  const owner = openOwnerPool(harness)
  try {
    const marks: Record<string, string | null> = {}
    await owner.query('set role recado_platform')
    for (const { name, tenant } of await readFixtureTables(owner)) {
      if (!tenant && !['companies', 'plans'].includes(name)) continue
      const of = `select md5(string_agg(t::text, '|' order by t::text)) as mark from "${name}" t`
      marks[name] = (await owner.query<{ mark: string | null }>(of)).rows[0]?.mark ?? null
    }
    expect(marks.users).not.toBeNull()
    return marks
  } finally {
    await owner.end()
  }
}

type ListedTicket = {
  id: number
  number: number
  status: string
  uuid: string
  contact: { name: string; number: string }
  tags: { name: string }[]
  unreadMessages: number
  queue: { name: string } | null
}
const tickets = async (who: TestUser, status: string) =>
  (await who.request<{ tickets: ListedTicket[] }>('GET', `/tickets?status=${status}&showAll=true&pageNumber=1`)).body
    .tickets
type ShownMessage = {
  id: string
  body: string
  fromMe: boolean
  mediaType: string
  mediaUrl: string | null
  mediaState: string
  isDeleted: boolean
  ack: number
  error: string | null
  quotedMsg: { body: string } | null
  reactions: { emoji: string }[]
  user: { name: string } | null
  contact: { name: string } | null
  createdAt: string
  ticketId: number
}
const thread = async (who: TestUser, ticketId: number) =>
  (await who.request<{ messages: ShownMessage[] }>('GET', `/messages/${ticketId}?pageNumber=1`)).body.messages

describe('a dump of ticketz', () => {
  let tables: DumpTables
  let path: string
  let admin: TestUser

  beforeAll(async () => {
    tables = await makeTicketzTables(harness.clock.now())
    path = await dumpOf(gzipSync(writePgDump(tables)))
  })

  it('is only reported in a dry run, and nothing is written', async () => {
    const before = await hashAllTables()
    const report = await importDump('ticketz', path, { dryRun: true })
    expect(await hashAllTables()).toEqual(before)
    expect(report.tallyOf('companies')).toMatchObject({ found: 2, written: 2 })
    expect(report.tallyOf('contacts')).toMatchObject({
      found: 7,
      written: 4,
      changed: { 'joined with another of the same number': 1 },
      skipped: { 'without a number': 1, 'of facebook, which is not spoken here': 1 },
    })
    expect(report.tallyOf('messages')).toMatchObject({
      found: 12,
      written: 10,
      skipped: { 'its ticket did not come': 1 },
    })
    expect(report.tallyOf('files')).toMatchObject({ found: 2, written: 1, skipped: { 'not in the folder': 1 } })
    expect(report.notes.join()).toContain('1 invoices')
    expect(await readdir(join(folder, 'scratch'))).toEqual([])
    expect(await readdir(join(harness.dataDir, 'files')).catch(() => [])).toEqual([])
  })

  it('is imported, and the report lists what was skipped or changed', async () => {
    const report = await importDump('ticketz', path)
    expect(report.tallyOf('companies')).toMatchObject({ written: 2, changed: { 'renamed, the name is taken': 1 } })
    expect(report.tallyOf('users')).toMatchObject({ found: 4, written: 4, skipped: {} })
    expect(report.tallyOf('users').changed).toMatchObject({
      'address changed, it was taken or none': 1,
      'no longer a super user': 1,
      'without a password that can be kept: has to ask for a new one': 1,
    })
    expect(report.tallyOf('queue options')).toMatchObject({
      found: 4,
      written: 3,
      skipped: { 'its queue did not come': 1 },
    })
    expect(report.tallyOf('tickets')).toMatchObject({
      found: 7,
      written: 6,
      skipped: { 'its contact did not come': 1 },
    })
    expect(report.tallyOf('messages')).toMatchObject({ found: 12, written: 10 })
    expect(report.tallyOf('notes')).toMatchObject({ written: 1, skipped: { 'its ticket did not come': 1 } })
    expect(report.tallyOf('people of lists')).toMatchObject({ written: 2, skipped: { 'twice in its list': 1 } })
    expect(report.lines().join('\n')).toContain('of facebook')
    expect(JSON.parse(JSON.stringify(report)).rows.contacts.written).toBe(4)
  })

  it('lets users log in with their old password, and replaces its hash by our format', async () => {
    const hashOf = async () =>
      (
        await harness
          .wide()
          .db.selectFrom('users')
          .select('passwordHash')
          .where('email', '=', 'admin@uno.test')
          .executeTakeFirstOrThrow()
      ).passwordHash
    expect(await hashOf()).toMatch(/^\$2/)
    const login = (password: string) =>
      harness.anonymous.request('POST', '/auth/login', { email: 'admin@uno.test', password })
    expect((await login('otra')).status).toBe(401)
    expect(await hashOf()).toMatch(/^\$2/)
    admin = await harness.login('admin@uno.test', oldPassword)
    expect(await hashOf()).toMatch(/^argon2id\$/)
    admin = await harness.login('admin@uno.test', oldPassword)
    expect((await login('otra')).status).toBe(401)
    const { body } = await admin.request<{ users: { email: string; profile: string }[] }>('GET', '/users?pageNumber=1')
    expect(body.users.map((u) => u.email).sort()).toEqual([
      'admin@uno.test',
      'sinclave@uno.test',
      'super+moved2@recado.test',
    ])
    const me = await admin.request<{ super: boolean }>('GET', '/auth/me')
    expect(me.body).toMatchObject({ super: false, profile: 'admin' })
  })

  it('is imported with one active ticket per chat, and each ticket keeps its original number', async () => {
    const pending = await tickets(admin, 'pending')
    expect(pending.map((t) => [t.number, t.contact.name, t.unreadMessages])).toEqual([
      [2, 'Cliente Uno', 1],
      [5, 'Grupo', 0],
    ])
    expect(pending[0]?.tags.map((t) => t.name).sort()).toEqual(['En trámite', 'Urgente'])
    const closed = await tickets(admin, 'closed')
    expect(closed.map((t) => t.number)).toEqual([1, 3, 6])
    expect(closed[0]?.uuid).toBe('11111111-1111-4111-8111-111111111111')
    expect(await tickets(admin, 'open')).toEqual([])
    const dos = await harness.login('admin@dos.test', oldPassword)
    expect((await tickets(dos, 'closed')).map((t) => t.number)).toEqual([7])
    // A new ticket is numbered after the tickets that kept their number.
    const [line] = (await admin.request<{ id: number }[]>('GET', '/whatsapp')).body
    const contact = await admin.request<{ contacts: { id: number; name: string }[] }>(
      'GET',
      '/contacts?searchParam=Cinco',
    )
    const body = { contactId: contact.body.contacts[0]?.id, status: 'open', userId: admin.id, whatsappId: line?.id }
    expect((await admin.request<{ number: number }>('POST', '/tickets', body)).body).toMatchObject({ number: 7 })
  })

  it('is imported with its messages in their original order, with files, replies and reactions', async () => {
    const closed = await tickets(admin, 'closed')
    const [pending] = await tickets(admin, 'pending')
    const all = await thread(admin, pending?.id ?? 0)
    expect(all.map((m) => m.body)).toEqual([textWithOddCharacters, 'respuesta', 'hola otra vez'])
    expect(all[1]).toMatchObject({
      fromMe: true,
      ack: 3,
      quotedMsg: { body: textWithOddCharacters },
      user: { name: 'Admin de Uno' },
      reactions: [{ emoji: '👍' }],
    })
    expect(all[0]?.createdAt).toBe('2026-03-05T12:00:00.000Z')
    const three = await thread(admin, closed.find((t) => t.number === 3)?.id ?? 0)
    const photo = three.find((m) => m.mediaType === 'image' && m.mediaState === 'ready')
    expect(photo).toMatchObject({ body: '' })
    const served = await fetch(photo?.mediaUrl as string)
    expect(Buffer.from(await served.arrayBuffer()).equals(tinyPng)).toBe(true)
    expect(served.headers.get('content-type')).toBe('image/png')
    expect(three.find((m) => m.mediaState === 'failed')).toMatchObject({ error: 'file-missing', mediaType: 'image' })
    expect(three.find((m) => m.isDeleted)).toMatchObject({ body: '' })
    expect(three.find((m) => m.body === 'no salió')).toMatchObject({ ack: 0, error: 'rejected' })
    const group = (await tickets(admin, 'pending')).find((t) => t.number === 5)
    expect(await thread(admin, group?.id ?? 0)).toMatchObject([
      { body: 'en el grupo', contact: { name: 'Cliente Uno' } },
    ])
  })

  it('is imported with its queues, lines, quick replies and settings, and no message is sent automatically', async () => {
    const queues = (
      await admin.request<
        {
          name: string
          greetingMessage: string
          color: string
          options: { title: string; option: number; parentId: number | null; leads: string }[]
        }[]
      >('GET', '/queue')
    ).body
    expect(queues.map((q) => q.name).sort()).toEqual(['Soporte', 'Ventas'])
    const ventas = queues.find((q) => q.name === 'Ventas')
    expect(ventas).toMatchObject({ greetingMessage: 'Hola, ventas', color: '#2f9e44' })
    expect(ventas?.options.map((o) => [o.title, o.option, o.parentId === null, o.leads]).sort()).toEqual([
      ['Precios', 1, false, 'person'],
      ['Productos', 1, true, 'person'],
      ['Soporte', 2, true, 'queue'],
    ])
    const lines = (
      await admin.request<{ name: string; status: string; isDefault: boolean; token: string; queues: unknown[] }[]>(
        'GET',
        '/whatsapp',
      )
    ).body
    expect(lines.map((l) => [l.name, l.status, l.isDefault]).sort()).toEqual([
      ['Principal', 'DISCONNECTED', true],
      ['Segunda', 'DISCONNECTED', false],
      ['Ticketz', 'DISCONNECTED', false],
    ])
    const main = lines.find((l) => l.name === 'Principal')
    expect(main).toMatchObject({ token: 'token-de-la-linea', queues: [{}, {}] })
    expect(lines.find((l) => l.name === 'Segunda')?.token).not.toBe('token-de-la-linea')
    const settings = (await admin.request<{ key: string; value: string }[]>('GET', '/settings')).body
    const value = (key: string) => settings.find((s) => s.key === key)?.value
    expect([
      value('userRating'),
      value('autoReopenTimeout'),
      value('scheduleType'),
      value('timezone'),
      value('language'),
    ]).toEqual(['enabled', '60', 'company', 'America/Lima', 'es'])
    expect((await admin.request('GET', '/holidays')).body).toEqual([
      { day: '2026-12-25', name: 'Navidad', yearly: true },
    ])
    const quick = (
      await admin.request<{ records: { shortcode: string; geral: boolean }[] }>('GET', '/quick-messages?pageNumber=1')
    ).body
    expect(quick.records.map((r) => [r.shortcode, r.geral]).sort()).toEqual([
      ['HOLA 2', false],
      ['hola', false],
      ['todos', true],
    ])
    const later = (
      await admin.request<{ schedules: { body: string; status: string; heldAt: string | null }[] }>(
        'GET',
        '/schedules?pageNumber=1',
      )
    ).body
    expect(later.schedules.map((s) => [s.body, s.status, s.heldAt !== null]).sort()).toEqual([
      ['para mañana', 'PENDENTE', true],
      ['se pasó', 'ERRO', false],
      ['ya salió', 'ENVIADA', false],
    ])
    const campaigns = (
      await admin.request<{ records: { name: string; status: string; counts: { sent: number; pending: number } }[] }>(
        'GET',
        '/campaigns?pageNumber=1',
      )
    ).body
    expect(campaigns.records.map((c) => [c.name, c.status, c.counts.sent, c.counts.pending]).sort()).toEqual([
      ['En curso', 'CANCELADA', 1, 1],
      ['Marzo', 'FINALIZADA', 1, 0],
      ['Para mañana', 'INATIVA', 0, 0],
    ])
    const contact = (
      await admin.request<{ contacts: { id: number; name: string; number: string }[] }>(
        'GET',
        '/contacts?searchParam=Uno',
      )
    ).body
    expect(contact.contacts).toMatchObject([{ name: 'Cliente Uno', number: '5511987654321' }])
    const extra = (
      await admin.request<{ extraInfo: { name: string; value: string }[] }>(
        'GET',
        `/contacts/${contact.contacts[0]?.id}`,
      )
    ).body
    expect(extra.extraInfo.map((f) => f.name).sort()).toEqual(['Ciudad', 'Documento'])
    await harness.server.switchboard.timers.poll()
    const { db } = harness.wide()
    expect(await db.selectFrom('messages').select('id').where('state', 'in', ['queued', 'sending']).execute()).toEqual(
      [],
    )
    expect(await db.selectFrom('whatsapps').select('id').where('wanted', '=', true).execute()).toEqual([])
  })

  it('changes nothing when it is imported a second time', async () => {
    const before = await hashAllTables()
    const report = await importDump('ticketz', path)
    expect(await hashAllTables()).toEqual(before)
    for (const [kind, tally] of report.rows) expect([kind, tally.written]).toEqual([kind, 0])
    expect(report.tallyOf('messages')).toMatchObject({ found: 12, there: 10 })
  })

  it('adds only new rows when the dump has grown, and adds files when the missing media folder is given', async () => {
    const grown = structuredClone(tables)
    const columns = grown.Messages?.columns ?? []
    const more = {
      id: 'M20',
      body: 'nueva',
      ack: 0,
      read: false,
      mediaType: 'conversation',
      ticketId: 2,
      createdAt: '2026-03-07 08:00:00+00',
      fromMe: false,
      companyId: 1,
      contactId: 2,
    }
    grown.Messages?.rows.push(columns.map((name) => (more as Record<string, string | number | boolean>)[name] ?? null))
    await writeFile(join(media, 'media/1/3/perdida.jpg'), tinyPng)
    await expect(importDump('ticketz', await dumpOf(writePgDump(grown)))).rejects.toThrow('say --later')
    const report = await importDump('ticketz', await dumpOf(writePgDump(grown)), { isUpdate: true })
    expect(report.tallyOf('messages')).toMatchObject({ written: 1, there: 10 })
    expect(report.tallyOf('files')).toMatchObject({ written: 1 })
    const [pending] = await tickets(admin, 'pending')
    expect((await thread(admin, pending?.id ?? 0)).at(-1)).toMatchObject({ body: 'nueva' })
    const three = (await tickets(admin, 'closed')).find((t) => t.number === 3)
    expect((await thread(admin, three?.id ?? 0)).filter((m) => m.mediaState === 'ready')).toHaveLength(2)
  })
})

it('imports a single company, and does not report rows of the others', async () => {
  const path = await dumpOf(writePgDump(await makeTicketzTables(harness.clock.now())))
  const report = await importDump('ticketz', path, { company: 2, dryRun: true, isUpdate: true })
  expect(report.tallyOf('companies').found).toBe(1)
  expect(report.tallyOf('users')).toMatchObject({ found: 1, there: 1 })
  expect(report.tallyOf('messages')).toMatchObject({ found: 1, there: 1, skipped: {} })
  expect(report.tallyOf('tags on tickets')).toMatchObject({ found: 0, skipped: {} })
})

describe('a dump of Whaticket', () => {
  it('is imported from MySQL as one company', async () => {
    const path = await dumpOf(writeMysqlDump(await makeWhaticketTables()))
    const report = await importDump('whaticket', path, { name: 'Loja de antes' })
    expect(report.tallyOf('companies')).toMatchObject({ written: 1 })
    expect(report.tallyOf('messages')).toMatchObject({ found: 3, written: 3, skipped: {} })
    const admin = await harness.login('um@whaticket.test', oldPassword)
    const [ticket] = await tickets(admin, 'open')
    expect(ticket).toMatchObject({ number: 9, contact: { name: "D'Ávila; (teste)" }, queue: { name: 'Vendas' } })
    const all = await thread(admin, ticket?.id ?? 0)
    expect(all.map((m) => m.body)).toEqual([
      `INSERT INTO \`Users\` VALUES (1);\n${textWithOddCharacters}`,
      'boa tarde',
      '',
    ])
    // Timestamps are in Brazilian time, and the source's ack codes are one lower.
    expect(all[1]).toMatchObject({ createdAt: '2025-06-02T13:01:00.000Z', ack: 3 })
    expect(all[2]).toMatchObject({ mediaType: 'application', mediaState: 'ready' })
    expect(await (await fetch(all[2]?.mediaUrl as string)).text()).toBe('uma nota')
    const quick = (await admin.request<{ records: unknown[] }>('GET', '/quick-messages?pageNumber=1')).body
    expect(quick.records).toMatchObject([{ shortcode: 'oi', geral: true }])
    const before = await hashAllTables()
    await importDump('whaticket', path, { name: 'Loja de antes' })
    expect(await hashAllTables()).toEqual(before)
  })
})

describe('an invalid or broken dump', () => {
  it('is refused with a clear message, and nothing is written', async () => {
    const before = await hashAllTables()
    const whole = writePgDump(await makeTicketzTables(harness.clock.now()))
    await expect(importDump('ticketz', await dumpOf('PGDMP\u0001 custom'))).rejects.toThrow('pg_restore')
    await expect(importDump('ticketz', await dumpOf('hola\n'))).rejects.toThrow('no users')
    await expect(
      importDump('ticketz', await dumpOf(whole.slice(0, whole.indexOf('COPY public."Users"') + 300))),
    ).rejects.toThrow('in the middle')
    await expect(importDump('ticketz', await dumpOf(gzipSync(whole).subarray(0, 900)))).rejects.toThrow(
      'unexpected end',
    )
    await expect(importDump('ticketz', await dumpOf(whole), { company: 77, isUpdate: true })).rejects.toThrow(
      'no company 77',
    )
    expect(await hashAllTables()).toEqual(before)
  })
})
