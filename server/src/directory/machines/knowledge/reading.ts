import { extname } from 'node:path'
import { type Means, Scope } from '../../../kernel/data/scope.ts'
import { AppError, nullIfRefused } from '../../../kernel/errors.ts'
import { dropFiles } from '../../../kernel/files/media.ts'
import { type JobHandlers, takingLong } from '../../../kernel/jobs.ts'
import { kinds, readPieces } from './read.ts'
import { addPieces, change, dropPieces, findSource, type SourceRow } from './sources.ts'

export const knowledgeJobs = (means: Means): Pick<JobHandlers, 'knowledge:read'> => ({
  'knowledge:read': takingLong(({ companyId, knowledgeId }) => readFile(new Scope(means, { companyId }), knowledgeId)),
})

/** Piece by piece, with how far it has come. Who takes it up after a crash begins anew: nothing of it was found until now. */
async function readFile(scope: Scope, id: number): Promise<void> {
  const row = await findSource(scope, id).catch(nullIfRefused)
  if (!row?.filePath || !isWanted(row)) return
  try {
    const begun = await scope.transaction((tx) => begin(tx, id))
    if (!begun) return
    const kind = kinds[extname(row.filePath)]
    if (!kind) throw new AppError('ERR_FILE_TYPE')
    const pieces = await scope.means.files.onDisk(scope.companyId, row.filePath, (place) =>
      keepPieces(scope, row, readPieces(place, kind)),
    )
    if (pieces === null) return
    // A paper that is a picture of one has no words.
    if (!pieces) throw new AppError('ERR_KNOWLEDGE_EMPTY')
    await scope.transaction((tx) => end(tx, id, { state: 'ready' }))
  } catch (error) {
    // What the file itself is to blame for will not go away; anything else is tried again.
    if (!(error instanceof AppError)) throw error
    await scope.transaction(async (tx) => {
      if (await wanted(tx, id)) await dropPieces(tx, id)
      await end(tx, id, { state: 'failed', error: error.code, pieces: 0 })
    })
  }
}

/** How many; null: nobody wants them any more. */
async function keepPieces(
  scope: Scope,
  row: SourceRow,
  portions: ReturnType<typeof readPieces>,
): Promise<number | null> {
  let pieces = 0
  for await (const portion of portions) {
    pieces += portion.pieces.length
    const goesOn = await scope.transaction(async (tx) => {
      if (!(await wanted(tx, row.id))) return false
      await addPieces(tx, row, portion.pieces)
      await change(tx, row.id, { pieces, done: portion.done, total: portion.total })
      return true
    })
    if (!goesOn) return null
  }
  return pieces
}

const isWanted = ({ state }: Pick<SourceRow, 'state'>) => state === 'waiting' || state === 'reading'

/** Held; null: somebody stopped it, or it is gone. */
async function wanted(scope: Scope, id: number): Promise<SourceRow | null> {
  const row = await findSource(scope, id, true).catch(nullIfRefused)
  return row && isWanted(row) ? row : null
}

async function begin(scope: Scope, id: number): Promise<boolean> {
  if (!(await wanted(scope, id))) return false
  await dropPieces(scope, id)
  await change(scope, id, { state: 'reading', pieces: 0, done: 0, total: 0 })
  return true
}

async function end(scope: Scope, id: number, values: Parameters<typeof change>[2]): Promise<void> {
  const row = await wanted(scope, id)
  if (!row) return
  await dropFiles(scope, [row.filePath])
  await change(scope, id, { ...values, filePath: null })
}
