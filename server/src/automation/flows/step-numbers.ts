import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { stepsInLine } from '@recado/contract/flows/flow-line'
import type { StepNumbers } from '@recado/contract/flows/flows'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

type StepRow = StepNumbers & { optedOut: number }
/** By the id of the step. A step that no run has reached is missing. */
type VersionNumbers = Map<string, StepRow>

/** What came of the steps of published versions, and who stands there now, by version. */
async function loadVersionNumbers(scope: Scope, versionIds: number[]): Promise<Map<number, VersionNumbers>> {
  if (!versionIds.length) return new Map()
  const { rows } = await sql<StepRow & { versionId: number }>`
    select x."versionId", x."stepId", sum(x.came)::int as came, sum(x."left")::int as "left", sum(x.answered)::int as answered,
      sum(x.failed)::int as failed, sum(x."optedOut")::int as "optedOut", sum(x.inside)::int as inside
    from (
      select s."versionId", s."stepId", s.came, s."left", s.answered, s.failed, s."optedOut", 0 as inside
      from "flowStepTallies" s where s."companyId" = ${scope.companyId} and s."versionId" = any(${versionIds}::int[])
      union all
      select r."versionId", r.position ->> 'stepId', 0, 0, 0, 0, 0, count(*)::int
      from "flowRuns" r where r."companyId" = ${scope.companyId} and r."versionId" = any(${versionIds}::int[]) and r."endedAt" is null
      group by 1, 2) x
    where x."stepId" is not null group by 1, 2`.execute(scope.db)
  const byVersion = new Map<number, VersionNumbers>()
  for (const { versionId, ...row } of rows) {
    const numbers = byVersion.get(versionId) ?? new Map()
    byVersion.set(versionId, numbers.set(row.stepId, row))
  }
  return byVersion
}

const listNumbers = (stepIds: string[], numbers: VersionNumbers | undefined): StepNumbers[] =>
  stepIds.map((stepId) => {
    const { came = 0, left = 0, answered = 0, failed = 0, inside = 0 } = numbers?.get(stepId) ?? {}
    return { stepId, came, left, answered, failed, inside }
  })

type ListedSequence = { versionId: number | null; document: FlowDocument | null }

/** The numbers of sequences in the order of their lines. Of one whose document is not listed there are none. */
export async function listStepsOfSequences(scope: Scope, sequences: ListedSequence[]): Promise<StepNumbers[][]> {
  const versionIds = sequences.flatMap(({ versionId, document }) => (document && versionId !== null ? [versionId] : []))
  const numbers = await loadVersionNumbers(scope, versionIds)
  return sequences.map(({ versionId, document }) => {
    if (versionId === null || !document) return []
    const stepIds = stepsInLine(document)?.flatMap((item) => item.map(({ id }) => id)) ?? []
    return listNumbers(stepIds, numbers.get(versionId))
  })
}

/** The numbers of every step of a published version, in the order of the document. */
export async function listStepsOfVersion(
  scope: Scope,
  versionId: number,
  { steps }: FlowDocument,
): Promise<{ steps: StepNumbers[]; optedOut: number }> {
  const numbers = (await loadVersionNumbers(scope, [versionId])).get(versionId)
  const optedOut = [...(numbers?.values() ?? [])].reduce((sum, step) => sum + step.optedOut, 0)
  return {
    steps: listNumbers(
      steps.map(({ id }) => id),
      numbers,
    ),
    optedOut,
  }
}
