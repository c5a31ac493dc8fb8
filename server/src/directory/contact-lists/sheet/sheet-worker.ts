import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { readCsvRows } from './csv.ts'
import { isBlankRow, type SheetCells, type SheetRows } from './sheet-cells.ts'
import { isXlsx, openXlsx } from './xlsx.ts'

/** Runs in a worker thread: a file that crashes or blocks the parser ends only the thread (see read.ts). */
export type ListSheetTask = { path: string; kind: SheetKind; rows: number; bytes: number; batchSize: number }
export type SheetKind = 'text' | 'zip' | 'old'
export type SheetHead = { headers: string[]; total: number }
export type SheetBatch = SheetHead | SheetCells[]

const task = workerData as ListSheetTask
/** A batch ends early if its cells are long. */
const maxBatchChars = 4_000_000

/** Opens the file. Each call of the returned function reads the rows from the beginning. */
async function openRows(): Promise<() => SheetRows> {
  if (task.kind === 'text') return () => readCsvRows(task.path)
  const file = readFileSync(task.path)
  if (task.kind === 'zip' && isXlsx(file)) return openXlsx(file, task.bytes)
  // The library for old workbooks is large: load it only when needed.
  const { openXls } = await import('./xls.ts')
  return openXls(file, task.kind === 'zip', task.bytes)
}
const rowsOf = await openRows()

/** Finds the header and the last row: empty rows before and after do not count. */
async function scanSheet(): Promise<{ head: SheetHead; from: number; column: number; last: number }> {
  let headers: SheetCells | null = null
  let [from, last] = [0, 0]
  for await (const rows of rowsOf())
    for (const { at, cells } of rows) {
      if (isBlankRow(cells)) continue
      if (!headers) [headers, from] = [cells, at]
      last = at
      // One row more than allowed is read, to detect that the sheet is too long.
      if (last - from > task.rows) return { head: { headers: [], total: last - from }, from, column: 0, last }
    }
  const all = (headers ?? []).map((cell) =>
    String(cell ?? '')
      .trim()
      .slice(0, 200),
  )
  const column = Math.max(0, all.findIndex(Boolean))
  const until = all.findLastIndex(Boolean) + 1
  return { head: { headers: all.slice(column, until), total: last - from }, from, column, last }
}

/** The header first, then the rows below it, each with as many cells as there are headers. */
async function* readBatches(): AsyncGenerator<SheetBatch> {
  const { head, from, column, last } = await scanSheet()
  yield head
  const shaped = (cells: SheetCells): SheetCells => head.headers.map((_, n) => cells[column + n] ?? '')
  let batch: SheetCells[] = []
  let chars = 0
  let next = from + 1
  for await (const rows of rowsOf())
    for (const { at, cells } of rows) {
      if (at < next || at > last) continue
      for (; next <= at; next++) {
        const row = shaped(next === at ? cells : [])
        batch.push(row)
        chars += row.reduce<number>((sum, cell) => sum + String(cell).length, 0)
        if (batch.length < task.batchSize && chars < maxBatchChars) continue
        yield batch
        ;[batch, chars] = [[], 0]
      }
    }
  if (batch.length) yield batch
}

const batches = readBatches()
parentPort?.on('message', async () => {
  const { value, done } = await batches.next()
  parentPort?.postMessage(done ? null : value)
})
