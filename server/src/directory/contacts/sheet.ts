import { AppError } from '../../kernel/errors.ts'
import { makeReader } from '../../kernel/files/apart.ts'
import type { Upload } from '../../kernel/files/files.ts'
import type { SheetRow } from './rows.ts'
import type { SheetTask } from './sheet-worker.ts'

export const sheetLimits = { size: 5 * 1024 * 1024, rows: 10_000, ms: 10_000, heapMb: 256, waiting: 8 }
/** A sheet of 10,000 rows unpacks to some 10 MB; the rest is room for wide ones. */
const unpackedBytes = 64 * 1024 * 1024

const script = new URL('./sheet-worker.ts', import.meta.url)
const read = makeReader<SheetTask, SheetRow[]>(script)

/** The rows of the first sheet, keyed by its header. */
export async function readSheet(
  companyId: number,
  upload: Upload | undefined,
  limits = sheetLimits,
): Promise<SheetRow[]> {
  if (!upload) throw new AppError('ERR_VALIDATION', { file: 'Required' })
  if (upload.size > limits.size) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  const rows = await read({ path: upload.path, rows: limits.rows, bytes: unpackedBytes }, limits, companyId)
  if (rows.length > limits.rows) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  return rows
}
