import { extname } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { portionsApart } from '../../../kernel/files/apart.ts'
import type { Upload } from '../../../kernel/files/files.ts'
import type { Kind, ReadPortion, ReadTask } from './read-worker.ts'

/** `ms` for the next portion, `allMs` for the whole file; `pieces`: some 1,500 pages of text. */
export const readLimits = {
  ...{ size: 20 * 1024 * 1024, pages: 1000, rows: 10_000, pieces: 10_000 },
  ...{ ms: 20_000, allMs: 180_000, heapMb: 256, portion: 200 },
}

const script = new URL('./read-worker.ts', import.meta.url)

export const kinds: Record<string, Kind> = {
  '.pdf': 'pdf',
  '.docx': 'docx',
  '.txt': 'txt',
  '.md': 'md',
  '.markdown': 'md',
  '.csv': 'csv',
}
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
/** What the bytes say where they say something. Text says nothing. */
const sniffed: Record<Kind, RegExp> = {
  pdf: /^application\/pdf$/,
  docx: new RegExp(`^(${docx}|application/zip)$`),
  ...{ txt: /^application\/octet-stream$/, md: /^application\/octet-stream$/, csv: /^application\/octet-stream$/ },
}

/** What it is, by its name and by its bytes: both must agree. */
export function kindOf({ name, type, size }: Pick<Upload, 'name' | 'type' | 'size'>): Kind {
  const kind = kinds[extname(name).toLowerCase()]
  if (!kind || !sniffed[kind].test(type)) throw new AppError('ERR_FILE_TYPE')
  if (size > readLimits.size) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  return kind
}

/** The pieces of a file, portion by portion, read apart and within limits. */
export async function* readPieces(path: string, kind: Kind, limits = readLimits): AsyncGenerator<ReadPortion> {
  const { pages, rows, portion } = limits
  const task: ReadTask = { path, kind, pages, rows, portion }
  const until = performance.now() + limits.allMs
  let pieces = 0
  for await (const part of portionsApart<ReadPortion>(script, task, limits)) {
    pieces += part.pieces.length
    if (pieces > limits.pieces || performance.now() > until) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
    yield part
  }
}
