import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * An exported company in memory, to be changed and written again with checksums that fit: what a stranger who knows the
 * format can do. Nothing here is typed as the importer types it, so that tests can put anything anywhere.
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
  /** Lines of each table; a string is written as it stands. */
  rows: Record<string, (LooseRow | string)[]>
  media: (LooseRow | string)[]
  files: Record<string, Buffer>
}

const linesIn = (text: string): LooseRow[] => text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))

export async function readArchive(folder: string): Promise<CompanyArchive> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as LooseManifest
  const rows: CompanyArchive['rows'] = {}
  for (const { name, file } of manifest.tables) rows[name] = linesIn(await readFile(join(folder, file), 'utf8'))
  const media = linesIn(await readFile(join(folder, 'media.jsonl'), 'utf8'))
  const files: Record<string, Buffer> = {}
  for (const { name } of media) files[String(name)] = await readFile(join(folder, 'media', String(name)))
  return { manifest, rows, media, files }
}

export const rowsIn = (archive: CompanyArchive, table: string): LooseRow[] =>
  (archive.rows[table] ?? []).filter((row): row is LooseRow => typeof row === 'object')
export const tableIn = (archive: CompanyArchive, name: string): LooseTable => {
  const found = archive.manifest.tables.find((table) => table.name === name)
  if (!found) throw new Error(`the archive has no table ${name}`)
  return found
}
/** A table that the export does not write. */
export function addTable(archive: CompanyArchive, name: string, rows: LooseRow[]): void {
  const columns = Object.keys(rows[0] ?? {})
  archive.manifest.tables.push({ name, file: `${name}.jsonl`, rows: rows.length, columns, ids: null })
  archive.rows[name] = rows
}

const asText = (lines: (LooseRow | string)[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
const sumOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

/** Writes it with the counts and sums of what is in it. */
export async function writeArchive(archive: CompanyArchive, folder: string): Promise<string> {
  await mkdir(join(folder, 'media'), { recursive: true })
  const { manifest, rows, media, files } = archive
  const tables: LooseTable[] = []
  for (const table of manifest.tables) {
    const lines = rows[table.name] ?? []
    const text = asText(lines)
    tables.push({ ...table, rows: lines.length, bytes: Buffer.byteLength(text), sha256: sumOf(text) })
    if (/^[\w.-]+$/.test(table.file)) await writeFile(join(folder, table.file), text)
  }
  const list = asText(media)
  await writeFile(join(folder, 'media.jsonl'), list)
  for (const [name, bytes] of Object.entries(files))
    if (/^[\w.-]+$/.test(name)) await writeFile(join(folder, 'media', name), bytes)
  const told = { ...manifest.media, bytes: Buffer.byteLength(list), sha256: sumOf(list), files: media.length }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, tables, media: told }))
  return folder
}

export const copyArchive = async (from: string, to: string): Promise<string> => {
  await cp(from, to, { recursive: true })
  return to
}
