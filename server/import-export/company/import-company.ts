import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { removeHiddenCharacters } from '@recado/contract/hidden-characters'
import type { Currency } from '@recado/contract/money/currency'
import { type Plan, priceForCompany } from '@recado/contract/plans'
import type pg from 'pg'
import { hashPassword } from '../../src/kernel/crypto.ts'
import { tryImportLockSql } from '../../src/kernel/data/advisory-locks.ts'
import type { Files } from '../../src/kernel/files/files.ts'
import { isUsablePasswordHash } from '../../src/kernel/password-hash.ts'
import { defaultLimits, type ImportLimits } from '../limits.ts'
import { toPrintable } from '../plain-text.ts'
import { choosePlan, defaultTerms, type PlanTerms } from '../plan-terms.ts'
import { type ArchiveRow, type OpenArchive, openArchive } from './archive.ts'
import { type CheckedArchive, checkArchive, columnsInManifest, findLinks } from './check-archive.ts'
import { signedFilePath } from './column-rules.ts'
import type { ImportExportDeps, ReportExportProgress } from './export-company.ts'
import { ImportExportError } from './import-export-error.ts'
import { adoptFiles, cleanUpInterruptedImports, copyArchiveFiles } from './import-files.ts'
import { deferredColumns, readSchema, type SchemaTable } from './schema.ts'
import { isSealedColumn, renumberInsideColumn } from './table-rules.ts'

export type ImportedCompany = {
  companyId: number
  name: string
  outcome: 'new' | 'there'
  rows: number
  files: number
  /** The kinds of changes made on import, and how often. */
  changeCounts: Record<string, number>
}
/** Options that the operator decides, and not the archive. */
export type ImportOptions = { terms?: PlanTerms; limits?: ImportLimits; reportProgress?: ReportExportProgress }

/** Maximum rows and characters per statement. */
const batchLimits = { rows: 500, chars: 2_000_000 }

/**
 * Imports a company from a folder that `exportCompany` created, or that was forged: nothing in it is trusted. The
 * folder is read completely and checked (`check-archive.ts`) before anything is written. Its rows are written in one
 * transaction, as the tenant role under the new company's row-level security: even if a check missed something, no
 * row of another company can be written or changed. After a kill the next import starts from the beginning; files
 * stay in a staging folder until the rows are committed. Importing the same folder again changes nothing.
 */
export async function importCompany(
  { owner, files }: ImportExportDeps,
  folder: string,
  { terms = defaultTerms, limits = defaultLimits, reportProgress = () => {} }: ImportOptions = {},
): Promise<ImportedCompany> {
  const archive = await openArchive(folder, limits)
  const lockClient = await owner.connect()
  try {
    const { rows } = await lockClient.query<{ mine: boolean }>(tryImportLockSql)
    if (!rows[0]?.mine) throw new ImportExportError('Another import is running.')
    await lockClient.query('set role recado_platform')
    return await importWithLock({ owner, files }, lockClient, archive, {
      terms,
      limits,
      reportProgress: reportProgress,
    })
  } finally {
    // The database notices a closed connection late, so the lock is released explicitly first.
    await lockClient.query('select pg_advisory_unlock_all()').catch(() => {})
    lockClient.release(true)
  }
}

async function importWithLock(
  { owner, files }: ImportExportDeps,
  lockClient: pg.PoolClient,
  archive: OpenArchive,
  { terms, limits, reportProgress }: Required<ImportOptions>,
): Promise<ImportedCompany> {
  const { manifest } = archive
  const stagingDir = files.stagingDir(manifest.id)
  await cleanUpInterruptedImports(lockClient, files, manifest.id)
  const importedBefore = await findImportedCompany(lockClient, manifest.id)
  if (importedBefore) {
    await adoptFiles(files, stagingDir, importedBefore.companyId)
    return { ...importedBefore, outcome: 'there', rows: 0, files: 0, changeCounts: {} }
  }
  try {
    const checked = await checkArchive(archive, await readSchema(owner), limits)
    await assertNamesFree(lockClient, manifest.company.name, checked.emails)
    const fileCount = await copyArchiveFiles(archive, stagingDir, reportProgress)
    await reserveIds(owner, checked)
    const changeCounts: Record<string, number> = {}
    const randomPasswordHash = await hashPassword(randomBytes(24).toString('base64url'))
    const written = await inOneTransaction(owner, (client) =>
      writeAllTables({
        client,
        archive,
        checked,
        files,
        terms,
        changeCounts: changeCounts,
        randomPasswordHash: randomPasswordHash,
        reportProgress: reportProgress,
      }),
    )
    await adoptFiles(files, stagingDir, written.companyId)
    return { ...written, name: manifest.company.name, outcome: 'new', files: fileCount, changeCounts: changeCounts }
  } catch (error) {
    // If the rows were written, the files are needed: the next run moves them.
    if (!(await findImportedCompany(lockClient, manifest.id).catch(() => true)))
      await rm(stagingDir, { recursive: true, force: true })
    throw isConstraintError(error)
      ? new ImportExportError(`The database refuses a row: ${toPrintable(error.message, 300)}.`)
      : error
  }
}

/** A violated constraint, or a value out of range: only the database can check conditions over several rows. */
const isConstraintError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))

async function inOneTransaction<T>(owner: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await owner.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

async function findImportedCompany(
  client: pg.ClientBase,
  id: string,
): Promise<{ companyId: number; name: string } | null> {
  const { rows } = await client.query<{ companyId: number; name: string }>(
    `select id as "companyId", name from companies where "movedFrom" = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** Company names and users' email addresses are unique on the whole platform. */
async function assertNamesFree(client: pg.ClientBase, name: string, emails: string[]): Promise<void> {
  const { rows: names } = await client.query('select from companies where lower(name) = lower($1)', [name])
  if (names.length) throw new ImportExportError(`There is a company named ${name} already.`)
  const { rows: existingUsers } = await client.query<{ email: string }>(
    'select email from users where lower(email) = any ($1) limit 10',
    [emails],
  )
  if (existingUsers.length)
    throw new ImportExportError(
      `Somebody here has this address already: ${existingUsers.map(({ email }) => email).join(', ')}.`,
    )
}

/** Reserves a block of consecutive ids for each table, and blocks writes to the table during that time. */
async function reserveIds(owner: pg.Pool, { idMapping, tables: order }: CheckedArchive): Promise<void> {
  const needed = idMapping.countNeededIds().filter(({ count }) => count > 0)
  if (!needed.length) return
  await inOneTransaction(owner, async (client) => {
    await client.query(`lock table ${needed.map(({ table }) => `"${table}"`)} in share row exclusive mode`)
    for (const { table, count } of needed) {
      const sequence = order.find(({ name }) => name === table)?.idColumn?.sequence
      const { rows } = await client.query<{ next: string; last: string }>(
        'select nextval($1) as next, seqmax as last from pg_sequence where seqrelid = $1::regclass',
        [sequence],
      )
      const [first, last] = [Number(rows[0]?.next), Number(rows[0]?.last)]
      if (first + count > last) throw new ImportExportError(`There are not ${count} more ids for ${table}.`)
      await client.query('select setval($1, $2)', [sequence, first + count - 1])
      idMapping.setFirstId(table, first)
    }
  })
}

type ImportWork = {
  client: pg.PoolClient
  archive: OpenArchive
  checked: CheckedArchive
  files: Files
  terms: PlanTerms
  changeCounts: Record<string, number>
  /** The hash of a random password. */
  randomPasswordHash: string
  reportProgress: ReportExportProgress
}
type CompanyImport = { companyId: number; work: ImportWork }

async function writeAllTables(work: ImportWork): Promise<{ companyId: number; rows: number }> {
  const { client, checked } = work
  const { tables: order, idMapping } = checked
  await client.query('set local role recado_platform')
  const companyId = await createCompany(work)
  idMapping.setCompanyId(companyId)
  await client.query('set local role recado_app')
  await client.query(`select set_config('app.company_id', $1, true)`, [String(companyId)])
  const company = { companyId, work }
  const deferredByTable = new Map(order.map((table) => [table.name, deferredColumns(table, order)]))
  let rows = 1
  for (const table of order) {
    if (table.name === 'companies') continue
    const empty = Object.fromEntries((deferredByTable.get(table.name) ?? []).map((column) => [column, null]))
    rows += await writeInBatches(company, table, (row) => ({ ...row, ...empty }), insertBatch)
  }
  for (const table of order) {
    const columns = deferredByTable.get(table.name) ?? []
    if (!columns.length || table.name === 'companies') continue
    const isNeeded = (row: ArchiveRow) => (columns.some((column) => row[column] != null) ? row : null)
    await writeInBatches(company, table, isNeeded, (_, target, batch) => updateBatch(work, target, columns, batch))
  }
  await recordPlanExceeded(work)
  const { rows: found } = await client.query<{ last: number | null }>('select max(number) as last from tickets')
  if (found[0]?.last) {
    await client.query('set local role recado_platform')
    await client.query('select raise_numbers($1, $2)', [companyId, found[0].last])
  }
  return { companyId, rows }
}

/** The company fields that come from the archive. The plan and the due date do not. */
const companyFields = [
  ...['name', 'email', 'phone', 'status', 'recurrence', 'currency', 'schedules', 'holidays', 'createdAt', 'stopSalt'],
  ...['billingName', 'billingDocument', 'addressStreet', 'addressDistrict', 'addressCity', 'addressState'],
  ...['addressZipCode', 'addressCountry'],
]

/** The company's currency, or that of its plan here if the plan has no price in it. */
async function payableCurrency(client: pg.PoolClient, companyId: number): Promise<Currency> {
  type Row = Pick<Plan, 'value' | 'currency' | 'prices'> & { wanted: Currency }
  const { rows } = await client.query<Row>(
    `select p.value::float8 as value, p.currency, p.prices, c.currency as wanted
     from companies c join plans p on p.id = c."planId" where c.id = $1`,
    [companyId],
  )
  const [row] = rows
  return row ? priceForCompany(row, row.wanted).currency : 'BRL'
}

/**
 * Creates the row of the company, the only row that the tenant role may not write, from checked fields and the
 * operator's terms.
 */
async function createCompany({ client, archive, checked, terms, changeCounts }: ImportWork): Promise<number> {
  const { manifest } = archive
  const plan = await choosePlan(client, terms, manifest.plan)
  const dueDate = terms.keepsPlans ? (checked.company.dueDate ?? null) : null
  const fields = companyFields.filter((name) => Object.hasOwn(checked.company, name))
  const list = fields.map((name) => `"${name}"`)
  const { rows } = await client.query<{ id: number; dueDate: string }>(
    `insert into companies (${[...list, '"planId"', '"dueDate"', '"movedFrom"']})
     select ${list}, $2, coalesce($3::date, $4::date, current_date + ${terms.defaultDays}), $5
     from json_populate_record(null::companies, $1::json) returning id, "dueDate"::text as "dueDate"`,
    [JSON.stringify(checked.company), plan.id, terms.dueDate, dueDate, manifest.id],
  )
  const [newRow] = rows
  if (!newRow) throw new ImportExportError('The company could not be made.')
  const currency = await payableCurrency(client, newRow.id)
  await client.query('update companies set currency = $2 where id = $1 and currency <> $2', [newRow.id, currency])
  changeCounts[`on the plan ${plan.name}, paid until ${newRow.dueDate}: --plan and --due say otherwise`] = 1
  return newRow.id
}

/** Reports to the operator where the company exceeds its plan: a plan limits only new records and removes nothing. */
async function recordPlanExceeded({ client, changeCounts }: ImportWork): Promise<void> {
  const { rows } = await client.query<{ what: string; has: number; most: number }>(`
    select x.* from companies c join plans p on p.id = c."planId", lateral (values
      ('people', (select count(*)::int from users), p.users),
      ('lines', (select count(*)::int from whatsapps), p.connections),
      ('queues', (select count(*)::int from queues), p.queues)) x (what, has, most)
    where x.has > x.most`)
  for (const { what, has, most } of rows) changeCounts[`${what}, more than the ${most} of the plan`] = has
}

async function insertBatch(
  { client, reportProgress }: ImportWork,
  table: SchemaTable,
  batch: ArchiveRow[],
): Promise<void> {
  const columns = Object.keys(batch[0] ?? {}).map((name) => `"${name}"`)
  await client.query(
    `insert into "${table.name}" (${columns}) overriding system value select ${columns} from json_populate_recordset(null::"${table.name}", $1::json)`,
    [JSON.stringify(batch)],
  )
  reportProgress(table.name, batch.length, 0)
}

async function updateBatch(
  { client }: ImportWork,
  table: SchemaTable,
  deferredByTable: string[],
  batch: ArchiveRow[],
): Promise<void> {
  const id = table.idColumn?.column ?? 'id'
  const columns = deferredByTable.map((name) => `"${name}" = r."${name}"`)
  await client.query(
    `update "${table.name}" t set ${columns} from json_populate_recordset(null::"${table.name}", $1::json) r where t."${id}" = r."${id}"`,
    [JSON.stringify(batch)],
  )
}

async function writeInBatches(
  company: CompanyImport,
  table: SchemaTable,
  shape: (row: ArchiveRow) => ArchiveRow | null,
  write: (work: ImportWork, table: SchemaTable, batch: ArchiveRow[]) => Promise<void>,
): Promise<number> {
  const { work } = company
  const renumber = makeRenumber(company, table)
  let batch: ArchiveRow[] = []
  let charCount = 0
  let rowCount = 0
  const flush = async () => {
    if (batch.length) await write(work, table, batch)
    rowCount += batch.length
    batch = []
    charCount = 0
  }
  for await (const rowBatch of work.archive.rows(table.name))
    for (const { row, bytes } of rowBatch) {
      const newRow = shape(renumber(row))
      if (!newRow) continue
      batch.push(newRow)
      charCount += bytes
      if (batch.length >= batchLimits.rows || charCount > batchLimits.chars) await flush()
    }
  await flush()
  return rowCount
}

/** Maps the ids and addresses of a row to this installation, and replaces values that may not be imported unchanged. */
function makeRenumber({ companyId, work }: CompanyImport, table: SchemaTable): (row: ArchiveRow) => ArchiveRow {
  const { archive, checked, files } = work
  const { idMapping, tables: order } = checked
  const newIdOf = (name: string, id: number) => idMapping.newIdOf(name, id)
  const columns = columnsInManifest(archive.manifest, table).map(({ name }) => name)
  const links = findLinks(table, columns, order)
  const sealed = table.columns.filter((c) => isSealedColumn(c.name) && !c.default && !c.nullable)
  const adjustRow = adjustRowByTable[table.name]
  return (row) => {
    const newRow: ArchiveRow = Object.fromEntries(sealed.map(({ name }) => [name, '']))
    for (const { column, table: name } of links) {
      const value = row[column]
      const renumberInside = renumberInsideColumn[table.name]?.[column]
      if (value === null || value === undefined) newRow[column] = null
      else if (renumberInside) newRow[column] = renumberInside(value as never, newIdOf, row)
      else if (name && typeof value === 'number') newRow[column] = newIdOf(name, value)
      else newRow[column] = value
    }
    adjustRow?.(newRow, { companyId, files, work })
    return newRow
  }
}

type RowContext = { companyId: number; files: Files; work: ImportWork }
const countChange = ({ changeCounts }: ImportWork, what: string) => {
  changeCounts[what] = (changeCounts[what] ?? 0) + 1
}

/** Tables whose rows are changed on import. */
const adjustRowByTable: Record<string, (row: ArchiveRow, context: RowContext) => void> = {
  users(row, { work }) {
    if (!isUsablePasswordHash(String(row.passwordHash))) {
      row.passwordHash = work.randomPasswordHash
      countChange(work, 'people without a password that can be kept: they ask for a new one')
    }
    const name = removeHiddenCharacters(String(row.name))
    if (name !== row.name) {
      row.name = name
      countChange(work, 'names of people without the characters that nobody sees')
    }
    // Users must subscribe to the mail again: an archive may contain anybody's address.
    if (row.weeklyMail === true) {
      row.weeklyMail = false
      countChange(work, 'people whose weekly mail was turned off')
    }
  },
  /** Unprocessed events of a line would be processed when the line starts, whatever their content: marks them as processed. */
  journal(row, { work }) {
    // An archive may leave the column out, and then the database default would mean unprocessed.
    if (row.processedAt !== null && row.processedAt !== undefined) return
    row.processedAt = row.receivedAt ?? new Date().toISOString()
    row.error = 'not handled before the export'
    row.waitsFor = null
    countChange(work, 'events of lines that were not handled before the export')
  },
  /**
   * Rewrites the permanent URL of a profile picture, which contains the company id and the signature of the
   * installation.
   */
  contacts(row, { companyId, files }) {
    const [found, mediaPath = '', shown = ''] = signedFilePath.exec(String(row.profilePicUrl ?? '')) ?? []
    if (!found) return
    row.profilePicUrl = `/public/${files.permanentPath(companyId, { mediaPath, mediaName: decodeFileName(shown) })}`
  },
}

const decodeFileName = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return 'file'
  }
}
