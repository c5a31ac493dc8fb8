import { parseArgs } from 'node:util'
import { writeAudit } from '../src/accounts/api-access/audit.ts'
import { openInfrastructure } from '../src/infrastructure.ts'
import { readConfig } from '../src/kernel/config.ts'
import { Scope } from '../src/kernel/data/scope.ts'
import { makeLog } from '../src/kernel/log.ts'
import { startPostgres } from '../src/kernel/postgres/embedded.ts'
import { exportCompany } from './company/export-company.ts'
import { ImportExportError } from './company/import-export-error.ts'
import { makeProgress } from './progress.ts'

const usage = `
  npm run export -- --company ID [--to FOLDER]

  Everything of one company as JSON lines, with its files: docs/import-export.md says what is in it and what is not.
`

function parseCommand() {
  try {
    const { values } = parseArgs({ options: { company: { type: 'string' }, to: { type: 'string' } } })
    const companyId = Number(values.company)
    if (!Number.isSafeInteger(companyId) || companyId < 1) return null
    const day = new Date().toISOString().slice(0, 16).replace(/\D/g, '')
    return { companyId, to: values.to ?? `recado-company-${companyId}-${day}` }
  } catch {
    return null
  }
}

const command = parseCommand()
if (!command) {
  console.error(usage)
  process.exit(2)
}
const config = readConfig(process.env)
const postgres = config.databaseUrl ? null : await startPostgres({ dataDir: config.dataDir })
const infrastructure = await openInfrastructure(
  config,
  config.databaseUrl ?? (postgres as { url: string }).url,
  makeLog('error'),
)
const progress = makeProgress()
try {
  const { owner, deps } = infrastructure
  let last = ''
  const manifest = await exportCompany({ owner, files: deps.files }, command, (what, done, total) => {
    if (what !== last) {
      if (last) progress.end()
      progress.begin(what, total)
    }
    last = what
    progress.add(done)
  })
  progress.end()
  const scope = new Scope(deps, { companyId: command.companyId })
  await scope.transaction((tx) => writeAudit(tx, 'company.exported', command.companyId, manifest.company.name))
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const mb = Math.ceil(manifest.media.bytesOfFiles / 1024 / 1024)
  console.log(`\n  ${manifest.company.name}: ${rows} rows, ${manifest.media.files} files (${mb} MB), in ${command.to}`)
  console.log('  Not in it, because only this house can read or use it:\n')
  for (const [what, why] of Object.entries(manifest.left)) console.log(`    ${what.padEnd(36)}${why}`)
  console.log(
    '\n  npm run import -- recado FOLDER imports it into another Recado. Keep it as safe as the installation itself.\n',
  )
} catch (error) {
  console.error(`\n  Nothing was exported: ${error instanceof ImportExportError ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  await infrastructure.close()
  await postgres?.stop()
}
process.exit()
