import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/kernel/config.ts'
import { BackupError } from './backup-error.ts'
import { formatMegabytes, makeProgressReporter, openInstallation } from './installation.ts'
import { readPassphrase } from './passphrase.ts'
import { type BackupSummary, checkBackup, type InstallationHead } from './read-backup.ts'
import { replaceInstallation, restoreBackup } from './restore-backup.ts'

const usage = `
  npm run restore -- FILE [--check] [--replace] [--passphrase-file FILE]

  Brings back what "npm run backup" wrote, into the database and the folder that the settings name (DATABASE_URL,
  DATA_DIR). Recado must not run there, and there must be nothing: docs/backup.md.

    --check     read it to its end, say what is in it, and write nothing
    --replace   put it in the place of what is there: database and files. That is backed up first and comes back if
                something fails; --without-safety-copy skips it, where it cannot be read any more
    --max-unpacked-gb N   let it hold so much, if it says that it is larger than its size lets expect
`

function parseCommand() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        check: { type: 'boolean' },
        replace: { type: 'boolean' },
        'without-safety-copy': { type: 'boolean' },
        'max-unpacked-gb': { type: 'string' },
        'passphrase-file': { type: 'string' },
      },
    })
    const [file, ...more] = positionals
    const gigabytes = values['max-unpacked-gb']
    if (gigabytes !== undefined && !/^\d{1,7}$/.test(gigabytes)) return null
    const maxBytes = gigabytes === undefined ? null : Number(gigabytes) * 1024 ** 3
    return file && !more.length ? { ...values, file: resolve(file), maxBytes: maxBytes } : null
  } catch {
    return null
  }
}

const describeSummary = (summary: BackupSummary): string =>
  `${summary.rows} rows of ${summary.tables} tables, ${summary.files} files (${formatMegabytes(summary.fileBytes)}), as they were at ${summary.madeAt}`

const command = parseCommand()
if (!command) {
  console.error(usage)
  process.exit(2)
}
try {
  if (!existsSync(command.file)) throw new BackupError(`There is no ${command.file}.`)
  const passphrase = await readPassphrase(command['passphrase-file'], false)
  const { house: installation, summary } = await checkBackup(command.file, passphrase, command.maxBytes)
  if (command.check) console.log(`\n  Whole: ${describeSummary(summary)}.\n`)
  else await restoreWithSecret(command.file, passphrase, installation)
} catch (error) {
  console.error(`\n  Nothing was restored: ${error instanceof BackupError ? error.message : error}\n`)
  process.exitCode = 1
}
process.exit()

/** Restores the secret too, because encrypted values can be decrypted only with it. */
async function restoreWithSecret(file: string, passphrase: string, installation: InstallationHead): Promise<void> {
  const { appSecret: secret } = installation
  const envSecret = process.env.APP_SECRET
  if (envSecret && envSecret !== secret)
    throw new BackupError('APP_SECRET is another than the one in the backup: unset it, or set the one from there.')
  const config = readConfig({ ...process.env, APP_SECRET: secret })
  const secretFile = join(config.dataDir, 'app-secret')
  const storedSecret = existsSync(secretFile) ? readFileSync(secretFile, 'utf8').trim() : null
  if (storedSecret && storedSecret !== secret && !command?.replace)
    throw new BackupError(`${secretFile} holds another secret. Say --replace to write over it.`)
  const target = await openInstallation(config)
  try {
    const reportProgress = makeProgressReporter()
    const replace = command?.replace === true
    const safety = {
      file: join(config.dataDir, `before-restore-${Date.now()}.backup`),
      appSecret: storedSecret ?? secret,
    }
    const isSafe = replace && !command?.['without-safety-copy']
    if (isSafe)
      console.log(`\n  Until it is done, what is here now is kept in ${safety.file}, with the same passphrase.`)
    const summary = isSafe
      ? await replaceInstallation(target, passphrase, file, installation, { safety, reportProgress: reportProgress })
      : await restoreBackup(target, passphrase, file, installation, { replace, reportProgress: reportProgress })
    mkdirSync(config.dataDir, { recursive: true })
    if (!envSecret) writeFileSync(secretFile, `${secret}\n`, { mode: 0o600 })
    console.log(`\n  Restored, counted and summed up as it was: ${describeSummary(summary)}.`)
    console.log(
      '  Start it with npm start. Enabled lines reconnect: do not start it while the other installation still runs.\n',
    )
  } finally {
    await target.close()
  }
}
