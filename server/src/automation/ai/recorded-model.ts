import { defaultAiBaseUrl } from '@recado/contract/ai/prompts'
import {
  type ChatAnswer,
  type ChatRequest,
  completeChat,
  type ModelMessage,
  type TokenUsage,
} from '../../directory/ai/model/chat.ts'
import type { ModelCallLimits, ModelEndpoint } from '../../directory/ai/model/model-endpoint.ts'
import { ModelFailure } from '../../directory/ai/model/model-failure.ts'
import { transcribeVoice } from '../../directory/ai/model/transcribe.ts'
import { addUsedTokens } from '../../directory/ai/prompts.ts'
import { saveExternalCall } from '../../directory/integrations/external-calls.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/** The prompt and ticket that a call is recorded and counted for. Null: an unsaved draft. */
type ModelCallOwner = { promptId: number | null; ticketId: number | null }
type PromptEndpoint = { baseUrl: string; key: string }

/** The model name that every transcription endpoint accepts. */
const transcriptionModel = 'whisper-1'

/** A client for a prompt's model: each call is recorded, whatever its result, and its tokens are counted. */
export function makeRecordedModel(
  scope: Scope,
  { baseUrl, key }: PromptEndpoint,
  { promptId, ticketId }: ModelCallOwner,
  waiting: ModelCallLimits,
) {
  const { outgoing } = scope.deps
  const endpoint: ModelEndpoint = { outgoing, companyId: scope.companyId, address: baseUrl || defaultAiBaseUrl, key }
  const tokenUsage: TokenUsage = { inputTokens: 0, outputTokens: 0 }

  async function recordCall<T>(
    kind: 'prompt' | 'voice',
    question: string,
    work: () => Promise<T>,
    summarize: (answer: T) => { answered: string; usage: TokenUsage },
  ): Promise<T> {
    const began = performance.now()
    const row = { kind, promptId, ticketId, asked: question }
    const ms = () => Math.round(performance.now() - began)
    try {
      const answer = await work()
      const { answered, usage } = summarize(answer)
      tokenUsage.inputTokens += usage.inputTokens
      tokenUsage.outputTokens += usage.outputTokens
      const tokens = { tokensIn: usage.inputTokens, tokensOut: usage.outputTokens }
      if (promptId !== null) {
        await addUsedTokens(scope, promptId, usage.inputTokens + usage.outputTokens)
        await saveExternalCall(scope, { ...row, ...tokens, ms: ms(), status: 200, ok: true, answered })
      }
      return answer
    } catch (error) {
      if (promptId !== null && error instanceof ModelFailure)
        await saveExternalCall(scope, { ...row, ms: ms(), status: error.status, ok: false, error: error.message })
      throw error
    }
  }

  return {
    /** The sum over all calls of this client so far. */
    tokenUsage: tokenUsage,
    chat: (question: ChatRequest): Promise<ChatAnswer> =>
      recordCall(
        'prompt',
        describeQuestion(question),
        () => completeChat(endpoint, question, waiting),
        ({ text, calls, usage }) => ({
          usage,
          answered: [text, ...calls.map((call) => `${call.name} ${call.arguments}`)].filter(Boolean).join('\n'),
        }),
      ),
    transcribe: (voice: { bytes: Buffer; name: string; type: string }): Promise<string> =>
      recordCall(
        'voice',
        voice.name,
        () => transcribeVoice(endpoint, { ...voice, model: transcriptionModel }, waiting),
        (answered) => ({
          answered,
          usage: { inputTokens: 0, outputTokens: 0 },
        }),
      ),
  }
}

/** The request as readable text. The newest message comes last and must not be cut off. */
function describeQuestion({ model, messages: said }: ChatRequest): string {
  const [system, ...rest] = said.map(messageAsText)
  const newest = rest.join('\n\n').slice(-maxRecordedLength)
  return `${model}\n\n${newest}\n\n${system ?? ''}`
}
const maxRecordedLength = 5000

function messageAsText(one: ModelMessage): string {
  if (one.role === 'tool') return `tool: ${one.content}`
  if (one.role === 'assistant')
    return [`assistant: ${one.content}`, ...(one.calls ?? []).map((c) => `${c.name} ${c.arguments}`)].join('\n')
  const words =
    typeof one.content === 'string' ? one.content : one.content.map((p) => (p.type === 'text' ? p.text : ''))
  return `${one.role}: ${[words].flat().join(' ').trim()}`
}
