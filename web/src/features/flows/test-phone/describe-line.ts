import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowStep } from '@recado/contract/flows/flow-steps'
import type { SimulatedLine } from '@recado/contract/flows/simulate-flow'
import { describeConditions } from '../sentence/describe-condition.ts'
import { describeStep } from '../sentence/describe-step.ts'
import type { Sentences } from '../sentence/sentences.ts'
import type { TestPhoneWords } from './texts.ts'

type Context = { document: FlowDocument; sentences: Sentences; words: TestPhoneWords }

/** What happens inside a flow, as a sentence; null: it is seen on the phone only. */
export function describeLine(line: SimulatedLine, context: Context): string | null {
  const { document, words } = context
  const step = 'stepId' in line ? document.steps.find(({ id }) => id === line.stepId) : undefined
  switch (line.kind) {
    case 'act':
      return step ? describeAct(step, line.failed, context) : null
    case 'not-understood':
      return step?.kind === 'ask' ? words.asksAgain(words.notSeen[step.answer.kind], line.tries, step.retries) : null
    case 'left':
      return step ? describeWay(step, line, context) : null
    case 'not-started':
      return words.notStarted
    case 'end':
      return words.ends[line.reason]
    default:
      return null
  }
}

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function describeAct(step: FlowStep, failed: boolean, { sentences, words }: Context): string {
  const text = step.kind === 'respond' && !failed ? words.noReply : capitalize(describeStep(step, sentences))
  if (failed) return words.fails(text)
  return step.kind === 'call' ? words.notCalled(text) : text
}

type LeftLine = Extract<SimulatedLine, { kind: 'left' }>
function describeWay(step: FlowStep, { way, value }: LeftLine, { sentences, words }: Context): string | null {
  const [kind, which] = way.split(':')
  switch (step.kind) {
    case 'branch': {
      const condition = describeConditions(step.conditions, sentences) || words.always
      return way === 'next' ? words.met(condition) : words.notMet(condition)
    }
    case 'switch': {
      const chosen = kind === 'case' ? step.cases[Number(which)] : undefined
      return chosen ? words.isValue(step.variable ?? '', chosen.value) : words.isOther(step.variable ?? '')
    }
    case 'split':
      return words.takesShare(String.fromCharCode(65 + Number(which)))
    case 'ask':
      return describeAnswer(step, { kind: kind ?? '', which, value }, words)
    case 'respond':
      return words.silent
    case 'wait':
      if (step.until.kind !== 'answer') return words.timePassed
      return way === 'next' ? withValue(words.answered, step.until.variable, value, words) : words.silent
    default:
      return null
  }
}

type Answered = { kind: string; which: string | undefined; value: string | null }
function describeAnswer(
  step: Extract<FlowStep, { kind: 'ask' }>,
  { kind, which, value }: Answered,
  words: TestPhoneWords,
): string {
  if (kind === 'otherwise') return words.gaveUp
  if (kind === 'silence') return words.silent
  if (kind === 'option' && step.answer.kind === 'choice') {
    const at = step.answer.options.findIndex(({ id }) => id === which)
    return words.chose(at + 1, step.answer.options[at]?.title ?? '')
  }
  return withValue(words.answered, step.variable, value, words)
}

const withValue = (text: string, variable: string | null, value: string | null, words: TestPhoneWords): string =>
  variable === null || value === null ? text : words.keptAs(text, variable, value)
