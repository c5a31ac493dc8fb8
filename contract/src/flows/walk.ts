import { type AnswerContext, type CustomerAnswer, readAnswer } from './answers.ts'
import { type FlowFacts, isVariableMet, meetsFlowConditions } from './flow-conditions.ts'
import type { FlowDocument } from './flow-document.ts'
import { type AskStep, type CallStep, type FlowStep, isSpeaking, listWaysOut, type SplitStep } from './flow-steps.ts'
import { type FlowTrigger, variablesOfTrigger } from './flow-triggers.ts'
import { type FlowVariables, renderFlowText, type TextValues, variableValue, withVariables } from './flow-variables.ts'

/** The guard against endless work: a run ends if it comes to one more step without a pause. */
export const maxStepsWithoutPause = 100

export const flowEndReasons = [
  ...(['end', 'resolved', 'person'] as const),
  /** The customer answered a sequence. */
  'answered',
  /** A person took over the conversation. */
  'taken-over',
  'dead-end',
  'too-many-steps',
] as const
export type FlowEndReason = (typeof flowEndReasons)[number]

/** Where a run stands. It is stored between two steps, and with the document it says all about what comes next. */
export type FlowPosition = {
  stepId: string | null
  /** Waits at the step for time or the customer; else the step is to be performed. */
  isWaiting: boolean
  /** Answers that the question did not understand, or turns that the bot has answered. */
  tries: number
  stepsSincePause: number
  variables: FlowVariables
  ended: FlowEndReason | null
}

/** What a run needs to know about its conversation at this moment. */
export type FlowRun = {
  /** Decides the ways of a split: the same run takes the same way again. */
  runId: string
  facts: FlowFacts
  texts: TextValues
  answers: AnswerContext
  isTakenOver: boolean
}

type ActKind = Exclude<FlowStep['kind'], 'ask' | 'wait' | 'branch' | 'switch' | 'split' | 'setVariable' | 'end'>
export type ActStep = Extract<FlowStep, { kind: ActKind }>
export type PauseStep = Extract<FlowStep, { kind: 'ask' | 'wait' | 'respond' }>

/** What to do now. `position` is to be stored with it. */
export type FlowMove = { position: FlowPosition } & (
  | { kind: 'act'; step: ActStep }
  /** Send the text, which is not filled in yet, and wait for the answer. */
  | { kind: 'ask'; step: AskStep; text: string }
  /** Nothing until the customer writes or the time of the step is over. */
  | { kind: 'wait'; step: PauseStep }
  | { kind: 'end'; reason: FlowEndReason }
)

/** What happened at a position. */
export type FlowOutcome =
  /** The act was performed. `values`: what a call keeps of the reply, by variable. */
  | { kind: 'done'; values?: Readonly<Record<string, string>> }
  /** The bot has nothing more to answer. */
  | { kind: 'finished' }
  | { kind: 'failed' }
  | { kind: 'message'; message: CustomerAnswer }
  /** The time of the wait is over. */
  | { kind: 'due' }

/** A run begins with the variables that its trigger names; one without a value is empty. */
export const startPosition = (
  { first }: FlowDocument,
  trigger: FlowTrigger,
  values: Readonly<Record<string, string>> = {},
): FlowPosition => ({
  stepId: first,
  isWaiting: false,
  tries: 0,
  stepsSincePause: 0,
  variables: withVariables(
    {},
    Object.fromEntries(variablesOfTrigger(trigger).map((name) => [name, variableValue(values, name)])),
  ),
  ended: null,
})

/**
 * Passes the steps that need nobody, up to the next one to perform, a wait or the end. `onArrival` gets the id of each
 * step that is reached on the way.
 */
export function nextMove(
  document: FlowDocument,
  from: FlowPosition,
  run: FlowRun,
  onArrival: (stepId: string) => void = () => {},
): FlowMove {
  let position = from
  for (;;) {
    if (position.ended) return { kind: 'end', reason: position.ended, position }
    const step = document.steps.find(({ id }) => id === position.stepId)
    const reason = endBefore(document, position, step, run)
    if (!step || reason) position = endAt(position, reason ?? 'dead-end')
    else {
      const move = moveAt(step, position)
      if (move) return move
      const passed = passStep(step, position, run)
      if (passed.stepId !== position.stepId && passed.stepId !== null) onArrival(passed.stepId)
      position = passed
    }
  }
}

const endAt = (position: FlowPosition, ended: FlowEndReason): FlowPosition => ({
  ...position,
  isWaiting: false,
  ended,
})

function endBefore(
  { limits }: FlowDocument,
  position: FlowPosition,
  step: FlowStep | undefined,
  { isTakenOver }: FlowRun,
): FlowEndReason | null {
  if (!step) return 'dead-end'
  if (isTakenOver && (!limits.goesOnWithPerson || isSpeaking(step))) return 'taken-over'
  return position.stepsSincePause >= maxStepsWithoutPause ? 'too-many-steps' : null
}

/** What the step asks of the server; null if the run passes it by itself. */
function moveAt(step: FlowStep, position: FlowPosition): FlowMove | null {
  switch (step.kind) {
    case 'branch':
    case 'switch':
    case 'split':
    case 'setVariable':
    case 'end':
      return null
    case 'wait':
      return position.isWaiting ? { kind: 'wait', step, position } : null
    case 'ask':
      if (position.isWaiting) return { kind: 'wait', step, position }
      return {
        kind: 'ask',
        step,
        text: position.tries > 0 && step.retryText ? step.retryText : step.text,
        position: { ...position, isWaiting: true },
      }
    case 'respond':
      return position.isWaiting ? { kind: 'wait', step, position } : { kind: 'act', step, position }
    default:
      return { kind: 'act', step, position }
  }
}

function passStep(step: FlowStep, position: FlowPosition, run: FlowRun): FlowPosition {
  const { variables } = position
  switch (step.kind) {
    case 'branch':
      return go(position, step, meetsFlowConditions(step.conditions, run.facts, variables) ? 'next' : 'otherwise')
    case 'switch': {
      const value = step.variable === null ? '' : variableValue(variables, step.variable)
      const at = step.cases.findIndex((one) => isVariableMet(value, { is: 'equals', value: one.value }))
      return go(position, step, at < 0 ? 'otherwise' : `case:${at}`)
    }
    case 'split':
      return go(position, step, `share:${chooseShare(step, run.runId)}`)
    case 'setVariable': {
      const value = renderFlowText(step.value, variables, run.texts)
      return go(keep(position, step.variable, value), step, 'next')
    }
    case 'wait':
      return step.until.kind === 'opening' && run.facts.isOpen
        ? go(position, step, 'next')
        : { ...position, isWaiting: true }
    default:
      return endAt(position, 'end')
  }
}

const keep = (position: FlowPosition, variable: string | null, value: string): FlowPosition =>
  variable === null ? position : { ...position, variables: withVariables(position.variables, { [variable]: value }) }

/** Leaves the step. After a pause the guard counts again from the beginning. */
function go(position: FlowPosition, step: FlowStep, way: string): FlowPosition {
  const to = listWaysOut(step).find((one) => one.way === way)?.to ?? null
  const stepsSincePause = position.isWaiting ? 0 : position.stepsSincePause + 1
  const next = { ...position, stepId: to, isWaiting: false, tries: 0, stepsSincePause }
  return to === null ? endAt(next, 'dead-end') : next
}

/** The position after something happened. What does not concern the position leaves it as it is. */
export function positionAfter(
  document: FlowDocument,
  position: FlowPosition,
  outcome: FlowOutcome,
  run: Pick<FlowRun, 'answers'>,
): FlowPosition {
  if (position.ended) return position
  // A sequence never goes on after an answer.
  if (document.kind === 'sequence' && outcome.kind === 'message') return endAt(position, 'answered')
  const step = document.steps.find(({ id }) => id === position.stepId)
  if (!step) return endAt(position, 'dead-end')
  if (!position.isWaiting) return afterAct(position, step, outcome)
  if (outcome.kind === 'message') return afterMessage(position, step, outcome.message, run.answers)
  return outcome.kind === 'due' ? afterTime(position, step) : position
}

function afterAct(position: FlowPosition, step: FlowStep, outcome: FlowOutcome): FlowPosition {
  if (outcome.kind === 'message' || outcome.kind === 'due') return position
  if (step.kind === 'resolve') return endAt(position, 'resolved')
  if (step.kind === 'person') return endAt(position, 'person')
  if (outcome.kind === 'failed') return go(position, step, 'otherwise' in step ? 'otherwise' : 'next')
  if (step.kind === 'respond' && outcome.kind === 'done' && position.tries + 1 < step.turns)
    return { ...position, isWaiting: true, tries: position.tries + 1 }
  return go(step.kind === 'call' ? withReply(position, step, outcome) : position, step, 'next')
}

/** Every variable of the call has a value afterwards, if only an empty one. */
function withReply(position: FlowPosition, { keep: parts }: CallStep, outcome: FlowOutcome): FlowPosition {
  const values = outcome.kind === 'done' ? (outcome.values ?? {}) : {}
  const kept = Object.fromEntries(parts.map(({ variable }) => [variable, variableValue(values, variable)]))
  return { ...position, variables: withVariables(position.variables, kept) }
}

function afterMessage(
  position: FlowPosition,
  step: FlowStep,
  message: CustomerAnswer,
  context: AnswerContext,
): FlowPosition {
  const again = { ...position, isWaiting: false, stepsSincePause: 0 }
  if (step.kind === 'respond') return again
  if (step.kind === 'wait')
    return step.until.kind === 'answer'
      ? go(keep(position, step.until.variable, message.text.trim()), step, 'next')
      : position
  if (step.kind !== 'ask') return position
  const answer = readAnswer(step.answer, message, context)
  if (answer)
    return go(
      keep(position, step.variable, answer.value),
      step,
      answer.optionId === null ? 'next' : `option:${answer.optionId}`,
    )
  return position.tries < step.retries ? { ...again, tries: position.tries + 1 } : go(position, step, 'otherwise')
}

function afterTime(position: FlowPosition, step: FlowStep): FlowPosition {
  if (step.kind === 'wait') return go(position, step, step.until.kind === 'answer' ? 'otherwise' : 'next')
  // A question without a time limit waits as long as the customer likes.
  return 'silence' in step && step.silence ? go(position, step, 'silence') : position
}

/** Which share a run takes: a hash of the run and the step, so that two splits of a flow do not depend on each other. */
export function chooseShare({ id, shares }: SplitStep, runId: string): number {
  const total = shares.reduce((sum, { share }) => sum + share, 0)
  let left = hashText(`${runId}:${id}`) % total
  for (const [i, { share }] of shares.entries()) {
    if (left < share) return i
    left -= share
  }
  return shares.length - 1
}

/** FNV-1a with a final mix, because the lowest bits of FNV-1a alone are not spread evenly. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
