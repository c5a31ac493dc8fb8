import type { ImportOrder } from '../importer.ts'
import { toPrintable } from '../plain-text.ts'
import type { ProgressReporter } from '../progress.ts'
import { ImportReport } from '../report.ts'
import { openArchive } from './archive.ts'
import { checkArchive } from './check-archive.ts'
import type { ImportExportDeps } from './export-company.ts'
import { importCompany } from './import-company.ts'
import { readSchema } from './schema.ts'

/** `npm run import -- recado FOLDER`: imports a company that `npm run export` took from another installation. */
export async function importRecadoArchive(
  deps: ImportExportDeps,
  options: ImportOrder,
  progress: ProgressReporter,
): Promise<ImportReport> {
  const { limits, terms } = options
  const report = new ImportReport(`recado ${options.path}`, options.dryRun)
  const archive = await openArchive(options.path, limits)
  const { manifest } = archive
  const rowCount = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
  progress.begin(toPrintable(manifest.company.name, 40), rowCount + manifest.media.files)
  if (options.dryRun) await checkArchive(archive, await readSchema(deps.owner), limits)
  const imported = options.dryRun
    ? null
    : await importCompany(deps, options.path, { limits, terms, reportProgress: (_, done) => progress.add(done) })
  progress.end()
  for (const { name, rows } of [...manifest.tables, { name: 'files', rows: manifest.media.files }]) {
    const tally = report.tallyOf(name)
    tally.found = rows
    if (imported?.outcome === 'there') tally.there = rows
    else tally.written = rows
  }
  if (imported) report.addNote(`It is company ${imported.companyId} here.`)
  for (const [what, count] of Object.entries(imported?.changeCounts ?? {}))
    report.addNote(`${count.toLocaleString('en')} ${what}.`)
  report.addNote(
    'Secrets did not come: lines are linked and started by hand, keys of prompts and integrations typed in again.',
  )
  return report
}
