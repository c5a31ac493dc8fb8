import { setTimeout as pause } from 'node:timers/promises'
import type { FlowStep } from '@recado/contract/flows/flow-steps'
import type { FlowOutcome } from '@recado/contract/flows/walk'
import { presentTicket, presentTickets } from '../../../desk/tickets/base/ticket-view.ts'
import { makeStep, recordTicketEvent } from '../../../desk/tickets/base/tracking.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import type { Upload } from '../../../kernel/files/files.ts'
import type { ImmediateAction } from '../../bot-actions/bot.ts'
import { performAction } from '../../bot-actions/perform.ts'
import { type BotBackend, type BotRequest, PermanentBotError, RetryLaterError } from '../../bot-requests/backend.ts'
import type { AutoResponderTurn } from '../../bots/auto-responder.ts'
import { raceAbort } from '../../race-abort.ts'
import { loadRulebook } from '../../rulebook.ts'
import { flowStep, recordFlowStep } from '../runs/run-rows.ts'
import type { FlowAct } from './flow-act.ts'
import { findSilenceReason } from './speak.ts'

export type RespondStep = Extract<FlowStep, { kind: 'respond' }>
/** A question to a prompt or an integration. `begins`: the conversation with it begins. */
export type BotQuestion = {
  runId: number
  ticketId: number
  step: RespondStep
  turn: Pick<AutoResponderTurn, 'text' | 'begins'>
}
/** What a prompt or an integration wants to do; null: nothing. */
export type BotAnswer = { action: ImmediateAction | null } | { failure: string }

/** For all attempts together: the customer waits, and the flow has another way out. */
const defaultTimeoutMs = 60_000
/** The pauses before the second and the third attempt. */
const retryPausesMs = [1000, 4000]
/** Longer error texts say nothing more. */
const maxFailureCharacters = 500

/**
 * Asks a prompt or an integration, outside of any transaction. `shutdown`: this process closes, and another one asks
 * again.
 */
export async function askBot(
  scope: Scope,
  backends: readonly BotBackend[],
  question: BotQuestion,
  shutdown: AbortSignal,
): Promise<BotAnswer> {
  const { by } = question.step
  const backend = backends.find(({ name }) => name === by.kind)
  const [ticket] = await presentTickets(scope, [question.ticketId])
  const rulebook = await loadRulebook(scope)
  const line = rulebook.lines.get(ticket?.whatsappId ?? 0)
  if (!backend || !ticket || !line) return { failure: 'the bot or the line is gone' }
  const input: AutoResponderTurn = {
    ...question.turn,
    id: by.kind === 'prompt' ? by.promptId : by.integrationId,
    chose: false,
  }
  const signal = AbortSignal.any([shutdown, AbortSignal.timeout(backend.timeoutMs ?? defaultTimeoutMs)])
  const request = { id: question.runId, input, ticket, rulebook, line, scope, signal }
  try {
    return { action: await answerWithRetries(backend, request, retryPausesMs) }
  } catch (error) {
    if (shutdown.aborted) throw error
    return { failure: (error instanceof Error ? error.message : String(error)).slice(0, maxFailureCharacters) }
  }
}

async function answerWithRetries(
  backend: BotBackend,
  request: BotRequest<unknown>,
  [pauseMs, ...laterPausesMs]: number[],
): Promise<ImmediateAction | null> {
  const { signal } = request
  try {
    return await raceAbort(signal, backend.answer(request))
  } catch (error) {
    if (pauseMs === undefined || signal.aborted || error instanceof PermanentBotError) throw error
    const waitMs = Math.max(pauseMs, error instanceof RetryLaterError ? error.retryAfterMs : 0)
    await pause(waitMs, undefined, { signal }).catch(() => {
      throw error
    })
    return answerWithRetries(backend, request, laterPausesMs)
  }
}

/** The files of an answer, which are stored before the transaction that sends them. */
export const filesOfAnswer = (answer: BotAnswer): Upload[] =>
  'action' in answer
    ? (answer.action?.messages ?? []).flatMap((message) =>
        typeof message === 'string' || !message.file ? [] : [message.file],
      )
    : []

type Answered = FlowOutcome | { kind: 'failed'; reason: string }

/**
 * Performs the answer in the transaction of the run. The flow decides who goes on: a bot that would hand over or close
 * the ticket only leaves the step, and sends no words about it.
 */
export async function performAnswer(
  scope: Scope,
  { ticketId, flowName, isReply }: Pick<FlowAct, 'ticketId' | 'flowName' | 'isReply'>,
  answer: BotAnswer,
): Promise<Answered> {
  if ('failure' in answer) return { kind: 'failed', reason: answer.failure }
  const ticket = await presentTicket(scope, ticketId)
  const silence = await findSilenceReason(scope, ticket, { isReply })
  if (silence !== null) return { kind: 'failed', reason: silence }
  if (!answer.action) return { kind: 'done' }
  const { closesTicket, handsOver, userId, queueId, ...action } = answer.action
  const step = makeStep(action.bot ?? 'bot', action.why, action.with)
  await recordTicketEvent(scope, ticketId, 'bot', step)
  if (handsOver || userId !== undefined) return { kind: 'failed', reason: action.why }
  const messages = action.messages.map((one) => ({
    ...(typeof one === 'string' ? { text: one } : one),
    unprompted: !isReply,
  }))
  await performAction(scope, { ticket, pendingRating: null }, { ...action, messages })
  await recordFlowStep(scope, ticketId, flowStep('responded', flowName, { by: action.bot }))
  return { kind: closesTicket ? 'finished' : 'done' }
}
