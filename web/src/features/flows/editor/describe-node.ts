import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type AskStep, type FlowStep, listWaysOut } from '@recado/contract/flows/flow-steps'
import { formatNumber } from '../../../lib/format.ts'
import { describeConditions } from '../sentence/describe-condition.ts'
import { describeStep, describeWait } from '../sentence/describe-step.ts'
import { quoteText, type Sentences, toLine } from '../sentence/sentences.ts'
import { findStep } from './edit-graph.ts'
import type { FlowEditorWords } from './texts.ts'

/** What the canvas and the list write about steps. */
export type StepWords = { words: FlowEditorWords; sentences: Sentences }

/** A name from a text is cut at this length. */
const maxNameCharacters = 40

export const isHoursStep = (step: FlowStep): boolean =>
  step.kind === 'branch' &&
  step.conditions.of.length === 1 &&
  step.conditions.of.every((node) => 'field' in node && node.field === 'hours')
export const isChoiceStep = (step: FlowStep): boolean => step.kind === 'ask' && step.answer.kind === 'choice'

export function kindNameOf(step: FlowStep, { words, sentences }: StepWords): string {
  if (isChoiceStep(step)) return words.choice
  return isHoursStep(step) ? words.hours : sentences.words.steps[step.kind].name
}

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
const shorten = (text: string) => {
  const line = toLine(text)
  return line.length > maxNameCharacters ? `${line.slice(0, maxNameCharacters - 1).trimEnd()}…` : line
}

export function nameOfStep(step: FlowStep, of: StepWords): string {
  if (step.title) return step.title
  if ((step.kind === 'say' || step.kind === 'ask') && step.text) return shorten(step.text)
  if (step.kind === 'branch' && step.conditions.of.length > 0)
    return shorten(capitalize(describeConditions(step.conditions, of.sentences)))
  const namedByKind: FlowStep['kind'][] = ['ask', 'branch', 'switch', 'split', 'person', 'respond']
  if (namedByKind.includes(step.kind)) return kindNameOf(step, of)
  return shorten(capitalize(describeStep(step, of.sentences)))
}

/** What the step does, beside its name; empty: the name says it. */
export function aboutStep(step: FlowStep, of: StepWords): string {
  const { words, sentences } = of
  switch (step.kind) {
    case 'say':
      return step.text && (step.title || step.text.length > maxNameCharacters) ? quoteText(step.text, sentences) : ''
    case 'ask':
      return step.variable ? words.keptIn(describeAnswer(step, words), step.variable) : describeAnswer(step, words)
    case 'branch':
      return step.title ? describeConditions(step.conditions, sentences) : ''
    case 'switch':
      return step.variable ? words.byValue(step.variable) : sentences.words.nothingChosen
    case 'split':
      return listWaysOut(step)
        .map(({ way }) => wayNameOf(step, way, words))
        .join(' · ')
    case 'call':
      return step.url ? `${step.method} ${toLine(step.url)}` : ''
    case 'respond':
      return describeResponder(step, sentences)
    case 'setVariable':
      return step.variable ? `${step.variable} = ${toLine(step.value)}` : sentences.words.nothingChosen
    case 'person': {
      const said = capitalize(describeStep(step, sentences))
      return said === nameOfStep(step, of) ? '' : said
    }
    case 'wait':
      return step.title ? capitalize(describeWait(step, sentences)) : ''
    default:
      return step.title ? capitalize(describeStep(step, sentences)) : ''
  }
}

function describeResponder({ by }: Extract<FlowStep, { kind: 'respond' }>, { nameOf, words }: Sentences): string {
  const id = by.kind === 'prompt' ? by.promptId : by.integrationId
  return id > 0 ? (nameOf(by.kind, id) ?? words.gone) : words.nothingChosen
}

function describeAnswer({ answer }: AskStep, words: FlowEditorWords): string {
  if (answer.kind === 'choice') return answer.options.map(({ title }, i) => `${i + 1} ${title}`).join(' · ')
  const what = words.expects[answer.kind]
  if (answer.kind !== 'number') return what
  const [min, max] = [answer.min, answer.max].map((n) => (n === null ? null : formatNumber(n)))
  if (min && max) return words.between(what, min, max)
  if (min) return words.from(what, min)
  return max ? words.to(what, max) : what
}

/** The name of a way out; empty: the only way of a step, which needs none. */
export function wayNameOf(step: FlowStep, way: string, words: FlowEditorWords): string {
  const [kind, which] = way.split(':')
  const { ways } = words
  if (kind === 'option' && step.kind === 'ask' && step.answer.kind === 'choice') {
    const index = step.answer.options.findIndex(({ id }) => id === which)
    return `${index + 1} ${step.answer.options[index]?.title ?? ''}`
  }
  if (kind === 'case' && step.kind === 'switch') return step.cases[Number(which)]?.value ?? ''
  if (kind === 'share' && step.kind === 'split')
    return ways.share(String.fromCharCode(65 + Number(which)), step.shares[Number(which)]?.share ?? 0)
  if (way === 'silence') return ways.silence
  if (way === 'otherwise') return nameOfOtherwise(step, words)
  return step.kind === 'branch' ? ways.yes : ''
}

function nameOfOtherwise(step: FlowStep, { ways }: FlowEditorWords): string {
  switch (step.kind) {
    case 'branch':
      return ways.no
    case 'switch':
      return ways.otherValue
    case 'call':
      return ways.failed
    case 'respond':
      return ways.unknown
    case 'wait':
      return ways.noAnswer
    default:
      return ways.otherwise
  }
}

/** The same, where every way needs a name. */
export const wayLabelOf = (step: FlowStep, way: string, words: FlowEditorWords): string =>
  wayNameOf(step, way, words) || words.ways.next

/** The names of the steps that a step leads to. */
export const namesAfter = (document: FlowDocument, step: FlowStep, of: StepWords): string[] => [
  ...new Set(
    listWaysOut(step).flatMap(({ to }) => {
      const target = findStep(document, to)
      return target ? [nameOfStep(target, of)] : []
    }),
  ),
]
