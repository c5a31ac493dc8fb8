import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/kernel/config.ts'
import { BackupError } from './backup-error.ts'
import { backupFilePath, createBackup, deleteOldBackups } from './create-backup.ts'
import { formatMegabytes, makeProgressReporter, openInstallation } from './installation.ts'
import { readPassphrase } from './passphrase.ts'

const usage = `
  npm run backup -- [--to FOLDER] [--keep N] [--passphrase-file FILE]

  The database, the files and the secret in one sealed file, while Recado runs or not: docs/backup.md.
  The passphrase comes from BACKUP_PASSPHRASE, from a file, or is asked for. Without it nobody reads the backup, you neither.
`

function parseCommand() {
  try {
    const { values } = parseArgs({
      options: {
        to: { type: 'string' },
        keep: { type: 'string' },
        'passphrase-file': { type: 'string' },
        json: { type: 'boolean' },
      },
    })
    const keep = values.keep === undefined ? null : Number(values.keep)
    if (keep !== null && !(Number.isSafeInteger(keep) && keep > 0)) return null
    return { ...values, keep }
  } catch {
    return null
  }
}

const command = parseCommand()
if (!command) {
  console.error(usage)
  process.exit(2)
}
// Low priority: the server that serves users comes first.
setPriority(10)
try {
  const passphrase = await readPassphrase(command['passphrase-file'], true)
  const config = readConfig(process.env)
  const folder = resolve(command.to ?? config.backup?.folder ?? '.')
  const installation = await openInstallation(config)
  try {
    const result = await createBackup(
      installation,
      passphrase,
      backupFilePath(folder, new Date()),
      command.json ? undefined : makeProgressReporter(),
    )
    const deleted = command.keep ? await deleteOldBackups(folder, command.keep) : []
    if (command.json) console.log(JSON.stringify(result))
    else {
      console.log(`\n  ${result.file} (${formatMegabytes(result.bytes)}) in ${result.seconds} s, read back and whole:`)
      console.log(
        `  ${result.rows} rows of ${result.tables} tables, ${result.files} files (${formatMegabytes(result.fileBytes)}).`,
      )
      if (deleted.length) console.log(`  Deleted, being older than the newest ${command.keep}: ${deleted.join(', ')}`)
      console.log('\n  npm run restore -- FILE brings it back. Without the passphrase nobody can.\n')
    }
  } finally {
    await installation.close()
  }
} catch (error) {
  console.error(`\n  Nothing was backed up: ${error instanceof BackupError ? error.message : error}\n`)
  process.exitCode = 1
}
process.exit()
