import { type RawBuilder, sql } from 'kysely'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { asLongRunningJob, type JobHandlers } from '../../kernel/jobs.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'flows:night': Record<string, never>
  }
}

/** How long ended runs are listed, and their counts by day are kept. */
const runDays = 90
const countDays = 400
/** Rows per transaction, so that other writers are not blocked. */
const rowsPerStep = 2000

/** Deletes, every night, what no screen shows any more. */
export const flowNightJobs = (deps: Deps): Pick<JobHandlers, 'flows:night'> => ({
  'flows:night': asLongRunningJob(() => forgetOldRuns(new Scope(deps, { companyId: 0, wide: true }))),
})

async function forgetOldRuns(scope: Scope): Promise<void> {
  const before = (days: number) => sql`${scope.now()}::timestamptz - ${days} * interval '1 day'`
  const runs = sql`delete from "flowRuns" where ("companyId", id) in (
    select "companyId", id from "flowRuns" where "endedAt" < ${before(runDays)} limit ${rowsPerStep})`
  const days = sql`delete from "flowDays" where ("companyId", "flowId", day) in (
    select "companyId", "flowId", day from "flowDays" where day < (${before(countDays)})::date limit ${rowsPerStep})`
  const dryRuns = sql`delete from "flowDryRuns" where ("companyId", id) in (
    select "companyId", id from "flowDryRuns" where "createdAt" < ${before(1)} limit ${rowsPerStep})`
  for (const statement of [runs, days, dryRuns]) await deleteAll(scope, statement)
}

async function deleteAll(scope: Scope, statement: RawBuilder<unknown>): Promise<void> {
  for (let deleted = rowsPerStep; deleted === rowsPerStep; )
    deleted = Number((await statement.execute(scope.db)).numAffectedRows ?? 0)
}
