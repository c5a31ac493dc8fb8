import { estimateCostUsd } from '@recado/contract/ai/prices'
import { type PromptTryReply, promptTriesApi } from '@recado/contract/ai/prompts'
import { isMaskedSecret } from '@recado/contract/settings'
import type { z } from 'zod'
import { findKnowledge } from '../../directory/ai/knowledge/find-knowledge.ts'
import type { ModelMessage, TokenUsage } from '../../directory/ai/model/chat.ts'
import { ModelFailure } from '../../directory/ai/model/model-failure.ts'
import { defaultModelOf, isSameOrigin, openPromptKey, type PromptRow, prompts } from '../../directory/ai/prompts.ts'
import { findExternalCall } from '../../directory/integrations/external-calls.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import { loadRulebook } from '../rulebook.ts'
import { loadCompanyFacts } from './company-facts.ts'
import { type ModelTurnResult, runModelTurn } from './conversation.ts'
import { loadHistory, toChatMessage } from './history.ts'
import { maxKnowledgePieces } from './prompt.ts'
import { makeRecordedModel } from './recorded-model.ts'
import { buildSystemPrompt } from './system-prompt.ts'

const modelTimeoutMs = 25_000

type TriedPrompt = Pick<
  PromptRow,
  'prompt' | 'model' | 'maxTokens' | 'temperature' | 'queueId' | 'tools' | 'baseUrl' | 'maxMessages'
> & { id: number | null; key: () => string; customer: string }

/** Runs a prompt without effects: no ticket, no message, no action. Reports what the prompt would have done. */
async function runTestTurn(scope: Scope, tried: TriedPrompt, messages: ModelMessage[]): Promise<PromptTryReply> {
  const { baseUrl, model, key, id, customer } = tried
  const began = performance.now()
  let tokenUsage: TokenUsage = { inputTokens: 0, outputTokens: 0 }
  const rulebook = await loadRulebook(scope)
  const words = messages.filter((one) => one.role === 'user').slice(-2)
  const question = words.map(({ content }) => (typeof content === 'string' ? content : '')).join(' ')
  const knowledge = id === null ? [] : await findKnowledge(scope, id, question.slice(0, 1000), maxKnowledgePieces)
  const facts = await loadCompanyFacts(scope, rulebook, { customer, queueId: tried.queueId, knowledge })
  const system: ModelMessage = { role: 'system', content: buildSystemPrompt(tried.prompt, rulebook, facts) }
  let error = ''
  let end = failedTurn
  try {
    const asked = makeRecordedModel(
      scope,
      { baseUrl, key: key() },
      { promptId: null, ticketId: null },
      { timeoutMs: modelTimeoutMs },
    )
    tokenUsage = asked.tokenUsage
    end = await runModelTurn(tried, [system, ...messages], facts, asked.chat)
  } catch (failure) {
    if (!(failure instanceof ModelFailure)) throw failure
    error = failure.message
  }
  const { inputTokens: tokensIn, outputTokens: tokensOut } = tokenUsage
  return {
    say: end.nextOwner === 'person' && !end.messages.length ? [rulebook.botTexts.menu.toPerson] : end.messages,
    deeds: end.toolResults.map((one) => ({ tool: one.tool, with: one.args, ok: one.ok, name: one.name })),
    sources: knowledge.map(({ knowledgeId, name, place }) => ({ knowledgeId, name, place })),
    next: end.nextOwner,
    ...{ tokensIn, tokensOut, error },
    ms: Math.round(performance.now() - began),
    cost: estimateCostUsd({ baseUrl, model, tokensIn, tokensOut }),
  }
}
/** The result of a failed turn for a customer: agents take over. */
const failedTurn: ModelTurnResult = {
  messages: [],
  toolResults: [],
  tagIds: [],
  nextOwner: 'person',
  why: 'does-not-know',
  queueId: null,
}

type TryBody = z.output<typeof promptTriesApi.tryIt.body>

async function tryDraft(scope: Scope, { id, draft, turns }: TryBody): Promise<PromptTryReply> {
  const saved = id === undefined ? null : await prompts.findRow(scope, id)
  const baseUrl = draft.baseUrl ?? saved?.baseUrl ?? ''
  const messages = turns
    .slice(-draft.maxMessages)
    .map(({ from, text }): ModelMessage => ({ role: from === 'bot' ? 'assistant' : 'user', content: text }))
  const tools = draft.tools ?? saved?.tools ?? defaultTools
  const key = resolveApiKey(scope, saved, draft.apiKey, baseUrl)
  const model = draft.model ?? saved?.model ?? defaultModelOf(scope)
  return runTestTurn(scope, { ...draft, model, tools, baseUrl, key, id: saved?.id ?? null, customer: '' }, messages)
}
const defaultTools = ['transfer_to_queue', 'transfer_to_person', 'set_tag'] as const satisfies PromptRow['tools']

/** A mask stands for the saved key, but only with its saved URL, so that the key cannot be sent to another URL. */
function resolveApiKey(scope: Scope, saved: PromptRow | null, given: string, baseUrl: string): () => string {
  if (!isMaskedSecret(given)) return () => given
  if (!saved || !isSameOrigin(saved.baseUrl, baseUrl)) throw new AppError('ERR_VALIDATION', { apiKey: 'Required' })
  return () => openPromptKey(scope, saved)
}

/** Repeats a recorded request with the current prompt. Nothing is sent to the customer. */
async function tryAgain(scope: Scope, id: number, callId: number): Promise<PromptTryReply> {
  const prompt = await prompts.findRow(scope, id)
  const call = await findExternalCall(scope, callId)
  if (call?.promptId !== id || call.ticketId === null) throw new AppError('ERR_NOT_FOUND')
  const lines = await loadHistory(scope, call.ticketId, prompt.maxMessages, call.at)
  const messages = lines.map(toChatMessage).filter((one) => one.content !== '')
  return runTestTurn(
    scope,
    { ...prompt, key: () => openPromptKey(scope, prompt), customer: call.contactName },
    messages,
  )
}

// Without a transaction, because the route waits for an external service.
const ownTransaction = { transaction: false }
export const promptTryRoutes = [
  route(promptTriesApi.tryIt, (scope, { body }) => tryDraft(scope, body), ownTransaction),
  route(promptTriesApi.again, (scope, { params }) => tryAgain(scope, params.id, params.callId), ownTransaction),
]
