import type { Reply } from '@recado/contract/endpoint'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { stepsInLine } from '@recado/contract/flows/flow-line'
import type { flowsApi, StepNumbers } from '@recado/contract/flows/flows'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { loadFlowDocument } from './runs/flow-versions.ts'
import { findFlow } from './show-flows.ts'

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

export async function showNumbers(scope: Scope, flowId: number): Promise<Reply<typeof flowsApi.numbers>> {
  const { versionId, version } = await findFlow(scope, flowId)
  const document = versionId === null ? null : await loadFlowDocument(scope, versionId)
  if (versionId === null || !version || !document) return { version: null, steps: [], optedOut: 0 }
  const numbers = (await loadVersionNumbers(scope, [versionId])).get(versionId)
  return {
    version: version.number,
    steps: listNumbers(
      document.steps.map(({ id }) => id),
      numbers,
    ),
    optedOut: [...(numbers?.values() ?? [])].reduce((sum, { optedOut }) => sum + optedOut, 0),
  }
}
