import type { PromptTool } from '@recado/contract/ai/prompts'
import type { ChatAnswer, ChatRequest, ModelMessage } from '../../directory/ai/model/chat.ts'
import { ModelFailure } from '../../directory/ai/model/model-failure.ts'
import { formatForWhatsApp, splitIntoMessages, trimToSentence } from './format-reply.ts'
import { checkToolCall, describeTools, type ToolContext, type ToolEffect, type ToolResult } from './tools.ts'

/** The fields of a prompt that a conversation needs; the prompt may be unsaved. */
export type ModelSettings = { model: string; maxTokens: number; temperature: number; tools: readonly PromptTool[] }

export type ModelTurnResult = {
  messages: string[]
  toolResults: ToolResult[]
  tagIds: number[]
  /** Who handles the ticket after this turn, and why. */
  nextOwner: 'machine' | 'person' | 'closed'
  why: 'answered' | 'handed-over' | 'wants-person' | 'does-not-know' | 'ended' | 'in-circles' | 'filtered'
  queueId: number | null
}

/** Limits for a model that keeps calling tools without answering. */
const maxRounds = 4
const maxToolCalls = 5

type AskModel = (question: ChatRequest) => Promise<ChatAnswer>

/** One turn: asks the model, runs allowed tools, and repeats until there is an answer or an action. */
export async function runModelTurn(
  draft: ModelSettings,
  messages: ModelMessage[],
  within: ToolContext,
  callModel: AskModel,
): Promise<ModelTurnResult> {
  const { tools: allowed, ...rest } = draft
  const tools = describeTools(allowed, within)
  const toolResults: ToolResult[] = []
  let allMessages = messages
  let text = ''
  for (let round = 1; round <= maxRounds; round++) {
    const answer = await completeAnswer({ ...rest, messages: allMessages, tools }, callModel)
    text = formatForWhatsApp(answer.text) || text
    if (answer.finish === 'content_filter') return makeResult('person', 'filtered', '', toolResults)
    if (!answer.calls.length)
      return text
        ? makeResult('machine', 'answered', text, toolResults)
        : makeResult('person', 'in-circles', '', toolResults)
    const calls = answer.calls.slice(0, maxToolCalls)
    const outcomes = calls.map((call) => checkToolCall(call, allowed, within))
    toolResults.push(...outcomes)
    const last = outcomes.find(({ effect }) => effect && effect.kind !== 'tag')?.effect
    if (last) return resultOfHandover(last, text, toolResults)
    allMessages = [
      ...allMessages,
      { role: 'assistant', content: answer.text, calls },
      ...calls.map(
        (call, n): ModelMessage => ({ role: 'tool', callId: call.id, content: outcomes[n]?.modelText ?? '' }),
      ),
    ]
  }
  return text
    ? makeResult('machine', 'answered', text, toolResults)
    : makeResult('person', 'in-circles', '', toolResults)
}

/** Continues a truncated answer once; if the answer is still truncated, it is cut after a whole sentence. */
async function completeAnswer(question: ChatRequest, callModel: AskModel): Promise<ChatAnswer> {
  const answer = await callModel(question)
  if (answer.finish !== 'length') return answer
  const goOn =
    'Your answer was cut off. Go on exactly where it stopped, without repeating anything, and come to an end.'
  const messages: ModelMessage[] = [
    ...question.messages,
    { role: 'assistant', content: answer.text },
    { role: 'system', content: goOn },
  ]
  // Keeps the first part of the answer even if the continuation fails.
  const more = await callModel({ ...question, messages: messages }).catch((error: unknown) => {
    if (error instanceof ModelFailure) return null
    throw error
  })
  if (!more) return { ...answer, text: trimToSentence(answer.text) }
  const text = answer.text + more.text
  return { ...more, text: more.finish === 'length' ? trimToSentence(text) : text }
}

function resultOfHandover(effect: ToolEffect, text: string, toolResults: ToolResult[]): ModelTurnResult {
  if (effect.kind === 'end') return makeResult('closed', 'ended', text, toolResults)
  if (effect.kind === 'queue')
    return { ...makeResult('person', 'handed-over', text, toolResults), queueId: effect.queueId }
  return makeResult('person', effect.kind === 'person' ? effect.why : 'wants-person', text, toolResults)
}

const makeResult = (
  next: ModelTurnResult['nextOwner'],
  why: ModelTurnResult['why'],
  text: string,
  toolResults: ToolResult[],
): ModelTurnResult => ({
  ...{ nextOwner: next, why, toolResults: toolResults, queueId: null },
  messages: splitIntoMessages(text),
  tagIds: [...new Set(toolResults.flatMap(({ effect }) => (effect?.kind === 'tag' ? effect.tagId : [])))],
})
