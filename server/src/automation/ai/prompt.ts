import { hasPlanFlag } from '../../accounts/plan-flags.ts'
import { notifyIntegrationPaused } from '../../desk/tickets/base/notices.ts'
import { recallKnowledge } from '../../directory/ai/knowledge/find-knowledge.ts'
import { ModelFailure, type ModelFailureCode } from '../../directory/ai/model/model-failure.ts'
import { isTokenLimitReached, openPromptKey, type PromptRow } from '../../directory/ai/prompts.ts'
import { hours } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ImmediateAction } from '../bot-actions/bot.ts'
import { type BotBackend, type BotRequest, PermanentBotError, RetryLaterError } from '../bot-requests/backend.ts'
import type { AutoResponderTurn } from '../bots/auto-responder.ts'
import { defaultQueueOf } from '../rulebook.ts'
import { describeMenuChoice, loadCompanyFacts } from './company-facts.ts'
import { type ModelTurnResult, runModelTurn } from './conversation.ts'
import { buildModelInput } from './media-input.ts'
import { makeRecordedModel } from './recorded-model.ts'
import { buildSystemPrompt, type KnowledgePiece } from './system-prompt.ts'
import { showTypingWhile } from './typing.ts'

export type PromptLimits = {
  /** Timeout of one call to the model. */
  callTimeoutMs: number
}
const defaultLimits: PromptLimits = { callTimeoutMs: 25_000 }
/** A longer Retry-After is not waited for, because the customer is waiting. */
const maxRetryAfterMs = 20_000
/** How many pieces of the knowledge base each answer may use. */
export const maxKnowledgePieces = 6

type PromptRequest = BotRequest<AutoResponderTurn>

/** The bot backend for prompts. Settings are read for each request, so a changed key is used at once. */
export const makePromptBackend = (pace: PromptLimits = defaultLimits): BotBackend<AutoResponderTurn> => ({
  name: 'prompt',
  // One request may wait for a file and may need several model calls.
  timeoutMs: 4 * pace.callTimeoutMs,
  async answer(question) {
    const prompt = await findPrompt(question.scope, question.input.id)
    if (!prompt) throw new PermanentBotError('the prompt was deleted')
    if (!(await hasPlanFlag(question.scope, 'useOpenAi'))) throw new PermanentBotError('the plan has no prompts')
    if (await isTokenLimitReached(question.scope, prompt)) return handOverAction(question, prompt, 'daily-limit')
    try {
      return await showTypingWhile(question, () => answerWithPrompt(question, prompt, pace.callTimeoutMs))
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      if (configurationFailures.includes(error.code)) await notifyAdminsHourly(question, prompt.name)
      throw toBackendError(error)
    }
  },
  findFallbackQueue: async (scope, { id }) => (await findPrompt(scope, id))?.queueId ?? null,
})

/** Failures that last until somebody fixes their cause. */
const configurationFailures: readonly ModelFailureCode[] = [
  'key-refused',
  'no-credit',
  'no-such-model',
  'address-refused',
  'resting',
]

/** Notifies admins at most once an hour, because every customer of the prompt would trigger the notification. */
const notifyAdminsHourly = ({ scope, ticket }: PromptRequest, name: string): Promise<void> =>
  scope.transaction(async (tx) => {
    const eventDetails = await tx.db
      .selectFrom('notices')
      .select('id')
      .where('companyId', '=', tx.companyId)
      .where('kind', '=', 'resting')
      .where('byName', '=', name)
      .where('createdAt', '>', new Date(tx.now().getTime() - hours(1)).toISOString())
      .limit(1)
      .executeTakeFirst()
    if (!eventDetails) await notifyIntegrationPaused(tx, { ticketId: ticket.id, name })
  })

function toBackendError(failure: ModelFailure): Error {
  const { isRetryable: again, retryAfterMs: afterMs, message } = failure
  if (!again || (afterMs ?? 0) > maxRetryAfterMs) return new PermanentBotError(message)
  return afterMs ? new RetryLaterError(message, afterMs) : failure
}

async function answerWithPrompt(question: PromptRequest, prompt: PromptRow, callMs: number): Promise<ImmediateAction> {
  const { scope, input: about, ticket, rulebook, signal } = question
  const model = makeRecordedModel(
    scope,
    { baseUrl: prompt.baseUrl, key: openPromptKey(scope, prompt) },
    { promptId: prompt.id, ticketId: ticket.id },
    { signal, timeoutMs: callMs },
  )
  const modelInput = await buildModelInput(scope, ticket.id, prompt, model.transcribe, signal)
  if (typeof modelInput === 'string') return handOverAction(question, prompt, modelInput)
  const knowledge = await recallKnowledge(scope, prompt.id, lastCustomerWords(modelInput), maxKnowledgePieces)
  const facts = await loadCompanyFacts(scope, rulebook, {
    customer: ticket.contact.name,
    queueId: ticket.queueId,
    knowledge,
  })
  const system = { role: 'system' as const, content: buildSystemPrompt(prompt.prompt, rulebook, facts) }
  const result = await runModelTurn(
    prompt,
    [system, ...modelInput, ...describeMenuChoice(about, rulebook, ticket)],
    facts,
    model.chat,
  )
  return toAction(question, prompt, result, knowledge)
}

/**
 * The search query: the customer's last message, and the earlier ones, which give a question such as "and on Sundays?"
 * its context.
 */
const lastCustomerWords = (modelInput: { role: string; content: unknown }[]): string =>
  modelInput
    .filter((one) => one.role === 'user')
    .slice(-2)
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join(' ')
    .slice(0, 1000)

function toAction(
  question: PromptRequest,
  prompt: PromptRow,
  result: ModelTurnResult,
  knowledge: KnowledgePiece[],
): ImmediateAction {
  const sources = [...new Set(knowledge.map(({ name }) => name))].join(', ')
  const toolSummary = result.toolResults
    .map(({ tool, name, ok }) => `${ok ? '' : '!'}${tool}${name && ` ${name}`}`)
    .join(', ')
  const eventDetails = {
    prompt: prompt.name,
    ...(sources && { sources }),
    ...(toolSummary && { tools: toolSummary.slice(0, 300) }),
  }
  // Sends the answer even if it equals the last message, because the customer asked again.
  const base = { bot: 'prompt', messages: result.messages, allowRepeat: true as const, tagIds: result.tagIds }
  if (result.nextOwner === 'person')
    return { ...base, ...handOverAction(question, prompt, result.why, result), with: eventDetails }
  const why = `machine-${result.why}`
  return result.nextOwner === 'closed'
    ? { ...base, why, with: eventDetails, closesTicket: true }
    : { ...base, why, with: eventDetails }
}

/** Hands over to agents in the configured queue. The customer gets the model's text or our default text. */
function handOverAction(
  { ticket, line, rulebook }: PromptRequest,
  prompt: PromptRow,
  why: string,
  { messages: say, queueId }: Pick<ModelTurnResult, 'messages' | 'queueId'> = { messages: [], queueId: null },
): ImmediateAction {
  return {
    bot: 'prompt',
    why: `machine-${why}`,
    with: { prompt: prompt.name },
    messages: say.length ? say : [rulebook.botTexts.menu.toPerson],
    allowRepeat: true,
    handsOver: true,
    queueId: queueId ?? prompt.queueId ?? ticket.queueId ?? defaultQueueOf(line),
  }
}

const findPrompt = (scope: Scope, id: number): Promise<PromptRow | undefined> =>
  scope.db
    .selectFrom('prompts')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
