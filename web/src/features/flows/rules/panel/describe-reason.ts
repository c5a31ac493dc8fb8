import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { listConditions } from '@recado/contract/views/ticket-conditions'
import { describeCondition } from '../../sentence/describe-condition.ts'
import { joinWith } from '../../sentence/pattern.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import type { RulePanelWords } from './panel-texts.ts'

/** Why something did not start the rule: a limit, or the field of a condition that was not met. */
export function describeReason(
  reason: string,
  { conditions }: FlowDocument,
  sentences: Sentences,
  words: RulePanelWords,
): string {
  const known = words.reasons[reason]
  if (known) return known
  const unmet = listConditions(conditions).filter(({ field }) => field === reason)
  if (unmet.length === 0) return words.notMetAny
  return words.notMet(
    joinWith(
      unmet.map((condition) => describeCondition(condition, sentences)),
      sentences.words.or,
    ),
  )
}
