import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { seedDatabase } from '../src/accounts/seed.ts'
import { openInfrastructure } from '../src/infrastructure.ts'
import { readConfig } from '../src/kernel/config.ts'
import { makeLog } from '../src/kernel/log.ts'
import { startPostgres } from '../src/kernel/postgres/embedded.ts'
import { importRecadoArchive } from './company/import-command.ts'
import { ImportExportError } from './company/import-export-error.ts'
import type { Importer } from './importer.ts'
import { defaultLimits, parseLimits } from './limits.ts'
import { toPrintable } from './plain-text.ts'
import { defaultTerms } from './plan-terms.ts'
import { makeProgress } from './progress.ts'
import { makeFamilyImporter } from './whaticket-family/import.ts'

/** The supported sources: the first word after `npm run import --`. */
const importerByKind: Record<string, Importer> = {
  ticketz: makeFamilyImporter('ticketz'),
  whaticket: makeFamilyImporter('whaticket'),
  recado: (deps, order, progress) =>
    importRecadoArchive({ files: deps.files, owner: infrastructure.owner }, order, progress),
}

const usage = `
  npm run import -- ticketz DUMP     a dump that pg_dump wrote as plain SQL, or the same packed with gzip
  npm run import -- whaticket DUMP   the same, or one that mysqldump or mariadb-dump wrote
  npm run import -- recado FOLDER    what "npm run export -- --company ID" of another Recado wrote

    --media FOLDER    where the other system keeps its files (its folder "public")
    --dry-run         say what would come and what cannot, and write nothing
    --company NUMBER  of several companies this one alone
    --name NAME       what to call the company, where the dump has no name for it
    --offset -03:00   the zone of moments that have none, as MySQL keeps them
    --report FILE     where the report goes as JSON (import-report.json)
    --plan NAME       the plan that companies get (the cheapest)
    --due YYYY-MM-DD  the day until which they have paid (30 days from now)
    --keep-plans      plan and day as the archive or dump has them
    --later           a later dump of an installation that came before: its companies here get what is new
    --limit NAME=N    more than usual: ${Object.keys(defaultLimits).join(', ')}

  What comes is not believed: whatever does not fit is refused, and a refused archive leaves nothing behind. Broken off, it goes on where it was; run again, it changes nothing. docs/import-export.md says what comes and how.
`

function parseCommand() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        media: { type: 'string' },
        'dry-run': { type: 'boolean' },
        company: { type: 'string' },
        name: { type: 'string' },
        offset: { type: 'string' },
        report: { type: 'string' },
        plan: { type: 'string' },
        due: { type: 'string' },
        'keep-plans': { type: 'boolean' },
        later: { type: 'boolean' },
        limit: { type: 'string', multiple: true },
      },
    })
    const [kind = '', path, ...extraArguments] = positionals
    const importer = Object.hasOwn(importerByKind, kind) ? importerByKind[kind] : undefined
    const company = values.company === undefined ? null : Number(values.company)
    if (!importer || !path || extraArguments.length || (company !== null && !Number.isSafeInteger(company))) return null
    const { media = null, name = null, offset = null, report = 'import-report.json' } = values
    if (offset !== null && !/^[+-]\d\d:\d\d$/.test(offset)) return null
    const limits = parseLimits(values.limit ?? [])
    if (!limits || (values.due !== undefined && !z.iso.date().safeParse(values.due).success)) return null
    const { plan = null, due: dueDate = null, later = false } = values
    const terms = { ...defaultTerms, plan, dueDate, keepsPlans: values['keep-plans'] ?? false }
    const order = {
      path,
      mediaDir: media,
      dryRun: values['dry-run'] ?? false,
      company,
      name,
      offset,
      limits,
      terms,
      isUpdate: later,
    }
    return { importer: importer, order, report }
  } catch {
    return null
  }
}

const importCommand = parseCommand()
if (!importCommand) {
  console.error(usage)
  process.exit(2)
}
const startedAt = performance.now()
const config = readConfig(process.env)
const log = makeLog('error')
const postgres = config.databaseUrl ? null : await startPostgres({ dataDir: config.dataDir })
const infrastructure = await openInfrastructure(config, config.databaseUrl ?? (postgres as { url: string }).url, log)
const close = async () => {
  await infrastructure.close()
  await postgres?.stop()
}
try {
  const firstAdmin = await seedDatabase(infrastructure.deps, config)
  const report = await importCommand.importer(
    infrastructure.deps,
    { ...importCommand.order, scratchDir: join(config.dataDir, 'moving') },
    makeProgress(),
  )
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  await writeFile(importCommand.report, `${JSON.stringify({ ...report.toJSON(), seconds }, null, 2)}\n`)
  console.log(`\n${report.lines().join('\n')}\n`)
  console.log(
    `  ${report.dryRun ? 'Nothing was written.' : 'Done.'} ${seconds} s. The report is in ${importCommand.report}.\n`,
  )
  if (firstAdmin?.password)
    console.log(
      `  The super user of this installation: ${firstAdmin.email}, password ${firstAdmin.password}\n  It is shown only once.\n`,
    )
} catch (error) {
  console.error(`\n  The import ended: ${toPrintable(error instanceof Error ? error.message : error, 1000)}`)
  console.error(
    error instanceof ImportExportError
      ? '  Nothing was written.\n'
      : '  What was written stays; the same command goes on where it was.\n',
  )
  process.exitCode = 1
} finally {
  await close()
}
process.exit()
