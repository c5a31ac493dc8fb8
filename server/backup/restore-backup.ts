import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyIn } from 'pg-copy-streams'
import { openPool } from '../src/kernel/data/database.ts'
import { findUnknownMigrations, migrateDatabase } from '../src/kernel/data/migrate.ts'
import type { Files } from '../src/kernel/files/files.ts'
import { makeLog } from '../src/kernel/log.ts'
import type { ReadEntry } from './archive-format.ts'
import { BackupError } from './backup-error.ts'
import { createBackup, type ReportBackupProgress } from './create-backup.ts'
import { type BackupSummary, checkBackup, type InstallationHead, readBackup } from './read-backup.ts'
import {
  type BackupTable,
  checksumTable,
  quoteIdentifier,
  quoteIdentifiers,
  readBackupTables,
  sessionSettingsSql,
} from './tables.ts'

export type RestoreTarget = { databaseUrl: string; files: Files }

/**
 * Restores a backup. The caller has read it to its end (`check`), so that a damaged backup changes nothing. The
 * tables are created as of the backup, filled in one transaction and verified against its counts and checksums. Then
 * the files are restored, and finally the tables are migrated if this Recado is newer.
 */
export async function restoreBackup(
  target: RestoreTarget,
  passphrase: string,
  file: string,
  installation: InstallationHead,
  { replace = false, reportProgress = () => {} }: { replace?: boolean; reportProgress?: ReportBackupProgress } = {},
): Promise<BackupSummary> {
  const unknown = await findUnknownMigrations(installation.migrations)
  if (unknown.length) throw new BackupError(`It was made by a newer Recado (${unknown.at(-1)}): update this one first.`)
  // `pool.end()` does not wait until the connections are closed, so they must not look like those of a running Recado:
  // the next restore, of the safety backup, would be refused.
  const owner = openPool(target.databaseUrl, makeLog('silent'), { max: 2, applicationName: 'restore' })
  const client = new pg.Client({ connectionString: target.databaseUrl, application_name: 'restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(sessionSettingsSql)
    await assertTargetEmpty(client, target.files, replace)
    const clear = async () => {
      await dropEverything(client)
      for await (const { companyId } of target.files.listAll()) await target.files.removeCompany(companyId)
    }
    await clear()
    try {
      await migrateDatabase(owner, installation.migrations)
      const summary = await fillDatabase(client, target.files, passphrase, file, reportProgress)
      await migrateDatabase(owner)
      await client.query('analyze')
      return summary
    } catch (error) {
      // Remove the half-restored installation.
      await clear().catch(() => {})
      throw error
    }
  } finally {
    await client.end().catch(() => {})
    await owner.end()
  }
}

/**
 * Restores a backup over an existing installation, which is backed up first with the same passphrase. If the database
 * refuses something that `check` could not detect, the existing installation is restored; if the process is killed,
 * it is still in `safety.file`. The safety backup is deleted when the restore is complete.
 */
export async function replaceInstallation(
  target: RestoreTarget,
  passphrase: string,
  file: string,
  installation: InstallationHead,
  {
    safety,
    reportProgress = () => {},
  }: { safety: { file: string; appSecret: string }; reportProgress?: ReportBackupProgress },
): Promise<BackupSummary> {
  if (!(await hasInstallation(target.databaseUrl)))
    return restoreBackup(target, passphrase, file, installation, { replace: true, reportProgress: reportProgress })
  await createBackup({ ...target, appSecret: safety.appSecret }, passphrase, safety.file)
  let summary: BackupSummary
  try {
    summary = await restoreBackup(target, passphrase, file, installation, {
      replace: true,
      reportProgress: reportProgress,
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    try {
      const { house: before } = await checkBackup(safety.file, passphrase, Number.POSITIVE_INFINITY)
      await restoreBackup(target, passphrase, safety.file, before, { replace: true })
    } catch (again) {
      throw new BackupError(
        `${reason} What was here is in ${safety.file}, with the same passphrase: restore it. (${again})`,
      )
    }
    await rm(safety.file, { force: true })
    throw new BackupError(`${reason} What was here is back as it was.`)
  }
  await rm(safety.file, { force: true })
  return summary
}

/** Whether the database has an installation. Throws if it is running, before anything is copied. */
async function hasInstallation(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    await assertNotRunning(client)
    const { rows } = await client.query(`select where to_regclass('public.companies') is not null`)
    return rows.length > 0
  } finally {
    await client.end()
  }
}

async function assertNotRunning(client: pg.Client): Promise<void> {
  const { rows: others } = await client.query(
    `select from pg_stat_activity where datname = current_database() and application_name like 'recado%'`,
  )
  if (others.length) throw new BackupError('Recado runs on this database: stop it first.')
}

async function assertTargetEmpty(client: pg.Client, files: Files, replace: boolean): Promise<void> {
  await assertNotRunning(client)
  if (replace) return
  const hint = 'Say --replace to delete what is there.'
  const { rows: existing } = await client.query(`select where to_regclass('public.companies') is not null`)
  if (existing.length) throw new BackupError(`There is a Recado in this database already. ${hint}`)
  for await (const _ of files.listAll()) throw new BackupError(`There are files already. ${hint}`)
}

/** Drops our objects, but not extensions, which another database user may have created. */
const dropStatementsSql = `
  select format('drop schema %I cascade', nspname) as deed, 0 as turn from pg_namespace where nspname in ('numbers', 'graphile_worker')
  union all
  select format('drop %s %s cascade', case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, c.oid::regclass), 1
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e'))
  union all
  select format('drop routine %s cascade', p.oid::regprocedure), 2 from pg_proc p where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype in ('a', 'i', 'e'))
  union all
  select format('drop type %s cascade', t.oid::regtype), 3 from pg_type t left join pg_class c on c.oid = t.typrelid
    where t.typnamespace = 'public'::regnamespace and (t.typtype in ('e', 'd') or c.relkind = 'c')
      and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype in ('a', 'i', 'e'))
  order by turn`

async function dropEverything(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ deed: string }>(dropStatementsSql)
  const withIfExists = (statement: string) =>
    statement.replace(/^drop (schema|view|materialized view|sequence|table|routine|type)/, '$& if exists')
  await inTransaction(client, async () => {
    for (const { deed: statement } of rows) await client.query(withIfExists(statement))
  })
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const fillDatabase = (
  client: pg.Client,
  files: Files,
  passphrase: string,
  file: string,
  reportProgress: ReportBackupProgress,
): Promise<BackupSummary> =>
  inTransaction(client, async () => {
    const tables = await readBackupTables(client)
    const restoreConstraints = await dropConstraints(client, tables)
    const restoredTables = new Set<string>()
    const summary = await readBackup(createReadStream(file), passphrase, {
      installation: (head) => setCounters(client, head),
      table: async (entry, { name, columns }) => {
        const known = tables.find((table) => table.name === name)
        const unknownColumn = columns.find((column) => !known?.columns.includes(column))
        if (!known || unknownColumn)
          throw new BackupError(`Nobody here knows ${name}${unknownColumn ? `.${unknownColumn}` : ''}.`)
        await fillTable(client, entry, { name, columns })
        restoredTables.add(name)
        reportProgress('tables', 1)
      },
      jobs: (entry) => addJobs(client, entry),
      file: async ({ companyId, name }, content) => {
        await files.restore(companyId, name, content)
        reportProgress('files', 1)
      },
    })
    const missing = tables.filter(({ name }) => !restoredTables.has(name))
    if (missing.length) throw new BackupError(`The backup has no data of ${missing.map(({ name }) => name)}.`)
    await restoreConstraints()
    return summary
  })

/**
 * Foreign keys, triggers and indexes would be checked row by row, and would require an order that the rows do not have:
 * they are dropped and recreated at the end. Recreating a foreign key checks every row.
 */
async function dropConstraints(client: pg.Client, tables: BackupTable[]): Promise<() => Promise<void>> {
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relname = any ($1) and c.relnamespace = 'public'::regnamespace
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))`,
    [tables.map(({ name }) => name)],
  )
  const walled = tables.filter((table) => table.walled)
  const forAll = async (of: BackupTable[], statement: string) => {
    for (const { name } of of) await client.query(`alter table ${quoteIdentifier(name)} ${statement}`)
  }
  for (const { table, name } of references)
    await client.query(`alter table ${table} drop constraint ${quoteIdentifier(name)}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await forAll(tables, 'disable trigger user')
  // COPY is refused on a table with forced row-level security. Nobody else sees this change before the commit.
  await forAll(walled, 'no force row level security')
  await client.query(`truncate ${quoteIdentifiers(tables.map(({ name }) => name))}`)
  return async () => {
    for (const { definition } of indexes) await client.query(definition)
    for (const { table, name, definition } of references)
      await client.query(`alter table ${table} add constraint ${quoteIdentifier(name)} ${definition}`)
    await forAll(walled, 'force row level security')
    await forAll(tables, 'enable trigger user')
  }
}

async function fillTable(
  client: pg.Client,
  entry: ReadEntry,
  table: Pick<BackupTable, 'name' | 'columns'>,
): Promise<void> {
  await pipeline(
    entry.body,
    client.query(copyIn(`copy ${quoteIdentifier(table.name)} (${quoteIdentifiers(table.columns)}) from stdin`)),
  )
  const [recorded, found] = [await entry.tail(), await checksumTable(client, table)]
  if (recorded.count !== found.count || recorded.sum !== found.sum)
    throw new BackupError(`${table.name} is not what it was: ${found.count} rows of ${recorded.count}.`)
}

/** Restores the value of each sequence. Companies' sequences are created here, because their trigger is disabled. */
async function setCounters(client: pg.Client, { sequences }: InstallationHead): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public'`,
  )
  const known = new Set(rows.map(({ name }) => name))
  for (const { schema, name, type, last } of sequences) {
    const sequence = `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`
    if (schema === 'public' && !known.has(name)) throw new BackupError(`Nobody here knows ${name}.`)
    if (schema === 'numbers') await client.query(`create sequence ${sequence} as ${type}`)
    if (last) await client.query('select setval($1::regclass, $2::bigint)', [sequence, last])
  }
}

async function addJobs(client: pg.Client, entry: ReadEntry): Promise<void> {
  await client.query(
    `create temp table jobs_then (identifier text, payload json, queue_name text, run_at timestamptz, max_attempts int, key text, priority int, flags text[]) on commit drop`,
  )
  await pipeline(entry.body, client.query(copyIn('copy jobs_then from stdin')))
  await client.query(
    `select graphile_worker.add_job(identifier, payload, queue_name, run_at, max_attempts, key, priority, nullif(flags, '{}')) from jobs_then`,
  )
}
