import type { FlowDocument } from './flow-document.ts'
import { stepsInLine } from './flow-line.ts'
import { chooseShare } from './walk.ts'

/**
 * The last message that a run of a sequence was sent, standing at this step: of a split, the variant that this run got.
 * Null: none yet.
 */
export function lastMessageBefore(document: FlowDocument, stepId: string | null, runId: string): string | null {
  const items = stepsInLine(document) ?? []
  const at = items.findIndex((item) => item.some(({ id }) => id === stepId))
  // A run that has come to the end has left every step of the line.
  const passed = at < 0 ? items : items.slice(0, at)
  const last = passed.findLast(([step]) => step?.kind === 'say' || step?.kind === 'split')
  const [step, ...variants] = last ?? []
  if (!step) return null
  return step.kind === 'split' ? (variants[chooseShare(step, runId)]?.id ?? null) : step.id
}
