import type { Deps } from '../src/kernel/data/scope.ts'
import type { ImportLimits } from './limits.ts'
import type { PlanTerms } from './plan-terms.ts'
import type { ProgressReporter } from './progress.ts'
import type { ImportReport } from './report.ts'

/** The options of the command line. */
export type ImportOrder = {
  /** The dump or folder to read. */
  path: string
  /** The media folder of the other system. */
  mediaDir: string | null
  /** Report what would be imported, and write nothing. */
  dryRun: boolean
  /** Import only this company, by its id in the source. */
  company: number | null
  /** The name of the imported company, if the source has no name. */
  name: string | null
  /** Offset of timestamps without a zone: `-03:00`. */
  offset: string | null
  /** A folder for temporary sort files; the import leaves it empty. */
  scratchDir: string
  limits: ImportLimits
  /** The plan and the due date of imported companies. */
  terms: PlanTerms
  /** A later dump of an installation that was imported before: new rows go into the existing companies. */
  isUpdate: boolean
}

/** Imports companies. It writes history directly into the tables, and sends no messages. */
export type Importer = (deps: Deps, options: ImportOrder, progress: ProgressReporter) => Promise<ImportReport>
