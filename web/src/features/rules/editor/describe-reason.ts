import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { isConditionGroup } from '@recado/contract/views/ticket-conditions'
import { describeCondition, type Sentences } from '../sentence/describe-rule.ts'
import type { RulePanelWords } from './panel-texts.ts'

/** Why something did not start the rule. `condition:0`: the first of the conditions was not met. */
export function describeReason(
  reason: string,
  document: FlowDocument,
  sentences: Sentences,
  words: RulePanelWords,
): string {
  const index = /^condition:(\d{1,3})$/.exec(reason)?.[1]
  const condition = index === undefined ? undefined : document.conditions.of[Number(index)]
  if (condition && !isConditionGroup(condition)) return words.notMet(describeCondition(condition, sentences))
  return words.reasons[reason] ?? words.reasons.conditions ?? reason
}
