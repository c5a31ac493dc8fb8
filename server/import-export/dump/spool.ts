import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { DumpBatch, DumpRow } from './read-dump.ts'

/** Maximum rows and characters of one sort run of a table that must be ordered. */
const sortRunLimits = { rows: 50_000, chars: 64 * 1024 * 1024 }
/** Characters held in memory at once. */
const batchLength = 32 * 1024 * 1024
const rowLength = (row: DumpRow): number => Object.values(row).reduce((sum, cell) => sum + (cell?.length ?? 0), 0)

type SpooledTable = { rows: number; brokenRows: number; files: string[] }

/**
 * The rows of a dump, table by table, on disk: a dump has them in an order in which they cannot be written (messages
 * before tickets, tickets before users), and may be larger than memory. The files are deleted when the import ends.
 */
export async function openSpool(folder: string, sortKeyByTable: Record<string, (row: DumpRow) => number>) {
  await mkdir(folder, { recursive: true })
  await cleanUpSpools(folder)
  const spoolDir = await mkdtemp(join(folder, `${process.pid}-`))
  const tables = new Map<string, SpooledTable>()
  const writers = new Map<string, WriteStream>()
  const runs = new Map<string, DumpRow[]>()
  const charsInRuns = new Map<string, number>()
  let files = 0

  const tableEntry = (table: string): SpooledTable => {
    const known = tables.get(table)
    if (known) return known
    const made: SpooledTable = { rows: 0, brokenRows: 0, files: [] }
    tables.set(table, made)
    return made
  }
  const file = (table: string): string => {
    const path = join(spoolDir, `${++files}`)
    tableEntry(table).files.push(path)
    return path
  }
  const openWriters = new Set<WriteStream>()
  function openWriter(table: string): WriteStream {
    const writer = createWriteStream(file(table), { mode: 0o600 })
    // An error is thrown by the next write or by the end; until then nobody may be waiting for it.
    writer.on('error', () => {})
    writer.once('close', () => openWriters.delete(writer))
    openWriters.add(writer)
    return writer
  }
  const put = async (writer: WriteStream, text: string): Promise<void> => {
    if (writer.errored) throw writer.errored
    if (!writer.write(text)) await once(writer, 'drain')
  }
  const endWriter = async (writer: WriteStream): Promise<void> => {
    writer.end()
    await finished(writer)
  }
  /** A file that is being opened would appear in a folder that is already deleted. */
  const closeWriter = (writer: WriteStream): Promise<void> =>
    new Promise((resolve) => {
      writer.once('close', resolve)
      writer.destroy()
    })

  /** Writes a sorted run, each row with its sort key. */
  async function writeRun(table: string, rows: DumpRow[], keyOf: (row: DumpRow) => number): Promise<void> {
    const writer = openWriter(table)
    const keyed = rows.map((row) => ({ row, key: keyOf(row) })).sort((a, b) => a.key - b.key)
    for (let at = 0; at < keyed.length; at += 1000)
      await put(
        writer,
        keyed
          .slice(at, at + 1000)
          .map(({ row, key }) => `${key}\t${JSON.stringify(row)}\n`)
          .join(''),
      )
    await endWriter(writer)
  }

  async function* lines(path: string): AsyncGenerator<string[]> {
    let rest = ''
    for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
      const found = (rest + chunk).split('\n')
      rest = found.pop() ?? ''
      if (found.length) yield found
    }
  }

  /** Merges several sorted runs: always takes the smallest of their first rows. */
  async function* mergeRuns(paths: string[]): AsyncGenerator<DumpRow> {
    const heads = await Promise.all(paths.map((path) => openRunHead(lines(path))))
    for (;;) {
      let first: (typeof heads)[number] | undefined
      for (const one of heads) if (one.text && (!first || one.key < first.key)) first = one
      if (!first) return
      yield JSON.parse(first.text) as DumpRow
      if (!first.next()) await first.refill()
    }
  }

  async function* readRows(table: string): AsyncGenerator<DumpRow> {
    const { files: paths } = tableEntry(table)
    if (table in sortKeyByTable) return yield* mergeRuns(paths)
    for (const path of paths)
      for await (const some of lines(path)) for (const line of some) yield JSON.parse(line) as DumpRow
  }

  return {
    async addBatch({ table: tableName, rows, brokenRows: broken }: DumpBatch): Promise<void> {
      const table = tableName.toLowerCase()
      const entry = tableEntry(table)
      entry.rows += rows.length
      entry.brokenRows += broken
      const keyOf = sortKeyByTable[table]
      if (keyOf) {
        const pendingRows = runs.get(table) ?? []
        runs.set(table, pendingRows)
        let charCount = charsInRuns.get(table) ?? 0
        for (const row of rows) {
          pendingRows.push(row)
          charCount += rowLength(row)
        }
        const isFull = pendingRows.length >= sortRunLimits.rows || charCount > sortRunLimits.chars
        charsInRuns.set(table, isFull ? 0 : charCount)
        if (isFull) await writeRun(table, pendingRows.splice(0), keyOf)
        return
      }
      let writer = writers.get(table)
      if (!writer) {
        writer = openWriter(table)
        writers.set(table, writer)
      }
      await put(writer, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    },
    /** Must be called after all rows were added. */
    async close(): Promise<void> {
      for (const [table, pendingRows] of runs)
        if (pendingRows.length)
          await writeRun(table, pendingRows.splice(0), sortKeyByTable[table] as (row: DumpRow) => number)
      for (const writer of writers.values()) await endWriter(writer)
    },
    has: (table: string): boolean => tables.has(table),
    count: (table: string): number => tables.get(table)?.rows ?? 0,
    broken: (table: string): number => tables.get(table)?.brokenRows ?? 0,
    tables: (): string[] => [...tables.keys()],
    async readAll(table: string): Promise<DumpRow[]> {
      const rows: DumpRow[] = []
      for await (const row of readRows(table)) rows.push(row)
      return rows
    },
    async *batches(table: string, size: number): AsyncGenerator<DumpRow[]> {
      let rows: DumpRow[] = []
      let charCount = 0
      for await (const row of readRows(table)) {
        rows.push(row)
        charCount += rowLength(row)
        if (rows.length < size && charCount < batchLength) continue
        yield rows
        rows = []
        charCount = 0
      }
      if (rows.length) yield rows
    },
    async remove(): Promise<void> {
      await Promise.all([...openWriters].map(closeWriter))
      await rm(spoolDir, { recursive: true, force: true })
    },
  }
}
/** The current first row of a sorted run, and a function that advances it. Without `text` the run is at its end. */
async function openRunHead(source: AsyncGenerator<string[]>) {
  let lines: string[] = []
  let at = 0
  const head = {
    key: 0,
    text: '',
    next(): boolean {
      const line = lines[at++]
      if (line === undefined) return false
      const tab = line.indexOf('\t')
      head.key = Number(line.slice(0, tab))
      head.text = line.slice(tab + 1)
      return true
    },
    async refill(): Promise<void> {
      const more = await source.next()
      lines = more.done ? [] : more.value
      at = 0
      if (!head.next()) head.text = ''
    },
  }
  await head.refill()
  return head
}
export type Spool = Awaited<ReturnType<typeof openSpool>>

/** Deletes the files of a killed import: they contain customer messages, and no process will reuse them. */
async function cleanUpSpools(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number.parseInt(name, 10)
    try {
      process.kill(pid, 0)
    } catch {
      await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}
