import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { type FixtureTable, insertFixtures, readFixtureTables } from './fixtures.ts'
import type { TestServer } from './test-server.ts'

/**
 * An exported company in memory, which a test changes and writes again with matching checksums, as an attacker who knows
 * the format can do. Its types are looser than the importer's, so that tests can put any value anywhere.
 */
export type LooseRow = Record<string, unknown>
export type LooseTable = { name: string; file: string; columns: unknown[]; ids: unknown; [key: string]: unknown }
export type LooseManifest = {
  id: string
  company: { id: number; name: string }
  tables: LooseTable[]
  media: Record<string, unknown>
  [key: string]: unknown
}
export type CompanyArchive = {
  manifest: LooseManifest
  /** The rows of each table; a string is written to the file as it is. */
  rows: Record<string, (LooseRow | string)[]>
  media: (LooseRow | string)[]
  files: Record<string, Buffer>
  /** Overrides of the manifest, written last. */
  instead?: Record<string, unknown>
}

const parseLines = (text: string): LooseRow[] => text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))

export async function readArchive(folder: string): Promise<CompanyArchive> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as LooseManifest
  const rows: CompanyArchive['rows'] = {}
  for (const { name, file } of manifest.tables) rows[name] = parseLines(await readFile(join(folder, file), 'utf8'))
  const media = parseLines(await readFile(join(folder, 'media.jsonl'), 'utf8'))
  const files: Record<string, Buffer> = {}
  for (const { name } of media) files[String(name)] = await readFile(join(folder, 'media', String(name)))
  return { manifest, rows, media, files }
}

export const archiveRows = (archive: CompanyArchive, table: string): LooseRow[] =>
  (archive.rows[table] ?? []).filter((row): row is LooseRow => typeof row === 'object')
export const archiveTable = (archive: CompanyArchive, name: string): LooseTable => {
  const found = archive.manifest.tables.find((table) => table.name === name)
  if (!found) throw new Error(`the archive has no table ${name}`)
  return found
}
/** Adds a table to the archive that an export would not write. */
export function addTable(archive: CompanyArchive, name: string, rows: LooseRow[]): void {
  const columns = Object.keys(rows[0] ?? {})
  archive.manifest.tables.push({ name, file: `${name}.jsonl`, rows: rows.length, columns, ids: null })
  archive.rows[name] = rows
}

const toJsonLines = (lines: (LooseRow | string)[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
const sha256Of = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

/** Writes the archive with matching counts and checksums. */
export async function writeArchive(archive: CompanyArchive, folder: string): Promise<string> {
  await mkdir(join(folder, 'media'), { recursive: true })
  const { manifest, rows, media, files, instead } = archive
  const tables: LooseTable[] = []
  for (const table of manifest.tables) {
    const lines = rows[table.name] ?? []
    const text = toJsonLines(lines)
    tables.push({ ...table, rows: lines.length, bytes: Buffer.byteLength(text), sha256: sha256Of(text) })
    if (/^[\w.-]+$/.test(table.file)) await writeFile(join(folder, table.file), text)
  }
  const list = toJsonLines(media)
  await writeFile(join(folder, 'media.jsonl'), list)
  for (const [name, bytes] of Object.entries(files))
    if (/^[\w.-]+$/.test(name)) await writeFile(join(folder, 'media', name), bytes)
  const told = { ...manifest.media, bytes: Buffer.byteLength(list), sha256: sha256Of(list), files: media.length }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, tables, media: told, ...instead }))
  return folder
}

export const copyArchive = async (from: string, to: string): Promise<string> => {
  await cp(from, to, { recursive: true })
  return to
}

/** A company with a row in every table, as the app itself would have written it. */
export async function createFixtureCompany(h: TestServer, owner: pg.Pool, name: string) {
  const company = await h.createCompany(name)
  await insertFixtures(owner, await readFixtureTables(owner), {
    id: company.id,
    mark: 'Mine',
    person: company.admin.id,
  })
  await owner.query(
    `update users set email = 'mine-' || id || '@casa.test', "passwordHash" = (select "passwordHash" from users where id = $1)
     where "companyId" = $2 and email like 'Mine-%'`,
    [company.admin.id, company.id],
  )
  return company
}

/**
 * The tables of each database. They are cached, because reading the schema takes longer than reading the rows, and no
 * import changes it.
 */
const schemaCache = new WeakMap<pg.Pool, FixtureTable[]>()
async function loadTables(owner: pg.Pool): Promise<FixtureTable[]> {
  const tables = schemaCache.get(owner) ?? (await readFixtureTables(owner))
  schemaCache.set(owner, tables)
  return tables
}

/**
 * A checksum of every table without the rows of one company, and the names of the ticket number sequences: an import
 * must not change them. It is a text, so that a difference names its table.
 */
export async function hashTablesWithout(owner: pg.Pool, companyId: number): Promise<Record<string, string | null>> {
  const client = await owner.connect()
  try {
    // Background work fills the views of companies that were imported before.
    const filled = /^(live|ticketView(Members|Tallies|Changes)$)/
    const tables = (await loadTables(owner)).filter(({ name }) => !filled.test(name))
    const parts = tables.map(({ name, tenant }) => {
      const whose = name === 'companies' ? `t.id <> ${companyId}` : tenant ? `t."companyId" <> ${companyId}` : 'true'
      const row = name === 'ticketViews' ? `(to_jsonb(t) - 'fillBefore')::text` : 't::text'
      return `select '${name}' as name, md5(string_agg(${row}, '|' order by ${row})) as mark from "${name}" t where ${whose}`
    })
    await client.query('begin; set local role recado_platform')
    const { rows: readable } = await client.query<{ name: string }>(
      `select name from unnest($1::text[]) name where has_table_privilege(format('%I', name), 'select')`,
      [tables.map(({ name }) => name)],
    )
    const { rows } = await client.query<{ name: string; mark: string | null }>(
      parts.filter((_, n) => readable.some(({ name }) => name === tables[n]?.name)).join(' union all '),
    )
    await client.query('rollback')
    const { rows: counters } = await client.query<{ names: string | null }>(
      `select string_agg(sequencename, ',' order by sequencename) as names from pg_sequences
       where schemaname = 'numbers' and sequencename <> $1`,
      [`tickets_${companyId}`],
    )
    const { rows: jobs } = await client.query<{ count: string }>('select count(*) from graphile_worker._private_jobs')
    const marks = Object.fromEntries(rows.map(({ name, mark }) => [name, mark]))
    return { ...marks, numbers: counters[0]?.names ?? null, jobs: jobs[0]?.count ?? null }
  } finally {
    client.release()
  }
}
