import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { makeWorkerQueue } from '../../kernel/files/in-worker.ts'
import type { ContactSheetTask } from './contact-sheet-worker.ts'

export const contactSheetLimits = {
  size: 5 * 1024 * 1024,
  rows: 10_000,
  jsonLength: 10 * 1024 * 1024,
  timeoutMs: 10_000,
  heapMb: 256,
  maxQueued: 8,
}
/** A sheet of 10,000 rows unpacks to about 10 MB; the rest is for sheets with many columns. */
const maxUnpackedBytes = 64 * 1024 * 1024

const script = new URL('./contact-sheet-worker.ts', import.meta.url)
const readInWorker = makeWorkerQueue<ContactSheetTask, { count: number; json: string }>(script)

/** The rows of the first sheet, keyed by its header, as JSON text. */
export async function readContactSheet(
  companyId: number,
  upload: Upload | undefined,
  limits = contactSheetLimits,
): Promise<string> {
  if (!upload) throw new AppError('ERR_VALIDATION', { file: 'Required' })
  if (upload.size > limits.size) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  const { count, json } = await readInWorker(
    { path: upload.path, rows: limits.rows, bytes: maxUnpackedBytes },
    limits,
    companyId,
  )
  // POST /contacts/upload accepts no more rows than this, so a longer sheet is refused.
  if (count > limits.rows || json.length > limits.jsonLength) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  return json
}
