import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyOut } from 'pg-copy-streams'
import { tryBackupLockSql } from '../src/kernel/data/advisory-locks.ts'
import type { Files } from '../src/kernel/files/files.ts'
import { type BackupEntry, backupVersion, writeEntries } from './archive-format.ts'
import { BackupError } from './backup-error.ts'
import { type BackupSummary, hashStream, type InstallationHead, readBackup } from './read-backup.ts'
import { sealStream } from './seal-stream.ts'
import {
  type BackupTable,
  checksumTable,
  quoteIdentifier,
  quoteIdentifiers,
  readBackupTables,
  sessionSettingsSql,
} from './tables.ts'

export type Installation = { databaseUrl: string; files: Files; appSecret: string }
/** Called with the current step, and with how many more items of that step are done. */
export type ReportBackupProgress = (what: string, migrations: number) => void
export type BackupResult = BackupSummary & { file: string; bytes: number; seconds: number }

/** Tolerated difference between the clocks of a disk and this process; copying too many files does no harm. */
const clockSlackMs = 60_000

/**
 * Writes the whole running installation into one encrypted file, as of one moment. All tables are read in one
 * snapshot, and the files after it: files are never rewritten, and none is deleted until they are copied
 * (`isBackupRunning`). The backup is written under a temporary name, read back, and renamed when it is complete.
 */
export async function createBackup(
  installation: Installation,
  passphrase: string,
  file: string,
  reportProgress: ReportBackupProgress = () => {},
): Promise<BackupResult> {
  const startedAt = performance.now()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  if (await stat(file).catch(() => null)) throw new BackupError(`${file} is there already.`)
  const partialFile = `${file}.part`
  const client = new pg.Client({ connectionString: installation.databaseUrl, application_name: 'recado backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ mine: boolean }>(tryBackupLockSql)
    if (!rows[0]?.mine) throw new BackupError('Another backup is being made.')
    await client.query(sessionSettingsSql)
    const source = Readable.from(writeEntries(makeEntries(client, installation, reportProgress)), {
      objectMode: false,
      highWaterMark: 1024 * 1024,
    })
    await pipeline(
      source,
      createGzip({ level: 1 }),
      sealStream(passphrase),
      createWriteStream(partialFile, { mode: 0o600 }),
    )
    const summary = await readBackup(createReadStream(partialFile), passphrase)
    await syncToDisk(partialFile)
    await rename(partialFile, file)
    const { size } = await stat(file)
    return { ...summary, file, bytes: size, seconds: Math.round((performance.now() - startedAt) / 1000) }
  } catch (error) {
    await rm(partialFile, { force: true })
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Flushes the backup to disk, so that a power cut cannot destroy it. */
async function syncToDisk(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync().finally(() => handle.close())
}

async function* makeEntries(
  client: pg.Client,
  { files, appSecret }: Installation,
  reportProgress: ReportBackupProgress,
): AsyncGenerator<BackupEntry> {
  const tables = await readBackupTables(client)
  if (!tables.some(({ name }) => name === 'companies')) throw new BackupError('There is no Recado in this database.')
  await client.query('begin isolation level repeatable read read only')
  // The tables are locked before the snapshot, so that no table is altered meanwhile.
  await client.query(`lock table ${quoteIdentifiers(tables.map(({ name }) => name))} in access share mode`)
  // Sequences are read first: on restore they may be ahead of the rows, but never behind.
  const head = await makeInstallationHead(client, appSecret)
  const snapshotAt = Date.now()
  yield { head }
  for (const table of tables) {
    yield { head: { kind: 'table', name: table.name, columns: table.columns }, ...tableContent(client, table) }
    reportProgress('tables', 1)
  }
  await client.query('reset role')
  yield { head: { kind: 'jobs' }, body: client.query(copyOut(`copy (${jobsQuery}) to stdout`)) }
  await client.query('rollback')
  for await (const { companyId, name, createdAtMs: born } of files.listAll()) {
    if (born > snapshotAt + clockSlackMs) continue
    const { content, result } = hashStream(files.read(companyId, name))
    yield { head: { kind: 'file', companyId, name }, body: content, tail: result }
    reportProgress('files', 1)
  }
  yield { head: { kind: 'end' } }
}

async function makeInstallationHead(client: pg.Client, appSecret: string): Promise<InstallationHead> {
  const { rows: sequences } = await client.query<InstallationHead['sequences'][number]>(
    `select schemaname as schema, sequencename as name, data_type::text as type, last_value::text as last
     from pg_sequences where schemaname in ('public', 'numbers') and last_value is not null order by 1, 2`,
  )
  const { rows: unusedSequences } = await client.query<InstallationHead['sequences'][number]>(
    `select schemaname as schema, sequencename as name, data_type::text as type, '' as last
     from pg_sequences where schemaname = 'numbers' and last_value is null order by 2`,
  )
  const { rows: migrations } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  const { rows: now } = await client.query<{ at: Date }>('select now() as at')
  return {
    kind: 'house',
    version: backupVersion,
    madeAt: (now[0]?.at ?? new Date()).toISOString(),
    migrations: migrations.map(({ name }) => name),
    appSecret,
    sequences: [...sequences, ...unusedSequences],
  }
}

/** The rows of a table in PostgreSQL's COPY format. Row-level security requires the role that sees all companies. */
function tableContent(client: pg.Client, table: BackupTable): Pick<Required<BackupEntry>, 'body' | 'tail'> {
  const role = table.walled ? 'set local role recado_platform' : 'reset role'
  async function* body() {
    await client.query(role)
    yield* client.query(
      copyOut(`copy (select ${quoteIdentifiers(table.columns)} from only ${quoteIdentifier(table.name)}) to stdout`),
    )
  }
  return { body: body(), tail: () => checksumTable(client, table) }
}

/**
 * Selects the parameters of the job queue's own function for adding jobs, which later versions support. Jobs without
 * attempts left are omitted.
 */
const jobsQuery = `
  select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority,
    array(select jsonb_object_keys(j.flags)) as flags
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  where j.attempts < j.max_attempts order by j.id`

const backupFileName = (at: Date): string => `recado-${at.toISOString().slice(0, 16).replace(/\D/g, '')}.backup`
const isBackupFileName = (name: string): boolean => /^recado-\d{12}\.backup$/.test(name)

/** The file name for a backup of this minute. */
export const backupFilePath = (folder: string, at: Date): string => join(folder, backupFileName(at))

/** Keeps the newest backups; files with other names are not touched. */
export async function deleteOldBackups(folder: string, keep: number): Promise<string[]> {
  const old = (await readdir(folder)).filter(isBackupFileName).sort().slice(0, -keep)
  for (const name of old) await rm(join(folder, name))
  return old
}
