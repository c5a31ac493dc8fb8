import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, readConfig } from '../src/kernel/config.ts'
import { BackupError } from './backup-error.ts'
import { openInstallation } from './installation.ts'
import { rotateSecret } from './rotate-secret.ts'

const usage = `
  npm run reseal

  Gives the house another secret: what is sealed is opened with the one before and sealed with the new one, all of it or
  nothing. Recado must not run. With APP_SECRET, set it to the new one and APP_SECRET_BEFORE to the old one. Without it the
  secret lies in DATA_DIR/app-secret: a new one is made and takes its place. docs/operate.md says what follows from it.
`
const minSecretLength = 32
const noSecretFile = { replaceSecret: () => {}, deleteNewSecret: () => {} }

/** The old and the new secret. A generated secret replaces the old one (`settle`) or is deleted (`forget`). */
function resolveSecrets(env: NodeJS.ProcessEnv, dataDir: string) {
  const file = join(dataDir, 'app-secret')
  const storedSecret = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
  const before = env.APP_SECRET_BEFORE || storedSecret
  if (!before) throw new BackupError('Set APP_SECRET_BEFORE to the secret that the house had.')
  if (env.APP_SECRET) {
    if (env.APP_SECRET === before) throw new BackupError('APP_SECRET is the one it had before: set it to the new one.')
    return { before, after: env.APP_SECRET, ...noSecretFile }
  }
  if (storedSecret && storedSecret !== before) return { before, after: storedSecret, ...noSecretFile }
  // The new secret is stored before anything is encrypted with it, so that it cannot be lost and the next run
  // uses it. Recado does not start while this file exists.
  const nextFile = `${file}.next`
  if (!existsSync(nextFile)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(nextFile, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  }
  return {
    before,
    after: readFileSync(nextFile, 'utf8').trim(),
    replaceSecret: () => renameSync(nextFile, file),
    deleteNewSecret: () => rmSync(nextFile),
  }
}

if (process.argv.length > 2) {
  console.error(usage)
  process.exit(2)
}
try {
  // Only the data folder is needed. A dummy secret is passed, because reading the settings would otherwise create a
  // secret.
  const { dataDir } = readConfig({ ...process.env, APP_SECRET: 'x'.repeat(minSecretLength) })
  const { before, after, replaceSecret, deleteNewSecret } = resolveSecrets(process.env, dataDir)
  if (after.length < minSecretLength)
    throw new BackupError(`APP_SECRET: must have at least ${minSecretLength} characters.`)
  const installation = await openInstallation(readConfig({ ...process.env, APP_SECRET: after }))
  try {
    const done = await rotateSecret(installation.databaseUrl, { before, after }).catch((error) => {
      // After a BackupError nothing was written. After any other error the outcome is unknown.
      if (error instanceof BackupError) deleteNewSecret()
      throw error
    })
    replaceSecret()
    for (const { table, renewed, already, lost } of done.tables)
      if (renewed + already + lost)
        console.log(
          `  ${table.padEnd(18)} ${renewed} sealed anew${already ? `, ${already} were already` : ''}${lost ? `, ${lost} open under neither secret and stay as they are` : ''}`,
        )
    console.log(`\n  ${done.renewed} values are sealed with the new secret. Everybody logs in again.\n`)
  } finally {
    await installation.close()
  }
} catch (error) {
  const known = error instanceof BackupError || error instanceof ConfigError
  console.error(`\n  Nothing was changed: ${known ? error.message : error}\n`)
  process.exitCode = 1
}
process.exit()
