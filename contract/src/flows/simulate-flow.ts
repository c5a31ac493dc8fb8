import type { CustomerAnswer } from './answers.ts'
import type { FlowFacts } from './flow-conditions.ts'
import type { FlowDocument } from './flow-document.ts'
import { type FlowStep, listWaysOut } from './flow-steps.ts'
import type { FlowTest, TestEntry, TestScene } from './flow-tests.ts'
import type { TextValues } from './flow-variables.ts'
import { renderFlowText } from './flow-variables.ts'
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

/** What is seen on the test phone, and what happens inside the flow meanwhile. */
export type SimulatedLine =
  | { kind: 'customer'; text: string; file: CustomerFile | null; isPlace: boolean }
  /** `options`: the buttons or choices below the text. */
  | { kind: 'said'; stepId: string; text: string; options: { id: string; title: string }[] }
  | { kind: 'act'; stepId: string; failed: boolean }
  | { kind: 'not-understood'; stepId: string; tries: number }
  /** A step was left; `way` as in `listWaysOut`. */
  | { kind: 'left'; stepId: string; way: string }
  | { kind: 'time' }
  | { kind: 'end'; reason: FlowEndReason }
type CustomerFile = NonNullable<CustomerAnswer['file']>['kind']

export type Simulation = {
  lines: SimulatedLine[]
  position: FlowPosition
  /** What goes on from here; null: it has ended. */
  waitsFor: { message: boolean; time: boolean } | null
  /** Each step it reached, and how it ended. */
  trace: string[]
}

/** A day without a change of clocks. */
const testMoment = Date.UTC(2026, 5, 15, 14)

/** Plays a flow as far as the entries go. Nothing is sent, and other systems are not called. */
export function simulateFlow(document: FlowDocument, scene: TestScene, entries: readonly TestEntry[]): Simulation {
  const lines: SimulatedLine[] = []
  const trace: string[] = []
  const world: World = { document, scene, facts: factsOfScene(scene), lines, trace }
  const [trigger] = document.triggers
  let position = startPosition(document, trigger ?? { kind: 'person' }, scene.values)
  const arrive = (id: string | null) => {
    if (id !== null && trace.length < maxTrace) trace.push(id)
  }
  arrive(position.stepId)
  position = runUntilPause(world, position, arrive)
  for (const entry of entries) {
    if (position.ended) break
    position = runUntilPause(world, afterEntry(world, position, entry, arrive), arrive)
  }
  if (position.ended) trace.push(`=${position.ended}`)
  return { lines, position, waitsFor: position.ended ? null : waitsAt(document, position), trace }
}

/** The tests that take another way than the saved one. */
export const failingTests = <T extends Pick<FlowTest, 'scene' | 'entries' | 'trace'>>(
  document: FlowDocument,
  tests: readonly T[],
): T[] => tests.filter((test) => !isSameTrace(simulateFlow(document, test.scene, test.entries).trace, test.trace))

const isSameTrace = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, i) => line === other[i])

const maxTrace = 400
const maxSimulatedMoves = 400

type World = {
  document: FlowDocument
  scene: TestScene
  facts: FlowFacts
  lines: SimulatedLine[]
  trace: string[]
}

const textsOfScene = ({ name, language }: TestScene): TextValues => ({
  words: { name, number: '', email: '', user: '', queue: '' },
  moment: { now: new Date(testMoment), zone: 'UTC', language },
})

const runOf = ({ scene, facts }: World): FlowRun => ({
  runId: 'test',
  facts,
  texts: textsOfScene(scene),
  answers: { language: scene.language, today: '2026-06-15' },
  isTakenOver: false,
})

function factsOfScene({ name, language, isOpen, tagIds }: TestScene): FlowFacts {
  return {
    ticket: {
      status: 'pending',
      priority: 'normal',
      queueId: null,
      userId: null,
      whatsappId: null,
      adId: null,
      unreadMessages: 0,
      waitingSince: new Date(testMoment).toISOString(),
      snooze: null,
      closingReason: null,
      tags: tagIds.map((id) => ({ id })),
      goals: [],
      contact: { name, number: '', email: '', ownerId: null },
    },
    startedBy: null,
    now: testMoment,
    isOpen,
    language,
    message: null,
  }
}

function runUntilPause(world: World, from: FlowPosition, arrive: (id: string | null) => void): FlowPosition {
  let position = from
  for (let n = 0; n < maxSimulatedMoves && !position.ended; n++) {
    const move = nextMove(world.document, position, runOf(world), arrive)
    if (move.kind === 'wait') return move.position
    if (move.kind === 'end') {
      world.lines.push({ kind: 'end', reason: move.reason })
      return move.position
    }
    if (move.kind === 'ask') {
      say(world, move)
      position = move.position
      continue
    }
    const after = perform(world, move.step, move.position)
    if (after.stepId !== move.position.stepId) arrive(after.stepId)
    if (after.ended) world.lines.push({ kind: 'end', reason: after.ended })
    position = after
  }
  return position
}

function say(world: World, { step, text, position }: Extract<FlowMove, { kind: 'ask' }>): void {
  const options = step.answer.kind === 'choice' ? step.answer.options.map(({ id, title }) => ({ id, title })) : []
  world.lines.push({
    kind: 'said',
    stepId: step.id,
    text: renderFlowText(text, position.variables, textsOfScene(world.scene)),
    options,
  })
}

/** Performs an act as far as later conditions can see it. */
function perform(world: World, step: ActStep, position: FlowPosition): FlowPosition {
  const { scene, document, lines } = world
  const failed = step.kind === 'call' && scene.callsFail
  const text = step.kind === 'say' || step.kind === 'person' ? step.text : ''
  if (step.kind === 'say' || text) {
    const options =
      step.kind === 'say' ? [...step.buttons, ...(step.list?.rows ?? [])].map(({ id, title }) => ({ id, title })) : []
    const said = renderFlowText(text, position.variables, textsOfScene(scene))
    lines.push({ kind: 'said', stepId: step.id, text: said, options })
  }
  if (step.kind !== 'say') lines.push({ kind: 'act', stepId: step.id, failed })
  world.facts = { ...world.facts, ticket: ticketAfter(world.facts.ticket, step) }
  const outcome: FlowOutcome = failed ? { kind: 'failed' } : { kind: 'done', values: scene.values }
  return positionAfter(document, position, outcome, runOf(world))
}

function ticketAfter(ticket: FlowFacts['ticket'], step: FlowStep): FlowFacts['ticket'] {
  switch (step.kind) {
    case 'tags': {
      const kept = ticket.tags.filter(({ id }) => !step.remove.includes(id) && !step.add.includes(id))
      return { ...ticket, tags: [...kept, ...step.add.map((id) => ({ id }))] }
    }
    case 'priority':
      return { ...ticket, priority: step.priority }
    case 'queue':
    case 'person':
      return { ...ticket, queueId: step.queueId ?? ticket.queueId }
    case 'assign':
      return typeof step.userId === 'number' ? { ...ticket, userId: step.userId } : ticket
    default:
      return ticket
  }
}

function afterEntry(
  world: World,
  position: FlowPosition,
  entry: TestEntry,
  arrive: (id: string | null) => void,
): FlowPosition {
  const { lines, document } = world
  const { stepId } = position
  const outcome = outcomeOf(entry)
  if (entry.kind === 'time') lines.push({ kind: 'time' })
  else {
    lines.push({ kind: 'customer', text: entry.text, file: entry.file, isPlace: entry.place })
    const { text, file } = entry
    world.facts = { ...world.facts, message: { text, hasFile: file !== null, isFirst: world.facts.message === null } }
  }
  const after = positionAfter(document, position, outcome, runOf(world))
  if (after.ended) lines.push({ kind: 'end', reason: after.ended })
  if (stepId === null) return after
  if (after.stepId !== stepId) {
    const way = wayTaken(document, stepId, after.stepId)
    if (way !== null) lines.push({ kind: 'left', stepId, way })
    arrive(after.stepId)
  } else if (!after.isWaiting && entry.kind === 'message') {
    lines.push({ kind: 'not-understood', stepId, tries: after.tries })
    arrive(stepId)
  }
  return after
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

/** Of several ways to the same step the first one. */
function wayTaken({ steps }: FlowDocument, from: string, to: string | null): string | null {
  const step = steps.find(({ id }) => id === from)
  return (step && listWaysOut(step).find((one) => one.to === to)?.way) ?? null
}

function waitsAt({ steps, kind }: FlowDocument, { stepId }: FlowPosition): { message: boolean; time: boolean } {
  const step = steps.find(({ id }) => id === stepId)
  const time = step?.kind === 'wait' || (step !== undefined && 'silence' in step && step.silence !== null)
  const message = kind === 'sequence' || step?.kind !== 'wait' || step.until.kind === 'answer'
  return { message, time }
}
