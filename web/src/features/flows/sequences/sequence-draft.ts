import { type FlowDocument, noLimits } from '@recado/contract/flows/flow-document'
import type { LineItem } from '@recado/contract/flows/flow-line'
import { type FlowStep, type SayStep, type SplitStep, unusedStepId } from '@recado/contract/flows/flow-steps'
import {
  emptyRule,
  emptyStep,
  isEnding,
  itemsOf,
  type RuleStepKind,
  ruleStepKinds,
  ruleTriggerKinds,
  withItems,
} from '../rules/rule-draft.ts'

/** What can start a sequence. */
export const sequenceTriggerKinds = [...ruleTriggerKinds, 'flow' as const]
/** `split`: a message with variants. */
export const sequenceStepKinds = ['say', 'split', ...ruleStepKinds.filter((kind) => kind !== 'say')] as const
export type SequenceStepKind = RuleStepKind | 'split'

export const maxVariants = 5

const hoursPerMonth = 30 * 24
export const emptySequence: FlowDocument = {
  ...emptyRule,
  kind: 'sequence',
  limits: { ...noLimits, hoursPerContact: hoursPerMonth },
}

/** A new sequence begins with a message, which is still empty. */
export const newSequence = (): FlowDocument => insertItem(emptySequence, 0, 'say').document

const emptySay = (id: string): SayStep => emptyStep('say', id) as SayStep

/** Ids that neither the steps nor each other use. */
function newIds(steps: readonly FlowStep[], words: string[]): string[] {
  const known = [...steps]
  return words.map((word) => {
    const id = unusedStepId(known, word)
    known.push(emptySay(id))
    return id
  })
}

const evenShare = (n: number): number => Math.floor(100 / n)
const withVariants = (split: SplitStep, variants: SayStep[]): LineItem => [
  { ...split, shares: variants.map(({ id }) => ({ share: evenShare(variants.length), next: id })) },
  ...variants,
]

function newItem({ steps }: FlowDocument, kind: SequenceStepKind): LineItem {
  if (kind !== 'split') return [emptyStep(kind, unusedStepId(steps, kind))]
  const [id = '', ...variantIds] = newIds(steps, ['split', 'say', 'say'])
  return withVariants({ kind: 'split', id, title: '', shares: [] }, variantIds.map(emptySay))
}

export type ChangedLine = { document: FlowDocument; id: string }

/** Adds a step at a place of the line, but never behind the one that ends it. */
export function insertItem(document: FlowDocument, index: number, kind: SequenceStepKind): ChangedLine {
  const items = itemsOf(document)
  const item = newItem(document, kind)
  const last = items.some(isEnding) ? items.length - 1 : items.length
  const at = isEnding(item) ? items.length : Math.min(index, last)
  return { document: withItems(document, items.toSpliced(at, 0, item)), id: item[0]?.id ?? '' }
}

/** A copy behind the step, of a split with all its variants; null: there cannot be two of it. */
export function duplicateItem(document: FlowDocument, index: number): ChangedLine | null {
  const items = itemsOf(document)
  const item = items[index]
  if (!item || isEnding(item)) return null
  const ids = newIds(
    document.steps,
    item.map(({ kind }) => kind),
  )
  const copy = item.map((step, i) => ({ ...step, id: ids[i] ?? step.id }))
  return { document: withItems(document, items.toSpliced(index + 1, 0, copy)), id: ids[0] ?? '' }
}

const replaceItem = (document: FlowDocument, index: number, item: LineItem): FlowDocument =>
  withItems(document, itemsOf(document).with(index, item))

/** The split and its variants at a place of the line. */
function splitAt(document: FlowDocument, index: number): { split: SplitStep; variants: SayStep[] } | null {
  const [split, ...variants] = itemsOf(document)[index] ?? []
  if (split?.kind !== 'split') return null
  return { split, variants: variants.filter((step) => step.kind === 'say') }
}

/** A message becomes the first of two variants. */
export function splitMessage(document: FlowDocument, index: number): FlowDocument {
  const [step] = itemsOf(document)[index] ?? []
  if (step?.kind !== 'say') return document
  const [id = '', variantId = ''] = newIds(document.steps, ['split', 'say'])
  return replaceItem(
    document,
    index,
    withVariants({ kind: 'split', id, title: '', shares: [] }, [step, emptySay(variantId)]),
  )
}

export function addVariant(document: FlowDocument, index: number): FlowDocument {
  const found = splitAt(document, index)
  if (!found || found.variants.length >= maxVariants) return document
  const added = emptySay(unusedStepId(document.steps, 'say'))
  return replaceItem(document, index, withVariants(found.split, [...found.variants, added]))
}

/** Without one of its variants; the last one left is a plain message again. */
export function removeVariant(document: FlowDocument, index: number, id: string): FlowDocument {
  const found = splitAt(document, index)
  if (!found) return document
  const left = found.variants.filter((variant) => variant.id !== id)
  return replaceItem(document, index, left.length > 1 ? withVariants(found.split, left) : left)
}

/** Gives a variant this share in percent; the others share the rest evenly. */
export function setShare(document: FlowDocument, index: number, variant: number, percent: number): FlowDocument {
  const found = splitAt(document, index)
  if (!found) return document
  const rest = Math.max(1, Math.round((100 - percent) / (found.variants.length - 1)))
  const shares = found.variants.map(({ id }, i) => ({ share: i === variant ? percent : rest, next: id }))
  return replaceItem(document, index, [{ ...found.split, shares }, ...found.variants])
}

/** The shares in percent. */
export function percentagesOf({ shares }: SplitStep): number[] {
  const total = shares.reduce((sum, { share }) => sum + share, 0)
  return shares.map(({ share }) => Math.round((share / total) * 100))
}

/** How many steps there are besides waits, and how long the waits between them last together. */
export function lengthOf(document: FlowDocument): { steps: number; minutes: number } {
  const items = itemsOf(document)
  const isStep = ([step]: LineItem) => step?.kind !== 'wait'
  const minutes = items.slice(0, items.findLastIndex(isStep) + 1).reduce((sum, [step]) => {
    const until = step?.kind === 'wait' ? step.until : null
    return sum + (until?.kind === 'time' ? until.minutes : 0)
  }, 0)
  return { steps: items.filter(isStep).length, minutes }
}

/** Whether the last message is the end: then nobody is inside any more who could answer it. */
export const endsWithMessage = (document: FlowDocument): boolean =>
  ['say', 'split'].includes(itemsOf(document).at(-1)?.[0]?.kind ?? '')
