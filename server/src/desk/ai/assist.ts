import type { AssistReply } from '@recado/contract/ai/assist'
import { defaultAiBaseUrl } from '@recado/contract/ai/prompts'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { type ChatAnswer, completeChat, type ModelMessage } from '../../directory/ai/model/chat.ts'
import { ModelFailure } from '../../directory/ai/model/model-failure.ts'
import { addUsedTokens, isTokenLimitReached, openPromptKey, type PromptRow } from '../../directory/ai/prompts.ts'
import { findContact, updateContactRow } from '../../directory/contacts/contact-store.ts'
import { saveExternalCall } from '../../directory/integrations/external-calls.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { findVisibleTicket } from '../tickets/base/ticket-view.ts'
import { splitLanguageCode } from './prompts.ts'

export type AssistContext = { ticket: Ticket; prompt: PromptRow }
export type AssistStream = { onText: (text: string) => void; signal: AbortSignal }
type AssistRequest = {
  /** The kind of assistance, stored with the call for later review. */
  kind: string
  messages: ModelMessage[]
  /** Whether the answer begins with a language code. */
  hasCode?: boolean
  sources?: AssistReply['sources']
  /** Low temperature: facts must not be made up. A suggestion uses its prompt's own temperature. */
  temperature?: number
}

const assistTimeoutMs = 60_000
/** The minimum number of tokens for help to agents: a prompt's own limit is meant for replies to customers. */
const minAnswerTokens = 800

/** The prompt that assists agents on this ticket: the one of its queue, else the oldest marked prompt. */
export async function findAgentPrompt(scope: Scope, ticket: Pick<Ticket, 'queueId'>): Promise<PromptRow | undefined> {
  return scope.db
    .selectFrom('prompts')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('forAgents', '=', true)
    .orderBy(sql`"queueId" is not distinct from ${ticket.queueId}::int`, 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** The ticket, after checking that the user may see it, and the prompt that assists agents on it. */
export async function loadAssistContext(scope: Scope, ticketId: number): Promise<AssistContext> {
  const ticket = await findVisibleTicket(scope, ticketId)
  const prompt = await findAgentPrompt(scope, ticket)
  if (!prompt) throw new AppError('ERR_ASSIST_OFF')
  if (await isTokenLimitReached(scope, prompt)) throw new AppError('ERR_ASSIST_SPENT')
  return { ticket, prompt }
}

/** Calls the model outside any transaction and records the cost. Nothing is sent to the customer. */
export async function requestAssist(
  scope: Scope,
  context: AssistContext,
  request: AssistRequest,
  stream: AssistStream,
): Promise<AssistReply> {
  const { prompt, ticket } = context
  const endpoint = {
    outgoing: scope.deps.outgoing,
    companyId: scope.companyId,
    address: prompt.baseUrl || defaultAiBaseUrl,
    key: openPromptKey(scope, prompt),
  }
  const question = {
    model: prompt.model,
    messages: request.messages,
    maxTokens: Math.max(prompt.maxTokens, minAnswerTokens),
    temperature: request.temperature ?? prompt.temperature,
    onText: request.hasCode ? skipLanguageCode(stream.onText) : stream.onText,
  }
  const began = performance.now()
  try {
    const answer = await completeChat(endpoint, question, { signal: stream.signal, timeoutMs: assistTimeoutMs })
    await storeAssistCall(scope, context, request, began, answer, '')
    const { language, text } = request.hasCode
      ? splitLanguageCode(answer.text)
      : { language: null, text: answer.text.trim() }
    if (!text) throw new AppError('ERR_ASSIST_FAILED', undefined, { reason: 'nonsense' })
    if (language) await storeContactLanguage(scope, ticket.contactId, language)
    const { inputTokens, outputTokens } = answer.usage
    return { text, language, sources: request.sources ?? [], tokens: inputTokens + outputTokens }
  } catch (error) {
    if (error instanceof AppError) throw error
    const why = stream.signal.aborted ? 'cancelled' : error instanceof ModelFailure ? error.code : null
    if (!why) throw error
    await storeAssistCall(
      scope,
      context,
      request,
      began,
      null,
      error instanceof Error && why !== 'cancelled' ? error.message : why,
    )
    throw new AppError('ERR_ASSIST_FAILED', undefined, { reason: why })
  }
}

async function storeAssistCall(
  scope: Scope,
  { prompt, ticket }: AssistContext,
  { kind, messages: said }: AssistRequest,
  began: number,
  answer: ChatAnswer | null,
  error: string,
): Promise<void> {
  const { inputTokens = 0, outputTokens = 0 } = answer?.usage ?? {}
  await scope.transaction(async (tx) => {
    await saveExternalCall(tx, {
      ...{ kind: 'prompt', promptId: prompt.id, ticketId: ticket.id, ms: Math.round(performance.now() - began) },
      ...{ status: answer ? 200 : 0, ok: answer !== null, tokensIn: inputTokens, tokensOut: outputTokens },
      asked: `[${kind}] ${said.map((one) => (typeof one.content === 'string' ? one.content : '')).join('\n\n')}`,
      ...{ answered: answer?.text ?? '', error },
    })
    if (inputTokens + outputTokens > 0) await addUsedTokens(tx, prompt.id, inputTokens + outputTokens)
  })
}

/** Forwards streamed text without its first row, which holds the language code. */
function skipLanguageCode(say: (text: string) => void): (piece: string) => void {
  let head: string | null = ''
  return (piece) => {
    if (head === null) return say(piece)
    head += piece
    if (!head.includes('\n') && head.length < 60) return
    const { language, text } = splitLanguageCode(head)
    // The text after the code may end in a space that is part of the text.
    const rest = language ? head.slice(head.indexOf('\n') + 1).replace(/^\s{1,20}/, '') : head
    head = null
    if (rest && text) say(rest)
  }
}

/** Stores a language code: two letters, or three for languages without a two-letter code. */
async function storeContactLanguage(scope: Scope, contactId: number, language: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const contact = await findContact(tx, contactId)
    if (contact.language !== language && !contact.isGroup) await updateContactRow(tx, contactId, { language })
  })
}
