import type { ErrorCode } from '@recado/contract/errors'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type CallStep, type FlowStep, isSpeaking } from '@recado/contract/flows/flow-steps'
import type { FlowVariables, TextValues } from '@recado/contract/flows/flow-variables'
import type { FlowRun as ShownRun } from '@recado/contract/flows/flows'
import {
  type FlowMove,
  type FlowOutcome,
  type FlowPosition,
  type FlowRun,
  nextMove,
  type PauseStep,
  positionAfter,
} from '@recado/contract/flows/walk'
import { addMs, minutes, seconds } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { findCalendar } from '../rulebook.ts'
import { performAct } from './acts/perform-act.ts'
import { type BotAnswer, type BotQuestion, performAnswer, type RespondStep } from './acts/respond.ts'
import { failRun, forgetFailures } from './flow-failures.ts'
import { type FlowContext, loadFlowContext } from './runs/flow-facts.ts'
import { addStepTallies, countFlowDay, countStep, type StepTallies } from './runs/flow-tallies.ts'
import { loadFlowDocument } from './runs/flow-versions.ts'
import {
  changeRun,
  endRun,
  flowStep,
  lockRun,
  lockTicketOfRun,
  recordFlowStep,
  type StoredRun,
  setSpeaker,
} from './runs/run-rows.ts'
import { isListening, pauseEnd } from './waits.ts'

/** Another process repeats a call after this time. */
const callLeaseMs = seconds(60)
/** A prompt may read files and call its model several times. */
const botLeaseMs = minutes(3)
/** A run that must wait for a free place among the calls is looked at again after this time. */
const callRestMs = seconds(1)

/** A call, or a question to a bot, that is to be sent after the commit. `n`: identifies it among those of its run. */
export type PendingCall = { runId: number; ticketId: number; n: number } & (
  | { step: CallStep; variables: FlowVariables; texts: TextValues }
  | Pick<BotQuestion, 'step' | 'turn'>
)
export type CallResult = { outcome: FlowOutcome } | { answer: BotAnswer }

/** The step of a run failed: the transaction is rolled back, and repeated without performing this step. */
class StepFailedError extends Error {
  readonly code: ErrorCode
  readonly act: string
  constructor(code: ErrorCode, act: string) {
    super(code)
    this.code = code
    this.act = act
  }
}

type ContinueOptions = {
  /** Takes a place among the calls of other systems; false: none is free. */
  takeCall: () => boolean
  /** The result of a call. */
  result?: PendingResult
}
type PendingResult = { call: PendingCall; result: CallResult }
type RunKey = { id: number; ticketId: number }

/**
 * Performs everything that a run does up to its next pause, in one transaction: either all of it happens and the new
 * position is stored, or nothing. Returns the call that is to be sent after the commit.
 */
export async function continueRun(
  scope: Scope,
  run: RunKey,
  { takeCall, result }: ContinueOptions,
): Promise<PendingCall | null> {
  const failures = new Map<string, ErrorCode>()
  for (;;) {
    try {
      return await scope.transaction((tx) => continueInTransaction(tx, run, { takeCall, result, failures }))
    } catch (error) {
      // Steps that were performed before this one are performed again, because they were rolled back with it.
      if (!(error instanceof StepFailedError) || failures.has(error.act)) throw error
      failures.set(error.act, error.code)
    }
  }
}

/**
 * Continues runs of different tickets in one transaction, with their queries combined. If one of them fails, none is
 * continued.
 */
export async function continueRuns(
  scope: Scope,
  runs: RunKey[],
  { takeCall }: Pick<ContinueOptions, 'takeCall'>,
): Promise<PendingCall[]> {
  const given = { takeCall, result: undefined, failures: new Map<string, ErrorCode>() }
  const calls = await scope.transaction((tx) =>
    tx.inBatch(runs.map((run) => (one) => continueInTransaction(one, run, given))),
  )
  return calls.filter((call) => call !== null)
}

type Given = { takeCall: () => boolean; result: PendingResult | undefined; failures: ReadonlyMap<string, ErrorCode> }

/** A run while it is continued. */
type Progress = {
  run: StoredRun
  document: FlowDocument
  position: FlowPosition
  context: FlowContext
  tallies: StepTallies
  failures: Given['failures']
  /** How many steps were performed in this transaction. */
  acts: number
}

async function continueInTransaction(scope: Scope, key: RunKey, given: Given): Promise<PendingCall | null> {
  await lockTicketOfRun(scope, key.ticketId)
  const run = await lockRun(scope, key.id)
  if (!run || !isToBeContinued(run, given, scope.now())) return null
  const document = await loadFlowDocument(scope, run.versionId)
  const context = document && (await loadFlowContext(scope, run.ticketId, run.startedById))
  if (!document || !context) return null
  const { position } = run
  const progress = { run, document, position, context, tallies: new Map(), failures: given.failures, acts: 0 }
  if (!(await claimConversation(scope, progress))) {
    await finish(scope, progress, 'replaced')
    return null
  }
  if (given.result) await takeResult(scope, progress, given.result)
  else if (isPauseOver(progress, scope.now())) {
    if (run.isReply) await changeRun(scope, run.id, { isReply: false })
    run.isReply = false
    moveAfter(progress, { kind: 'due' })
  }
  const call = await walk(scope, progress, given.takeCall)
  await addStepTallies(scope, run.versionId, progress.tallies)
  return call
}

async function takeResult(scope: Scope, progress: Progress, { call, result }: PendingResult): Promise<void> {
  const { run } = progress
  await changeRun(scope, run.id, { calls: ++run.calls })
  const outcome = 'outcome' in result ? result.outcome : await takeAnswer(scope, progress, result.answer)
  if (outcome.kind === 'failed')
    await recordFailure(scope, run, call.step, 'reason' in outcome ? String(outcome.reason) : '')
  moveAfter(progress, outcome)
}

/** An answer that comes after a person has taken over is not sent. */
async function takeAnswer(scope: Scope, progress: Progress, answer: BotAnswer): Promise<FlowOutcome> {
  if (isTakenOver(progress)) return { kind: 'done' }
  const { ticketId, flowName } = progress.run
  const outcome = await performAnswer(scope, { ticketId, flowName, isReply: progress.run.isReply }, answer)
  await reloadContext(scope, progress)
  return outcome
}

/** Another process may have continued the run meanwhile. */
function isToBeContinued({ state, dueAt, calls, position }: StoredRun, { result }: Given, now: Date): boolean {
  if (result) return state === 'calling' && calls === result.call.n && position.stepId === result.call.step.id
  return state !== 'ended' && state !== 'failed' && dueAt !== null && Date.parse(dueAt) <= now.getTime()
}

/** A run that failed lost its conversation, and takes it again if nobody else speaks. */
async function claimConversation(scope: Scope, { run, document, context }: Progress): Promise<boolean> {
  if (run.speaks || !document.steps.some(isSpeaking)) return true
  if (context.flowRunId !== null) return false
  run.speaks = true
  context.flowRunId = run.id
  await changeRun(scope, run.id, { speaks: true })
  await setSpeaker(scope, run.ticketId, run.id)
  return true
}

/** A run may be looked at before its pause is over, and nobody opens at an opening that was moved. */
function isPauseOver({ run, document, context }: Progress, now: Date): boolean {
  if (run.state !== 'waiting' || run.waitsUntil === null || Date.parse(run.waitsUntil) > now.getTime()) return false
  const step = document.steps.find(({ id }) => id === run.position.stepId)
  return !(step?.kind === 'wait' && step.until.kind === 'opening') || context.facts.isOpen
}

const isTakenOver = ({ run, context }: Progress): boolean => run.speaks && context.flowRunId !== run.id

const runOf = (progress: Progress): FlowRun => {
  const { facts, texts, answers } = progress.context
  return { runId: String(progress.run.id), facts, texts, answers, isTakenOver: isTakenOver(progress) }
}

/** Moves on after something happened, and counts it. */
function moveAfter(progress: Progress, outcome: FlowOutcome, from = progress.position): void {
  const next = positionAfter(progress.document, from, outcome, progress.context)
  if (outcome.kind === 'due' && next !== from) {
    const step = progress.document.steps.find(({ id }) => id === from.stepId)
    const isSilence = step?.kind !== 'wait' || step.until.kind === 'answer'
    if (isSilence) countStep(progress.tallies, from.stepId, 'left')
  }
  if (outcome.kind === 'failed') countStep(progress.tallies, from.stepId, 'failed')
  if (next.stepId !== from.stepId && !next.ended) countStep(progress.tallies, next.stepId, 'came')
  progress.position = next
}

/** Performs step after step up to a pause, a call or the end. */
async function walk(scope: Scope, progress: Progress, takeCall: () => boolean): Promise<PendingCall | null> {
  for (;;) {
    const move = nextMove(progress.document, progress.position, runOf(progress), (stepId) =>
      countStep(progress.tallies, stepId, 'came'),
    )
    const before = progress.position
    progress.position = move.position
    if (move.kind === 'end') {
      if (move.reason === 'taken-over') countStep(progress.tallies, move.position.stepId, 'left')
      const isReplaced = move.reason === 'taken-over' && progress.context.flowRunId !== null
      await finish(scope, progress, isReplaced ? 'replaced' : move.reason)
      return null
    }
    if (move.kind === 'wait') {
      await pause(scope, progress, move.step, before === progress.run.position)
      return null
    }
    if (move.kind === 'act' && (move.step.kind === 'call' || move.step.kind === 'respond'))
      return beginCall(scope, progress, move.step, takeCall())
    if (!(await performMove(scope, progress, move))) return null
  }
}

/** Performs a step. Returns whether the run goes on. */
async function performMove(
  scope: Scope,
  progress: Progress,
  move: Extract<FlowMove, { kind: 'act' | 'ask' }>,
): Promise<boolean> {
  const { run, context, failures } = progress
  const act = `${++progress.acts} ${move.step.id}`
  const failure = failures.get(act)
  if (failure !== undefined) return handleFailure(scope, progress, move.step, failure)
  const outcome = await performAct(scope, {
    ...{ runId: run.id, ticketId: run.ticketId, contactId: run.contactId, flowName: run.flowName },
    ...{ step: move.step, variables: move.position.variables, texts: context.texts, isReply: progress.run.isReply },
    ...(move.kind === 'ask' && { text: move.text }),
  }).catch((error) => {
    throw error instanceof AppError ? new StepFailedError(error.code, act) : error
  })
  if (outcome.kind === 'failed') {
    await countFlowDay(scope, run.flowId, 'failed')
    moveAfter(progress, outcome, { ...progress.position, isWaiting: false })
  } else if (move.kind === 'act') moveAfter(progress, outcome)
  if (changesFacts(move.step)) await reloadContext(scope, progress)
  return true
}

const changesNothing: readonly FlowStep['kind'][] = ['say', 'ask', 'note', 'stop']
const changesFacts = ({ kind }: FlowStep): boolean => !changesNothing.includes(kind)

/** What the run itself did to the ticket does not take the conversation away from it, but a flow that it started does. */
async function reloadContext(scope: Scope, progress: Progress): Promise<void> {
  const { run } = progress
  const hadConversation = !isTakenOver(progress)
  const context = await loadFlowContext(scope, run.ticketId, run.startedById)
  if (!context) throw new AppError('ERR_NO_TICKET_FOUND')
  progress.context = context
  if (!hadConversation || context.flowRunId !== null || !run.speaks || progress.position.ended) return
  await setSpeaker(scope, run.ticketId, run.id)
  context.flowRunId = run.id
}

async function recordFailure(scope: Scope, run: StoredRun, step: FlowStep, error: string): Promise<void> {
  await countFlowDay(scope, run.flowId, 'failed')
  const failed = { step: step.title || step.kind, error }
  await recordFlowStep(scope, run.ticketId, flowStep('step-failed', run.flowName, failed))
}

/** Goes on at the step's way out for failures, or leaves the run for a person to look at. */
async function handleFailure(scope: Scope, progress: Progress, step: FlowStep, error: ErrorCode): Promise<boolean> {
  const { run, context } = progress
  await recordFailure(scope, run, step, error)
  const from = { ...progress.position, isWaiting: false }
  if ('otherwise' in step) {
    moveAfter(progress, { kind: 'failed' }, from)
    return true
  }
  countStep(progress.tallies, step.id, 'failed')
  const isSpeaker = context.flowRunId === run.id
  await failRun(scope, { ...run, isSpeaker }, { error, position: JSON.stringify(from) })
  return false
}

/** Ends that the last step of the flow explains. */
const plainReasons: readonly ShownRun['endReason'][] = ['end', 'resolved', 'person']

async function finish(scope: Scope, progress: Progress, reason: NonNullable<ShownRun['endReason']>): Promise<void> {
  const { run, context, position } = progress
  const isSpeaker = context.flowRunId === run.id
  await endRun(scope, run, { position: JSON.stringify(position), reason, isSpeaker })
  if (!plainReasons.includes(reason))
    await recordFlowStep(scope, run.ticketId, flowStep('ended', run.flowName, { reason }))
  await forgetFailures(scope, run)
}

/** Waits. A run that was only looked at waits as long as before. */
async function pause(scope: Scope, progress: Progress, step: PauseStep, isSamePause: boolean): Promise<void> {
  const { run, context, document, position } = progress
  const now = scope.now()
  const goesOn = isSamePause && run.state === 'waiting' && !isOver(run.waitsUntil, now)
  const end = pauseEnd(step, findCalendar(context.rulebook, context.ticket.queueId), now)
  const waitsUntil = goesOn ? run.waitsUntil : end
  const keepsListening = isSamePause || document.kind === 'sequence'
  const listensSince = (keepsListening ? run.listensSince : null) ?? now
  await changeRun(scope, run.id, {
    ...{ position: JSON.stringify(position), state: 'waiting', tries: 0, waitsUntil, dueAt: waitsUntil },
    listensSince: isListening(document, step) ? listensSince : null,
  })
  await forgetFailures(scope, run)
}

const isOver = (at: string | null, now: Date): boolean => at !== null && Date.parse(at) <= now.getTime()

/** The call is sent after the commit: until its result is stored, or the lease is over, the run stays where it is. */
async function beginCall(
  scope: Scope,
  { run, position, context }: Progress,
  step: CallStep | RespondStep,
  isFree: boolean,
): Promise<PendingCall | null> {
  const calling = isFree
    ? { state: 'calling' as const, dueAt: addMs(scope.now(), step.kind === 'call' ? callLeaseMs : botLeaseMs) }
    : { state: 'ready' as const, dueAt: addMs(scope.now(), callRestMs) }
  await changeRun(scope, run.id, { position: JSON.stringify(position), ...calling, waitsUntil: null })
  if (!isFree) return null
  const key = { runId: run.id, ticketId: run.ticketId, n: run.calls }
  if (step.kind === 'call') return { ...key, step, variables: position.variables, texts: context.texts }
  return { ...key, step, turn: { text: context.facts.message?.text ?? null, begins: position.tries === 0 } }
}
