import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { describeRule } from '../sentence/describe-rule.ts'
import { durationOf, type Sentences } from '../sentence/sentences.ts'
import { lengthOf } from './sequence-draft.ts'
import type { SequencesWords } from './texts.ts'

const minutesPerHour = 60
const minutesPerDay = 24 * minutesPerHour
/** Hours do not matter in something that takes days. */
const rounded = (minutes: number): number => {
  const unit = minutes > 2 * minutesPerDay ? minutesPerDay : minutes > 2 * minutesPerHour ? minutesPerHour : 1
  return Math.round(minutes / unit) * unit
}

/** `4 pasos en 8 días · empieza cuando ponen la etiqueta Presupuesto`. */
export function describeSequence(document: FlowDocument, sentences: Sentences, words: SequencesWords): string {
  const { steps, minutes } = lengthOf(document)
  const { triggers } = describeRule(document, sentences)
  const count = words.steps(steps)
  const length = minutes > 0 ? words.stepsIn(count, durationOf(rounded(minutes), sentences)) : count
  return `${length} · ${triggers ? words.starts(triggers) : words.noTrigger}`
}
