import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/kernel/config.ts'
import { backUp, fileIn, keepNewest } from './back-up.ts'
import { NotKept } from './not-kept.ts'
import { passphraseFrom } from './passphrase.ts'
import { inMegabytes, openPlace, tellProgress } from './place.ts'

const usage = `
  npm run backup -- [--to FOLDER] [--keep N] [--passphrase-file FILE]

  The database, the files and the secret in one sealed file, while Recado runs or not: docs/backup.md.
  The passphrase comes from BACKUP_PASSPHRASE, from a file, or is asked for. Without it nobody reads the backup, you neither.
`

function ordered() {
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

const given = ordered()
if (!given) {
  console.error(usage)
  process.exit(2)
}
// Who is being served comes first.
setPriority(10)
try {
  const passphrase = await passphraseFrom(given['passphrase-file'], true)
  const config = readConfig(process.env)
  const folder = resolve(given.to ?? config.backup?.folder ?? '.')
  const place = await openPlace(config)
  try {
    const made = await backUp(place, passphrase, fileIn(folder, new Date()), given.json ? undefined : tellProgress())
    const gone = given.keep ? await keepNewest(folder, given.keep) : []
    if (given.json) console.log(JSON.stringify(made))
    else {
      console.log(`\n  ${made.file} (${inMegabytes(made.bytes)}) in ${made.seconds} s, read back and whole:`)
      console.log(`  ${made.rows} rows of ${made.tables} tables, ${made.files} files (${inMegabytes(made.fileBytes)}).`)
      if (gone.length) console.log(`  Deleted, being older than the newest ${given.keep}: ${gone.join(', ')}`)
      console.log('\n  npm run restore -- FILE brings it back. Without the passphrase nobody can.\n')
    }
  } finally {
    await place.close()
  }
} catch (error) {
  console.error(`\n  Nothing was backed up: ${error instanceof NotKept ? error.message : error}\n`)
  process.exitCode = 1
}
process.exit()
