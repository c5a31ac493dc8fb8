import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { BackupConfig, Config } from '../../kernel/config.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { JobHandlers } from '../../kernel/jobs.ts'
import type { Log } from '../../kernel/log.ts'
import { mailUser } from '../mail-user.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'backup:make': Record<string, never>
  }
}

const backupProgram = fileURLToPath(new URL('../../../backup/backup.ts', import.meta.url))
/** How many backups the history lists. */
const maxRememberedBackups = 100

type BackupResult = { file: string; bytes: number; rows: number; files: number; seconds: number }
/** `lastAt`: when the last successful backup finished. */
export type BackupState = { lastAt: string | null; error: string | null }
export type Backups = ReturnType<typeof makeBackups>

/** The nightly backup runs in a separate process, so that requests are not slowed down. */
export function makeBackups(
  deps: Deps,
  config: Pick<Config, 'dataDir' | 'appSecret' | 'backup' | 'filesUrl'>,
  databaseUrl: string,
  log: Log,
) {
  const abort = new AbortController()
  const backupConfig = config.backup
  const platformScope = () => new Scope(deps, { companyId: 0, wide: true })

  async function runBackup(backup: BackupConfig): Promise<BackupResult> {
    const child = spawn(
      process.execPath,
      [backupProgram, '--to', backup.folder, '--keep', String(backup.keepCount), '--json'],
      {
        env: {
          ...process.env,
          DATABASE_URL: databaseUrl,
          DATA_DIR: config.dataDir,
          APP_SECRET: config.appSecret,
          FILES_URL: config.filesUrl ?? '',
          BACKUP_PASSPHRASE: backup.passphrase,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        signal: abort.signal,
      },
    )
    const ended = new Promise<number | null>((end, fail) => child.once('error', fail).once('close', end))
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    if (code !== 0) throw new Error(err.trim().slice(-1000) || `It ended with ${code}.`)
    return JSON.parse(out)
  }

  async function runNightlyBackup(backup: BackupConfig): Promise<void> {
    const startedAt = deps.clock.now().toISOString()
    const result = await runBackup(backup).catch((error: Error) => error)
    // Stopping the server stops its backup, which then runs after the next start.
    if (abort.signal.aborted) throw new Error('the server was closed')
    const errorText = result instanceof Error ? result.message : null
    if (result instanceof Error) log.error({ err: result }, 'the nightly backup failed')
    else log.info(result, 'backup finished')
    const scope = platformScope()
    await scope.transaction(async (tx) => {
      const fileColumns =
        result instanceof Error ? { file: null, bytes: null } : { file: result.file, bytes: result.bytes }
      const endedAt = deps.clock.now().toISOString()
      const { id } = await tx.db
        .insertInto('backups')
        .values({ startedAt, endedAt, ...fileColumns, error: errorText })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx.db
        .deleteFrom('backups')
        .where('id', '<=', id - maxRememberedBackups)
        .execute()
      if (errorText === null) return
      const people = await tx.db.selectFrom('users').selectAll().where('super', '=', true).execute()
      for (const person of people)
        await mailUser(tx.forCompany(person.companyId), person, ({ backup: words }) => ({
          subject: words.subject,
          text: words.text(person.name, errorText),
        }))
    })
  }

  return {
    jobs: {
      'backup:make': async () => {
        if (backupConfig) await runNightlyBackup(backupConfig)
      },
    } satisfies Pick<JobHandlers, 'backup:make'>,
    /**
     * The backup starts some minutes past the hour, when no other job starts. A missed backup is made at the next
     * start.
     */
    crontab: backupConfig ? `13 ${backupConfig.hour} * * * backup:make ?fill=20h&max=2` : '',
    /** The backup state; null if backups are disabled. */
    async state(): Promise<BackupState | null> {
      if (!backupConfig) return null
      const { db } = platformScope()
      const rows = db.selectFrom('backups').orderBy('id', 'desc').limit(1)
      const last = await rows.select('error').executeTakeFirst()
      const good = await rows.where('error', 'is', null).select('endedAt').executeTakeFirst()
      return { lastAt: good?.endedAt ?? null, error: last?.error ?? null }
    },
    close: () => abort.abort(),
  }
}
