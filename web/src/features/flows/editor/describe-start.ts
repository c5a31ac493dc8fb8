import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { describeTrigger } from '../sentence/describe-trigger.ts'
import { joinWith } from '../sentence/pattern.ts'
import type { StepWords } from './describe-node.ts'

/** What starts the flow, as a sentence. */
export function describeTriggers({ triggers }: FlowDocument, { words, sentences }: StepWords): string {
  if (triggers.length === 0) return words.startNone
  const text = joinWith(
    triggers.map((trigger) => describeTrigger(trigger, sentences)),
    sentences.words.or,
  )
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
