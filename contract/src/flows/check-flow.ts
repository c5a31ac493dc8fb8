import { variablesInConditions } from './flow-conditions.ts'
import { type FlowDocument, maxFlowSteps } from './flow-document.ts'
import {
  type FlowStep,
  isPausedWay,
  isSpeaking,
  isStepComplete,
  listWaysOut,
  textsOfStep,
  variablesSetOnWay,
} from './flow-steps.ts'
import { type FlowTrigger, variablesOfTrigger } from './flow-triggers.ts'
import { variablesInText } from './flow-variables.ts'
import { maxStepsWithoutPause } from './walk.ts'

/** Errors keep a flow from being published. */
export const flowFindingLevels = {
  /** Something is not filled in: a text, a queue, or what starts the flow. */
  incomplete: 'error',
  /** Nothing follows on this way. */
  'dead-end': 'error',
  /** A circle without a wait or a question. */
  loop: 'error',
  'too-many-steps': 'error',
  /** A circle of waits without an end or a question. */
  endless: 'error',
  /** No way leads from this question to a person. */
  'no-person': 'error',
  'unset-variable': 'error',
  /** A message that is no template, although the customer may have been silent for more than 24 hours. */
  'outside-window': 'error',
  /** The same, because what starts the flow does not say when the customer last wrote. */
  'window-unknown': 'warning',
  /** After this wait only templates can be sent. */
  'wait-beyond-window': 'warning',
  unreachable: 'warning',
} as const
export type FlowFindingKind = keyof typeof flowFindingLevels

/** A change that removes a finding, see `repairFlow`. */
export type FlowRepair =
  | { kind: 'hand-over'; stepId: string; way: string }
  | { kind: 'insert-wait'; stepId: string; way: string }
  | { kind: 'remove'; stepId: string }

export type FlowFinding = {
  kind: FlowFindingKind
  level: 'error' | 'warning'
  /** Null: the whole flow. */
  stepId: string | null
  way: string | null
  variable: string | null
  repair: FlowRepair | null
}

/** WhatsApp's official API allows free text for this long after the customer's last message. */
export const windowMinutes = 1440

type Edge = { from: FlowStep; way: string; to: FlowStep }
/** The reachable part of a flow, in the order in which it is reached. */
type Graph = { document: FlowDocument; steps: FlowStep[]; edges: Edge[] }

type Place = Partial<Pick<FlowFinding, 'stepId' | 'way' | 'variable' | 'repair'>>
const finding = (kind: FlowFindingKind, place: Place): FlowFinding => ({
  kind,
  level: flowFindingLevels[kind],
  stepId: null,
  way: null,
  variable: null,
  repair: null,
  ...place,
})

/**
 * What would go wrong on some path through the flow. Branches and splits count as if each way were possible at any time.
 * Whether queues, tags and the like exist is checked by the server (see `listReferences`). `hasReplyWindow`: whether a
 * line of the company allows only templates after 24 hours.
 */
export function checkFlow(document: FlowDocument, hasReplyWindow = true): FlowFinding[] {
  const graph = reachableGraph(document)
  const loops = findLoops(graph)
  return [
    ...findIncomplete(graph),
    ...findDeadEnds(graph),
    ...loops,
    ...(loops.length ? [] : findLongPaths(graph)),
    ...findEndlessWaits(graph),
    ...findWaysWithoutPerson(graph),
    ...findUnsetVariables(graph),
    ...(hasReplyWindow ? findClosedWindows(graph) : []),
    ...findUnreachable(graph),
  ]
}

function reachableGraph(document: FlowDocument): Graph {
  const byId = new Map(document.steps.map((step) => [step.id, step]))
  const first = byId.get(document.first ?? '')
  const reached = new Set(first ? [first] : [])
  const edges: Edge[] = []
  for (const from of reached)
    for (const { way, to: id } of listWaysOut(from)) {
      const to = byId.get(id ?? '')
      if (!to) continue
      edges.push({ from, way, to })
      reached.add(to)
    }
  return { document, steps: [...reached], edges }
}

const findIncomplete = ({ document, steps }: Graph): FlowFinding[] => [
  ...(document.triggers.length ? [] : [finding('incomplete', {})]),
  ...steps.filter((step) => !isStepComplete(step)).map(({ id: stepId }) => finding('incomplete', { stepId })),
]

const findUnreachable = ({ document, steps }: Graph): FlowFinding[] =>
  document.steps
    .filter((step) => !steps.includes(step))
    .map(({ id: stepId }) => finding('unreachable', { stepId, repair: { kind: 'remove', stepId } }))

/** A repair that may add a step, if there is room for one more. */
const adding = ({ document }: Graph, repair: FlowRepair): FlowRepair | null =>
  document.steps.length < maxFlowSteps ? repair : null

function findDeadEnds(graph: Graph): FlowFinding[] {
  if (!graph.steps.length) return [finding('dead-end', {})]
  return graph.steps.flatMap((step) =>
    listWaysOut(step)
      .filter(({ to }) => to === null)
      .map(({ way }) =>
        finding('dead-end', {
          stepId: step.id,
          way,
          repair: adding(graph, { kind: 'hand-over', stepId: step.id, way }),
        }),
      ),
  )
}

const edgesByStep = (edges: Edge[]): Map<FlowStep, Edge[]> => Map.groupBy(edges, ({ from }) => from)

const withoutPause = ({ edges }: Graph): Edge[] => edges.filter(({ from, way }) => !isPausedWay(from, way))

/** Each link that closes a circle in which nobody waits. */
function findLoops(graph: Graph): FlowFinding[] {
  const out = edgesByStep(withoutPause(graph))
  const [open, closed] = [new Set<FlowStep>(), new Set<FlowStep>()]
  const closing: Edge[] = []
  const visit = (step: FlowStep) => {
    open.add(step)
    for (const edge of out.get(step) ?? []) {
      if (open.has(edge.to)) closing.push(edge)
      else if (!closed.has(edge.to)) visit(edge.to)
    }
    open.delete(step)
    closed.add(step)
  }
  for (const step of graph.steps) if (!closed.has(step)) visit(step)
  return closing.map(({ from, way }) =>
    finding('loop', {
      stepId: from.id,
      way,
      repair: adding(graph, { kind: 'insert-wait', stepId: from.id, way }),
    }),
  )
}

/** Where a path without a pause begins that is longer than the guard of the walker allows. There must be no loops. */
function findLongPaths(graph: Graph): FlowFinding[] {
  const out = edgesByStep(withoutPause(graph))
  const lengths = new Map<FlowStep, number>()
  const lengthFrom = (step: FlowStep): number => {
    const known = lengths.get(step)
    if (known !== undefined) return known
    const length = 1 + Math.max(0, ...(out.get(step) ?? []).map(({ to }) => lengthFrom(to)))
    lengths.set(step, length)
    return length
  }
  const beginnings = new Set([
    ...graph.steps.slice(0, 1),
    ...graph.edges.filter(({ from, way }) => isPausedWay(from, way)).map(({ to }) => to),
  ])
  return [...beginnings]
    .filter((step) => lengthFrom(step) > maxStepsWithoutPause)
    .map(({ id: stepId }) => finding('too-many-steps', { stepId }))
}

/** The steps from which a step of these is reached, itself included. */
function stepsLeadingTo(graph: Graph, isGoal: (step: FlowStep) => boolean): Set<FlowStep> {
  const into = Map.groupBy(graph.edges, ({ to }) => to)
  const leading = new Set(graph.steps.filter(isGoal))
  for (const step of leading) for (const { from } of into.get(step) ?? []) leading.add(from)
  return leading
}

/** Waits after which the run neither ends nor asks anything. */
function findEndlessWaits(graph: Graph): FlowFinding[] {
  const isExit = (step: FlowStep) => step.kind === 'ask' || listWaysOut(step).every(({ to }) => to === null)
  const ending = stepsLeadingTo(graph, isExit)
  return graph.steps
    .filter((step) => step.kind === 'wait' && !ending.has(step))
    .map(({ id: stepId }) => finding('endless', { stepId }))
}

/** The first steps on each path at which a customer talks to the flow and cannot reach a person any more. */
function findWaysWithoutPerson(graph: Graph): FlowFinding[] {
  const leading = stepsLeadingTo(graph, ({ kind }) => kind === 'person' || kind === 'assign')
  const out = edgesByStep(graph.edges)
  const reported = new Set<FlowStep>()
  return graph.steps.flatMap((step) => {
    if ((step.kind !== 'ask' && step.kind !== 'respond') || leading.has(step) || reported.has(step)) return []
    const below = new Set<FlowStep>([step])
    for (const one of below) for (const { to } of out.get(one) ?? []) below.add(to)
    for (const one of below) reported.add(one)
    const repair = adding(graph, { kind: 'hand-over', stepId: step.id, way: 'otherwise' })
    return [finding('no-person', { stepId: step.id, way: 'otherwise', repair })]
  })
}

const variablesReadBy = (step: FlowStep): Set<string> =>
  new Set([
    ...textsOfStep(step).flatMap(variablesInText),
    ...(step.kind === 'branch' ? variablesInConditions(step.conditions) : []),
    ...(step.kind === 'switch' && step.variable !== null ? [step.variable] : []),
  ])

/** For each variable that is read: follows the ways on which it is not set, as far as they go. */
function findUnsetVariables(graph: Graph): FlowFinding[] {
  const { document, steps, edges } = graph
  const readers = new Map<string, FlowStep[]>()
  for (const step of steps)
    for (const variable of variablesReadBy(step)) readers.set(variable, [...(readers.get(variable) ?? []), step])
  const settersOf = Map.groupBy(
    edges.flatMap(({ from, way }) => variablesSetOnWay(from, way).map((variable) => ({ variable, from, way }))),
    ({ variable }) => variable,
  )
  const out = edgesByStep(edges)
  const fromTrigger = variablesOfAll(document.triggers)
  const atStart = [...new Set(variablesInConditions(document.conditions))].filter((name) => !fromTrigger.has(name))
  return [
    ...atStart.map((variable) => finding('unset-variable', { variable })),
    ...[...readers].flatMap(([variable, some]) => {
      if (fromTrigger.has(variable)) return []
      const setters = settersOf.get(variable) ?? []
      const sets = ({ from, way }: Edge) => setters.some((one) => one.from === from && one.way === way)
      const unset = new Set(steps.slice(0, 1))
      if (setters.length)
        for (const step of unset) for (const edge of out.get(step) ?? []) if (!sets(edge)) unset.add(edge.to)
      return some
        .filter((step) => !setters.length || unset.has(step))
        .map(({ id: stepId }) => finding('unset-variable', { stepId, variable }))
    }),
  ]
}

/** The variables that are set however the flow starts. */
function variablesOfAll(triggers: FlowTrigger[]): Set<string> {
  const [first, ...others] = triggers.map((trigger) => new Set(variablesOfTrigger(trigger)))
  return new Set([...(first ?? [])].filter((variable) => others.every((one) => one.has(variable))))
}

/** How long the customer may have been silent, up to just beyond the window; `isUnknown`: perhaps longer. */
type Silence = { minutes: number; isUnknown: boolean }
const beyondWindow = windowMinutes + 1

function findClosedWindows(graph: Graph): FlowFinding[] {
  const silences = longestSilences(graph)
  return graph.steps.flatMap((step) => {
    const silence = silences.get(step)
    if (!silence) return []
    const needsWindow = isSpeaking(step) && !(step.kind === 'say' && step.template)
    const isWaitBeyond =
      step.kind === 'wait' &&
      silence.minutes <= windowMinutes &&
      listWaysOut(step).some(({ way }) => silenceAfter(step, way, silence).minutes > windowMinutes)
    return [
      ...(needsWindow && silence.minutes > windowMinutes ? [finding('outside-window', { stepId: step.id })] : []),
      ...(needsWindow && silence.minutes <= windowMinutes && silence.isUnknown
        ? [finding('window-unknown', { stepId: step.id })]
        : []),
      ...(isWaitBeyond ? [finding('wait-beyond-window', { stepId: step.id })] : []),
    ]
  })
}

function longestSilences({ document, steps, edges }: Graph): Map<FlowStep, Silence> {
  const silences = new Map<FlowStep, Silence>()
  const out = edgesByStep(edges)
  const changed = new Set<FlowStep>()
  const raise = (step: FlowStep, { minutes, isUnknown }: Silence) => {
    const old = silences.get(step)
    if (old && old.minutes >= minutes && (old.isUnknown || !isUnknown)) return
    silences.set(step, {
      minutes: Math.max(minutes, old?.minutes ?? 0),
      isUnknown: isUnknown || (old?.isUnknown ?? false),
    })
    // A set visits a step again that is added again.
    changed.delete(step)
    changed.add(step)
  }
  for (const trigger of document.triggers) for (const step of steps.slice(0, 1)) raise(step, silenceAtStart(trigger))
  for (const step of changed) {
    const silence = silences.get(step) as Silence
    for (const { way, to } of out.get(step) ?? []) raise(to, silenceAfter(step, way, silence))
  }
  return silences
}

function silenceAtStart(trigger: FlowTrigger): Silence {
  switch (trigger.kind) {
    case 'message':
    case 'rated':
    case 'campaignAnswered':
      return { minutes: 0, isUnknown: false }
    case 'silent':
    case 'unanswered':
      return { minutes: trigger.inOpenHours ? beyondWindow : Math.min(trigger.minutes, beyondWindow), isUnknown: false }
    default:
      return { minutes: 0, isUnknown: true }
  }
}

function silenceAfter(step: FlowStep, way: string, silence: Silence): Silence {
  const longer = (minutes: number) => ({ ...silence, minutes: Math.min(silence.minutes + minutes, beyondWindow) })
  const answered = { minutes: 0, isUnknown: false }
  if (way === 'silence' && 'silence' in step && step.silence) return longer(step.silence.minutes)
  if (step.kind === 'ask') return answered
  if (step.kind !== 'wait') return silence
  // Nobody knows how long a weekend with holidays is.
  if (step.until.kind === 'opening') return longer(beyondWindow)
  if (step.until.kind === 'answer') return way === 'next' ? answered : longer(step.until.minutes)
  return longer(step.until.inOpenHours ? beyondWindow : step.until.minutes)
}
