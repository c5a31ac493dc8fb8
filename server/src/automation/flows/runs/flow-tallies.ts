import { sql } from 'kysely'
import { toCalendarDay } from '../../../kernel/clock.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import { loadRulebook } from '../../rulebook.ts'

/**
 * What happened at the steps of one run. `left`: the customer did not answer in time, or the run was taken over or ended
 * by a person at this step. `optedOut`: the contact asked for no automatic messages, which ended a sequence.
 */
type StepTally = { came: number; left: number; answered: number; failed: number; optedOut: number }
export type StepTallies = Map<string, StepTally>

export function countStep(tallies: StepTallies, stepId: string | null, what: keyof StepTally): void {
  if (stepId === null) return
  const tally = tallies.get(stepId) ?? { came: 0, left: 0, answered: 0, failed: 0, optedOut: 0 }
  tally[what]++
  tallies.set(stepId, tally)
}

export const addStepTallies = (scope: Scope, versionId: number, tallies: StepTallies): Promise<void> =>
  scope.load(addTallies, { versionId, tallies })

async function addTallies(scope: Scope, all: { versionId: number; tallies: StepTallies }[]): Promise<undefined[]> {
  const rows = all.flatMap(({ versionId, tallies }) =>
    [...tallies].map(([stepId, tally]) => ({ versionId, stepId, ...tally })),
  )
  // In the order of the steps, so that two transactions do not wait for each other in a circle.
  if (rows.length)
    await sql`
      insert into "flowStepTallies" as s ("companyId", "versionId", "stepId", came, "left", answered, failed, "optedOut")
      select ${scope.companyId}::int, x."versionId", x."stepId", sum(x.came), sum(x."left"), sum(x.answered), sum(x.failed), sum(x."optedOut")
      from json_to_recordset(${JSON.stringify(rows)})
        x ("versionId" int, "stepId" text, came int, "left" int, answered int, failed int, "optedOut" int)
      group by 2, 3 order by 2, 3
      on conflict ("companyId", "versionId", "stepId") do update set came = s.came + excluded.came,
        "left" = s."left" + excluded."left", answered = s.answered + excluded.answered, failed = s.failed + excluded.failed,
        "optedOut" = s."optedOut" + excluded."optedOut"`.execute(scope.db)
  return all.map(() => undefined)
}

/** Counts for today, where the company is. */
export async function countFlowDay(scope: Scope, flowId: number, what: 'started' | 'failed', n = 1): Promise<void> {
  const { zone } = await loadRulebook(scope)
  const [started, failed] = what === 'started' ? [n, 0] : [0, n]
  await sql`
    insert into "flowDays" as d ("companyId", "flowId", day, started, failed)
    values (${scope.companyId}, ${flowId}, ${toCalendarDay(scope.now(), zone)}, ${started}, ${failed})
    on conflict ("companyId", "flowId", day) do update
      set started = d.started + excluded.started, failed = d.failed + excluded.failed`.execute(scope.db)
}
