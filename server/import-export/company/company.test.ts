import { appendFile, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messagesApi } from '@recado/contract/messages'
import { ticketsApi } from '@recado/contract/tickets'
import { TicketCondition } from '@recado/contract/views/ticket-conditions'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { walkSchema } from '../../../contract/test/id-slots.ts'
import { insertFixtures, openOwnerPool, readFixtureTables } from '../../test/fixtures.ts'
import { closeTestServers, type TestServer, testServer } from '../../test/test-server.ts'
import { tinyPng } from '../../test/upload.ts'
import { exportCompany } from './export-company.ts'
import { importCompany } from './import-company.ts'
import type { Manifest } from './manifest.ts'
import { readSchema, type SchemaTable } from './schema.ts'
import {
  columnsWithoutIds,
  excludedTables,
  exportedColumns,
  exportedTables,
  isSealedColumn,
  nonReferenceColumns,
  nonSecretColumns,
  referencedTable,
  renumberInsideColumn,
} from './table-rules.ts'

let source: TestServer
let target: TestServer
let from: pg.Pool
let to: pg.Pool
let folder: string
let schema: SchemaTable[]

beforeAll(async () => {
  ;[source, target] = [await testServer(), await testServer()]
  ;[from, to] = [openOwnerPool(source), openOwnerPool(target)]
  folder = await mkdtemp(join(tmpdir(), 'recado-moving-'))
  schema = await readSchema(from)
})
afterAll(async () => {
  await Promise.all([from?.end(), to?.end()])
  await closeTestServers()
  await rm(folder, { recursive: true, force: true })
})

const meansOf = (h: TestServer, owner: pg.Pool) => ({ owner, files: h.server.deps.files })
type Row = Record<string, unknown>
const rowsOf = async (place: string, table: string): Promise<Row[]> =>
  (await readFile(join(place, `${table}.jsonl`), 'utf8'))
    .split('\n')
    .flatMap((line) => (line ? [JSON.parse(line)] : []))

/** The rows of an export with every id replaced by its rank in its table, so that two installations can be compared. */
async function withoutIds(place: string, manifest: Manifest): Promise<Record<string, Row[]>> {
  const ids = new Map<string, Map<number, number>>()
  for (const { name } of manifest.tables) {
    const own = schema.find((one) => one.name === name)?.idColumn?.column
    if (!own) continue
    const sorted = (await rowsOf(place, name)).map((row) => Number(row[own])).sort((x, y) => x - y)
    ids.set(name, new Map(sorted.map((id, rank) => [id, rank])))
  }
  // References to deleted or missing rows become the same value in both exports.
  const bare = (table: string, id: number) => (id > 0 ? (ids.get(table)?.get(id) ?? -1) : id)
  const all: Record<string, Row[]> = {}
  for (const { name } of manifest.tables) {
    const table = schema.find((one) => one.name === name) as SchemaTable
    all[name] = (await rowsOf(place, name)).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => {
          const target = column === table.idColumn?.column ? name : referencedTable(schema, name, column)
          const within = renumberInsideColumn[name]?.[column]
          if (name === 'companies' && ['dueDate', 'trialExpiration'].includes(column))
            return [column, 'the operator says']
          if (value === null) return [column, value]
          if (column === 'companyId') return [column, 0]
          if (within) return [column, within(value as never, bare, row)]
          if (target) return [column, bare(target, value as number)]
          const address = typeof value === 'string' ? /^\/public\/\d+\/([^?]+)/.exec(value) : null
          return [column, address ? address[1] : value]
        }),
      ),
    )
  }
  return all
}

describe('exported columns', () => {
  it('have a rule for every number, list and secret of a table', () => {
    const going = exportedTables(schema)
    expect(going.length).toBeGreaterThan(40)
    const unknown = going.flatMap((table) =>
      table.columns
        .filter(({ name }) => exportedColumns(table).includes(name) && name !== 'companyId')
        .flatMap(({ name, type }) => {
          const where = `${table.name}.${name}`
          const isNumber = /^(integer|bigint)$/.test(type) && /(Id|By|To|Into|Elsewhere)$/.test(name)
          const isKnown = referencedTable(schema, table.name, name) || nonReferenceColumns[table.name]?.includes(name)
          const isList = /^jsonb?$|\[\]$/.test(type)
          const looked = renumberInsideColumn[table.name]?.[name] || columnsWithoutIds[table.name]?.includes(name)
          const isSecret = /(hash|secret|token|password|auth|p256dh|key)$/i.test(name) && type !== 'integer'
          return [
            ...(isNumber && !isKnown
              ? [`${where}: say to what it refers (soft), or that it does not (noReferences)`]
              : []),
            ...(isList && !looked ? [`${where}: say which ids it carries (inside), or that it has none (plain)`] : []),
            ...(isSecret && !nonSecretColumns[table.name]?.includes(name)
              ? [`${where}: leave it, or say that it may go`]
              : []),
          ]
        }),
    )
    expect(unknown).toEqual([])
    // Every excluded table exists.
    expect(Object.keys(excludedTables).filter((name) => !schema.some((table) => table.name === name))).toEqual([])
    // Encrypted columns must accept an empty value in the target.
    const sealed = schema.flatMap((table) => table.columns.filter((c) => isSealedColumn(c.name)))
    expect(sealed.filter(({ type }) => type !== 'text')).toEqual([])
  })

  it('get new ids in every condition of a view that has ids', () => {
    const fields = TicketCondition.options.flatMap((option) => {
      let hasIds = false
      walkSchema(option, (schema) => {
        if (schema.meta()?.entity) hasIds = true
        return hasIds
      })
      return hasIds ? [option.shape.field.value] : []
    })
    expect(fields).toContain('queue')
    const conditions = (id: number) => ({ match: 'all', of: fields.map((field) => ({ field, in: [id], not: false })) })
    const renumber = renumberInsideColumn.ticketViews?.conditions
    expect(renumber?.(conditions(7) as never, (_table, id) => id + 1000, {})).toEqual(conditions(1007))
  })
})

describe('a company moved to another installation', () => {
  it('has the same data there, with new ids, and works', async () => {
    // The target has data already, so that ids differ.
    const other = await target.createCompany()
    await insertFixtures(to, await readFixtureTables(to), { id: other.id, mark: 'Other', person: other.admin.id })

    const company = await source.createCompany('Casa Sol')
    const line = await source.openLine(company, { name: 'Ventas' })
    await line.customer('5491155550001', 'Sol Ñandú').says('hola \u2028 ¿están? 👋')
    const ticket = await vi.waitFor(async () => {
      const { tickets } = await company.admin.call(ticketsApi.list, { query: { status: 'pending', showAll: 'true' } })
      if (!tickets[0]) throw new Error('no ticket yet')
      return tickets[0]
    })
    await company.admin.call(ticketsApi.update, {
      params: { id: ticket.id },
      body: { status: 'open', userId: company.admin.id },
    })
    const form = new FormData()
    form.append('body', 'la foto')
    form.append('medias', new File([tinyPng], 'casa.png', { type: 'image/png' }))
    expect((await company.admin.request('POST', `/messages/${ticket.id}`, form)).status).toBe(200)
    await insertFixtures(from, await readFixtureTables(from), {
      id: company.id,
      mark: 'Mine',
      person: company.admin.id,
    })
    // The first contact was merged into the second: it refers to a row that comes after it.
    const { rows: two } = await from.query<{ id: number }>(
      `insert into contacts ("companyId", name, number) values ($1, 'Uno', '1'), ($1, 'Dos', '2') returning id`,
      [company.id],
    )
    await from.query(
      `update users set email = 'mine@casa.test', "passwordHash" = (select "passwordHash" from users where id = $1)
       where "companyId" = $2 and email like 'Mine-%'`,
      [company.admin.id, company.id],
    )
    await from.query('update contacts set "mergedInto" = $2 where id = $1', [two[0]?.id, two[1]?.id])
    const filled = { ownerId: { was: null, now: company.admin.id }, language: { was: null, now: 'pt' } }
    await from.query(
      `insert into "contactMerges" ("companyId", "keptId", "mergedId", reason, moved, at) values ($1, $2, $3, 'by-hand', $4, now())`,
      [company.id, two[1]?.id, two[0]?.id, { tickets: [], filled }],
    )
    await from.query('update queues set "answerGoalUrgent" = 3, "resolveGoalLow" = 700 where "companyId" = $1', [
      company.id,
    ])
    await from.query(`insert into settings values ($1, 'asaas', 'sealed-word') on conflict do nothing`, [company.id])

    const out = join(folder, 'first')
    const manifest = await exportCompany(meansOf(source, from), { companyId: company.id, to: out })
    expect(manifest.tables.filter(({ rows }) => rows === 0).map(({ name }) => name)).toEqual([])
    expect(manifest.media.files).toBeGreaterThan(0)
    const text = (
      await Promise.all((await readdir(out)).filter((f) => f.endsWith('l')).map((f) => readFile(join(out, f), 'utf8')))
    ).join()
    expect(text).not.toContain('sealed-word')
    expect(Object.keys(manifest.left)).toEqual(
      expect.arrayContaining(['linkedKeys', 'prompts.apiKeySealed', 'sessions']),
    )

    // A killed import leaves nothing behind, and the next import starts from the beginning.
    const dying = Object.assign(Object.create(to), {
      query: to.query.bind(to),
      connect: async () => {
        const client = await to.connect()
        const query = client.query.bind(client)
        return Object.assign(Object.create(client), {
          query: (words: string, values?: unknown[]) =>
            words.startsWith('insert into "messages"') ? Promise.reject(new Error('killed')) : query(words, values),
          release: () => client.release(),
        })
      },
    })
    await expect(importCompany({ owner: dying, files: target.server.deps.files }, out)).rejects.toThrow('killed')
    const { rows: none } = await to.query(`select 1 from companies where name = 'Casa Sol'`)
    expect(none).toEqual([])

    const brought = await importCompany(meansOf(target, to), out)
    expect(brought).toMatchObject({ name: 'Casa Sol', outcome: 'new', files: manifest.media.files })
    expect(brought.rows).toBe(manifest.tables.reduce((all, { rows }) => all + rows, 0))
    const again = join(folder, 'again')
    const second = await exportCompany(meansOf(target, to), { companyId: brought.companyId, to: again })
    expect(second.tables.find(({ name }) => name === 'tickets')?.ids?.low).not.toBe(
      manifest.tables.find(({ name }) => name === 'tickets')?.ids?.low,
    )
    expect(await withoutIds(again, second)).toEqual(await withoutIds(out, manifest))
    expect(await readdir(join(again, 'media'))).toEqual(await readdir(join(out, 'media')))

    // Importing the same folder again changes nothing in the tables, but moves files that a crash left in the staging
    // folder.
    const place = join(target.dataDir, 'files', String(brought.companyId))
    await rename(place, target.server.deps.files.stagingDir(manifest.id))
    expect(await importCompany(meansOf(target, to), out)).toMatchObject({
      companyId: brought.companyId,
      outcome: 'there',
    })
    expect((await readdir(place)).sort()).toEqual((await readdir(join(out, 'media'))).sort())
    const third = await exportCompany(meansOf(target, to), { companyId: brought.companyId, to: join(folder, 'third') })
    expect(third.tables.map(({ name, rows }) => [name, rows])).toEqual(
      second.tables.map(({ name, rows }) => [name, rows]),
    )
    // Another export of the same company counts as another company, and is refused because its name is taken.
    await exportCompany(meansOf(source, from), { companyId: company.id, to: join(folder, 'other') })
    await expect(importCompany(meansOf(target, to), join(folder, 'other'))).rejects.toThrow(
      'There is a company named Casa Sol',
    )

    // Users log in as before, and find all their data.
    const admin = await target.login(company.admin.email)
    const there = await admin.call(ticketsApi.list, { query: { status: 'open', showAll: 'true' } })
    const moved = there.tickets.find(({ number }) => number === ticket.number) as {
      id: number
      contact: { name: string }
    }
    expect(moved.contact.name).toBe('Sol Ñandú')
    const { messages } = await admin.call(messagesApi.list, {
      params: { ticketId: moved.id },
      query: { pageNumber: '1' },
    })
    expect(messages.map(({ body }) => body)).toEqual(expect.arrayContaining(['hola \u2028 ¿están? 👋']))
    const picture = messages.find(({ mediaType }) => mediaType === 'image')
    const bytes = await fetch(
      new URL(
        new URL(picture?.mediaUrl as string).pathname + new URL(picture?.mediaUrl as string).search,
        target.address,
      ),
    )
    expect(bytes.status).toBe(200)
    expect(Buffer.from(await bytes.arrayBuffer()).equals(Buffer.from(tinyPng))).toBe(true)
    const { rows: goals } = await to.query(
      'select distinct "answerGoalUrgent" as urgent, "resolveGoalLow" as low from queues where "companyId" = $1',
      [brought.companyId],
    )
    expect(goals).toEqual([{ urgent: 3, low: 700 }])
    // A merge can be undone there: it names the users of this installation.
    const { rows: merges } = await to.query(
      `select m.moved -> 'filled' as filled, u.id as "adminId" from "contactMerges" m
       join users u on u."companyId" = m."companyId" and u.email = $2
       where m."companyId" = $1 and m.reason = 'by-hand'`,
      [brought.companyId, company.admin.email],
    )
    expect(merges).toHaveLength(1)
    expect(merges[0].filled).toEqual({
      ...{ ownerId: { was: null, now: merges[0].adminId }, language: { was: null, now: 'pt' } },
    })
    // The ticket numbers of the company continue.
    const { rows: numbers } = await to.query(`select nextval('numbers."tickets_${brought.companyId}"')::int as next`)
    expect(numbers[0].next).toBeGreaterThan(ticket.number)
    expect((await admin.request('GET', '/whatsapp')).status).toBe(200)
    expect((await admin.request('GET', '/prompt')).status).toBe(200)
  })

  it('is refused if its folder is incomplete or was changed', async () => {
    const company = await source.createCompany()
    await expect(
      exportCompany(meansOf(source, from), { companyId: 999_999, to: join(folder, 'nobody') }),
    ).rejects.toThrow('no company')
    const out = join(folder, 'changed')
    await exportCompany(meansOf(source, from), { companyId: company.id, to: out })
    await expect(exportCompany(meansOf(source, from), { companyId: company.id, to: out })).rejects.toThrow(
      'there already',
    )
    await appendFile(join(out, 'users.jsonl'), '{}\n')
    await expect(importCompany(meansOf(target, to), out)).rejects.toThrow('users.jsonl')
    await rm(join(out, 'manifest.json'))
    await expect(importCompany(meansOf(target, to), out)).rejects.toThrow('no whole export')
    expect(await readdir(folder)).not.toContain('nobody')
  })
})
