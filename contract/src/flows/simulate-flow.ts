import { type CustomerAnswer, readAnswer } from './answers.ts'
import { type FlowFacts, meetsFlowConditions } from './flow-conditions.ts'
import type { FlowDocument } from './flow-document.ts'
import { type FlowStep, listWaysOut } from './flow-steps.ts'
import type { FlowTest, TestEntry, TestScene } from './flow-tests.ts'
import { renderFlowText, variableValue } from './flow-variables.ts'
import {
  factsAfterMessage,
  factsAfterStep,
  factsAfterWait,
  factsOfScene,
  startMessage,
  textsOfScene,
  triggerOfScene,
} from './simulated-facts.ts'
import {
  type ActStep,
  type FlowEndReason,
  type FlowMove,
  type FlowOutcome,
  type FlowPosition,
  type FlowRun,
  nextMove,
  positionAfter,
  startPosition,
} from './walk.ts'

type CustomerFile = NonNullable<CustomerAnswer['file']>['kind']
/** What is seen on the test phone, and what happens inside the flow meanwhile. */
export type SimulatedLine =
  | { kind: 'customer'; text: string; file: CustomerFile | null; isPlace: boolean }
  | SaidLine
  | { kind: 'act'; stepId: string; failed: boolean }
  /** `tries`: how often the question has been asked again. */
  | { kind: 'not-understood'; stepId: string; tries: number }
  /** A step was left; `way` as in `listWaysOut`. `value`: what was kept in its variable, if anything was. */
  | { kind: 'left'; stepId: string; way: string; value: string | null }
  | { kind: 'time' }
  /** The conditions at the start are not met: a real run would not begin. */
  | { kind: 'not-started' }
  | { kind: 'end'; reason: FlowEndReason }
type SaidLine = {
  kind: 'said'
  stepId: string
  text: string
  /** The buttons or choices below the text. */
  options: { id: string; title: string }[]
  fileId: number | null
  /** The name of the template that is sent, because there is nothing else to send. */
  template: string | null
}

export type Simulation = {
  lines: SimulatedLine[]
  position: FlowPosition
  /** What goes on from here; null: it has ended. */
  waitsFor: { message: boolean; time: boolean } | null
  /** How many of the entries were played: the others came after the end. */
  played: number
  /** Each step it reached, and how it ended. */
  trace: string[]
}

/** A test that passes more steps ends, so that its time and its trace are bounded. */
const maxSimulatedSteps = 300

/** A conversation while it is played. */
type World = {
  document: FlowDocument
  scene: TestScene
  facts: FlowFacts
  position: FlowPosition
  lines: SimulatedLine[]
  trace: string[]
  /** Steps that were passed before the last pause. */
  passed: number
  /** Whether the lines have what the customer gets. */
  hasTexts: boolean
}

/** Plays a flow as far as the entries go. Nothing is sent, and other systems are not called. */
export const simulateFlow = (document: FlowDocument, scene: TestScene, entries: readonly TestEntry[]): Simulation =>
  play(startWorld(document, scene), entries)

function play(world: World, entries: readonly TestEntry[]): Simulation {
  const { document } = world
  runUntilPause(world)
  let played = 0
  for (const entry of entries) {
    if (world.position.ended) break
    played++
    takeEntry(world, entry)
    runUntilPause(world)
  }
  const { lines, position, trace } = world
  if (position.ended) trace.push(`=${position.ended}`)
  return { lines, position, waitsFor: position.ended ? null : waitsAt(document, position), played, trace }
}

/** The tests that take another way than the saved one. */
export const failingTests = <T extends Pick<FlowTest, 'scene' | 'entries' | 'trace'>>(
  document: FlowDocument,
  tests: readonly T[],
): T[] =>
  tests.filter(({ scene, entries, trace }) => {
    // Filling in the texts takes most of the time, and no way depends on them.
    const world = { ...startWorld(document, scene), hasTexts: false }
    return !isSameTrace(play(world, entries).trace, trace)
  })

export const isSameTrace = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, i) => line === other[i])

function startWorld(document: FlowDocument, scene: TestScene): World {
  const trigger = triggerOfScene(document, scene)
  const position = startPosition(document, trigger, scene.values)
  const facts = factsOfScene(scene, trigger)
  const world: World = { document, scene, facts, position, lines: [], trace: [], passed: 0, hasTexts: true }
  const started = startMessage(trigger)
  if (started?.text || started?.hasFile)
    world.lines.push({
      kind: 'customer',
      text: started.text,
      file: started.hasFile ? 'document' : null,
      isPlace: false,
    })
  if (!meetsFlowConditions(document.conditions, facts, position.variables)) world.lines.push({ kind: 'not-started' })
  arrive(world, position.stepId)
  return world
}

const runOf = ({ scene, facts }: World): FlowRun => ({
  // Another name takes another way through a split.
  runId: scene.name,
  facts,
  texts: textsOfScene(scene, facts.now),
  answers: { language: scene.language, today: new Date(facts.now).toISOString().slice(0, 10) },
  isTakenOver: false,
})

const stepAt = ({ document }: World, id: string | null): FlowStep | undefined =>
  document.steps.find((step) => step.id === id)

function arrive({ trace }: World, id: string | null): void {
  if (id !== null) trace.push(id)
}

/** Moves to the position, and tells if the run ended there. */
function moveTo(world: World, position: FlowPosition): void {
  if (position.stepId !== world.position.stepId) arrive(world, position.stepId)
  world.position = position
  if (position.ended) world.lines.push({ kind: 'end', reason: position.ended })
}

function runUntilPause(world: World): void {
  while (!world.position.ended) {
    const move = nextMoveWithLines(world)
    world.position = move.position
    if (move.kind === 'end') world.lines.push({ kind: 'end', reason: move.reason })
    else if (move.kind === 'ask') say(world, move.step, move)
    else if (move.kind === 'act') moveTo(world, perform(world, move.step))
    else break
  }
  world.passed += world.position.stepsSincePause
  if (world.passed > maxSimulatedSteps && !world.position.ended)
    moveTo(world, { ...world.position, isWaiting: false, ended: 'too-many-steps' })
}

/** The next move, with a line for each step that decides by itself. */
function nextMoveWithLines(world: World): FlowMove {
  let from = world.position.stepId
  const move = nextMove(world.document, world.position, runOf(world), (to) => {
    tellDecision(world, from, to)
    arrive(world, to)
    from = to
  })
  if (move.kind === 'end' && move.reason === 'dead-end') tellDecision(world, from, null)
  return move
}

const decidingKinds: readonly FlowStep['kind'][] = ['branch', 'switch', 'split']

/** Of several ways to the same step the first one. */
function tellDecision(world: World, stepId: string | null, to: string | null): void {
  const step = stepAt(world, stepId)
  if (!step || !decidingKinds.includes(step.kind)) return
  const way = listWaysOut(step).find((one) => one.to === to)?.way
  if (way !== undefined) world.lines.push({ kind: 'left', stepId: step.id, way, value: null })
}

function say(world: World, step: FlowStep, { text }: { text: string }): void {
  if (!world.hasTexts) return
  const { variables } = world.position
  const line: SaidLine = {
    ...{ kind: 'said', stepId: step.id, options: optionsOf(step) },
    text: renderFlowText(text, variables, textsOfScene(world.scene, world.facts.now)).trim(),
    fileId: step.kind === 'say' ? step.fileId : null,
    template: step.kind === 'say' && !text && step.fileId === null ? (step.template?.name ?? null) : null,
  }
  // The server sends nothing either if all texts are empty.
  if (line.text || line.options.length || line.fileId !== null || line.template !== null) world.lines.push(line)
}

function optionsOf(step: FlowStep): SaidLine['options'] {
  const options =
    step.kind === 'ask'
      ? step.answer.kind === 'choice'
        ? step.answer.options
        : []
      : step.kind === 'say'
        ? (step.list?.rows ?? step.buttons)
        : []
  return options.map(({ id, title }) => ({ id, title }))
}

/** Performs a step as far as the customer and later conditions can see it. */
function perform(world: World, step: ActStep): FlowPosition {
  const { scene, document, facts, position } = world
  const failed = (step.kind === 'call' || step.kind === 'respond') && scene.callsFail
  if (step.kind === 'say' || step.kind === 'person') say(world, step, step)
  if (step.kind !== 'say') world.lines.push({ kind: 'act', stepId: step.id, failed })
  world.facts = factsAfterStep(facts, step, position.variables, textsOfScene(scene, facts.now))
  const outcome: FlowOutcome = failed ? { kind: 'failed' } : { kind: 'done', values: scene.values }
  return positionAfter(document, position, outcome, runOf(world))
}

function takeEntry(world: World, entry: TestEntry): void {
  const { document, position, lines } = world
  const step = stepAt(world, position.stepId)
  const outcome = outcomeOf(entry)
  if (entry.kind === 'message') {
    lines.push({ kind: 'customer', text: entry.text, file: entry.file, isPlace: entry.place })
    world.facts = factsAfterMessage(world.facts, entry)
  } else {
    lines.push({ kind: 'time' })
    world.facts = factsAfterWait(world.facts, step)
  }
  const after = positionAfter(document, position, outcome, runOf(world))
  const isRetry = step?.kind === 'ask' && after.tries > position.tries
  const way = step && after !== position && !isRetry ? wayTaken(world, step, outcome) : null
  if (isRetry) lines.push({ kind: 'not-understood', stepId: step.id, tries: after.tries })
  if (step && way !== null) lines.push({ kind: 'left', stepId: step.id, way, value: keptValue(step, way, after) })
  // A way may lead back to the same step.
  if (isRetry || (way !== null && after.stepId === position.stepId)) arrive(world, after.stepId)
  moveTo(world, after)
}

/** Null: the step was not left, or the answer ended a sequence. */
function wayTaken(world: World, step: FlowStep, outcome: FlowOutcome): string | null {
  if (outcome.kind === 'due') return step.kind !== 'wait' ? 'silence' : isAnswerWait(step) ? 'otherwise' : 'next'
  if (outcome.kind !== 'message' || world.document.kind === 'sequence') return null
  if (step.kind === 'wait') return isAnswerWait(step) ? 'next' : null
  if (step.kind !== 'ask') return null
  const answer = readAnswer(step.answer, outcome.message, runOf(world).answers)
  if (!answer) return 'otherwise'
  return answer.optionId === null ? 'next' : `option:${answer.optionId}`
}

const isAnswerWait = (step: FlowStep): boolean => step.kind === 'wait' && step.until.kind === 'answer'

function keptValue(step: FlowStep, way: string, { variables }: FlowPosition): string | null {
  if (way === 'otherwise' || way === 'silence') return null
  const variable =
    step.kind === 'ask'
      ? step.variable
      : step.kind === 'wait' && step.until.kind === 'answer'
        ? step.until.variable
        : null
  return variable === null ? null : variableValue(variables, variable)
}

const outcomeOf = (entry: TestEntry): FlowOutcome =>
  entry.kind === 'time'
    ? { kind: 'due' }
    : {
        kind: 'message',
        message: {
          text: entry.text,
          optionId: entry.optionId,
          file: entry.file && { id: 'file', kind: entry.file },
          place: entry.place ? { latitude: -34.6, longitude: -58.38 } : null,
        },
      }

function waitsAt({ steps, kind }: FlowDocument, { stepId }: FlowPosition): { message: boolean; time: boolean } {
  const step = steps.find(({ id }) => id === stepId)
  const time = step?.kind === 'wait' || (step !== undefined && 'silence' in step && step.silence !== null)
  const message = kind === 'sequence' || step?.kind !== 'wait' || step.until.kind === 'answer'
  return { message, time }
}
