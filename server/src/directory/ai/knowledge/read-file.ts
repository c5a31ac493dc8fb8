import { extname } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import type { Upload } from '../../../kernel/files/files.ts'
import { readBatchesInWorker } from '../../../kernel/files/in-worker.ts'
import type { KnowledgeBatch, KnowledgeFileKind, KnowledgeReadTask } from './knowledge-worker.ts'

/** `ms`: timeout of the next batch; `allMs`: timeout of the whole file; `pieces`: about 1,500 pages of text. */
export const knowledgeReadLimits = {
  ...{ size: 20 * 1024 * 1024, pages: 1000, rows: 10_000, pieces: 10_000 },
  ...{ timeoutMs: 20_000, allMs: 180_000, heapMb: 256, portion: 200 },
}

const workerScript = new URL('./knowledge-worker.ts', import.meta.url)

export const kindByExtension: Record<string, KnowledgeFileKind> = {
  '.pdf': 'pdf',
  '.docx': 'docx',
  '.txt': 'txt',
  '.md': 'md',
  '.markdown': 'md',
  '.csv': 'csv',
}
const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
/** The type detected from the bytes. Plain text has no detectable type. */
const typePatternByKind: Record<KnowledgeFileKind, RegExp> = {
  pdf: /^application\/pdf$/,
  docx: new RegExp(`^(${docxType}|application/zip)$`),
  ...{ txt: /^application\/octet-stream$/, md: /^application\/octet-stream$/, csv: /^application\/octet-stream$/ },
}

/** The type, by name and by bytes: both must agree. */
export function detectKnowledgeKind({ name, type, size }: Pick<Upload, 'name' | 'type' | 'size'>): KnowledgeFileKind {
  const kind = kindByExtension[extname(name).toLowerCase()]
  if (!kind || !typePatternByKind[kind].test(type)) throw new AppError('ERR_FILE_TYPE')
  if (size > knowledgeReadLimits.size) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  return kind
}

/** The pieces of a file in batches, read in a worker and within limits. */
export async function* readPiecesInWorker(
  path: string,
  kind: KnowledgeFileKind,
  limits = knowledgeReadLimits,
): AsyncGenerator<KnowledgeBatch> {
  const { pages, rows, portion: batch } = limits
  const task: KnowledgeReadTask = { path, kind, pages, rows, batchSize: batch }
  const until = performance.now() + limits.allMs
  let pieces = 0
  for await (const part of readBatchesInWorker<KnowledgeBatch>(workerScript, task, limits)) {
    pieces += part.pieces.length
    if (pieces > limits.pieces || performance.now() > until) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
    yield part
  }
}
