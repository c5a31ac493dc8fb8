import { type ImportColumns, ImportProgress, type ListImport } from '@recado/contract/campaigns/contact-lists'
import { topics } from '@recado/contract/live'
import { type Selectable, sql, type Updateable } from 'kysely'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, nullIfAppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { makeCompanySlots } from '../../kernel/files/in-worker.ts'
import { keepUpload, scheduleFileRemoval } from '../../kernel/files/media.ts'
import { asLongRunningJob, type JobHandlers } from '../../kernel/jobs.ts'
import { phoneKey } from '../contacts/identity.ts'
import { cellText, guessColumns, type ImportedPerson, parsePerson } from '../contacts/sheet-rows.ts'
import { campaignAudience, contactLists, lockRowList, recountList } from './contact-lists.ts'
import { publishListReload } from './list-items.ts'
import { scheduleNumberChecks } from './number-checks.ts'
import { longSheetLimits, readLongSheet } from './sheet/read-sheet.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'list:import': { companyId: number; importId: number }
  }
}

type ImportRow = Selectable<DB['listImports']>

const previewRowCount = 10
const maxShownErrors = 100
const maxKeptImports = 5

async function findImport(scope: Scope, id: number, hold = false): Promise<ImportRow> {
  const query = scope.db
    .selectFrom('listImports')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
  const row = await (hold ? query.forNoKeyUpdate() : query).executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_LISTIMPORT_FOUND')
  return row
}

async function updateImport(scope: Scope, id: number, values: Updateable<DB['listImports']>): Promise<ImportRow> {
  const row = await scope.db
    .updateTable('listImports')
    .set(values)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  scope.live(topics.listImport, { action: 'update', record: ImportProgress.parse(row) }, campaignAudience(scope))
  return row
}

/** Limits parallel previews, because an old-format sheet is held in memory while it is read. */
const previewSlots = makeCompanySlots({ maxRunning: 1, maxWaiting: 4 })

/** The header of a sheet, and its first rows. */
async function readPreview(scope: Scope, path: string) {
  const done = await previewSlots(scope.companyId)
  try {
    const { head, rows } = await readLongSheet(path)
    const { value: first = [] }: { value?: unknown[][] } = await rows.next()
    await rows.return(undefined)
    return { head, first }
  } finally {
    done()
  }
}

/** Previews a sheet and keeps it until the import starts. Reading is slow, so it runs outside a transaction. */
export async function previewListSheet(
  scope: Scope,
  contactListId: number,
  upload: Upload | undefined,
): Promise<ListImport> {
  if (!upload) throw new AppError('ERR_VALIDATION', { file: 'Required' })
  if (upload.size > longSheetLimits.size) throw new AppError('ERR_FILESIZE_OVER_LIMIT')
  const list = await contactLists.findRow(scope, contactListId)
  if (list.question) throw new AppError('ERR_CONTACTLIST_IS_QUESTION')
  const { head, first } = await readPreview(scope, upload.path)
  const samples = first
    .slice(0, previewRowCount)
    .map((cells) => head.headers.map((_, i) => cellText(cells[i]).slice(0, 200)))
  return scope.transaction(async (tx) => {
    await lockRowList(tx, contactListId)
    const { mediaPath } = await keepUpload(tx, upload)
    await deleteOldImports(tx, contactListId)
    return tx.db
      .insertInto('listImports')
      .values({
        companyId: tx.companyId,
        contactListId,
        userId: tx.actor.id,
        fileName: upload.name,
        filePath: mediaPath,
        error: null,
        headers: JSON.stringify(head.headers),
        columns: JSON.stringify(guessColumns(head.headers)),
        samples: JSON.stringify(samples),
        total: head.total,
        createdAt: tx.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Deletes earlier previews of the list, because a new preview replaces them. */
async function deleteOldImports(scope: Scope, contactListId: number): Promise<void> {
  const old = await scope.db
    .deleteFrom('listImports')
    .where('companyId', '=', scope.companyId)
    .where('contactListId', '=', contactListId)
    .where('state', '<>', 'running')
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('listImports')
        .select('id')
        .where('companyId', '=', scope.companyId)
        .where('contactListId', '=', contactListId)
        .where('state', '<>', 'preview')
        .orderBy('id', 'desc')
        .limit(maxKeptImports - 1),
    )
    .returning('filePath')
    .execute()
  await scheduleFileRemoval(
    scope,
    old.map((row) => row.filePath),
  )
}

export async function loadListImports(scope: Scope, contactListId: number): Promise<ListImport[]> {
  await contactLists.findRow(scope, contactListId)
  return scope.db
    .selectFrom('listImports')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('contactListId', '=', contactListId)
    .orderBy('id', 'desc')
    .limit(maxKeptImports)
    .execute()
}

/** Starts the import job, one at a time per company. */
export async function startListImport(scope: Scope, id: number, columns: ImportColumns): Promise<ListImport> {
  const { contactListId } = await findImport(scope, id)
  await lockRowList(scope, contactListId)
  const row = await findImport(scope, id, true)
  if (row.state !== 'preview') throw new AppError('ERR_IMPORT_RUNNING')
  // Unknown columns are ignored; without the number column there is nothing to import.
  const known = (header: string | null) => (header !== null && row.headers.includes(header) ? header : null)
  const chosen = { name: known(columns.name), number: known(columns.number), email: known(columns.email) }
  if (!chosen.number) throw new AppError('ERR_VALIDATION', { number: columns.number ? 'Invalid' : 'Required' })
  await scope.enqueueJob(
    'list:import',
    { companyId: scope.companyId, importId: id },
    { queue: `list-import:${scope.companyId}`, attempts: 5 },
  )
  return updateImport(scope, id, { state: 'running', columns: JSON.stringify(chosen) })
}

export async function stopListImport(scope: Scope, id: number): Promise<ListImport> {
  const row = await findImport(scope, id, true)
  if (row.state !== 'running' && row.state !== 'preview') return row
  await scheduleFileRemoval(scope, [row.filePath])
  return updateImport(scope, id, { state: 'stopped', endedAt: scope.now(), filePath: null })
}

export const listImportJobs = (deps: Deps): Pick<JobHandlers, 'list:import'> => ({
  'list:import': asLongRunningJob(({ companyId, importId }) => runImport(new Scope(deps, { companyId }), importId)),
})

/** Imports in batches, each in one transaction with its progress, so that the job resumes there after a crash. */
async function runImport(scope: Scope, id: number): Promise<void> {
  const row = await findImport(scope, id).catch(nullIfAppError)
  if (row?.state !== 'running' || row.filePath === null) return
  try {
    const isOver = await scope.deps.files.withLocalFile(scope.companyId, row.filePath, (place) =>
      importRows(scope, id, row.done, place),
    )
    if (isOver) await scope.transaction((tx) => endImport(tx, id, { state: 'done' }))
  } catch (error) {
    // An error of the sheet itself is permanent; anything else is retried.
    if (!(error instanceof AppError)) throw error
    await scope.transaction((tx) => endImport(tx, id, { state: 'failed', error: error.code }))
  }
}

/** Imports all rows. False: the import was stopped. */
async function importRows(scope: Scope, id: number, done: number, place: string): Promise<boolean> {
  const { rows } = await readLongSheet(place)
  let at = 0
  for await (const batch of rows) {
    const from = at
    at += batch.length
    if (at <= done) continue
    if (await scope.transaction((tx) => importBatch(tx, id, from, batch))) continue
    await rows.return(undefined)
    return false
  }
  return true
}

async function endImport(scope: Scope, id: number, values: Updateable<DB['listImports']>): Promise<void> {
  const row = await findImport(scope, id, true)
  if (row.state !== 'running') return
  await scheduleFileRemoval(scope, [row.filePath])
  await updateImport(scope, id, { ...values, endedAt: scope.now(), filePath: null })
  await publishListReload(scope, row.contactListId)
  await scheduleNumberChecks(scope)
}

/** Imports one batch. False: the import was stopped. */
async function importBatch(scope: Scope, id: number, from: number, batch: unknown[][]): Promise<boolean> {
  const { contactListId } = await findImport(scope, id)
  await lockRowList(scope, contactListId)
  const row = await findImport(scope, id, true)
  if (row.state !== 'running') return false
  const place = (header: string | null) => (header === null ? -1 : row.headers.indexOf(header))
  const at = { name: place(row.columns.name), number: place(row.columns.number), email: place(row.columns.email) }
  const people: ImportedPerson[] = []
  const errors: ListImport['errors'] = []
  batch.forEach((cells, i) => {
    const line = from + i + 1
    if (line <= row.done || cells.every((cell) => cell === '')) return
    const read = parsePerson({ name: cells[at.name], number: cells[at.number], email: cells[at.email] }, line)
    if ('person' in read) people.push(read.person)
    else errors.push({ row: line, name: read.refusal.contactName, ...toFieldError(read.refusal.error) })
  })
  const created = await addPeopleToList(scope, contactListId, people)
  await recountList(scope, contactListId)
  await updateImport(scope, id, {
    done: from + batch.length,
    created: row.created + created,
    doubled: row.doubled + people.length - created,
    refused: row.refused + errors.length,
    errors: JSON.stringify([...row.errors, ...errors].slice(0, maxShownErrors)),
  })
  return true
}

const toFieldError = ({ field, message }: { field: string; message: string }) => ({ field, message })

/** Adds people whose number is not in the list yet; of duplicates, only the first. Returns the number of added people. */
export async function addPeopleToList(scope: Scope, contactListId: number, people: ImportedPerson[]): Promise<number> {
  if (!people.length) return 0
  const column = (name: keyof ImportedPerson) => people.map((person) => person[name])
  const { numAffectedRows } = await sql`
    insert into "contactListItems" ("companyId", "contactListId", name, number, email, key, "checkAfter", "createdAt")
    select ${scope.companyId}, ${contactListId}, p.name, p.number, p.email, p.key, ${scope.now()}, ${scope.now()}
    from unnest(${column('name')}::text[], ${column('number')}::text[], ${column('email')}::text[],
      ${people.map((person) => phoneKey(person.number))}::text[]) with ordinality p (name, number, email, key, n) order by p.n
    on conflict ("companyId", "contactListId", key) do nothing`.execute(scope.db)
  return Number(numAffectedRows ?? 0)
}
