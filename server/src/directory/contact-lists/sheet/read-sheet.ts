import { open, stat } from 'node:fs/promises'
import { AppError } from '../../../kernel/errors.ts'
import { readBatchesInWorker } from '../../../kernel/files/in-worker.ts'
import type { SheetCells } from './sheet-cells.ts'
import type { ListSheetTask, SheetBatch, SheetHead, SheetKind } from './sheet-worker.ts'

/** Limits for a hundred thousand people with names and addresses; larger lists must be split into two files. */
export const longSheetLimits = { size: 40 * 1024 * 1024, rows: 100_000, ms: 60_000, batchRows: 2000 }
/** Limit for files held in memory: an old-format workbook has 65,536 rows at most. */
export const oldSheetLimits = { size: 16 * 1024 * 1024 }
const maxUnpackedBytes = 512 * 1024 * 1024
/** Heap limits of the worker thread. Text files and new-format workbooks are read row by row. */
const heapMbByKind: Record<SheetKind, number> = { text: 48, zip: 96, old: 512 }

const workerScript = new URL('./sheet-worker.ts', import.meta.url)

async function detectSheetKind(path: string): Promise<SheetKind> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    const start = buffer.toString('hex')
    return start === '504b0304' ? 'zip' : start === 'd0cf11e0' ? 'old' : 'text'
  } finally {
    await file.close()
  }
}

/** Reads a long sheet in batches: its header, then its rows on demand. */
export async function readLongSheet(path: string): Promise<{ head: SheetHead; rows: AsyncGenerator<SheetCells[]> }> {
  const { rows: most, batchRows: batch, ms } = longSheetLimits
  const kind = await detectSheetKind(path)
  if (kind === 'old' && (await stat(path)).size > oldSheetLimits.size) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  const task: ListSheetTask = { path, kind, rows: most, bytes: maxUnpackedBytes, batchSize: batch }
  const batches = readBatchesInWorker<SheetBatch>(workerScript, task, { timeoutMs: ms, heapMb: heapMbByKind[kind] })
  const first = await batches.next()
  if (first.done || Array.isArray(first.value)) throw new AppError('ERR_FILE_TYPE')
  const head = first.value
  if (head.total > most) {
    await batches.return(undefined)
    throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  }
  return { head, rows: batches as AsyncGenerator<SheetCells[]> }
}
