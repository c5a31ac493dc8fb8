import { extname } from 'node:path'
import { type Deps, Scope } from '../../../kernel/data/scope.ts'
import { AppError, nullIfAppError } from '../../../kernel/errors.ts'
import { scheduleFileRemoval } from '../../../kernel/files/media.ts'
import { asLongRunningJob, type JobHandlers } from '../../../kernel/jobs.ts'
import { kindByExtension, readPiecesInWorker } from './read-file.ts'
import { addPieces, deletePieces, findSource, type SourceRow, updateSourceRow } from './sources.ts'

export const knowledgeJobs = (deps: Deps): Pick<JobHandlers, 'knowledge:read'> => ({
  'knowledge:read': asLongRunningJob(({ companyId, knowledgeId }) =>
    readSourceFile(new Scope(deps, { companyId }), knowledgeId),
  ),
})

/** Reads in batches, with progress. After a crash the job starts again: pieces are not searchable before the end. */
async function readSourceFile(scope: Scope, id: number): Promise<void> {
  const row = await findSource(scope, id).catch(nullIfAppError)
  if (!row?.filePath || !isWanted(row)) return
  try {
    const begun = await scope.transaction((tx) => beginReading(tx, id))
    if (!begun) return
    const kind = kindByExtension[extname(row.filePath)]
    if (!kind) throw new AppError('ERR_FILE_TYPE')
    const pieces = await scope.deps.files.withLocalFile(scope.companyId, row.filePath, (place) =>
      savePieces(scope, row, readPiecesInWorker(place, kind)),
    )
    if (pieces === null) return
    // A scanned document has no text.
    if (!pieces) throw new AppError('ERR_KNOWLEDGE_EMPTY')
    await scope.transaction((tx) => endReading(tx, id, { state: 'ready' }))
  } catch (error) {
    // An error of the file itself is permanent; anything else is retried.
    if (!(error instanceof AppError)) throw error
    await scope.transaction(async (tx) => {
      if (await lockWantedSource(tx, id)) await deletePieces(tx, id)
      await endReading(tx, id, { state: 'failed', error: error.code, pieces: 0 })
    })
  }
}

/** Returns the number of pieces; null: the reading was stopped, or the source was deleted. */
async function savePieces(
  scope: Scope,
  row: SourceRow,
  batches: ReturnType<typeof readPiecesInWorker>,
): Promise<number | null> {
  let pieces = 0
  for await (const batch of batches) {
    pieces += batch.pieces.length
    const goesOn = await scope.transaction(async (tx) => {
      if (!(await lockWantedSource(tx, row.id))) return false
      await addPieces(tx, row, batch.pieces)
      await updateSourceRow(tx, row.id, { pieces, done: batch.done, total: batch.total })
      return true
    })
    if (!goesOn) return null
  }
  return pieces
}

const isWanted = ({ state }: Pick<SourceRow, 'state'>) => state === 'waiting' || state === 'reading'

/** Locks the source. Null: the reading was stopped, or the source was deleted. */
async function lockWantedSource(scope: Scope, id: number): Promise<SourceRow | null> {
  const row = await findSource(scope, id, true).catch(nullIfAppError)
  return row && isWanted(row) ? row : null
}

async function beginReading(scope: Scope, id: number): Promise<boolean> {
  if (!(await lockWantedSource(scope, id))) return false
  await deletePieces(scope, id)
  await updateSourceRow(scope, id, { state: 'reading', pieces: 0, done: 0, total: 0 })
  return true
}

async function endReading(scope: Scope, id: number, values: Parameters<typeof updateSourceRow>[2]): Promise<void> {
  const row = await lockWantedSource(scope, id)
  if (!row) return
  await scheduleFileRemoval(scope, [row.filePath])
  await updateSourceRow(scope, id, { ...values, filePath: null })
}
