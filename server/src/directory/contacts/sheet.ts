import { AppError } from '../../kernel/errors.ts'
import { makeReader, portionsApart } from '../../kernel/files/apart.ts'
import type { Upload } from '../../kernel/files/files.ts'
import type { SheetRow } from './rows.ts'
import type { Cells, SheetHead, SheetPortion, SheetTask } from './sheet-worker.ts'

export const sheetLimits = { size: 5 * 1024 * 1024, rows: 10_000, ms: 10_000, heapMb: 256, waiting: 8 }
/** A sheet of 10,000 rows unpacks to some 10 MB; the rest is room for wide ones. */
const unpackedBytes = 64 * 1024 * 1024

const script = new URL('./sheet-worker.ts', import.meta.url)
const read = makeReader<SheetTask, SheetRow[]>(script)

/** The rows of the first sheet, keyed by its header. */
export async function readSheet(upload: Upload | undefined, limits = sheetLimits): Promise<SheetRow[]> {
  if (!upload) throw new AppError('ERR_VALIDATION', { file: 'Required' })
  if (upload.size > limits.size) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  const rows = await read({ path: upload.path, rows: limits.rows, bytes: unpackedBytes }, limits)
  if (rows.length > limits.rows) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  return rows
}

/** A hundred thousand people with their names and addresses; whoever has more brings two files. */
export const longSheet = { size: 40 * 1024 * 1024, rows: 100_000, ms: 60_000, heapMb: 768, portion: 2000 }
const longUnpacked = 512 * 1024 * 1024

/** A long sheet piece by piece: its head, then its rows as they are asked for. */
export async function readLongSheet(path: string): Promise<{ head: SheetHead; rows: AsyncGenerator<Cells[]> }> {
  const { rows: most, portion } = longSheet
  const task: SheetTask = { path, rows: most, bytes: longUnpacked, portion }
  const portions = portionsApart<SheetPortion>(script, task, longSheet)
  const first = await portions.next()
  if (first.done || Array.isArray(first.value)) throw new AppError('ERR_FILE_TYPE')
  const head = first.value
  if (head.total > most) {
    await portions.return(undefined)
    throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  }
  return { head, rows: portions as AsyncGenerator<Cells[]> }
}
