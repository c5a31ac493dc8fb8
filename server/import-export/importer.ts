import type { Deps } from '../src/kernel/data/scope.ts'
import type { ImportLimits } from './limits.ts'
import type { PlanTerms } from './plan-terms.ts'
import type { ProgressReporter } from './progress.ts'
import type { ImportReport } from './report.ts'

/** What was asked on the command line. */
export type ImportOrder = {
  /** The dump or folder to read. */
  path: string
  /** The folder in which the other system keeps its files. */
  media: string | null
  /** Say what would come, and write nothing. */
  dryRun: boolean
  /** Of several companies this one alone, by its number over there. */
  company: number | null
  /** What the company is to be called here, where the source knows no name for it. */
  name: string | null
  /** What moments without a zone are meant in: `-03:00`. */
  offset: string | null
  /** A folder for what is sorted on the way; it is left empty. */
  scratch: string
  /** How much it may hold. */
  limits: ImportLimits
  /** On which plan companies come, and until when they have paid. */
  terms: PlanTerms
  /** This dump is a later one of an installation that came before: what is new goes into the companies that are here. */
  later: boolean
}

/** Brings companies in. It writes the past straight into the tables, and sends nothing to anybody. */
export type Importer = (means: Deps, order: ImportOrder, progress: ProgressReporter) => Promise<ImportReport>
