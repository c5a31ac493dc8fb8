import { checkFlow, type FlowFinding, type FlowFindingKind } from '@recado/contract/flows/check-flow'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { listReferences } from '@recado/contract/flows/flow-references'
import type { NameOf } from '../sentence/sentences.ts'
import { type StepWords, wayNameOf } from './describe-node.ts'
import { findStep } from './edit-graph.ts'

/** `missing`: it uses something that was deleted. */
export type EditorFinding = Omit<FlowFinding, 'kind'> & { kind: FlowFindingKind | 'missing' }

type Options = {
  hasReplyWindow: boolean
  /** Null: the names of what was chosen last are not known yet. */
  nameOf: NameOf | null
}

/** What keeps a flow from being published comes first. */
export function findProblems(document: FlowDocument, { hasReplyWindow, nameOf }: Options): EditorFinding[] {
  const found: EditorFinding[] = [
    ...(nameOf ? findMissing(document, nameOf) : []),
    ...checkFlow(document, hasReplyWindow),
  ]
  return found.toSorted((a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'))
}

function findMissing(document: FlowDocument, nameOf: NameOf): EditorFinding[] {
  const stepIds = new Set(
    listReferences(document).flatMap((one) =>
      'id' in one && one.id > 0 && nameOf(one.entity, one.id) === null ? [one.stepId] : [],
    ),
  )
  return [...stepIds].map((stepId) => ({
    ...{ kind: 'missing', level: 'error', stepId, way: null, variable: null, repair: null },
  }))
}

export const countErrors = (findings: readonly EditorFinding[]): number =>
  findings.filter(({ level }) => level === 'error').length

/** What stands at a step, with the way that it is about. */
export function describeAtStep(finding: EditorFinding, document: FlowDocument, { words }: StepWords): string {
  const { kind, stepId, way, variable } = finding
  const { atStep } = kind === 'missing' ? words.missing : words.findings[kind]
  if (kind === 'unset-variable' && variable) return `${atStep}: ${variable}`
  if (kind !== 'dead-end') return atStep
  const step = findStep(document, stepId)
  const name = step && way ? wayNameOf(step, way, words) : ''
  return name ? words.viaWay(name, atStep) : atStep.slice(0, 1).toUpperCase() + atStep.slice(1)
}

/** The checks that are named when nothing is wrong with them. */
export const passedChecks = {
  complete: ['incomplete', 'missing'],
  ends: ['dead-end'],
  loops: ['loop', 'too-many-steps', 'endless'],
  person: ['no-person'],
  variables: ['unset-variable'],
  window: ['outside-window', 'window-unknown', 'wait-beyond-window'],
  reachable: ['unreachable'],
} as const satisfies Record<string, readonly EditorFinding['kind'][]>
