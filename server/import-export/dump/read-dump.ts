import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { defaultLimits, type ImportLimits } from '../limits.ts'
import { type Dialect, parseCopyCell, parseTuple } from './parse-values.ts'

export type DumpRow = Record<string, string | null>
/** A batch of rows of one table. `brokenRows`: how many rows could not be read. */
export type DumpBatch = { table: string; rows: DumpRow[]; brokenRows: number }
/** The wanted columns per table; table names are in lower case, because some servers write them so. */
export type WantedColumns = Record<string, readonly string[]>

/** Batch limits in rows and in characters: a message can contain an inline picture. */
const batchLimits = { rows: 1000, chars: 8 * 1024 * 1024 }
/** Longer than any text that is imported: longer texts would be cut off later anyway. */
const maxCellLength = 131_072
/** A substring keeps the whole string in memory, so substrings of a long row are copied. */
const longRowLength = 1024 * 1024
const detachText = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')
const chunkBytes = 1024 * 1024

/**
 * Matches an INSERT up to its first tuple. Each run of whitespace can be matched by only one part, so it is scanned
 * once.
 */
const insertHead =
  /^INSERT (?:IGNORE )?INTO ([^\s(]+)(?:\s*\(([^)]*)\))?\s*(?:OVERRIDING \w+ VALUE\s+)?VALUES?\s*(?=\()/i
const maxHeadLength = 8000

export class DumpError extends Error {}

/** How much of a dump is read: a compressed file of one megabyte may contain a terabyte. */
export type DumpLimits = Pick<ImportLimits, 'lineBytes' | 'bytes' | 'tableRows' | 'rows'>

/** The text of a dump, compressed or not, in chunks. `read` is called for every chunk of the file. */
async function* readDumpText(
  path: string,
  limits: DumpLimits,
  read: (chunk: string | Buffer) => void,
): AsyncGenerator<string> {
  const file = await open(path)
  const head = Buffer.alloc(5)
  const isFile = (await file.stat()).isFile()
  if (isFile) await file.read(head, 0, 5, 0)
  await file.close()
  if (!isFile) throw new DumpError(`${path} is not a file.`)
  if (head.toString('latin1') === 'PGDMP')
    throw new DumpError(
      `${path} is in pg_dump's own format. Make plain SQL of it: pg_restore --no-owner -f dump.sql ${path}`,
    )
  const raw = createReadStream(path, { highWaterMark: chunkBytes })
  raw.on('data', read)
  const plain = head[0] === 0x1f && head[1] === 0x8b ? raw.pipe(createGunzip({ chunkSize: chunkBytes })) : raw
  // pipe() does not forward errors of the source file.
  if (plain !== raw) raw.on('error', (error) => plain.destroy(error))
  plain.setEncoding('utf8')
  let charCount = 0
  for await (const text of plain) {
    charCount += (text as string).length
    if (charCount > limits.bytes)
      throw new DumpError(`The dump holds more than ${limits.bytes} bytes (--limit bytes=…).`)
    yield text as string
  }
}

const unquoteName = (name: string) => name.replace(/["`]/g, '').split('.').at(-1) ?? ''
const parseColumnList = (columns: string) => columns.split(',').map((name) => unquoteName(name.trim()))

/** Parses a dump: statements of one or several text lines, and COPY blocks. */
export async function* readDumpRows(
  path: string,
  wanted: WantedColumns,
  read: (chunk: string | Buffer) => void = () => {},
  limits: DumpLimits = defaultLimits,
): AsyncGenerator<DumpBatch> {
  const parser = makeParser(wanted, limits.lineBytes)
  const counts = new Map<string, number>()
  let totalRows = 0
  const count = (batch: DumpBatch): DumpBatch => {
    const rows = batch.rows.length + batch.brokenRows
    const table = batch.table.toLowerCase()
    const rowCount = (counts.get(table) ?? 0) + rows
    counts.set(table, rowCount)
    totalRows += rows
    if (rowCount > limits.tableRows)
      throw new DumpError(`${batch.table} has more than ${limits.tableRows} rows (--limit tableRows=…).`)
    if (totalRows > limits.rows) throw new DumpError(`The dump has more than ${limits.rows} rows (--limit rows=…).`)
    return batch
  }
  for await (const text of readDumpText(path, limits, read)) for (const batch of parser.feed(text)) yield count(batch)
  for (const batch of parser.end()) yield count(batch)
}

type CopyBlock = { kind: 'copy'; table: string; columns: string[] }
type InsertStatement = { kind: 'insert'; table: string; columns: string[]; dialect: Dialect }
type CreateStatement = { kind: 'create'; table: string; columns: string[] }

function makeParser(wanted: WantedColumns, maxLineChars: number) {
  const wantedByTable = new Map(Object.entries(wanted).map(([table, columns]) => [table, new Set(columns)]))
  const columnsByTable = new Map<string, string[]>()
  let buffer = ''
  let at = 0
  let statement: CopyBlock | InsertStatement | CreateStatement | null = null
  let batch: DumpBatch | null = null
  let charCount = 0
  const readyBatches: DumpBatch[] = []

  const flush = () => {
    if (batch && (batch.rows.length || batch.brokenRows)) readyBatches.push(batch)
    batch = null
    charCount = 0
  }
  function add(table: string, columns: string[], cells: (string | null)[]): void {
    const wantedColumns = wantedByTable.get(table.toLowerCase())
    if (!wantedColumns) return
    if (batch?.table !== table) flush()
    batch ??= { table, rows: [], brokenRows: 0 }
    if (cells.length !== columns.length) batch.brokenRows++
    else {
      const row: DumpRow = {}
      const isLong = cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0) > longRowLength
      for (let i = 0; i < columns.length; i++) {
        if (!wantedColumns.has(columns[i] as string)) continue
        const cell = cells[i]?.slice(0, maxCellLength) ?? null
        row[columns[i] as string] = cell !== null && isLong ? detachText(cell) : cell
        charCount += cell?.length ?? 0
      }
      batch.rows.push(row)
    }
    if (batch.rows.length >= batchLimits.rows || charCount > batchLimits.chars) flush()
  }

  /** The statement that starts on this text line, if the import needs it. */
  function parseStatementStart(said: string): CopyBlock | CreateStatement | null {
    const copy = /^COPY ([^\s(]+) \((.*)\) FROM stdin;/.exec(said)
    if (copy)
      return { kind: 'copy', table: unquoteName(copy[1] as string), columns: parseColumnList(copy[2] as string) }
    const create = /^CREATE TABLE (?:IF NOT EXISTS )?([^\s(]+)/i.exec(said)
    return create && { kind: 'create', table: unquoteName(create[1] as string), columns: [] }
  }

  /** The next complete text line, or null if it has not arrived yet. */
  function nextLine(): string | null {
    const end = buffer.indexOf('\n', at)
    if (end < 0) return null
    const found = buffer.slice(at, buffer.charCodeAt(end - 1) === 13 && end > at ? end - 1 : end)
    at = end + 1
    return found
  }

  function readStatementStart(last: boolean): boolean {
    if (/^insert /i.test(buffer.slice(at, at + 7))) {
      const found = insertHead.exec(buffer.slice(at, at + maxHeadLength))
      // The tuples follow the column list; until the list is complete, more text is needed.
      if (!found && buffer.length - at < maxHeadLength && !last) return false
      if (found) {
        const [head, table = '', columns] = found
        const dialect = table.includes('`') ? 'mysql' : 'postgres'
        const known = columns ? parseColumnList(columns) : (columnsByTable.get(unquoteName(table)) ?? [])
        statement = { kind: 'insert', table: unquoteName(table), columns: known, dialect }
        at += head.length
        return true
      }
    }
    const said = nextLine()
    if (said === null) return false
    statement = parseStatementStart(said)
    return true
  }

  function readCopyRow({ table, columns }: CopyBlock): boolean {
    const said = nextLine()
    if (said === null) return false
    if (said === '\\.') {
      statement = null
      flush()
    } else if (wantedByTable.has(table.toLowerCase())) add(table, columns, said.split('\t').map(parseCopyCell))
    return true
  }

  function readCreateColumn(create: CreateStatement): boolean {
    const said = nextLine()
    if (said === null) return false
    if (/^\)/.test(said)) {
      columnsByTable.set(create.table, create.columns)
      statement = null
      return true
    }
    const [, back, double, plain] = /^\s+(?:`([^`]+)`|"([^"]+)"|(\w+))\s/.exec(said) ?? []
    const name = back ?? double ?? plain
    if (
      name &&
      !(plain && /^(primary|key|unique|constraint|fulltext|index|check|exclude|foreign|spatial)$/i.test(plain))
    )
      create.columns.push(name)
    return true
  }

  function readInsertTuple({ table, columns, dialect }: InsertStatement): boolean {
    while (/[\s,]/.test(buffer.charAt(at))) at++
    if (at >= buffer.length) return false
    if (buffer.charAt(at) !== '(') {
      // The statement ends here, or a clause follows that belongs to no tuple (ON CONFLICT …): the rest of the text
      // line is skipped.
      if (nextLine() === null) return false
      statement = null
      flush()
      return true
    }
    const read = parseTuple(buffer, at, dialect)
    if (!read) return false
    at = read.next
    add(table, columns, read.values)
    return true
  }

  const step = (last: boolean): boolean => {
    if (at >= buffer.length) return false
    if (!statement) return readStatementStart(last)
    if (statement.kind === 'copy') return readCopyRow(statement)
    return statement.kind === 'create' ? readCreateColumn(statement) : readInsertTuple(statement)
  }

  function* consumeText(text: string, last = false): Generator<DumpBatch> {
    buffer = at ? buffer.slice(at) + text : buffer + text
    at = 0
    if (buffer.length > maxLineChars)
      throw new DumpError(`A row or a line of the dump is longer than ${maxLineChars} bytes (--limit lineBytes=…).`)
    while (step(last)) while (readyBatches.length) yield readyBatches.shift() as DumpBatch
    while (readyBatches.length) yield readyBatches.shift() as DumpBatch
  }
  return {
    feed: consumeText,
    *end(): Generator<DumpBatch> {
      yield* consumeText('\n', true)
      flush()
      yield* readyBatches.splice(0)
      if (statement && statement.kind !== 'create')
        throw new DumpError('The dump ends in the middle of a table: it was not written to its end.')
    },
  }
}
