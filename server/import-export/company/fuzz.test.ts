import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  archiveRows,
  type CompanyArchive,
  createFixtureCompany,
  hashTablesWithout,
  type LooseRow,
  readArchive,
  writeArchive,
} from '../../test/company-archive.ts'
import { openOwnerPool } from '../../test/fixtures.ts'
import { closeTestServers, type TestServer, testServer } from '../../test/test-server.ts'
import { exportCompany } from './export-company.ts'
import { importCompany } from './import-company.ts'
import { ImportExportError } from './import-export-error.ts'
import { readSchema, type SchemaTable } from './schema.ts'
import { excludedTables, exportedTables, referencedTable, renumberInsideColumn, softReferences } from './table-rules.ts'

/** For more runs and another seed before a release: IMPORT_FUZZ_RUNS=2000 IMPORT_FUZZ_SEED=7 */
const numRuns = Number(process.env.IMPORT_FUZZ_RUNS ?? 30)
const seed = Number(process.env.IMPORT_FUZZ_SEED ?? 20_261_117)

let target: TestServer
let to: pg.Pool
let folder: string
let exported: CompanyArchive
let schema: SchemaTable[]
/** Ids of existing rows, by table: the targets of forged references. */
let present: Record<string, number[]>

beforeAll(async () => {
  const a = await testServer()
  target = await testServer()
  const from = openOwnerPool(a)
  to = openOwnerPool(target)
  folder = await mkdtemp(join(tmpdir(), 'recado-import-fuzz-'))
  const company = await createFixtureCompany(a, from, 'Casa Prueba')
  const name = `${'b'.repeat(32)}.txt`
  await a.server.deps.files.restore(
    company.id,
    name,
    (async function* () {
      yield Buffer.from('a file')
    })(),
  )
  await exportCompany(
    { owner: from, files: a.server.deps.files },
    { companyId: company.id, to: join(folder, 'exported') },
  )
  exported = await readArchive(join(folder, 'exported'))
  await from.end()
  await target.createCompany('Primera')
  await createFixtureCompany(target, to, 'Vecina')
  schema = await readSchema(to)
  present = await idsHere(0)
})
afterAll(async () => {
  await to?.end()
  await closeTestServers()
  await rm(folder, { recursive: true, force: true })
})

/** The ids of every table except those of one company's rows. */
async function idsHere(without: number): Promise<Record<string, number[]>> {
  const ids: Record<string, number[]> = {}
  const client = await to.connect()
  try {
    await client.query('begin; set local role recado_platform')
    for (const { name, idColumn: counted } of schema) {
      if (!counted) continue
      const whose = name === 'companies' ? 'id' : '"companyId"'
      const { rows } = await client.query<{ id: string }>(
        `select "${counted.column}" as id from "${name}" where ${whose} <> ${without}`,
      )
      ids[name] = rows.map(({ id }) => Number(id))
    }
    await client.query('rollback')
    return ids
  } finally {
    client.release()
  }
}

// ---- possible forgeries

type Change = (archive: CompanyArchive) => void
const pickItem = <T>(all: T[], n: number): T | undefined => all[n % Math.max(1, all.length)]
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1, 2 ** 31, 2 ** 53, 1e300, 0.5, '', 'x', '\0', '\ud800', [], {}, [[]]),
  fc.constantFrom<unknown>(
    'infinity',
    '-infinity',
    '0001-01-01T00:00:00+00:00',
    '99999-01-01',
    '../../x',
    '/etc/passwd',
  ),
  fc.constantFrom<unknown>('x'.repeat(1500), 'x'.repeat(100_000), Array(20_000).fill(1), {
    __proto__: { super: true },
  }),
  fc.constantFrom<unknown>(
    '$2a$31$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'argon2id$4194304$1$AAAA$AAAA',
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ maxLength: 40 }),
  fc.integer(),
)
const cellPosition = fc.record({ table: fc.nat(), row: fc.nat(), column: fc.nat() })
const forgedTables = [
  ...Object.keys(excludedTables),
  'plans',
  'platformSecrets',
  'platformSettings',
  'helps',
  'kysely_migration',
]

const rowAt = (archive: CompanyArchive, at: { table: number; row: number }) => {
  const table = pickItem(archive.manifest.tables, at.table)
  const row = table && pickItem(archiveRows(archive, table.name), at.row)
  return table && row ? { table, row } : null
}
/** Columns that refer to rows, with their table: the best targets for a forged reference. */
const links = () =>
  exportedTables(schema).flatMap((table) =>
    table.columns.flatMap(({ name }) => {
      const target = name === 'companyId' ? 'companies' : referencedTable(schema, table.name, name)
      return target ? [{ table: table.name, column: name, target }] : []
    }),
  )

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ at: cellPosition, value: oddValue }).map(
    ({ at, value }): Change =>
      (archive) => {
        const found = rowAt(archive, at)
        const column = found && pickItem(Object.keys(found.row), at.column)
        if (found && column) found.row[column] = value
      },
  ),
  fc.record({ link: fc.nat(), id: fc.nat(), row: fc.nat() }).map(
    ({ link, id, row }): Change =>
      (archive) => {
        const found = pickItem(links(), link)
        const one = found && pickItem(archiveRows(archive, found.table), row)
        if (found && one) one[found.column] = pickItem(present[found.target] ?? [], id) ?? id
      },
  ),
  // Forge ids inside lists, JSON and texts.
  fc.record({ which: fc.nat(), id: fc.nat(), aim: fc.nat() }).map(
    ({ which, id, aim }): Change =>
      (archive) => {
        const target = pickItem(Object.values(present).flat(), aim) ?? id
        const places: [string, string, unknown][] = [
          ['apiKeys', 'whatsappIds', [target]],
          ['chatMessages', 'mentions', [target]],
          ['chatMessages', 'reactions', [{ userId: target, emoji: '+' }]],
          ['chats', 'pair', `${target}:${id}`],
          ['contactMerges', 'moved', { tickets: [target], senders: [target], notes: [id] }],
          ['contactMerges', 'moved', { filled: { ownerId: { was: id, now: target } } }],
          ['contactLists', 'question', { tagIds: [target], queueIds: [target] }],
          ['tickets', 'botSession', { of: target, upTo: target }],
          ['ticketEvents', 'steps', [{ step: 'x', why: 'y', with: { ticket: target, campaign: target } }]],
          ['campaignStops', 'key', `c:${target}`],
          ['audit', 'deed', 'user.created'],
        ]
        const [table, column, value] = pickItem(places, which) as [string, string, unknown]
        for (const row of archiveRows(archive, table)) row[column] = value
      },
  ),
  fc.record({ at: cellPosition, how: fc.nat(5) }).map(
    ({ at, how }): Change =>
      (archive) => {
        const { tables } = archive.manifest
        const found = rowAt(archive, at)
        const table = pickItem(tables, at.table)
        if (!table) return
        const lines = archive.rows[table.name] ?? []
        if (how === 0) archive.rows[table.name] = []
        else if (how === 1 && found) lines.push({ ...found.row })
        else if (how === 2) archive.manifest.tables = tables.filter((one) => one !== table)
        else if (how === 3) table.columns = table.columns.filter((_, n) => n !== at.column % table.columns.length)
        else if (how === 4)
          lines.push(pickItem(['{}', '[]', '', '{"a":', `${'['.repeat(500)}`, 'null'], at.row) as string)
        else if (found) delete found.row[pickItem(Object.keys(found.row), at.column) ?? '']
      },
  ),
  fc.record({ name: fc.nat(), at: cellPosition, how: fc.nat(2) }).map(
    ({ name, at, how }): Change =>
      (archive) => {
        const table = pickItem(archive.manifest.tables, at.table)
        const forged = pickItem(forgedTables, name) as string
        if (how === 0 || !table)
          archive.manifest.tables.push({ name: forged, file: `${forged}.jsonl`, columns: ['companyId'], ids: null })
        else if (how === 1) table.name = forged
        else table.columns.push(pickItem(['super', 'platform', 'mark', 'tokenHash', 'wanted', 'nothing'], name))
        archive.rows[forged] ??= [{ companyId: pickItem(present.companies ?? [], at.row) }]
      },
  ),
  fc
    .record({ key: fc.constantFrom('id', 'company', 'plan', 'version', 'media', 'left', 'tables'), value: oddValue })
    .map(
      ({ key, value }): Change =>
        (archive) => {
          archive.instead = { ...archive.instead, [key]: value }
        },
    ),
  fc.nat().map(
    (n): Change =>
      (archive) => {
        archive.manifest.company.id = pickItem(present.companies ?? [], n) ?? 1
      },
  ),
  fc.constantFrom('../../x', '/etc/passwd', 'a.txt', `${'b'.repeat(32)}.txt`, `${'c'.repeat(32)}.txt`).map(
    (name): Change =>
      (archive) => {
        archive.media.push({ ...(archive.media[0] as LooseRow), name })
      },
  ),
)

// ---- invariants

const madeByTriggers = /^(tallies|ticketTallies|ticketView(Members|Tallies|Changes)|figure\w*|campaignNews)$/

async function mustBeInside(companyId: number): Promise<void> {
  const strangers = await idsHere(companyId)
  const { db } = target.wide()
  const people = await db
    .selectFrom('users')
    .select(['super', 'passwordHash'])
    .where('companyId', '=', companyId)
    .execute()
  for (const { super: isSuper, passwordHash } of people) {
    expect(isSuper).toBe(false)
    expect(passwordHash).toMatch(/^(argon2id\$\d{1,5}\$[1-4]\$|\$2[aby]\$(0[4-9]|1[0-2])\$)/)
  }
  const lines = await db
    .selectFrom('whatsapps')
    .select(['wanted', 'status'])
    .where('companyId', '=', companyId)
    .execute()
  for (const line of lines) expect(line).toEqual({ wanted: false, status: 'DISCONNECTED' })
  const client = await to.connect()
  try {
    await client.query('begin; set local role recado_platform')
    for (const name of Object.keys(excludedTables)) {
      if (madeByTriggers.test(name)) continue
      const { rows } = await client.query(`select from "${name}" where "companyId" = $1`, [companyId])
      expect([name, rows.length]).toEqual([name, 0])
    }
    for (const [table, columns] of Object.entries(softReferences))
      for (const [column, target] of Object.entries(columns)) {
        const { rows } = await client.query<{ id: string }>(
          `select "${column}" as id from "${table}" where "companyId" = $1 and "${column}" > 0`,
          [companyId],
        )
        for (const { id } of rows)
          expect([table, column, strangers[target]?.includes(Number(id))]).toEqual([table, column, false])
      }
    for (const [table, columns] of Object.entries(renumberInsideColumn)) {
      const { rows } = await client.query<LooseRow>(`select * from "${table}" where "companyId" = $1`, [companyId])
      for (const row of rows)
        for (const [column, walk] of Object.entries(columns)) {
          if (row[column] === null) continue
          walk(
            row[column] as never,
            (target, id) => {
              const isStranger = target === 'companies' ? id > 0 && id !== companyId : strangers[target]?.includes(id)
              expect([table, column, target, isStranger ?? false]).toEqual([table, column, target, false])
              return id
            },
            row,
          )
        }
    }
    await client.query('rollback')
  } finally {
    client.release()
  }
}

async function highestIds(): Promise<Map<string, number>> {
  const { rows } = await to.query<{ name: string; last: string | null }>(
    `select sequencename as name, last_value as last from pg_sequences where schemaname = 'public'`,
  )
  return new Map(rows.map(({ name, last }) => [name, Number(last ?? 0)]))
}

it(
  'refuses a forged archive without leaving anything, or imports it within its own tenant',
  async () => {
    let run = 0
    const outcomes = { refused: 0, taken: 0, strange: [] as string[] }
    const property = async (changes: Change[]) => {
      const archive = structuredClone(exported)
      run++
      const name = `Casa ${run}`
      archive.manifest.id = randomUUID()
      archive.manifest.company.name = name
      for (const row of archiveRows(archive, 'companies')) row.name = name
      for (const [n, row] of archiveRows(archive, 'users').entries()) row.email = `p${n}-${run}@casa.test`
      for (const one of changes) one(archive)
      const path = join(folder, `run-${run}`)
      await writeArchive(archive, path)
      const [before, ids] = [await hashTablesWithout(to, 0), await highestIds()]
      const files = target.server.deps.files
      const brought = await importCompany({ owner: to, files }, path).catch((error: unknown) => {
        // If the database refuses what the checks accepted, the error has a database code; any other error is our
        // bug.
        const code = String((error as { code?: unknown }).code ?? '')
        if (!(error instanceof ImportExportError) && !/^2[23]/.test(code))
          outcomes.strange.push(String((error as Error).stack))
        return null
      })
      expect(outcomes.strange).toEqual([])
      await rm(path, { recursive: true, force: true })
      const arriving = join(target.dataDir, 'arriving')
      expect(existsSync(arriving) ? await readdir(arriving) : []).toEqual([])
      for (const [sequence, last] of await highestIds()) expect(last - (ids.get(sequence) ?? 0)).toBeLessThan(1000)
      if (brought) {
        outcomes.taken++
        expect(await hashTablesWithout(to, brought.companyId)).toEqual(before)
        await mustBeInside(brought.companyId)
      } else {
        outcomes.refused++
        expect(await hashTablesWithout(to, 0)).toEqual(before)
      }
    }
    await property([])
    expect(outcomes).toMatchObject({ taken: 1 })
    await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), property), {
      ...{ numRuns, seed, endOnFailure: true },
    })
    // Both outcomes must occur.
    expect(outcomes.refused).toBeGreaterThan(numRuns / 10)
    expect(outcomes.taken).toBeGreaterThan(numRuns / 20)
  },
  numRuns * 5000 + 60_000,
)
