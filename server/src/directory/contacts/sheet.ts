import { Worker } from 'node:worker_threads'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import type { SheetRow } from './rows.ts'
import type { SheetTask } from './sheet-worker.ts'

export const sheetLimits = { size: 5 * 1024 * 1024, rows: 10_000, ms: 10_000, waiting: 8 }
/** A sheet of 10,000 rows unpacks to some 10 MB; the rest is room for wide ones. */
const unpackedBytes = 64 * 1024 * 1024

let queue: Promise<unknown> = Promise.resolve()
let waiting = 0

/** The rows of the first sheet, keyed by its header. One file at a time: conversations need the other core. */
export async function readSheet(upload: Upload | undefined, limits = sheetLimits): Promise<SheetRow[]> {
  if (!upload) throw new AppError('ERR_VALIDATION', { file: 'Required' })
  if (upload.size > limits.size) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  if (waiting >= limits.waiting) throw new AppError('ERR_TOO_MANY_TRIES')
  waiting++
  const turn = queue.then(() => parse({ path: upload.path, rows: limits.rows, bytes: unpackedBytes }, limits.ms))
  queue = turn.catch(() => {})
  try {
    const rows = await turn
    if (rows.length > limits.rows) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
    return rows
  } finally {
    waiting--
  }
}

function parse(task: SheetTask, ms: number): Promise<SheetRow[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 },
    })
    const timer = setTimeout(() => end(() => reject(new AppError('ERR_FILESIZE_OVER_LIMIT'))), ms)
    const end = (answer: () => void) => {
      clearTimeout(timer)
      void worker.terminate()
      answer()
    }
    worker.once('message', (rows: SheetRow[]) => end(() => resolve(rows)))
    worker.once('error', (cause: Error & { code?: string }) => end(() => reject(refusal(cause))))
    worker.once('exit', () => end(() => reject(new AppError('ERR_FILE_TYPE'))))
  })
}

/** Too much to unpack or to hold is a matter of size; whatever else goes wrong, it was not a spreadsheet. */
function refusal(cause: Error & { code?: string }): AppError {
  const tooMuch =
    cause.code === 'ERR_WORKER_OUT_OF_MEMORY' || cause.code === 'ERR_BUFFER_TOO_LARGE' || cause instanceof RangeError
  return Object.assign(new AppError(tooMuch ? 'ERR_FILESIZE_OVER_LIMIT' : 'ERR_FILE_TYPE'), { cause })
}
