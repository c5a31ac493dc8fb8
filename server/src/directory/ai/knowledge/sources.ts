import { type Knowledge, type KnowledgeWrite, knowledgeApi, maxKnowledgePerPrompt } from '@recado/contract/ai/knowledge'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Scope } from '../../../kernel/data/scope.ts'
import type { DB } from '../../../kernel/data/tables.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Upload } from '../../../kernel/files/files.ts'
import { keepUpload, scheduleFileRemoval } from '../../../kernel/files/media.ts'
import { prompts } from '../prompts.ts'
import { cutBlock, cutIntoPieces, numberPieces, type SourcePiece, splitIntoBlocks } from './cut-pieces.ts'
import { detectKnowledgeKind } from './read-file.ts'
import { splitWords } from './search-words.ts'

declare module '../../../kernel/jobs.ts' {
  interface Jobs {
    'knowledge:read': { companyId: number; knowledgeId: number }
  }
}

export type SourceRow = Selectable<DB['knowledge']>

const adminsOf = (scope: Scope) => ({ admins: scope.companyId })

/** Columns of the list, without the content. */
const listColumns = [
  ...(['id', 'promptId', 'kind', 'name', 'state', 'done', 'total', 'error'] as const),
  ...(['pieces', 'uses', 'size', 'createdAt', 'updatedAt'] as const),
] as const

export async function listSources(scope: Scope, promptId: number): Promise<Knowledge[]> {
  await prompts.findRow(scope, promptId)
  return scope.db
    .selectFrom('knowledge')
    .select(listColumns)
    .where('companyId', '=', scope.companyId)
    .where('promptId', '=', promptId)
    .orderBy(sql`lower(name) collate "C"`)
    .orderBy('id')
    .limit(maxKnowledgePerPrompt)
    .execute()
}

export async function findSource(scope: Scope, id: number, hold = false): Promise<SourceRow> {
  const query = scope.db
    .selectFrom('knowledge')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
  const row = await (hold ? query.forNoKeyUpdate() : query).executeTakeFirst()
  if (!row) throw new AppError(knowledgeApi.record.missing)
  return row
}

export async function updateSourceRow(
  scope: Scope,
  id: number,
  values: Updateable<DB['knowledge']>,
): Promise<Knowledge> {
  const row = await scope.db
    .updateTable('knowledge')
    .set({ ...values, updatedAt: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .returning(listColumns)
    .executeTakeFirstOrThrow()
  scope.publish(knowledgeApi.topic, { action: 'update', row }, adminsOf(scope))
  return row
}

/** Locks the prompt while its sources are counted: if two requests add the last allowed source, one is refused. */
async function assertSourceLimit(scope: Scope, promptId: number, more: number): Promise<void> {
  await prompts.lockRow(scope, promptId)
  const { count } = await scope.db
    .selectFrom('knowledge')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('companyId', '=', scope.companyId)
    .where('promptId', '=', promptId)
    .executeTakeFirstOrThrow()
  if (Number(count) + more > maxKnowledgePerPrompt) throw new AppError('ERR_KNOWLEDGE_FULL')
}

type NewSource = Pick<SourceRow, 'kind' | 'name' | 'size'> &
  Partial<Pick<SourceRow, 'text' | 'filePath'>> & { pairs?: string }

async function insertSource(scope: Scope, promptId: number, source: NewSource): Promise<Knowledge> {
  const now = scope.now()
  const row = await scope.db
    .insertInto('knowledge')
    .values({ companyId: scope.companyId, promptId, ...source, createdAt: now, updatedAt: now })
    .returning(listColumns)
    .executeTakeFirstOrThrow()
  scope.publish(knowledgeApi.topic, { action: 'create', row }, adminsOf(scope))
  return row
}

/** Typed text is short: it is searchable as soon as it is saved. */
export async function createSource(scope: Scope, promptId: number, write: KnowledgeWrite): Promise<Knowledge> {
  await assertSourceLimit(scope, promptId, 1)
  const { id } = await insertSource(scope, promptId, { kind: write.kind, ...sourceValues(write) })
  return fillSource(scope, id, promptId, cutSource(write))
}

export async function updateSource(scope: Scope, id: number, write: KnowledgeWrite): Promise<Knowledge> {
  const row = await findSource(scope, id, true)
  if (row.kind === 'file') return updateSourceRow(scope, id, { name: write.name })
  if (row.kind !== write.kind) throw new AppError('ERR_VALIDATION', { kind: 'Invalid' })
  await deletePieces(scope, id)
  await updateSourceRow(scope, id, sourceValues(write))
  return fillSource(scope, id, row.promptId, cutSource(write))
}

function sourceValues(write: KnowledgeWrite) {
  const text = write.kind === 'text' ? write.text : ''
  const pairs = JSON.stringify(write.kind === 'pairs' ? write.pairs : [])
  return { name: write.name, text, pairs, size: Buffer.byteLength(write.kind === 'text' ? text : pairs) }
}

const cutSource = (write: KnowledgeWrite): SourcePiece[] =>
  write.kind === 'text'
    ? numberPieces(cutIntoPieces(splitIntoBlocks(write.text, true)))
    : write.pairs.flatMap(({ question, answer }, i) => cutBlock({ heading: question, text: answer, at: i + 1 }))

async function fillSource(scope: Scope, id: number, promptId: number, pieces: SourcePiece[]): Promise<Knowledge> {
  await addPieces(scope, { id, promptId }, pieces)
  const count = pieces.length
  return updateSourceRow(scope, id, { state: 'ready', error: '', pieces: count, done: count, total: count })
}

/** Each file becomes a source that waits to be read. If a file is unreadable, all are refused before any is stored. */
export async function uploadSources(scope: Scope, promptId: number, uploads: Upload[]): Promise<Knowledge[]> {
  await assertSourceLimit(scope, promptId, uploads.length)
  if (!uploads.length) throw new AppError('ERR_VALIDATION', { file: 'Required' })
  for (const upload of uploads) detectKnowledgeKind(upload)
  const rows: Knowledge[] = []
  for (const upload of uploads) {
    const { mediaPath } = await keepUpload(scope, upload)
    const row = await insertSource(scope, promptId, {
      kind: 'file',
      name: upload.name,
      size: upload.size,
      filePath: mediaPath,
    })
    await scope.enqueueJob(
      'knowledge:read',
      { companyId: scope.companyId, knowledgeId: row.id },
      // Only one job runs at a time per company, because reading uses a CPU core.
      { queue: `knowledge:${scope.companyId}`, attempts: 5 },
    )
    rows.push(row)
  }
  return rows
}

export async function stopSource(scope: Scope, id: number): Promise<Knowledge> {
  const { state, filePath } = await findSource(scope, id, true)
  if (state !== 'waiting' && state !== 'reading') return updateSourceRow(scope, id, {})
  await deletePieces(scope, id)
  await scheduleFileRemoval(scope, [filePath])
  return updateSourceRow(scope, id, { state: 'stopped', pieces: 0, filePath: null })
}

export async function removeSource(scope: Scope, id: number): Promise<void> {
  const { filePath } = await findSource(scope, id, true)
  await scheduleFileRemoval(scope, [filePath])
  await scope.db.deleteFrom('knowledge').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  scope.publish(knowledgeApi.topic, { action: 'delete', id }, adminsOf(scope))
}

export async function addPieces(
  scope: Scope,
  source: Pick<SourceRow, 'id' | 'promptId'>,
  pieces: SourcePiece[],
): Promise<void> {
  if (!pieces.length) return
  const words = pieces.map(({ heading, text }) => splitWords(`${heading} ${text}`).join(' '))
  await sql`
    insert into "knowledgePieces" ("companyId", "promptId", "knowledgeId", at, heading, text, words)
    select ${scope.companyId}, ${source.promptId}, ${source.id}, p.at, p.heading, p.text, array_to_tsvector(string_to_array(p.words, ' '))
    from unnest(${pieces.map((piece) => piece.at)}::int[], ${pieces.map((piece) => piece.heading)}::text[],
      ${pieces.map((piece) => piece.text)}::text[], ${words}::text[]) with ordinality p (at, heading, text, words, n)
    order by p.n`.execute(scope.db)
}

export async function deletePieces(scope: Scope, id: number): Promise<void> {
  await scope.db
    .deleteFrom('knowledgePieces')
    .where('companyId', '=', scope.companyId)
    .where('knowledgeId', '=', id)
    .execute()
}
