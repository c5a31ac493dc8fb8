import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import type { Files } from '../../src/kernel/files/files.ts'
import { ImportExportError } from './import-export-error.ts'
import {
  archiveVersion,
  type Manifest,
  type MediaFile,
  manifestName,
  mediaFolderName,
  mediaListName,
} from './manifest.ts'
import { readSchema, type SchemaTable } from './schema.ts'
import {
  excludedColumns,
  excludedTables,
  exportedColumns,
  exportedTables,
  isSealedColumn,
  referencedTable,
  rowFilterByTable,
} from './table-rules.ts'

/** `owner`: connections with the privileges of the table owner. */
export type ImportExportDeps = { owner: pg.Pool; files: Files }
/** Called with the current step, how many more items are done, and the total (0: unknown). */
export type ReportExportProgress = (what: string, done: number, total: number) => void

/** Rows held in memory at once. */
const batchSize = 1000

/**
 * Exports all data of a company into a folder, as of one moment: all tables are read in one transaction, under the
 * company's row-level security. The folder is written under a temporary name and renamed when it is complete.
 */
export async function exportCompany(
  { owner, files }: ImportExportDeps,
  { companyId, to }: { companyId: number; to: string },
  reportProgress: ReportExportProgress = () => {},
): Promise<Manifest> {
  const target = resolve(to)
  if (existsSync(target)) throw new ImportExportError(`${target} is there already.`)
  const partialDir = `${target}.part`
  await rm(partialDir, { recursive: true, force: true })
  await mkdir(join(partialDir, mediaFolderName), { recursive: true, mode: 0o700 })
  const client = await owner.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const order = await readSchema(client)
    const plan = await loadPlan(client, companyId)
    await client.query('set local role recado_app')
    await client.query(`select set_config('app.company_id', $1, true)`, [String(companyId)])
    const { rows } = await client.query<{ name: string }>('select name from companies')
    const [company] = rows
    if (!company) throw new ImportExportError(`There is no company ${companyId}.`)
    const exported = exportedTables(order)
    const tables: Manifest['tables'] = []
    for (const table of exported) {
      tables.push(await writeTable(client, table, exported, partialDir, reportProgress))
    }
    await client.query('rollback')
    const media = await writeMedia(files, companyId, partialDir, reportProgress)
    const manifest: Manifest = {
      form: 'recado-company',
      version: archiveVersion,
      id: randomUUID(),
      madeAt: new Date().toISOString(),
      company: { id: companyId, name: company.name },
      plan,
      tables,
      media,
      left: listExcluded(order),
    }
    await writeFile(join(partialDir, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    await mkdir(dirname(target), { recursive: true })
    await rename(partialDir, target)
    return manifest
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/** Plans belong to the platform. The plan's allowances are exported, so that it can be created if its name does not exist. */
async function loadPlan(client: pg.PoolClient, companyId: number): Promise<Manifest['plan']> {
  await client.query('set local role recado_platform')
  const { rows } = await client.query<{ plan: Record<string, unknown> }>(
    `select to_jsonb(p) - array['id', 'createdAt'] as plan from companies c join plans p on p.id = c."planId" where c.id = $1`,
    [companyId],
  )
  return rows[0]?.plan ?? null
}

/** Writes one JSON object per row, created by the database: numbers and timestamps keep their exact value. */
async function writeTable(
  client: pg.PoolClient,
  table: SchemaTable,
  all: SchemaTable[],
  folder: string,
  reportProgress: ReportExportProgress,
) {
  const { name } = table
  const columns = exportedColumns(table)
  const file = `${name}.jsonl`
  const where = rowFilterByTable[name] ? `where ${rowFilterByTable[name]}` : ''
  const orderBy = table.key.length ? `order by ${table.key.map((key) => `"${key}"`)}` : ''
  await client.query(
    `declare going no scroll cursor for select row_to_json(t)::text as line from
      (select ${columns.map((column) => `"${column}"`)} from "${name}" ${where} ${orderBy}) t`,
  )
  let rows = 0
  async function* lines() {
    for (;;) {
      const { rows: found } = await client.query<{ line: string }>(`fetch ${batchSize} from going`)
      if (!found.length) return
      rows += found.length
      reportProgress(name, found.length, 0)
      yield `${found.map(({ line }) => line).join('\n')}\n`
    }
  }
  const checksum = await writeSummed(lines(), join(folder, file))
  await client.query('close going')
  const ids = table.idColumn ? await findIdRange(client, table, all) : null
  return { name, file, rows, columns, ids, ...checksum }
}

/** The range of all referenced ids, including ids of deleted rows: ids assigned later must differ from all of them. */
async function findIdRange(client: pg.PoolClient, table: SchemaTable, all: SchemaTable[]) {
  const ownRange = [
    `select min("${table.idColumn?.column}") as low, max("${table.idColumn?.column}") as high from "${table.name}"`,
  ]
  const referenceRanges = all.flatMap((other) =>
    exportedColumns(other)
      .filter((column) => column !== 'companyId' && referencedTable(all, other.name, column) === table.name)
      .map((column) => `select min("${column}"), max("${column}") from "${other.name}" where "${column}" > 0`),
  )
  const { rows } = await client.query<{ low: string | null; high: string | null }>(
    `select min(low) as low, max(high) as high from (${[...ownRange, ...referenceRanges].join(' union all ')}) x`,
  )
  const [found] = rows
  return found?.low == null ? null : { low: Number(found.low), high: Number(found.high) }
}

async function writeMedia(
  from: Files,
  companyId: number,
  folder: string,
  reportProgress: ReportExportProgress,
): Promise<Manifest['media']> {
  const names: string[] = []
  for await (const { name } of from.listAll(companyId)) names.push(name)
  names.sort()
  let bytesOfFiles = 0
  let files = 0
  async function* lines() {
    for (const name of names) {
      const one = await copySummed(from.read(companyId, name), join(folder, mediaFolderName, name)).catch(nullIfMissing)
      if (!one) continue
      bytesOfFiles += one.size
      files++
      reportProgress('files', 1, names.length)
      yield `${JSON.stringify({ name, ...one } satisfies MediaFile)}\n`
    }
  }
  const checksum = await writeSummed(lines(), join(folder, mediaListName))
  return { file: mediaListName, ...checksum, files, bytesOfFiles }
}

/** A file may be missing, because a message deleted during the export deletes its file. */
const nullIfMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Counts and hashes the bytes that pass through. */
export function makeCountingStream() {
  const sum = createHash('sha256')
  let size = 0
  const countingStream = new Transform({
    transform(chunk: Buffer, _, done) {
      sum.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  return { stream: countingStream, result: () => ({ size, sha256: sum.digest('hex') }) }
}

async function writeSummed(lines: AsyncIterable<string>, file: string) {
  const { stream: countingStream, result } = makeCountingStream()
  await pipeline(lines, countingStream, createWriteStream(file, { mode: 0o600 }))
  const { size, sha256 } = result()
  return { bytes: size, sha256 }
}

async function copySummed(from: Readable, to: string) {
  const { stream: countingStream, result } = makeCountingStream()
  await pipeline(from, countingStream, createWriteStream(to, { mode: 0o600 }))
  return result()
}

const listExcluded = (tables: SchemaTable[]): Record<string, string> => {
  const sealed = exportedTables(tables).flatMap(({ name, columns }) =>
    columns
      .filter((c) => isSealedColumn(c.name))
      .map((c): [string, string] => [`${name}.${c.name}`, 'sealed by this house']),
  )
  const columns = Object.entries(excludedColumns).flatMap(([table, reasonByColumn]) =>
    Object.entries(reasonByColumn).map(([column, why]): [string, string] => [`${table}.${column}`, why]),
  )
  return {
    ...excludedTables,
    ...Object.fromEntries([...columns, ...sealed]),
    'settings (secrets)': 'sealed by this house',
  }
}
